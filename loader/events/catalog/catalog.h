/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The catalog: every event and every PMU of this machine, as `pload list` prints them. */
#ifndef PLOAD_EVENTS_CATALOG_CATALOG_H
#define PLOAD_EVENTS_CATALOG_CATALOG_H

#include "loader/core/event/event.h"

/* An event as -e takes it. Texts are valid during the call only; NULL: none. */
struct event_row {
	const char *group;	/* static: "hardware", "software", "cache", "tracepoint",
				 * "breakpoint", "probe", "pmu", "raw" */
	const char *name;	/* "cycles", "sched:sched_switch", "msr/tsc/", "kprobe:FUNCTION" */
	const char *alias;	/* another name */
	const char *terms;	/* for an event of a PMU: the terms that its name is short for */
	const char *scale, *unit;	/* multiply a count by scale to get a number of units */
};

/* A PMU of sysfs. */
struct pmu_row {
	const char *name;
	uint32_t type;		/* attr.type */
	const char *cpus;	/* "0-3": the only CPUs on which it can be opened */
	unsigned int nr_terms, nr_caps;
	const char *const (*terms)[2];	/* format/: name, "config:0-7" */
	const char *const (*caps)[2];	/* caps/: name, value */
};

/* Callbacks, which may be NULL. One that returns other than 0 ends the visit. */
struct event_visitor {
	int (*event)(void *arg, const struct event_row *row);
	int (*pmu)(void *arg, const struct pmu_row *row);
	void *arg;
	bool no_tracepoints;	/* do not access tracefs */
};

/**
 * event_catalog() - Visit PMUs and their events by name; then hardware, software, cache, raw,
 * probes, breakpoints; then tracepoints. Files of a PMU that cannot be read are skipped.
 *
 * Return: 0, the value that ended the visit, or -errno if sysfs or tracefs cannot be read
 * ("event/no-sysfs", "event/no-tracefs"); the others have been visited then.
 */
int event_catalog(struct sys *sys, const struct event_visitor *visitor, struct error *err);

/**
 * event_catalog_functions() - Visit the functions in /proc/kallsyms as events of the group "probe":
 * @prefix and NAME, or MODULE:NAME. The kernel permits no probes in some of them.
 * @prefix: "kprobe:" or "kretprobe:"
 *
 * Return: as event_catalog() ("types/kallsyms").
 */
int event_catalog_functions(struct sys *sys, const char *prefix,
			    const struct event_visitor *visitor, struct error *err);

/* The unit of an event's counts: events/NAME.scale and NAME.unit of its PMU. */
struct event_unit {
	char scale[64];		/* "2.3283064365386962890625e-10"; "" for none */
	char unit[32];		/* "Joules"; "" for none */
};

/** event_unit() - Read the unit of an event of a PMU; both are "" for all other events. */
void event_unit(struct sys *sys, const struct event_spec *spec, struct event_unit *unit);

/**
 * event_name() - Write the name that -e has for @type and @config: "cycles", "msr/tsc/", "r1a8";
 * "TYPE:CONFIG" if there is none. Return: @buf, truncated to @size.
 */
const char *event_name(struct sys *sys, uint32_t type, uint64_t config, char *buf, size_t size);

/**
 * pmu_is_event() - Return true if @file of events/ is an event, not an attribute of one such as
 * "energy-pkg.unit".
 */
bool pmu_is_event(const char *file);

#endif
