// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The table "open x bind": which of its cells a method is for an event, and which make one call. */
#include <string.h>

#include "loader/events/attach/cells.h"

enum attach_open attach_open_of(const struct attach_method *method, const struct event_spec *spec)
{
	if (method->open != OPEN_BY_KIND)
		return method->open;
	if (event_is_probe(spec))
		return method->probes_by_tracefs ? OPEN_TRACEFS : OPEN_PMU;
	if (spec->kind == EVENT_PMU)
		return OPEN_PMU;
	return spec->kind == EVENT_TRACEPOINT ? OPEN_TRACEFS : OPEN_TYPE;
}

const char *attach_open_name(enum attach_open open)
{
	return open == OPEN_TYPE ? "type" : open == OPEN_PMU ? "pmu" : "tracefs";
}

/*
 * The PMUs of software events, tracepoints and breakpoints have the numbers 1, 2 and 5 of
 * enum perf_type_id: perf_pmu_register() in kernel/events/core.c takes a fixed number, too.
 */
bool attach_opens_alike(struct sys *sys, const struct event_spec *spec, uint32_t *type)
{
	struct perf_event_attr by_type, by_pmu;
	struct cpu_list any = { 0 }, cpus = { 0 };
	bool alike;

	if (event_is_probe(spec) || spec->kind == EVENT_PMU)
		return false;
	memset(&by_type, 0, sizeof(by_type));
	memset(&by_pmu, 0, sizeof(by_pmu));
	alike = !event_by_type(sys, spec, &by_type, &any, NULL) &&
		!event_by_pmu(sys, spec, &by_pmu, &cpus, NULL) && any.nr == cpus.nr &&
		!memcmp(&by_type, &by_pmu, sizeof(by_type));
	cpu_list_free(&any);
	cpu_list_free(&cpus);
	*type = by_type.type;
	/* With one kind of cores, both name its PMU in the upper half of config. */
	if (by_type.type == PERF_TYPE_HARDWARE || by_type.type == PERF_TYPE_HW_CACHE)
		*type = by_type.config >> PERF_PMU_TYPE_SHIFT;
	return alike;
}
