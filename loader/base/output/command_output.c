// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Open and close the output of a command, whose writes can be interrupted while blocked. */
#include <errno.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "loader/base/output/command_output.h"
#include "loader/base/output/interruptible_stdout.h"
#include "loader/base/output/output_file.h"
#include "loader/base/output/terminal.h"
#include "loader/core/print/message.h"
#include "loader/core/session/options.h"

struct command_output {
	struct stdout_watch watch;	/* first member: output_close() converts it back */
	struct output_file file;
};

int output_open(struct output *out, const struct options *o, struct error *err)
{
	const bool to_file = o->output && !o->help && !o->version;
	struct command_output *c = calloc(1, sizeof(*c));
	int ret;

	out->file = NULL;
	if (!c)
		return error_set(err, ENOMEM, "no memory to start");
	out->watch = &c->watch;
	c->file = OUTPUT_FILE_STDOUT;
	ret = to_file ? output_file_open(&c->file, o->output, err) : 0;
	if (ret < 0)
		return ret;
	c->watch.fd = c->file.fd;
	if (terminal_has_color(c->file.fd))
		out->format = output_format_colored(o->format);
	out->owns_stdout = c->file.fd == STDOUT_FILENO && !o->format->digest;
	/* Replace stdout, so that fflush(stdout) flushes this stream. */
	out->file = stdout = interruptible_stdout(&c->watch);
	return out->file ? 0 : error_set(err, ENOMEM, "no memory to start");
}

int output_close(struct output *out, int ret, struct error *err)
{
	struct command_output *c = (struct command_output *)out->watch;

	if (!c)
		return ret;
	if (err->reason && !strcmp(err->reason, "output/failed")) {
		if (c->file.path)
			error_where(err, "%s", c->file.path);
		if (out->file)
			__fpurge(out->file);
	}
	if (out->file)
		fclose(out->file);
	out->file = NULL;
	out->watch = NULL;
	if (ret >= 0 && output_file_finish(&c->file, err) < 0)
		ret = err->code;
	output_file_close(&c->file);
	free(c);
	return ret;
}
