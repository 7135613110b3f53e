// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The options of events, and of their scope: the tasks and CPUs over which they are opened. */
#include <errno.h>
#include <string.h>

#include "loader/core/cmd/command.h"
#include "loader/core/event/scope.h"

static int set_rate(const char *option, const char *text, uint64_t max, uint64_t *value,
		    struct error *err)
{
	int ret = options_number(option, text, 1, max, value, err);

	if (ret && !strcmp(text, "0"))
		error_hint(err, "without a period or frequency an event only counts, and its "
				"program never runs");
	return ret;
}

static int set_freq(struct options *o, const char *text, struct error *err)
{
	return set_rate("-F", text, UINT32_MAX, &o->freq, err);
}

static int set_period(struct options *o, const char *text, struct error *err)
{
	return set_rate("-c", text, INT64_MAX, &o->period, err);
}

static int set_processes(struct options *o, const char *text, struct error *err)
{
	o->scope.processes = text;
	return event_tasks_check(text, "process", err) ? error_where(err, "-p") : 0;
}

static int set_threads(struct options *o, const char *text, struct error *err)
{
	o->scope.threads = text;
	return event_tasks_check(text, "thread", err) ? error_where(err, "-t") : 0;
}

static int set_test_run(struct options *o, const char *text, struct error *err)
{
	return options_uint("--test-run", text ? text : "1", 1, 1u << 20, &o->test_runs, err);
}

static const struct option_row event_rows[] = {
	{ "event", 'e', "=EVENT",
	  "Attach to this event, named as in perf: cycles, cpu-clock, L1-dcache-load-misses; rHEX; "
	  "TYPE:CONFIG; CATEGORY:NAME (globs too); mem:ADDR[/LEN][:rwx]; PMU/TERMS/; "
	  "kprobe:FUNCTION[+OFF], kretprobe:..., uprobe:FILE:FUNCTION, uretprobe:..., "
	  "usdt:FILE:PROVIDER:NAME. You can add :MODIFIERS, ,freq=HZ, ,period=N, and ,or=EVENT, an "
	  "alternative in case the event is not available. Commas separate events; {} makes a "
	  "group. May be repeated; see pload list.",
	  OPTION_LIST, OPTION_FIELD(events), NULL, NULL },
	{ "freq", 'F', "=HZ",
	  "Sample HZ times a second.",
	  OPTION_PARSED, 0, set_freq, NULL },
	{ "count", 'c', "=PERIOD",
	  "Sample once every PERIOD events.",
	  OPTION_PARSED, 0, set_period, NULL },
	{ "test-run", 0, "[=N]",
	  "Do not attach: run xdp and tc programs N times on a built-in packet, and raw_tp and "
	  "syscall programs with zeros as arguments.",
	  OPTION_PARSED, 0, set_test_run, NULL },
	{ 0 },
};

static const struct option_row scope_rows[] = {
	{ "all-cpus", 'a', NULL,
	  "All processes on all online CPUs (the default).",
	  OPTION_FLAG, OPTION_FIELD(all_cpus), NULL, NULL },
	{ "cpu", 'C', "=LIST",
	  "Only these CPUs, for example 0-3,5.",
	  OPTION_TEXT, OPTION_FIELD(scope.cpus), NULL, NULL },
	{ "pid", 'p', "=PID,...",
	  "Only these processes: all their threads, including threads and children created later.",
	  OPTION_PARSED, 0, set_processes, NULL },
	{ "tid", 't', "=TID,...",
	  "Only these threads.",
	  OPTION_PARSED, 0, set_threads, NULL },
	{ "uid", 'u', "=USER",
	  "Only the processes that this user (name or number) has now.",
	  OPTION_TEXT, OPTION_FIELD(scope.user), NULL, NULL },
	{ "cgroup-tasks", 'G', "=DIR,...",
	  "Only the tasks of these cgroups. A path is relative to the cgroup mount unless it "
	  "starts with /.",
	  OPTION_TEXT, OPTION_FIELD(scope.cgroups), NULL, NULL },
	{ "no-inherit", 0, NULL,
	  "Exclude threads and children created later.",
	  OPTION_FLAG, OPTION_FIELD(scope.no_inherit), NULL, NULL },
	{ 0 },
};

const struct option_group options_events = {
	"Events (default: the one in the program's section name, else cycles or cpu-clock)",
	event_rows
};
const struct option_group options_scope = { "Scope of the events (tasks and CPUs)", scope_rows };
