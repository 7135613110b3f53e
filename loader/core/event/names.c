// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* perf's names of hardware and software events. */
#include <string.h>

#include "loader/core/event/steps.h"

#define HW(n, a, c, ...) { n, a, EVENT_HARDWARE, PERF_COUNT_HW_##c, { __VA_ARGS__ } }
#define SW(n, a, c) { n, a, EVENT_SOFTWARE, PERF_COUNT_SW_##c, { n } }

/*
 * Names in sysfs: arch/x86/events/core.c events_attr, drivers/perf/arm_pmuv3.c
 * armv8_pmuv3_event_attrs, arch/s390/kernel/perf_cpum_cf_events.c.
 */
static const struct perf_name names[] = {
	HW("cycles", "cpu-cycles", CPU_CYCLES, "cpu-cycles", "cpu_cycles", "CPU_CYCLES"),
	HW("instructions", NULL, INSTRUCTIONS, "instructions", "inst_retired", "INSTRUCTIONS"),
	HW("cache-references", NULL, CACHE_REFERENCES, "cache-references", "l1d_cache"),
	HW("cache-misses", NULL, CACHE_MISSES, "cache-misses", "l1d_cache_refill"),
	HW("branches", "branch-instructions", BRANCH_INSTRUCTIONS, "branch-instructions",
	   "br_retired", "pc_write_retired"),
	HW("branch-misses", NULL, BRANCH_MISSES, "branch-misses", "br_mis_pred"),
	HW("bus-cycles", NULL, BUS_CYCLES, "bus-cycles", "bus_cycles"),
	HW("stalled-cycles-frontend", "idle-cycles-frontend", STALLED_CYCLES_FRONTEND,
	   "stalled-cycles-frontend", "stall_frontend"),
	HW("stalled-cycles-backend", "idle-cycles-backend", STALLED_CYCLES_BACKEND,
	   "stalled-cycles-backend", "stall_backend"),
	HW("ref-cycles", NULL, REF_CPU_CYCLES, "ref-cycles"),
	SW("cpu-clock", NULL, CPU_CLOCK),
	SW("task-clock", NULL, TASK_CLOCK),
	SW("page-faults", "faults", PAGE_FAULTS),
	SW("context-switches", "cs", CONTEXT_SWITCHES),
	SW("cpu-migrations", "migrations", CPU_MIGRATIONS),
	SW("minor-faults", NULL, PAGE_FAULTS_MIN),
	SW("major-faults", NULL, PAGE_FAULTS_MAJ),
	SW("alignment-faults", NULL, ALIGNMENT_FAULTS),
	SW("emulation-faults", NULL, EMULATION_FAULTS),
	SW("dummy", NULL, DUMMY),
	SW("bpf-output", NULL, BPF_OUTPUT),
	SW("cgroup-switches", NULL, CGROUP_SWITCHES),
};

#define NR_NAMES (sizeof(names) / sizeof(names[0]))

static bool is_name(const char *name, const char *text, size_t len)
{
	return name && strlen(name) == len && memcmp(name, text, len) == 0;
}

const struct perf_name *perf_name_find(const char *text, size_t len)
{
	for (size_t i = 0; i < NR_NAMES; i++)
		if (is_name(names[i].name, text, len) || is_name(names[i].alias, text, len))
			return &names[i];
	return NULL;
}

const struct perf_name *perf_name_by_sysfs(const char *name)
{
	for (size_t i = 0; i < NR_NAMES; i++)
		if (names[i].kind == EVENT_HARDWARE && strcmp(names[i].sysfs[0], name) == 0)
			return &names[i];
	return NULL;
}

const char *perf_name_by_config(enum event_kind kind, uint64_t config)
{
	for (size_t i = 0; i < NR_NAMES; i++)
		if (names[i].kind == kind && names[i].config == config)
			return names[i].name;
	return NULL;
}

const struct perf_name *perf_name_at(unsigned int i)
{
	return i < NR_NAMES ? &names[i] : NULL;
}
