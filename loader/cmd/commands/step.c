// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* pload step: run a session, record its calls, and show them one at a time. */
#include <errno.h>
#include <unistd.h>

#include "loader/attach/attach.h"
#include "loader/cmd/command.h"
#include "loader/print/message.h"
#include "loader/tools/step/record.h"
#include "loader/tools/step/show.h"
#include "loader/value/value.h"

static int print_json(FILE *file, const struct recording *r, struct error *err)
{
	for (size_t i = 0; i < json_object_array_length(r->steps); i++) {
		const char *text = value_json(json_object_array_get_idx(r->steps, i), NULL);

		if (!text)
			return error_set(err, ENOMEM, "no memory for a step");
		fprintf(file, "%s\n", text);
	}
	return 0;
}

static void print_text(FILE *file, const struct recording *r)
{
	for (size_t i = 0; i < json_object_array_length(r->steps); i++)
		step_print(file, r, i);
	step_print_end(file, r);
}

static int step_run(struct sys *sys, const struct options *o, struct output *out, struct error *err)
{
	struct recording r;
	int ret = recording_make(&r, sys, o, o->method, err);

	if (!ret && !o->format->digest)
		ret = print_json(out->file, &r, err);
	else if (!ret && !o->output && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO))
		ret = step_browse(out->file, &r);
	else if (!ret)
		print_text(out->file, &r);
	if (!ret && r.refused.code)
		out->status = 1;
	recording_free(&r);
	return ret;
}

/* A session without -d would last until ^C: the first samples come within a second. */
static int check(struct options *o, struct error *err)
{
	const int ret = command_default.check(o, err);

	if (!ret && o->seconds < 0 && !o->child)
		o->seconds = o->dry_run ? 0 : 1;
	return ret;
}

static const struct option_group *const groups[] = {
	&options_events, &options_scope, &options_attaching, &options_loading,
	&options_kernel_types, &options_learning, NULL,
};

const struct command command_step = {
	.name = "step",
	.summary = "Show the system calls of a session a step at a time, forwards and backwards.",
	.arguments = "prog.o [-- COMMAND [ARGUMENT...]]",
	.records = true,
	.runs_child = true,
	.about = "Run a session of one second (-d), or simulate it (--dry-run), and show each of\n"
		 "its system calls: the reason for it, its attributes, the instructions that it\n"
		 "passes, the line of pload that makes it, and who holds whom afterwards. On a\n"
		 "terminal, Enter goes on, b back, /TEXT searches and q quits.\n",
	.examples =
		"    pload step --dry-run prog.o              # without privileges\n"
		"    pload step --attach=link prog.o | less   # all steps\n",
	.groups = groups,
	.check = check,
	.run = step_run,
};
