// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The groups of the suite, the file of its test ids, and the tests that need the whole machine. */
#include "test/regress/groups/groups.h"
#include "test/regress/harness/parts.h"

#define GROUP(name, lane, area) &regress_group_##name,
const struct regress_group *const regress_groups[] = { REGRESS_GROUPS NULL };
#undef GROUP

#define GROUP(name, lane, area) #area,
const char *const regress_areas[] = { REGRESS_GROUPS NULL };
#undef GROUP

const char regress_ids[] = "suite.ids";

const char *const regress_exclusive[] = {
	"*breakpoint*",			/* the debug registers of each CPU */
	"slots/*", "queries/*",		/* the 64 programs of a tracepoint */
	"limits/*60 programs*",
	"returns/syscall tracepoint*",	/* ... one of which decides for all */
	"limits/*perf_event_paranoid*",	/* sysctls */
	"privilege/*", "compare/privilege: *", "compare/*user namespaces",
	"hotplug/*",			/* CPUs */
	NULL
};

const uint64_t regress_patience_ns = 15 * UINT64_C(1000000000);
const uint64_t regress_late_ns = 300 * UINT64_C(1000000000);

const char *regress_kmsg(void)
{
	return "/dev/kmsg";
}
