// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Describe an event by its PMU: the type, format/, events/ and CPUs that the PMU's directory in
 * sysfs has.
 */
#include <errno.h>
#include <string.h>

#include "loader/core/event/steps.h"

#define NO_HARDWARE \
	"a virtual machine often has no hardware PMU: -e cpu-clock works everywhere"

/* A search for the PMU that lists a hardware event, and for the name it has there. */
struct lister {
	const char *const *names;
	const char *found;
};

static int lists_event(struct sys *sys, void *arg, const char *pmu)
{
	struct lister *lister = arg;

	for (unsigned int i = 0; i < PERF_NAME_SYSFS && lister->names[i]; i++)
		if (pmu_has_event(sys, pmu, lister->names[i])) {
			lister->found = lister->names[i];
			return 1;
		}
	return 0;
}

/*
 * A machine with several kinds of cores has a PMU for each. The upper half of config selects it
 * (PERF_PMU_TYPE_SHIFT, Linux 5.13):
 *
 *	type PERF_TYPE_HARDWARE, config 0x0000000a_00000000: cycles of the PMU with type 10
 */
static int describe_of_core(struct sys *sys, const struct event_spec *spec,
			    struct perf_event_attr *attr, struct cpu_list *cpus, struct error *err)
{
	uint32_t type;
	int ret = pmu_type(sys, spec->fixed.pmu, &type, err);

	if (ret)
		return ret;
	attr->config = spec->fixed.config;
	if (spec->kind == EVENT_RAW) {
		attr->type = type;
	} else {
		attr->type = spec->kind == EVENT_CACHE ? PERF_TYPE_HW_CACHE : PERF_TYPE_HARDWARE;
		attr->config |= (uint64_t)type << PERF_PMU_TYPE_SHIFT;
	}
	return pmu_cpus(sys, spec->fixed.pmu, cpus, err);
}

static int describe_hardware(struct sys *sys, const struct event_spec *spec,
			     struct perf_event_attr *attr, struct cpu_list *cpus, struct error *err)
{
	const struct perf_name *row = perf_name_by_sysfs(spec->fixed.name);
	struct lister lister = { row->sysfs, NULL };
	char pmu[EVENT_NAME_MAX];
	int ret;

	ret = pmu_find(sys, lists_event, &lister, pmu, err);
	if (ret < 0)
		return ret;
	if (ret == 0) {
		error_set(err, ENOENT, "no PMU of this machine lists '%s' in its events",
			  spec->fixed.name);
		error_reason(err, "event/no-pmu");
		error_hint(err, NO_HARDWARE);
		return -ENOENT;
	}
	ret = pmu_type(sys, pmu, &attr->type, err);
	if (ret == 0)
		ret = pmu_terms(sys, pmu, lister.found, attr, err);
	return ret ? ret : pmu_cpus(sys, pmu, cpus, err);
}

static int is_core(struct sys *sys, void *arg, const char *pmu)
{
	(void)arg;
	return pmu_is_core(sys, pmu);
}

/* Cache events have no names in sysfs, but the PMU of the cores accepts their type. */
static int describe_cache(struct sys *sys, const struct event_spec *spec,
			  struct perf_event_attr *attr, struct cpu_list *cpus, struct error *err)
{
	char pmu[EVENT_NAME_MAX];
	int ret = pmu_find(sys, is_core, NULL, pmu, err);

	if (ret < 0)
		return ret;
	if (ret == 0) {
		error_set(err, ENOENT, "this machine has no PMU for its cores");
		error_reason(err, "event/no-pmu");
		error_hint(err, NO_HARDWARE);
		return -ENOENT;
	}
	attr->type = PERF_TYPE_HW_CACHE;
	attr->config = spec->fixed.config;
	return pmu_cpus(sys, pmu, cpus, err);
}

static int has_type(struct sys *sys, void *arg, const char *pmu)
{
	uint32_t type;

	return pmu_type(sys, pmu, &type, NULL) == 0 && type == *(const uint32_t *)arg;
}

int event_probe_unsupported(const struct event_spec *spec, struct error *err)
{
	error_set(err, ENOTSUP,
		  "a probe is created for the program attached to it and cannot be counted");
	error_reason(err, "event/unsupported");
	error_hint(err, "attach a program to it with -e");
	return error_where(err, "event '%s'", spec->text);
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
		error_set(err, ENOENT, "no PMU of this machine has type %u", type);
		error_reason(err, "event/no-pmu");
		pmu_hint(sys, err);
		return -ENOENT;
	}
	attr->type = type;
	attr->config = spec->fixed.config;
	return pmu_cpus(sys, pmu, cpus, err);
}

static int describe_tracepoint(struct sys *sys, const struct event_spec *spec,
			       struct perf_event_attr *attr, struct error *err)
{
	uint64_t id;
	int ret = pmu_type(sys, "tracepoint", &attr->type, err);

	if (ret == 0)
		ret = tracepoint_id(sys, spec->tracepoint.category, spec->tracepoint.name, &id,
				    err);
	if (ret == 0)
		attr->config = id;
	return ret;
}

static int describe_named(struct sys *sys, const struct event_spec *spec,
			  struct perf_event_attr *attr, struct cpu_list *cpus, struct error *err)
{
	int ret;

	if (strcmp(spec->pmu.name, "kprobe") == 0 || strcmp(spec->pmu.name, "uprobe") == 0) {
		error_set(err, ENOTSUP,
			  "PMU '%s' takes a pointer to a name, which no term can express",
			  spec->pmu.name);
		error_reason(err, "event/unsupported");
		return -ENOTSUP;
	}
	ret = pmu_type(sys, spec->pmu.name, &attr->type, err);
	if (ret == 0)
		ret = pmu_terms(sys, spec->pmu.name, spec->pmu.terms, attr, err);
	return ret ? ret : pmu_cpus(sys, spec->pmu.name, cpus, err);
}

static int describe_breakpoint(struct sys *sys, const struct event_spec *spec,
			       struct perf_event_attr *attr, struct error *err)
{
	attr->bp_type = spec->breakpoint.type;
	attr->bp_addr = spec->breakpoint.addr;
	attr->bp_len = spec->breakpoint.len;
	return pmu_type(sys, "breakpoint", &attr->type, err);
}

static int describe(struct sys *sys, const struct event_spec *spec, struct perf_event_attr *attr,
		    struct cpu_list *cpus, struct error *err)
{
	switch (spec->kind) {
	case EVENT_HARDWARE:
		return describe_hardware(sys, spec, attr, cpus, err);
	case EVENT_RAW:
		return describe_raw(sys, spec, attr, cpus, err);
	case EVENT_PMU:
		return describe_named(sys, spec, attr, cpus, err);
	case EVENT_TRACEPOINT:
		return describe_tracepoint(sys, spec, attr, err);
	case EVENT_BREAKPOINT:
		return describe_breakpoint(sys, spec, attr, err);
	case EVENT_CACHE:
		return describe_cache(sys, spec, attr, cpus, err);
	case EVENT_ALIAS:
		error_set(err, ENOENT, "no event is called '%s'", spec->alias);
		error_reason(err, "event/unknown");
		explain_failure(sys, FAILED_EVENT_NAME, spec->alias, err);
		return -ENOENT;
	case EVENT_KPROBE:
	case EVENT_UPROBE:
	case EVENT_USDT:
		return event_probe_unsupported(spec, err);
	case EVENT_SOFTWARE:
		break;
	}
	attr->config = spec->fixed.config;
	return pmu_type(sys, "software", &attr->type, err);
}

int event_by_pmu(struct sys *sys, const struct event_spec *spec, struct perf_event_attr *attr,
		 struct cpu_list *cpus, struct error *err)
{
	int ret;

	memset(cpus, 0, sizeof(*cpus));
	event_apply_modifiers(&spec->modifiers, attr);
	if (event_is_core_pmu(spec) && spec->fixed.pmu)
		ret = describe_of_core(sys, spec, attr, cpus, err);
	else
		ret = describe(sys, spec, attr, cpus, err);
	if (ret)
		error_where(err, "event '%s'", spec->text);
	return ret;
}
