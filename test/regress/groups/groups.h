/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The list of all groups of tests, in the order in which they run. */
#ifndef PLOAD_REGRESS_GROUPS_H
#define PLOAD_REGRESS_GROUPS_H

#include "test/regress/harness/regress.h"

/* A line for each: a file NAME.c in a folder of groups/ defines regress_group_NAME. */
#define REGRESS_GROUPS \
	GROUP(binding) \
	GROUP(slots) \
	GROUP(queries) \
	GROUP(link_info) \
	GROUP(returns) \
	GROUP(registers) \
	GROUP(traced) \
	GROUP(missed) \
	GROUP(cookies) \
	GROUP(stacks) \
	GROUP(stackids) \
	GROUP(chain_privilege) \
	GROUP(records) \
	GROUP(event_rings) \
	GROUP(overflow) \
	GROUP(loads) \
	GROUP(attrs) \
	GROUP(attrs_begin) \
	GROUP(pmus) \
	GROUP(facts) \
	GROUP(calls) \
	GROUP(modifiers) \
	GROUP(rings) \
	GROUP(maps) \
	GROUP(arena) \
	GROUP(races) \
	GROUP(preempted) \
	GROUP(sleeping) \
	GROUP(limits) \
	GROUP(pins) \
	GROUP(faults) \
	GROUP(leaks) \
	GROUP(short_memory) \
	GROUP(holders) \
	GROUP(hotplug) \
	GROUP(probes) \
	GROUP(probe_lines) \
	GROUP(kprobes) \
	GROUP(places) \
	GROUP(override) \
	GROUP(whose) \
	GROUP(red_zone) \
	GROUP(life) \
	GROUP(helpers) \
	GROUP(helpers_event) \
	GROUP(helpers_maps) \
	GROUP(helpers_task) \
	GROUP(helpers_memory) \
	GROUP(helpers_calls) \
	GROUP(helpers_interrupt) \
	GROUP(helper_types) \
	GROUP(event_read) \
	GROUP(event_output) \
	GROUP(fires) \
	GROUP(lifetime) \
	GROUP(visibility) \
	GROUP(privilege) \
	GROUP(scope) \
	GROUP(core) \
	GROUP(points) \
	GROUP(link_cookies) \
	GROUP(many) \
	GROUP(multi_links) \
	GROUP(struct_ops) \
	GROUP(reasons) \
	GROUP(compare)

#define GROUP(name) extern const struct regress_group regress_group_##name;
REGRESS_GROUPS
#undef GROUP

#endif
