/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Every event and every PMU that there is here: for who lists them. */
#ifndef PLOAD_EVENT_CATALOG_CATALOG_H
#define PLOAD_EVENT_CATALOG_CATALOG_H

#include "loader/event/event.h"

/* An event as -e takes it. Texts are valid during the call only; NULL: there is none. */
struct event_row {
	const char *group;	/* "hardware", "software", "cache", "tracepoint", "breakpoint",
				 * "probe", "pmu"; static */
	const char *name;	/* "cycles", "sched:sched_switch", "msr/tsc/", "kprobe:FUNCTION" */
	const char *alias;	/* another name of it */
	const char *terms;	/* of an event that a PMU lists: what it stands for */
	const char *scale, *unit;	/* likewise: what a count has to be multiplied with, and of
					 * what that is a number */
};

/* A PMU of sysfs. */
struct pmu_row {
	const char *name;
	uint32_t type;		/* attr.type */
	const char *cpus;	/* "0-3": where alone it can be opened */
	unsigned int nr_terms, nr_caps;
	const char *const (*terms)[2];	/* of format/: name, "config:0-7" */
	const char *const (*caps)[2];	/* of caps/: name, value */
};

/* Either may be NULL. A call that returns not 0 ends the walk. */
struct event_visitor {
	int (*event)(void *arg, const struct event_row *row);
	int (*pmu)(void *arg, const struct pmu_row *row);
	void *arg;
	bool no_tracepoints;	/* those are not wanted, and tracefs is left alone */
};

/*
 * event_catalog() - PMUs and their events, by name; then hardware, software, cache, probes,
 * breakpoints; then tracepoints. What cannot be read of a PMU is left out. Returns 0, what a call
 * returned, or an error: sysfs or tracefs cannot be read ("event/no-pmu", "event/no-tracefs"), and
 * the others have been walked.
 */
int event_catalog(struct sys *sys, const struct event_visitor *walk, struct error *err);

#endif
