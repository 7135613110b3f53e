// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* pload stat: count events without a program, as perf stat does, and print their times as well. */
#include <errno.h>
#include <string.h>

#include "loader/cmd/command.h"
#include "loader/print/message.h"
#include "loader/session/counting/counts.h"
#include "loader/session/session.h"

static int set_runs(struct options *o, const char *text, struct error *err)
{
	return options_uint("-r", text, 1, 1000000, &o->runs, err);
}

static int set_separator(struct options *o, const char *text, struct error *err)
{
	o->separator = strcmp(text, "\\t") ? text : "\t";
	if (text[0] && !strpbrk(text, "\"\n\r"))
		return 0;
	error_set(err, EINVAL, text[0] ? "a separator has no quotes and newlines" :
					 "the separator is empty");
	error_hint(err, "as in -x , or -x ';' or -x '\\t'");
	return error_where(err, "-x");
}

/* Options of which each alone is valid. */
static int check_together(struct options *o, struct error *err)
{
	if (o->runs && !o->child) {
		error_set(err, EINVAL, "-r repeats a command, and there is none");
		return error_hint(err, "as in: pload stat -r 5 -- ls -l");
	}
	if (o->runs > 1 && (o->interval_ms || o->per_cpu)) {
		error_set(err, EINVAL, "-r and %s cannot be combined",
			  o->interval_ms ? "-I" : "-A");
		return error_hint(err, "-r prints the mean of whole runs over all CPUs");
	}
	if (!o->separator)
		return 0;
	if (o->format != output_format_find("text", NULL)) {
		error_set(err, EINVAL, "-x and --format=%s cannot be combined", o->format->name);
		return error_hint(err, "-x is a format of its own");
	}
	o->format = &separated_output_format;
	return 0;
}

static int check(struct options *o, struct error *err)
{
	int ret;

	if (o->nr_objects) {
		error_set(err, EINVAL, "'%s': pload stat counts events, and loads no object",
			  o->objects[0]);
		return error_hint(err, "a command goes after --; pload OBJ prints the same table "
				       "for the counters that its programs read");
	}
	ret = options_check_scope(o, err);
	return ret ? ret : check_together(o, err);
}

static const struct option_row event_rows[] = {
	{ "event", 'e', "=EVENT",
	  "Count this event: the names of pload list, with modifiers, ,or= and {}. May be "
	  "repeated. Default: a clock, context-switches, cpu-migrations, page-faults, cycles, "
	  "instructions, branches, branch-misses.",
	  OPTION_LIST, OPTION_FIELD(events), NULL, NULL },
	{ 0 },
};

static const struct option_row count_rows[] = {
	{ "duration", 'd', "=SECONDS",
	  "Stop after SECONDS, or after 500ms, 1.5m or 1h (default: at the end of the command or "
	  "of the tasks, or at ^C).",
	  OPTION_PARSED, 0, options_seconds, NULL },
	{ "interval", 'I', "=MS",
	  "Print every MS milliseconds what was counted since the last time, and at the end all.",
	  OPTION_PARSED, 0, options_interval, NULL },
	{ "repeat", 'r', "=N",
	  "Run the command N times, and print the mean of each count, and the standard deviation.",
	  OPTION_PARSED, 0, set_runs, NULL },
	{ "per-cpu", 'A', NULL,
	  "Print each CPU, too; JSON always has them.",
	  OPTION_FLAG, OPTION_FIELD(per_cpu), NULL, NULL },
	{ "field-separator", 'x', "=SEP",
	  "Print a line for each event with fields that SEP separates, as perf stat -x does: "
	  "value, unit, event, ns on the PMU, percentage of the time, ratio, its unit.",
	  OPTION_PARSED, 0, set_separator, NULL },
	{ 0 },
};

static const struct option_group event_group = { "Events", event_rows };
static const struct option_group count_group = { "Counting", count_rows };

static const struct option_group *const groups[] = {
	&event_group, &options_scope, &count_group, &options_learning, NULL,
};

const struct command command_stat = {
	.name = "stat",
	.summary = "Count events, with the times for which they were enabled and on the PMU.",
	.arguments = "[-- COMMAND [ARGUMENT...]]",
	.runs_child = true,
	.about = "Count events of a command, of tasks or of CPUs. For each event: its value, how\n"
		 "long it was enabled, how long it was on the PMU (running), and its value scaled\n"
		 "to all of the enabled time. An event that was never on the PMU has no value; it\n"
		 "does not have 0.\n",
	.examples =
		"    pload stat -- make -j2                        # a command and its children\n"
		"    pload stat -r 5 -e cycles,instructions -- ls  # the mean of five runs\n"
		"    pload stat -a -d 10 -I 1000                   # all CPUs, each second\n"
		"    pload stat -x , -p 42 -d 1                  "
		"  # a process; lines for a program\n",
	.groups = groups,
	.check = check,
	.run = session_stat,
};
