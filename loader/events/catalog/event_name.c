// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Find the -e name for a type and config, as reported by the kernel for a link. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "loader/events/catalog/catalog.h"
#include "loader/core/event/steps.h"
#include "loader/events/grammar/events.h"

struct recall {
	struct sys *sys;
	uint32_t type;
	uint64_t config;
	const char *pmu;
	char *buf;
	size_t size;
};

static int is_of_type(struct sys *sys, void *arg, const char *pmu)
{
	const struct recall *r = arg;
	uint32_t type;

	return pmu_type(sys, pmu, &type, NULL) == 0 && type == r->type;
}

/* Return 1 if events/@name sets only the config. */
static int is_event(void *arg, const char *name)
{
	struct recall *r = arg;
	struct perf_event_attr attr = { 0 };

	/* NAME.scale and NAME.unit are not events: they describe the value of NAME. */
	if (strchr(name, '.') || pmu_terms(r->sys, r->pmu, name, &attr, NULL) < 0 ||
	    attr.config != r->config || attr.config1 || attr.config2)
		return 0;
	snprintf(r->buf, r->size, "%s/%s/", r->pmu, name);
	return 1;
}

/* The PMU's name for it; otherwise its terms or, if the type is that of raw events, the number. */
static const char *recall_pmu(struct recall *r)
{
	char pmu[EVENT_NAME_MAX], path[EVENT_NAME_MAX + 64];

	if (pmu_find(r->sys, is_of_type, r, pmu, NULL) > 0) {
		snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/events", pmu);
		r->pmu = pmu;
		if (sys_each_entry(r->sys, AT_FDCWD, path, is_event, r) > 0)
			return r->buf;
		snprintf(r->buf, r->size, "%s/config=0x%" PRIx64 "/", pmu, r->config);
	} else if (r->type != PERF_TYPE_RAW) {
		return NULL;
	}
	if (r->type == PERF_TYPE_RAW)
		snprintf(r->buf, r->size, "r%" PRIx64, r->config);
	return r->buf;
}

/* The names in the tables; the first one for each config is the preferred one. */
static const char *recall_name(enum event_kind kind, uint64_t config, char *buf, size_t size)
{
	const char *name = perf_name_by_config(kind, config);

	if (!name)
		return NULL;
	snprintf(buf, size, "%s", name);
	return buf;
}

static const char *recall_cache(uint64_t config, char *buf, size_t size)
{
	char name[CACHE_NAME_MAX];
	uint64_t its;

	for (unsigned int i = 0; cache_name_at(i, name); i++) {
		if (cache_name_config(name, strlen(name), &its) || its != config)
			continue;
		snprintf(buf, size, "%s", name);
		return buf;
	}
	return NULL;
}

/*
 * The kernel reports cpu-clock and task-clock with the types of two PMUs that are not in sysfs.
 * perf_event_init() in kernel/events/core.c registers them first, so they get the first two dynamic
 * types.
 */
static const char *recall_clock(uint32_t type, uint64_t config, char *buf, size_t size)
{
	if (config || (type != PERF_TYPE_MAX && type != PERF_TYPE_MAX + 1))
		return NULL;
	return recall_name(EVENT_SOFTWARE, type == PERF_TYPE_MAX ? PERF_COUNT_SW_CPU_CLOCK :
			   PERF_COUNT_SW_TASK_CLOCK, buf, size);
}

static const char *recall_fixed(uint32_t type, uint64_t config, char *buf, size_t size)
{
	return type == PERF_TYPE_HW_CACHE ? recall_cache(config, buf, size) :
					    recall_name(EVENT_HARDWARE, config, buf, size);
}

/* On a machine with several kinds of cores, the upper half of config is the type of a PMU. */
static const char *recall_hardware(struct recall *r)
{
	char name[EVENT_NAME_MAX], pmu[EVENT_NAME_MAX];
	const uint32_t of_pmu = r->config >> PERF_PMU_TYPE_SHIFT, type = r->type;

	if (!of_pmu)
		return recall_fixed(type, r->config, r->buf, r->size);
	r->type = of_pmu;
	if (!recall_fixed(type, (uint32_t)r->config, name, sizeof(name)) ||
	    pmu_find(r->sys, is_of_type, r, pmu, NULL) <= 0)
		return NULL;
	snprintf(r->buf, r->size, "%s/%s/", pmu, name);
	return r->buf;
}

const char *event_name(struct sys *sys, uint32_t type, uint64_t config, char *buf, size_t size)
{
	struct recall r = {
		.sys = sys, .type = type, .config = config, .buf = buf, .size = size,
	};
	const char *text = NULL;

	switch (type) {
	case PERF_TYPE_HARDWARE:
	case PERF_TYPE_HW_CACHE:
		text = recall_hardware(&r);
		break;
	case PERF_TYPE_SOFTWARE:
		text = recall_name(EVENT_SOFTWARE, config, buf, size);
		break;
	case PERF_TYPE_TRACEPOINT:	/* link information has the name */
		break;
	case PERF_TYPE_BREAKPOINT:
		snprintf(buf, size, "mem (the address is not reported)");
		return buf;
	default:
		text = recall_pmu(&r);
		if (!text)
			text = recall_clock(type, config, buf, size);
	}
	if (!text)
		snprintf(buf, size, "%" PRIu32 ":0x%" PRIx64, type, config);
	return buf;
}
