// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* pload stat: count events without a program, and print for how long. */
#include <errno.h>
#include <string.h>

#include "loader/commands/commands.h"
#include "loader/core/print/message.h"
#include "loader/sessions/counting/counts.h"
#include "loader/core/session/session.h"

static int check(struct options *o, struct error *err)
{
	if (o->nr_objects) {
		error_set(err, EINVAL, "'%s': pload stat counts events, and loads no object",
			  o->objects[0]);
		return error_hint(err, "a command goes after --; pload OBJ prints the same table "
				       "for the counters that its programs read");
	}
	return options_check_scope(o, err);
}

static const struct option_row event_rows[] = {
	{ "event", 'e', "=EVENT",
	  "Count this event. Takes the names of pload list, modifiers, ,or= and {}. May be "
	  "repeated. Default: a clock, context-switches, cpu-migrations, page-faults, cycles, "
	  "instructions, branches, branch-misses.",
	  OPTION_LIST, OPTION_FIELD(events), NULL, NULL },
	{ 0 },
};

static const struct option_row count_rows[] = {
	{ "duration", 'd', "=SECONDS",
	  "Stop after SECONDS, 500ms, 1.5m or 1h (default: when the command or the tasks end, or "
	  "at ^C).",
	  OPTION_PARSED, 0, options_seconds, NULL },
	{ "interval", 'I', "=MS",
	  "Every MS milliseconds, print what was counted since the last time; print the totals at "
	  "the end.",
	  OPTION_PARSED, 0, options_interval, NULL },
	{ "per-cpu", 'A', NULL,
	  "Also print the counts of each CPU. JSON always includes them.",
	  OPTION_FLAG, OPTION_FIELD(per_cpu), NULL, NULL },
	{ 0 },
};

static const struct option_group event_group = { "Events", event_rows };
static const struct option_group count_group = { "Counting", count_rows };

static const struct option_group *const groups[] = {
	&event_group, &options_scope, &count_group, &options_learning, NULL,
};

const struct command command_stat = {
	.name = "stat",
	.summary = "Count events, and how long each was enabled and on the PMU.",
	.arguments = "[-- COMMAND [ARGUMENT...]]",
	.runs_child = true,
	.about = "Count events for a command, tasks or CPUs. For each event, print its value, how\n"
		 "long it was enabled, how long it was on the PMU (running), and its value scaled\n"
		 "to the whole enabled time. An event that was never on the PMU has no value\n"
		 "rather than 0.\n",
	.examples =
		"    pload stat -- make -j2                        # a command and its children\n"
		"    pload stat -a -d 10 -I 1000                   # all CPUs, every second\n"
		"    pload stat --format=json -p 42 -d 1         "
		"  # a process, as JSON\n",
	.groups = groups,
	.check = check,
	.run = session_stat,
};
