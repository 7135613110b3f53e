// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* pload watch: print what another loader does, and what is found of it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/commands/commands.h"
#include "loader/core/print/message.h"
#include "loader/observe/watch/watch.h"

static int check(struct options *o, struct error *err)
{
	if (o->dry_run || o->trace)
		return error_set(err, EINVAL, "--%s is for pload's own calls, and pload watch "
					      "makes none", o->dry_run ? "dry-run" : "trace");
	if (o->child && o->scope.processes)
		return error_set(err, EINVAL, "-p and a command cannot be combined");
	if (!o->child && !o->scope.processes) {
		error_set(err, EINVAL, "no command given");
		return error_hint(err, "as in: pload watch -- bpftrace -e 'tick:s { exit() }'");
	}
	/* They are several files, below a directory; --pin is no option of this command. */
	if (!strcmp(o->format->name, "objects")) {
		if (!o->output)
			return error_set(err, EINVAL, "--format=objects requires -o DIR");
		o->pin = o->output;
		o->output = NULL;
	}
	return 0;
}

static int set_pid(struct options *o, const char *text, struct error *err)
{
	uint64_t pid;

	o->scope.processes = text;
	return options_number("-p", text, 1, INT32_MAX, &pid, err);
}

static int watch(struct sys *sys, const struct options *o, struct output *out, struct error *err)
{
	const struct watch_options watch = {
		.argv = o->child,
		.pid = o->scope.processes ? strtol(o->scope.processes, NULL, 0) : 0,
		.insns = o->inspect.insns, .all = o->verbose, .replay = o->pin,
		.out = o->output ? out->file : stderr,
		.form = !strcmp(o->format->name, "html") ? WATCH_PAGE :
			!o->format->digest		 ? WATCH_JSON :
			!strcmp(o->format->name, "text") ? WATCH_TEXT : WATCH_SUMMARY,
	};

	(void)sys;
	return watch_run(&watch, &out->status, err);
}

static const struct output_format formats[] = {
	{ .name = "text", .digest = true },
	{ .name = "summary", .digest = true },
	{ .name = "html" },
	{ .name = "objects", .digest = true },
	{ 0 },
};

static const struct option_row rows[] = {
	{ "pid", 'p', "=PID",
	  "Watch this process and all its threads, until it exits or ^C.",
	  OPTION_PARSED, 0, set_pid, NULL },
	{ "insns", 0, NULL,
	  "Also print the instructions of programs as the loader passes them, with their source.",
	  OPTION_FLAG, OPTION_FIELD(inspect.insns), NULL, NULL },
	{ 0 },
};

static const struct option_group watch_group = { "Watching", rows };
static const struct option_group *const groups[] = { &watch_group, &options_learning, NULL };

const struct command command_watch = {
	.name = "watch",
	.summary = "Show what another loader does, call by call, and why it fails.",
	.arguments = "[--] COMMAND [ARGUMENT...]",
	.records = true,
	.runs_child = true,
	.is_prefix = true,
	.about = "Run a command, or watch a process (-p). Print each system call with which it\n"
		 "loads and attaches BPF programs, decoded as with --trace, then the findings.\n"
		 "The output goes to standard error, or to FILE with -o. The command behaves as\n"
		 "it would without pload, and pload exits with its status.\n",
	.examples =
		"    pload watch -- bpftrace -e 'BEGIN { exit() }'       # all calls, findings\n"
		"    pload watch --format=summary -- ./my_loader prog.o  # only the findings\n"
		"    pload watch --format=objects -o dir -- ./loader     # objects it loads\n"
		"    pload watch -o calls.txt -p 4242                    # a running process\n"
		"    pload watch --format=html -o x.html -- ./my_loader  # a page for a browser\n",
	.groups = groups,
	.formats = formats,
	.check = check,
	.run = watch,
};
