// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Describe the kinds of events that only perf's grammar has: events of one kind of cores, caches,
 * raw numbers and breakpoints; and modifiers.
 */
#include <errno.h>
#include <string.h>

#include "loader/events/grammar/events.h"

#define NO_HARDWARE \
	"virtual machines often have no hardware PMU: -e cpu-clock works everywhere"

void event_apply_modifiers(const struct event_modifiers *m, struct perf_event_attr *attr)
{
	attr->exclude_user = !!(m->exclude & EVENT_EXCLUDE_USER);
	attr->exclude_kernel = !!(m->exclude & EVENT_EXCLUDE_KERNEL);
	attr->exclude_hv = !!(m->exclude & EVENT_EXCLUDE_HV);
	attr->exclude_host = !!(m->exclude & EVENT_EXCLUDE_HOST);
	attr->exclude_guest = !!(m->exclude & EVENT_EXCLUDE_GUEST);
	attr->exclude_idle = !!(m->exclude & EVENT_EXCLUDE_IDLE);
	attr->pinned = !!(m->flags & EVENT_PINNED);
	attr->exclusive = !!(m->flags & EVENT_EXCLUSIVE);
	attr->precise_ip = m->precise == EVENT_PRECISE_MAX ? 3 : m->precise;
	if (!(m->flags & EVENT_SAMPLE_READ))
		return;
	attr->sample_type |= PERF_SAMPLE_READ;
	attr->read_format |= PERF_FORMAT_GROUP | PERF_FORMAT_ID;
}

/*
 * The upper half of config selects one PMU of a fixed type (PERF_PMU_TYPE_SHIFT, Linux 5.13):
 *
 *	type PERF_TYPE_HARDWARE, config 0x0000000a_00000000: cycles of the PMU with type 10
 */
static int set_extended_type(struct sys *sys, const struct event_spec *spec, const char *pmu,
			     struct perf_event_attr *attr, struct error *err)
{
	uint32_t type;
	int ret = pmu_type(sys, pmu, &type, err);

	if (ret)
		return ret;
	attr->type = spec->kind == EVENT_CACHE ? PERF_TYPE_HW_CACHE : PERF_TYPE_HARDWARE;
	attr->config = spec->fixed.config | (uint64_t)type << PERF_PMU_TYPE_SHIFT;
	return 0;
}

static int is_core(struct sys *sys, void *arg, const char *pmu)
{
	(void)arg;
	return pmu_is_core(sys, pmu);
}

/* Return perf's name of a cache event, which PMUs of POWER list; NULL: it has none. */
static const char *name_cache(uint64_t wanted, char name[CACHE_NAME_MAX])
{
	uint64_t config;

	for (unsigned int i = 0; cache_name_at(i, name); i++)
		if (!cache_name_config(name, strlen(name), &config) && config == wanted)
			return name;
	return NULL;
}

/* Find the name under which @pmu lists the event of @spec. Return: NULL if it does not. */
static const char *find_listed(struct sys *sys, const struct event_spec *spec, const char *pmu,
			       char cache[CACHE_NAME_MAX])
{
	const char *const own[PERF_NAME_SYSFS] = { spec->kind == EVENT_CACHE ?
						   name_cache(spec->fixed.config, cache) : NULL };
	const char *const *names = spec->kind == EVENT_CACHE ? own :
				   perf_name_by_sysfs(spec->fixed.name)->sysfs;

	for (unsigned int i = 0; i < PERF_NAME_SYSFS && names[i]; i++)
		if (pmu_has_event(sys, pmu, names[i]))
			return names[i];
	return NULL;
}

/*
 * Most PMUs list no cache events in sysfs, and the kernel translates PERF_TYPE_HW_CACHE for them:
 * hw_cache_event_ids of arch/x86/events/core.c, armpmu_map_cache_event(). Then this type names the
 * event, and the number of the PMU in sysfs names the PMU.
 */
static int describe_by_pmu(struct sys *sys, const struct event_spec *spec, const char *pmu,
			   struct perf_event_attr *attr, struct cpu_list *cpus, struct error *err)
{
	char cache[CACHE_NAME_MAX];
	const char *listed = find_listed(sys, spec, pmu, cache);
	int ret;

	if (listed) {
		ret = pmu_type(sys, pmu, &attr->type, err);
		if (!ret)
			ret = pmu_terms(sys, pmu, listed, attr, err);
	} else {
		ret = set_extended_type(sys, spec, pmu, attr, err);
	}
	return ret ? ret : pmu_cpus(sys, pmu, cpus, err);
}

/* A machine with several kinds of cores has a PMU for each. */
static int describe_of_core(struct sys *sys, const struct event_spec *spec, bool of_sysfs,
			    struct perf_event_attr *attr, struct cpu_list *cpus, struct error *err)
{
	const char *pmu = spec->fixed.pmu;
	int ret;

	if (spec->kind == EVENT_RAW) {
		attr->config = spec->fixed.config;
		ret = pmu_type(sys, pmu, &attr->type, err);
	} else if (of_sysfs) {
		return describe_by_pmu(sys, spec, pmu, attr, cpus, err);
	} else {
		ret = set_extended_type(sys, spec, pmu, attr, err);
	}
	return ret ? ret : pmu_cpus(sys, pmu, cpus, err);
}

static int describe_cache(struct sys *sys, const struct event_spec *spec,
			  struct perf_event_attr *attr, struct cpu_list *cpus, struct error *err)
{
	char pmu[EVENT_NAME_MAX];
	int ret = pmu_find(sys, is_core, NULL, pmu, err);

	if (ret < 0)
		return ret;
	if (ret > 0)
		return describe_by_pmu(sys, spec, pmu, attr, cpus, err);
	error_set(err, ENOENT, "this machine has no PMU for its cores");
	error_reason(err, "event/no-pmu");
	error_hint(err, NO_HARDWARE);
	return -ENOENT;
}

static int has_type(struct sys *sys, void *arg, const char *pmu)
{
	uint32_t type;

	return pmu_type(sys, pmu, &type, NULL) == 0 && type == *(const uint32_t *)arg;
}

static int describe_raw(struct sys *sys, const struct event_spec *spec,
			struct perf_event_attr *attr, struct cpu_list *cpus, struct error *err)
{
	uint32_t type = spec->fixed.type;
	char pmu[EVENT_NAME_MAX];
	int ret;

	ret = pmu_find(sys, has_type, &type, pmu, err);
	if (ret < 0)
		return ret;
	if (ret == 0) {
		error_set(err, ENOENT, "no PMU on this machine has type %u", type);
		error_reason(err, "event/no-pmu");
		pmu_hint(sys, err);
		return -ENOENT;
	}
	attr->type = type;
	attr->config = spec->fixed.config;
	return pmu_cpus(sys, pmu, cpus, err);
}

static int probe_unsupported(const struct event_spec *spec, struct error *err)
{
	error_set(err, ENOTSUP,
		  "a probe is created for its program and cannot be used only for counting");
	error_reason(err, "event/unsupported");
	error_hint(err, "attach a program to it with -e");
	return error_where(err, "event '%s'", spec->text);
}

static void set_breakpoint(const struct event_spec *spec, struct perf_event_attr *attr)
{
	attr->bp_type = spec->breakpoint.type;
	attr->bp_addr = spec->breakpoint.addr;
	attr->bp_len = spec->breakpoint.len;
}

static int by_pmu(struct sys *sys, const struct event_spec *spec, struct perf_event_attr *attr,
		  struct cpu_list *cpus, struct error *err)
{
	switch (spec->kind) {
	case EVENT_RAW:
		return describe_raw(sys, spec, attr, cpus, err);
	case EVENT_CACHE:
		return describe_cache(sys, spec, attr, cpus, err);
	default:
		set_breakpoint(spec, attr);
		return pmu_type(sys, "breakpoint", &attr->type, err);
	}
}

static int by_type(const struct event_spec *spec, struct perf_event_attr *attr)
{
	if (spec->kind == EVENT_BREAKPOINT) {
		attr->type = PERF_TYPE_BREAKPOINT;
		set_breakpoint(spec, attr);
		return 0;
	}
	attr->type = spec->kind == EVENT_CACHE ? PERF_TYPE_HW_CACHE : spec->fixed.type;
	attr->config = spec->fixed.config;
	return 0;
}

int event_describe_kinds(struct sys *sys, const struct event_spec *spec, bool of_sysfs,
			 struct perf_event_attr *attr, struct cpu_list *cpus, struct error *err)
{
	event_apply_modifiers(&spec->modifiers, attr);
	/* Each kind of cores has its own PMU. */
	if (event_is_core_pmu(spec) && spec->fixed.pmu)
		return describe_of_core(sys, spec, of_sysfs, attr, cpus, err);
	switch (spec->kind) {
	case EVENT_RAW:
	case EVENT_CACHE:
	case EVENT_BREAKPOINT:
		return of_sysfs ? by_pmu(sys, spec, attr, cpus, err) : by_type(spec, attr);
	case EVENT_ALIAS:
		event_unknown(sys, spec->alias, err);
		return -ENOENT;
	case EVENT_KPROBE:
	case EVENT_UPROBE:
	case EVENT_USDT:
		return probe_unsupported(spec, err);
	default:
		return 1;
	}
}
