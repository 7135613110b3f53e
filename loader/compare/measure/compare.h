/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Attaches an event in every possible way and measures each on the running kernel. The result is a
 * JSON document (docs/compare.md), from which loader/compare/report creates reports.
 */
#ifndef PLOAD_COMPARE_MEASURE_COMPARE_H
#define PLOAD_COMPARE_MEASURE_COMPARE_H

#include "loader/core/value/json_object.h"

#include "loader/observe/firing/firing.h"

/*
 * One way to attach is a cell of this table:
 *
 *				bound by ioctl		bound by link
 *	opened by type		type+ioctl		type+link
 *	opened by its PMU	pmu+ioctl		pmu+link
 *
 * For tracing events "type" is "tracefs": the type is PERF_TYPE_TRACEPOINT and the id comes from
 * tracefs.
 */
struct compare_cell {
	const char *name;	/* "type+ioctl", "tracefs+ioctl"; static */
	const char *open;	/* "type", "tracefs" or "pmu" */
	const char *bind;	/* "ioctl" or "link" */
	const char *attach;	/* the shortest name for --attach=: "ioctl", or the cell's */
	const struct attach_method *method;
};

#define COMPARE_NR_CELLS 4

/* A program of the user, measured instead of the built-in one. */
struct compare_object {
	const char *path, *program, *section;
	int prog_fd;		/* borrowed; -1 when it could not be loaded */
	const struct error *why;	/* the reason for that */
	uint32_t prog_type;
};

/* The event to measure, and how. Pointers are borrowed. */
struct compare_subject {
	struct sys *sys;
	const struct event_spec *spec;	/* a uprobe is resolved */
	const struct firing_work *work;	/* makes the event happen in this thread */
	struct compare_cell cells[COMPARE_NR_CELLS];
	struct event_target target;	/* this thread; for a PMU without task events a CPU */
	uint64_t period;	/* used if the event has none of its own; 0: the default of its
				 * kind */
	uint64_t cookie;	/* for cells bound by link */
	struct firing_prog prog;	/* the built-in program, which returns 1; owned */
	struct error no_prog;	/* owned; its code is 0 if the program was loaded */
	const struct compare_object *object;	/* NULL: the built-in program is measured */
	unsigned int rounds;	/* for timing; 0: as many as fit into the time budget */
	uint64_t budget_ns;	/* for the timing of one event */
	bool (*stop)(void *arg);	/* returns true to end the comparison; may be NULL */
	void (*progress)(void *arg, const char *what);	/* "type+link: runs"; may be NULL */
	void *arg;
};

/**
 * compare_begin() - Complete @s, in which sys, spec, period and cookie must be set.
 * compare_prepare() - The same without loading the built-in program, for only opening events.
 *
 * A program that the kernel refuses is recorded in @s->no_prog. Call compare_end() in any case.
 */
void compare_begin(struct compare_subject *s);
void compare_prepare(struct compare_subject *s);
void compare_end(struct compare_subject *s);

/** compare_stopped() - Return true if the comparison should end: measurements then return early. */
bool compare_stopped(const struct compare_subject *s);
void compare_progress(const struct compare_subject *s, const struct compare_cell *cell,
		      const char *what);

/* --- the measurements --- */

/**
 * compare_cells() - Append "cells": outcome, system calls, times, cost and records of each cell.
 * compare_lifetime() - Append to "sections": what ends an attachment and what does not.
 * compare_visibility() - Append to "sections": what the kernel reports about an attachment.
 * compare_privilege() - Append to "sections": which step is refused to which user.
 * compare_least() - Append to "sections": the minimal capabilities with which each cell runs, for a
 * user and with a token in a user namespace.
 *
 * The last four measure the cells that fire. A refusal by the kernel is a result, not a failure.
 * Return: 0 or -ENOMEM.
 */
int compare_cells(const struct compare_subject *s, struct json_object *event, struct error *err);
int compare_lifetime(const struct compare_subject *s, struct json_object *event, struct error *err);
int compare_visibility(const struct compare_subject *s, struct json_object *event,
		       struct error *err);
int compare_privilege(const struct compare_subject *s, struct json_object *event,
		      struct error *err);
int compare_least(const struct compare_subject *s, struct json_object *event, struct error *err);

/* --- the steps of attaching one cell (attach_steps.c) --- */

struct compare_event {
	struct perf_event_attr attr;
	struct attachment a;	/* event_fd and link_fd are -1 when closed */
	struct probes probes;	/* lines in tracefs */
	char function[PROBE_FUNCTION_MAX];
};

/**
 * compare_open() - Describe the event and open it, disabled.
 * compare_open_as() - The same with attributes modified by @change.
 * compare_bind() - Bind @prog_fd, with the cookie of @s if the cell takes one.
 * compare_enable() - PERF_EVENT_IOC_ENABLE.
 * compare_attach() - Do all three, with @prog; a program that was not loaded fails after opening.
 *
 * Call compare_close() exactly once after opening, even when that failed.
 * Return: 0 or -errno.
 */
int compare_open(const struct compare_subject *s, const struct compare_cell *cell,
		 struct compare_event *e, struct error *err);
int compare_open_as(const struct compare_subject *s, const struct compare_cell *cell,
		    void (*change)(struct perf_event_attr *attr), struct compare_event *e,
		    struct error *err);
int compare_bind(const struct compare_subject *s, const struct compare_cell *cell,
		 struct compare_event *e, int prog_fd, struct error *err);
int compare_enable(const struct compare_subject *s, struct compare_event *e, struct error *err);
int compare_attach(const struct compare_subject *s, const struct compare_cell *cell,
		   const struct firing_prog *prog, struct compare_event *e, struct error *err);

/** compare_close() - Close the link and the event, and remove the probe. */
void compare_close(const struct compare_subject *s, struct compare_event *e);

struct compare_runs {
	unsigned int units;	/* number of units of work */
	struct firing_value more;	/* runs during the work; cookie of the last run */
	uint64_t runs;		/* runs of this process; for an event on a CPU, all runs */
};

/**
 * compare_work() - Do the work that triggers the event, and count the runs of the program.
 * @prog: NULL for the program of the user, whose runs the kernel counts.
 *
 * If each unit of work is one event, do a fixed number of units. Other work is repeated until the
 * program has run, for at most about 50 milliseconds.
 * Return: 0, or -errno when the count of runs cannot be read.
 */
int compare_work(const struct compare_subject *s, const struct firing_prog *prog,
		 struct compare_runs *runs);

/* --- the document --- */

/**
 * compare_document() - Create the document: type, kernel, CPUs, privileges, an empty "events".
 *
 * Return: owned by the caller; NULL when there is no memory.
 */
struct json_object *compare_document(struct sys *sys, const struct compare_object *object);

/** compare_event_new() - Append an entry to "events". Return: borrowed; NULL: no memory. */
struct json_object *compare_event_new(struct json_object *document,
				      const struct compare_subject *s);

/** compare_type_name() - Return the kind of event, such as "software" or "uretprobe" (static). */
const char *compare_type_name(const struct event_spec *spec);

#endif
