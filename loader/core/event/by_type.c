// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Describe an event by the fixed PERF_TYPE_* numbers of perf_event_open(2). */
#include <string.h>

#include "loader/core/event/steps.h"

static int fixed(const struct event_spec *spec, uint32_t type, struct perf_event_attr *attr)
{
	attr->type = type;
	attr->config = spec->fixed.config;
	return 0;
}

int event_by_type(struct sys *sys, const struct event_spec *spec, struct perf_event_attr *attr,
		  struct cpu_list *cpus, struct error *err)
{
	uint64_t id;
	int ret;

	memset(cpus, 0, sizeof(*cpus));
	event_apply_modifiers(&spec->modifiers, attr);
	/* With several kinds of cores, each kind has a PMU of its own. */
	if (event_is_core_pmu(spec) && spec->fixed.pmu)
		return event_by_pmu(sys, spec, attr, cpus, err);
	switch (spec->kind) {
	case EVENT_HARDWARE:
		return fixed(spec, PERF_TYPE_HARDWARE, attr);
	case EVENT_SOFTWARE:
		return fixed(spec, PERF_TYPE_SOFTWARE, attr);
	case EVENT_CACHE:
		return fixed(spec, PERF_TYPE_HW_CACHE, attr);
	case EVENT_RAW:
		return fixed(spec, spec->fixed.type, attr);
	case EVENT_BREAKPOINT:
		attr->type = PERF_TYPE_BREAKPOINT;
		attr->bp_type = spec->breakpoint.type;
		attr->bp_addr = spec->breakpoint.addr;
		attr->bp_len = spec->breakpoint.len;
		return 0;
	case EVENT_TRACEPOINT:
		ret = tracepoint_id(sys, spec->tracepoint.category, spec->tracepoint.name, &id,
				    err);
		if (ret) {
			error_where(err, "event '%s'", spec->text);
			return ret;
		}
		attr->type = PERF_TYPE_TRACEPOINT;
		attr->config = id;
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
