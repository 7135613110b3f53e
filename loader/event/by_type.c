// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Describe an event by the fixed PERF_TYPE_* numbers of perf_event_open(2). */
#include <string.h>

#include "loader/event/event_internal.h"

int event_by_type(struct sys *sys, const struct event_spec *spec, struct perf_event_attr *attr,
		  struct cpu_list *cpus, struct error *err)
{
	uint64_t id;
	int ret;

	memset(cpus, 0, sizeof(*cpus));
	attr->config = spec->config;
	event_apply_modifiers(&spec->modifiers, attr);
	/* With several kinds of cores, each kind has a PMU of its own. */
	if (spec->second[0] && event_is_core_pmu(spec))
		return event_by_pmu(sys, spec, attr, cpus, err);
	switch (spec->kind) {
	case EVENT_HARDWARE:
		attr->type = PERF_TYPE_HARDWARE;
		return 0;
	case EVENT_SOFTWARE:
		attr->type = PERF_TYPE_SOFTWARE;
		return 0;
	case EVENT_RAW:
		attr->type = spec->type;
		return 0;
	case EVENT_BREAKPOINT:
		attr->type = PERF_TYPE_BREAKPOINT;
		attr->bp_type = spec->bp_type;
		attr->bp_addr = spec->bp_addr;
		attr->bp_len = spec->bp_len;
		return 0;
	case EVENT_TRACEPOINT:
		ret = tracepoint_id(sys, spec->first, spec->second, &id, err);
		if (ret) {
			error_where(err, "event '%s'", spec->text);
			return ret;
		}
		attr->type = PERF_TYPE_TRACEPOINT;
		attr->config = id;
		return 0;
	case EVENT_CACHE:
		attr->type = PERF_TYPE_HW_CACHE;
		return 0;
	case EVENT_KPROBE:
	case EVENT_UPROBE:
	case EVENT_USDT:
		return event_probe_unsupported(spec, err);
	case EVENT_PMU:
	case EVENT_ALIAS:
		break;
	}
	/* A named PMU has no fixed number: perf_pmu_register() assigns one. */
	return event_by_pmu(sys, spec, attr, cpus, err);
}
