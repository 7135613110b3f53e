// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Pages of command lines that say nothing, and of what any part of pload may run out of. */
#include <stddef.h>

#include "loader/tools/reasons/reasons.h"

const struct reason reasons_usage[] = {
	{ "usage/command-line", "the command line is not one that pload understands",
	  "pload reads options by the tables in loader/cmd, before anything is done: exit "
	  "status 2.",
	  "pload --help; pload help COMMAND.", "What the error and its hint say." },
	{ "usage/code", "no page has this reason",
	  "pload explain looks in its own tables, by pattern.",
	  "pload explain lists them all.",
	  "Quote patterns, for the shell to leave them: pload explain 'perf-open/*'." },
	{ "pload/no-memory", "pload itself has no memory left",
	  "malloc(3): RLIMIT_AS or RLIMIT_DATA of the process, memory.max of its cgroup, or the "
	  "machine's own.",
	  "ulimit -v -d; free; memory.events of the cgroup.", "Raise the limit." },
	{ "pload/signals", "signals cannot be waited for",
	  "signalfd(2), which lets ^C end a session in order: EMFILE, or a kernel without "
	  "CONFIG_SIGNALFD.",
	  "ulimit -n", "ulimit -n with a larger number." },
	{ "pload/interrupted", "a signal came before all was done",
	  "pload ends between two objects when SIGINT, SIGTERM or SIGHUP comes.",
	  "The error says how many were not tried.", "Run it again for these." },
	{ NULL, NULL, NULL, NULL, NULL },
};
