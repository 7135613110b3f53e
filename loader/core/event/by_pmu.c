// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Describe an event by its PMU: the type, format/, events/ and CPUs in the PMU's sysfs directory.
 */
#include <errno.h>
#include <string.h>

#include "loader/core/event/steps.h"

#define NO_HARDWARE \
	"virtual machines often have no hardware PMU: -e cpu-clock works everywhere"

/* A search for the PMU that lists a hardware event, and for the event's name there. */
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
		error_set(err, ENOENT, "no PMU on this machine lists '%s' in its events",
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
			  "PMU '%s' takes a pointer to a name, which terms cannot express",
			  spec->pmu.name);
		error_reason(err, "event/unsupported");
		return -ENOTSUP;
	}
	ret = pmu_type(sys, spec->pmu.name, &attr->type, err);
	if (ret == 0)
		ret = pmu_terms(sys, spec->pmu.name, spec->pmu.terms, attr, err);
	return ret ? ret : pmu_cpus(sys, spec->pmu.name, cpus, err);
}

static int describe(struct sys *sys, const struct event_spec *spec, struct perf_event_attr *attr,
		    struct cpu_list *cpus, struct error *err)
{
	int ret = event_describe_other(sys, spec, true, attr, cpus, err);

	if (ret <= 0)
		return ret;
	switch (spec->kind) {
	case EVENT_HARDWARE:
		return describe_hardware(sys, spec, attr, cpus, err);
	case EVENT_PMU:
		return describe_named(sys, spec, attr, cpus, err);
	case EVENT_TRACEPOINT:
		return describe_tracepoint(sys, spec, attr, err);
	default:
		attr->config = spec->fixed.config;
		return pmu_type(sys, "software", &attr->type, err);
	}
}

int event_by_pmu(struct sys *sys, const struct event_spec *spec, struct perf_event_attr *attr,
		 struct cpu_list *cpus, struct error *err)
{
	int ret;

	memset(cpus, 0, sizeof(*cpus));
	ret = describe(sys, spec, attr, cpus, err);
	if (ret)
		error_where(err, "event '%s'", spec->text);
	return ret;
}
