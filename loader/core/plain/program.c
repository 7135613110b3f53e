// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The only command of pload-core, a session with one object, and its options. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/cmd/command.h"
#include "loader/core/plain/plain.h"

static int set_attach(struct options *o, const char *text, struct error *err)
{
	o->method = attach_method_find(text, err);
	return o->method ? 0 : -EINVAL;
}

static int set_cookie(struct options *o, const char *text, struct error *err)
{
	o->has_cookie = true;
	return options_number("--cookie", text, 0, UINT64_MAX, &o->cookie, err);
}

static int set_freq(struct options *o, const char *text, struct error *err)
{
	return options_number("-F", text, 1, UINT32_MAX, &o->freq, err);
}

static int set_period(struct options *o, const char *text, struct error *err)
{
	return options_number("-c", text, 1, INT64_MAX, &o->period, err);
}

static int set_processes(struct options *o, const char *text, struct error *err)
{
	o->scope.processes = text;
	return event_tasks_check(text, "process", err) ? error_where(err, "-p") : 0;
}

static int set_seconds(struct options *o, const char *text, struct error *err)
{
	char *end;

	o->seconds = strtod(text, &end);
	if (end != text && !*end && o->seconds >= 0 && o->seconds <= 1e9)
		return 0;
	error_set(err, EINVAL, "'%s' is not a number of seconds from 0 to 1e9", text);
	return error_where(err, "-d");
}

static int set_format(struct options *o, const char *text, struct error *err)
{
	o->format = output_format_find(text, err);
	return o->format ? 0 : -EINVAL;
}

static const struct option_row rows[] = {
	{ "attach", 0, "=ioctl|pmu|link", "How events are opened and programs bound; or OPEN+BIND.",
	  OPTION_PARSED, 0, set_attach, NULL },
	{ "cookie", 0, "=N", "The result of bpf_get_attach_cookie(); with --attach=link.",
	  OPTION_PARSED, 0, set_cookie, NULL },
	{ "event", 'e', "=EVENT", "A name such as cycles, CATEGORY:NAME or PMU/TERMS/.",
	  OPTION_LIST, OPTION_FIELD(events), NULL, NULL },
	{ "freq", 'F', "=HZ", "Sample HZ times per second.", OPTION_PARSED, 0, set_freq, NULL },
	{ "count", 'c', "=PERIOD", "Sample once every PERIOD events.",
	  OPTION_PARSED, 0, set_period, NULL },
	{ "cpu", 'C', "=LIST", "Only these CPUs, for example 0-3,5.",
	  OPTION_TEXT, OPTION_FIELD(scope.cpus), NULL, NULL },
	{ "pid", 'p', "=PID,...", "These processes only.",
	  OPTION_PARSED, 0, set_processes, NULL },
	{ "duration", 'd', "=SECONDS", "Stop after SECONDS (default: run until ^C).",
	  OPTION_PARSED, 0, set_seconds, NULL },
	{ "prog", 0, "=NAME", "Load only this program.",
	  OPTION_LIST, OPTION_FIELD(load.progs), NULL, NULL },
	{ "format", 0, "=text|json", "Print text (the default) or JSON Lines.",
	  OPTION_PARSED, 0, set_format, NULL },
	{ "trace", 0, NULL, "Print each system call as it returns.",
	  OPTION_FLAG, OPTION_FIELD(trace), NULL, NULL },
	{ "verbose", 'v', NULL, "Print the whole verifier log.",
	  OPTION_FLAG, OPTION_FIELD(verbose), NULL, NULL },
	{ "help", 'h', NULL, "Print this text.", OPTION_FLAG, OPTION_FIELD(help), NULL, NULL },
	{ "version", 0, NULL, "Print the version.",
	  OPTION_FLAG, OPTION_FIELD(version), NULL, NULL },
	{ 0 },
};

static const struct option_group group = { "Options", rows };
static const struct option_group *const groups[] = { &group, NULL };

static int check(struct options *o, struct error *err)
{
	if (o->nr_objects != 1)
		return error_set(err, EINVAL, "pass one object file");
	if (o->period && o->freq)
		return error_set(err, EINVAL, "-c and -F cannot be combined");
	return cookie_check_options(o, err);
}

static int kernels(const struct options *o, struct sys *layers[PROGRAM_LAYERS])
{
	if (!o->trace)
		return 0;
	layers[0] = plain_trace(sys_linux());
	return layers[0] ? 1 : -1;
}

static const struct command session = {
	.arguments = "prog.o",
	.about = "Load a BPF object with raw system calls, attach its programs to perf events,\n"
		 "print their records and maps, and detach them again.\n",
	.groups = groups, .check = check, .run = session_run,
};

static const struct command *const commands[] = { NULL };

const struct program program = {
	.name = "pload-core", .session = &session, .commands = commands, .kernels = kernels,
};
