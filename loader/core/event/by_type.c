// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Describe an event with the fixed PERF_TYPE_* numbers of perf_event_open(2). */
#include <string.h>

#include "loader/core/event/steps.h"

int event_by_type(struct sys *sys, const struct event_spec *spec, struct perf_event_attr *attr,
		  struct cpu_list *cpus, struct error *err)
{
	int ret = 0;

	memset(cpus, 0, sizeof(*cpus));
	/* A named PMU has no fixed type: perf_pmu_register() assigns one. */
	if (spec->kind == EVENT_PMU)
		return event_by_pmu(sys, spec, attr, cpus, err);
	ret = event_describe_other(sys, spec, false, attr, cpus, err);
	if (ret > 0 && spec->kind == EVENT_TRACEPOINT) {
		uint64_t id = 0;

		attr->type = PERF_TYPE_TRACEPOINT;
		ret = tracepoint_id(sys, spec->tracepoint.category, spec->tracepoint.name, &id,
				    err);
		attr->config = id;
	} else if (ret > 0) {
		attr->type = spec->kind == EVENT_HARDWARE ? PERF_TYPE_HARDWARE : PERF_TYPE_SOFTWARE;
		attr->config = spec->fixed.config;
		ret = 0;
	}
	if (ret)
		error_where(err, "event '%s'", spec->text);
	return ret;
}
