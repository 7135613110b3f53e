/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The catalog: every event and PMU of this machine, as printed by `pload list`. */
#ifndef PLOAD_EVENTS_CATALOG_CATALOG_H
#define PLOAD_EVENTS_CATALOG_CATALOG_H

#include "loader/core/event/event.h"

/* An event in -e syntax. Strings are valid only during the call; NULL: none. */
struct event_row {
	const char *group;	/* static: "hardware", "software", "cache", "tracepoint",
				 * "breakpoint", "probe", "pmu", "raw" */
	const char *name;	/* "cycles", "sched:sched_switch", "msr/tsc/", "kprobe:FUNCTION" */
	const char *alias;	/* another name */
	const char *terms;	/* for a PMU's event: the terms that its name stands for */
	const char *scale, *unit;	/* count * scale is in units */
};

/* A PMU in sysfs. */
struct pmu_row {
	const char *name;
	uint32_t type;		/* attr.type */
	const char *cpus;	/* "0-3": the only CPUs on which it can be opened */
	unsigned int nr_terms, nr_caps;
	const char *const (*terms)[2];	/* format/: name, "config:0-7" */
	const char *const (*caps)[2];	/* caps/: name, value */
};

/* Callbacks, which may be NULL. A nonzero return value ends the iteration. */
struct event_visitor {
	int (*event)(void *arg, const struct event_row *row);
	int (*pmu)(void *arg, const struct pmu_row *row);
	void *arg;
	bool no_tracepoints;	/* do not access tracefs */
};

/**
 * event_catalog() - Visit the PMUs and their events by name; then hardware, software, cache, raw,
 * probes, breakpoints; then tracepoints. Skips PMU files that cannot be read.
 *
 * Return: 0, the nonzero value from a callback, or -errno if sysfs or tracefs cannot be read
 * ("event/no-sysfs", "event/no-tracefs"), after visiting everything else.
 */
int event_catalog(struct sys *sys, const struct event_visitor *visitor, struct error *err);

/**
 * event_catalog_functions() - Visit the functions in /proc/kallsyms as events of the group "probe":
 * @prefix followed by NAME or MODULE:NAME. Some of them cannot be probed.
 * @prefix: "kprobe:" or "kretprobe:"
 *
 * Return: like event_catalog() ("types/kallsyms").
 */
int event_catalog_functions(struct sys *sys, const char *prefix,
			    const struct event_visitor *visitor, struct error *err);

/* The unit of an event's counts: events/NAME.scale and NAME.unit of its PMU. */
struct event_unit {
	char scale[64];		/* "2.3283064365386962890625e-10"; "" for none */
	char unit[32];		/* "Joules"; "" for none */
};

/** event_unit() - Read the unit of a PMU's event; both strings are "" for other events. */
void event_unit(struct sys *sys, const struct event_spec *spec, struct event_unit *unit);

/**
 * event_name() - Format @type and @config in -e syntax: "cycles", "msr/tsc/", "r1a8"; "TYPE:CONFIG"
 * if they have no name. Return: @buf, truncated to @size.
 */
const char *event_name(struct sys *sys, uint32_t type, uint64_t config, char *buf, size_t size);

/**
 * pmu_is_event() - Return true if @file in events/ is an event and not an attribute such as
 * "energy-pkg.unit".
 */
bool pmu_is_event(const char *file);

#endif
