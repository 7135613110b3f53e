/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The list of all groups of tests, in the order in which they run. */
#ifndef PLOAD_REGRESS_GROUPS_H
#define PLOAD_REGRESS_GROUPS_H

#include "test/regress/harness/regress.h"

/*
 * A line for each: a file NAME.c in a folder of groups/ defines regress_group_NAME. The second word
 * is its lane: `make check` runs those of one lane in turn, and the lanes side by side. Groups that
 * write lines of tracefs are in the lane kernel. The third is the part of the ABI that the group is
 * about, or "loader" for a group that tests this project's loader and no kernel.
 */
#define REGRESS_GROUPS \
	GROUP(basics, first, bind) \
	GROUP(binding, first, bind) \
	GROUP(slots, first, bind) \
	GROUP(queries, first, link) \
	GROUP(link_info, first, link) \
	GROUP(returns, first, bind) \
	GROUP(registers, first, context) \
	GROUP(traced, first, context) \
	GROUP(missed, first, bind) \
	GROUP(cookies, first, cookie) \
	GROUP(stacks, first, context) \
	GROUP(stackids, first, context) \
	GROUP(chain_privilege, kernel, privileges) \
	GROUP(records, first, records) \
	GROUP(event_rings, first, records) \
	GROUP(overflow, first, records) \
	GROUP(loads, first, context) \
	GROUP(attrs, first, open) \
	GROUP(attrs_begin, first, open) \
	GROUP(pmus, first, open) \
	GROUP(facts, first, bind) \
	GROUP(calls, first, loader) \
	GROUP(cells, first, loader) \
	GROUP(controls, first, bind) \
	GROUP(modifiers, first, loader) \
	GROUP(task_enabling, first, bind) \
	GROUP(event_groups, first, open) \
	GROUP(open_flags, first, open) \
	GROUP(commands, first, link) \
	GROUP(rings, first, records) \
	GROUP(maps, first, loader) \
	GROUP(arena, kernel, loader) \
	GROUP(races, first, lifetime) \
	GROUP(preempted, first, bind) \
	GROUP(sleeping, kernel, bind) \
	GROUP(limits, first, errnos) \
	GROUP(pins, first, link) \
	GROUP(faults, kernel, loader) \
	GROUP(leaks, kernel, lifetime) \
	GROUP(short_memory, kernel, errnos) \
	GROUP(holders, kernel, lifetime) \
	GROUP(hotplug, kernel, scope) \
	GROUP(probes, kernel, probes) \
	GROUP(probe_lines, kernel, loader) \
	GROUP(kprobes, kernel, probes) \
	GROUP(places, kernel, probes) \
	GROUP(override, kernel, probes) \
	GROUP(whose, kernel, scope) \
	GROUP(red_zone, kernel, probes) \
	GROUP(life, kernel, lifetime) \
	GROUP(waits, kernel, lifetime) \
	GROUP(lives, kernel, lifetime) \
	GROUP(helpers, kernel, helpers) \
	GROUP(helpers_event, kernel, helpers) \
	GROUP(helpers_maps, kernel, helpers) \
	GROUP(helpers_task, kernel, helpers) \
	GROUP(helpers_memory, kernel, helpers) \
	GROUP(helpers_calls, kernel, helpers) \
	GROUP(helpers_interrupt, kernel, helpers) \
	GROUP(helper_types, kernel, helpers) \
	GROUP(event_read, kernel, helpers) \
	GROUP(event_output, kernel, helpers) \
	GROUP(multiplexed, kernel, helpers) \
	GROUP(branches, kernel, helpers) \
	GROUP(fires, last, bind) \
	GROUP(lifetime, last, lifetime) \
	GROUP(visibility, last, link) \
	GROUP(privilege, last, privileges) \
	GROUP(scope, last, scope) \
	GROUP(cgroup_events, last, scope) \
	GROUP(core, last, loader) \
	GROUP(points, kernel, link) \
	GROUP(link_cookies, kernel, cookie) \
	GROUP(many, last, link) \
	GROUP(multi_links, last, link) \
	GROUP(struct_ops, last, link) \
	GROUP(signed, last, errnos) \
	GROUP(reasons, last, loader) \
	GROUP(compare, last, loader)

#define GROUP(name, lane, area) extern const struct regress_group regress_group_##name;
REGRESS_GROUPS
#undef GROUP

#endif
