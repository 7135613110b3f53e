// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The commands of pload, and what they have in common. */
#include <errno.h>

#include "loader/base/output/command_output.h"
#include "loader/base/output/terminal.h"
#include "loader/commands/commands.h"
#include "loader/explain/kernel/refused.h"
#include "loader/core/session/load.h"

static const struct command *const commands[] = {
	&command_load,
	&command_inspect,
	&command_show,
	&command_list_events,
	&command_probe,
	&command_profile,
	&command_stat,
	&command_step,
	&command_watch,
	&command_compare,
	&command_pin,
	&command_explain,
	NULL,
};

static int check(const struct options *o, struct error *err)
{
	if (o->load.core_by_kernel && o->load.btf)
		return error_set(err, EINVAL,
				 "--core=kernel takes the kernel's own types, not --btf");
	return tuning_check(&o->load, err);
}

/* A proxy over the real kernel, or over that a simulated one (--dry-run), traced or not. */
static int kernels(const struct options *o, struct sys *layers[PROGRAM_LAYERS])
{
	int nr = 0;

	layers[nr++] = sys_proxy(sys_linux());
	if (layers[0] && o->dry_run)
		layers[nr++] = sys_dry_over(layers[0]);
	if (layers[nr - 1] && (o->trace || (o->dry_run && !o->command->records))) {
		layers[nr] = sys_trace(layers[nr - 1], stderr, o->trace_form);
		nr++;
	}
	return layers[nr - 1] ? nr : -1;
}

const struct program program = {
	.name = "pload", .session = &command_default, .commands = commands, .check = check,
	.open_output = output_open, .close_output = output_close, .has_color = terminal_has_color,
	.kernels = kernels, .log_part = verifier_log_extract,
};
