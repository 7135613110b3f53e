/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The list of all groups of tests, in the order in which they run. */
#ifndef PLOAD_REGRESS_GROUPS_H
#define PLOAD_REGRESS_GROUPS_H

#include "test/regress/harness/regress.h"

/*
 * A line for each: a file NAME.c in a folder of groups/ defines regress_group_NAME. The second word
 * is its lane: `make check` runs those of one lane in turn, and the lanes side by side. Groups that
 * write lines of tracefs are in the lane kernel.
 */
#define REGRESS_GROUPS \
	GROUP(binding, first) \
	GROUP(slots, first) \
	GROUP(queries, first) \
	GROUP(link_info, first) \
	GROUP(returns, first) \
	GROUP(registers, first) \
	GROUP(traced, first) \
	GROUP(missed, first) \
	GROUP(cookies, first) \
	GROUP(stacks, first) \
	GROUP(stackids, first) \
	GROUP(chain_privilege, kernel) \
	GROUP(records, first) \
	GROUP(event_rings, first) \
	GROUP(overflow, first) \
	GROUP(loads, first) \
	GROUP(attrs, first) \
	GROUP(attrs_begin, first) \
	GROUP(pmus, first) \
	GROUP(facts, first) \
	GROUP(calls, first) \
	GROUP(modifiers, first) \
	GROUP(rings, first) \
	GROUP(maps, first) \
	GROUP(arena, kernel) \
	GROUP(races, first) \
	GROUP(preempted, first) \
	GROUP(sleeping, kernel) \
	GROUP(limits, first) \
	GROUP(pins, first) \
	GROUP(faults, kernel) \
	GROUP(leaks, kernel) \
	GROUP(short_memory, kernel) \
	GROUP(holders, kernel) \
	GROUP(hotplug, kernel) \
	GROUP(probes, kernel) \
	GROUP(probe_lines, kernel) \
	GROUP(kprobes, kernel) \
	GROUP(places, kernel) \
	GROUP(override, kernel) \
	GROUP(whose, kernel) \
	GROUP(red_zone, kernel) \
	GROUP(life, kernel) \
	GROUP(helpers, kernel) \
	GROUP(helpers_event, kernel) \
	GROUP(helpers_maps, kernel) \
	GROUP(helpers_task, kernel) \
	GROUP(helpers_memory, kernel) \
	GROUP(helpers_calls, kernel) \
	GROUP(helpers_interrupt, kernel) \
	GROUP(helper_types, kernel) \
	GROUP(event_read, kernel) \
	GROUP(event_output, kernel) \
	GROUP(fires, last) \
	GROUP(lifetime, last) \
	GROUP(visibility, last) \
	GROUP(privilege, last) \
	GROUP(scope, last) \
	GROUP(core, last) \
	GROUP(points, kernel) \
	GROUP(link_cookies, kernel) \
	GROUP(many, last) \
	GROUP(multi_links, last) \
	GROUP(struct_ops, last) \
	GROUP(reasons, last) \
	GROUP(compare, last)

#define GROUP(name, lane) extern const struct regress_group regress_group_##name;
REGRESS_GROUPS
#undef GROUP

#endif
