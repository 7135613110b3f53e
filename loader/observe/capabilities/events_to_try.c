// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The events to try: those that perf has names for, and one of each PMU and kind of probe. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/sys/fd_limit.h"
#include "loader/core/sys/read.h"
#include "loader/observe/capabilities/capabilities.h"
#include "loader/observe/firing/firing.h"

/* About one sample each millisecond for an event that happens a hundred times per microsecond. */
#define CLOCK_PERIOD 100000

static const struct {
	const char *group, *text;
	uint64_t period;
} named[] = {
	{ "hardware", "cycles", CLOCK_PERIOD },
	{ "hardware", "instructions", CLOCK_PERIOD },
	{ "hardware", "cache-references", 1000 },
	{ "hardware", "cache-misses", 100 },
	{ "hardware", "branches", CLOCK_PERIOD },
	{ "hardware", "branch-misses", 100 },
	{ "hardware", "bus-cycles", 10000 },
	{ "hardware", "stalled-cycles-frontend", 10000 },
	{ "hardware", "stalled-cycles-backend", 10000 },
	{ "hardware", "ref-cycles", CLOCK_PERIOD },
	{ "software", "cpu-clock", CLOCK_PERIOD },
	{ "software", "task-clock", CLOCK_PERIOD },
	{ "software", "page-faults", 1 },
	{ "software", "minor-faults", 1 },
	{ "software", "major-faults", 1 },
	{ "software", "context-switches", 1 },
	{ "software", "cpu-migrations", 1 },
	{ "software", "cgroup-switches", 1 },
	{ "software", "alignment-faults", 1 },
	{ "software", "emulation-faults", 1 },
	{ "software", "bpf-output", 1 },
	{ "software", "dummy", 1 },
	{ "cache", "L1-dcache-loads", 10000 },
	{ "cache", "L1-dcache-load-misses", 100 },
	{ "cache", "LLC-loads", 100 },
	{ "cache", "dTLB-loads", 10000 },
	{ "cache", "branch-loads", 10000 },
	{ "tracepoint", "syscalls:sys_enter_getppid", 0 },
	{ "tracepoint", "sched:sched_switch", 0 },
};

struct visit {
	struct sys *sys;
	struct kernel_types *types;
	int (*visit)(void *arg, const char *group, const struct event_spec *spec, uint64_t period);
	void *arg;
	struct error *err;
};

static int offer(struct visit *v, const char *group, const char *text, uint64_t period)
{
	struct event_spec spec;
	int ret = event_parse(&spec, text, v->err);

	if (ret < 0)
		return ret;
	ret = v->visit(v->arg, group, &spec, period);
	event_spec_free(&spec);
	return ret;
}

/* --- events of this program --- */

static int offer_breakpoints(struct visit *v)
{
	char text[64];
	int ret;

	snprintf(text, sizeof(text), "mem:%p/8:w", (const void *)&firing_watched);
	ret = offer(v, "breakpoint", text, 1);
	if (ret)
		return ret;
	snprintf(text, sizeof(text), "mem:%p:x", (const void *)(uintptr_t)firing_function);
	return offer(v, "breakpoint", text, 1);
}

static int offer_uprobes(struct visit *v)
{
	static const char *const kinds[] = { "uprobe", "uretprobe" };
	const uint64_t offset = firing_function_offset();
	struct event_spec spec;
	char text[128];
	int ret = 0;

	for (int i = 0; !ret && i < 2; i++) {
		snprintf(text, sizeof(text), "%s:" FIRING_PATH ":0x%llx", kinds[i],
			 (unsigned long long)offset);
		ret = event_parse(&spec, text, v->err);
		if (ret < 0)
			break;
		/* The kernel takes the path as it is: nothing is left to look up. */
		spec.resolved = true;
		spec.uprobe.file_offset = offset;
		ret = v->visit(v->arg, "probe", &spec, 0);
		event_spec_free(&spec);
	}
	return ret;
}

/* The name of the getppid() function in this kernel; NULL when kallsyms does not have it. */
static const char *getppid_symbol(struct visit *v)
{
	static const char *const names[] = { "__x64_sys_getppid", "__arm64_sys_getppid",
					     "__s390x_sys_getppid", "__s390_sys_getppid",
					     "__riscv_sys_getppid", "sys_getppid" };
	struct kernel_symbol symbol;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (kernel_symbols_find(&v->types->symbols, names[i], &symbol, NULL) == 1)
			return names[i];
	return NULL;
}

static int offer_kprobes(struct visit *v)
{
	const char *symbol = getppid_symbol(v);
	char text[128];
	int ret;

	if (!symbol)
		symbol = "sys_getppid";
	snprintf(text, sizeof(text), "kprobe:%s", symbol);
	ret = offer(v, "probe", text, 0);
	if (ret)
		return ret;
	snprintf(text, sizeof(text), "kretprobe:%s", symbol);
	return offer(v, "probe", text, 0);
}

/* --- the other PMUs --- */

#define DEVICES "/sys/bus/event_source/devices"

/* Return true for a PMU whose events are in the table or above. */
static bool is_known(const char *pmu)
{
	static const char *const known[] = { "software", "tracepoint", "breakpoint", "kprobe",
					     "uprobe" };

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!strcmp(pmu, known[i]))
			return true;
	return false;
}

static int keep_first(void *arg, const char *name)
{
	char *first = arg;

	/* "NAME.scale" and "NAME.unit" are attributes of an event. */
	if (strchr(name, '.') || strlen(name) >= EVENT_NAME_MAX)
		return 0;
	strcpy(first, name);
	return 1;
}

static int offer_pmu(void *arg, const char *pmu)
{
	char path[EVENT_NAME_MAX + 64], first[EVENT_NAME_MAX] = "config=0",
	     text[2 * EVENT_NAME_MAX + 8];
	struct visit *v = arg;

	if (is_known(pmu) || strlen(pmu) >= EVENT_NAME_MAX)
		return 0;
	snprintf(path, sizeof(path), DEVICES "/%s/events", pmu);
	sys_each_entry(v->sys, AT_FDCWD, path, keep_first, first);
	snprintf(text, sizeof(text), "%s/%s/", pmu, first);
	return offer(v, "pmu", text, 1000);
}

/* Without sysfs there are no PMUs to try. */
static int offer_pmus(struct visit *v)
{
	int ret = sys_each_entry(v->sys, AT_FDCWD, DEVICES, offer_pmu, v);

	if (ret == -ENOENT)
		return 0;
	if (ret >= 0 || !v->err || v->err->code)	/* @visit has filled in the error */
		return ret;
	error_set(v->err, -ret, "the PMUs cannot be listed: %s", error_strerror(-ret));
	if (!fd_limit_failed(v->sys, -ret, "event/fd-limit", 0, v->err))
		error_reason(v->err, "event/no-pmu");
	return error_where(v->err, DEVICES);
}

int capability_visit_events(struct sys *sys, struct kernel_types *types,
			    int (*visit)(void *arg, const char *group,
					 const struct event_spec *spec, uint64_t period),
			    void *arg, struct error *err)
{
	struct visit v = { sys, types, visit, arg, err };
	int ret = 0;

	for (size_t i = 0; !ret && i < sizeof(named) / sizeof(named[0]); i++)
		ret = offer(&v, named[i].group, named[i].text, named[i].period);
	if (!ret)
		ret = offer_breakpoints(&v);
	if (!ret)
		ret = offer_uprobes(&v);
	if (!ret)
		ret = offer_kprobes(&v);
	if (!ret)
		ret = offer_pmus(&v);
	return ret;
}
