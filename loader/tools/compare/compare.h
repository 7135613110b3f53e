/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * One event attached in every way there is, measured on the kernel that runs, side by side. What
 * is found goes into one JSON document (docs/compare.md), which others make reports of.
 */
#ifndef PLOAD_TOOLS_COMPARE_COMPARE_H
#define PLOAD_TOOLS_COMPARE_COMPARE_H

#include <json-c/json_object.h>

#include "loader/tools/trial/trial.h"

/* --- cells --- */

/* One way to attach: how the event is opened x how the program is bound to it. */
struct compare_cell {
	const char *name;	/* "type+ioctl"; of traced events "tracefs+ioctl". Static */
	const char *open;	/* "type" or "tracefs", "pmu" */
	const char *bind;	/* "ioctl", "link" */
	struct attach_method method;	/* put together from two rows of attach_methods */
};

#define COMPARE_NR_CELLS 4	/* in the order of the table's columns */

/* A program of the user's, in place of the built-in one. */
struct compare_object {
	const char *path, *program, *section;
	int prog_fd;		/* borrowed; -1 where it could not be loaded ... */
	const struct error *why;	/* ... and why */
	uint32_t prog_type;
};

/* What is measured. All borrowed but the program. */
struct compare_subject {
	struct sys *sys;
	const struct event_spec *spec;	/* a uprobe is resolved */
	const struct trial_work *work;	/* what makes it happen in this thread */
	struct compare_cell cells[COMPARE_NR_CELLS];
	struct event_target target;	/* this thread; a CPU for a PMU that counts no single tasks */
	uint64_t period;	/* for an event that has none of its own; 0: the default of its kind */
	uint64_t cookie;	/* for cells that are bound by link */
	struct trial_prog prog;	/* the built-in program, which returns 1; owned */
	struct error no_prog;	/* why it could not be loaded: its code is 0 where it was; owned */
	const struct compare_object *object;	/* NULL: the built-in program is what is measured */
	unsigned int rounds;	/* of timing; 0: as many as the budget allows */
	uint64_t budget_ns;	/* for the timing of one event */
	bool (*stop)(void *arg);	/* whether the user wants an end; may be NULL */
	void (*progress)(void *arg, const char *what);	/* "type+link: runs"; may be NULL */
	void *arg;
};

/*
 * compare_begin() - complete @s, whose sys, spec, period and cookie are filled in: cells, work, the
 * built-in program, and where the event is opened. What is refused is no failure of it.
 * compare_prepare(): the same without a program, for who only opens. compare_end() gives back what
 * @s owns.
 */
void compare_begin(struct compare_subject *s);
void compare_prepare(struct compare_subject *s);
void compare_end(struct compare_subject *s);

/* compare_stopped() - whether to give up: then the functions below return 0 with what they have. */
bool compare_stopped(const struct compare_subject *s);
void compare_progress(const struct compare_subject *s, const struct compare_cell *cell,
		      const char *what);

/* --- the measurements: each appends to @event, 0 or -ENOMEM; what is refused is an answer --- */

/* compare_cells() - "cells": what becomes of each way, with which calls, how fast, at what cost. */
int compare_cells(const struct compare_subject *s, struct json_object *event, struct error *err);

/*
 * --- for those who measure ---
 *
 * The steps of a cell. struct compare_event is filled by compare_open(), also when it fails;
 * compare_close() closes the link, then the event, and takes the probe away: in any case, once.
 */
struct compare_event {
	struct perf_event_attr attr;
	struct attachment a;	/* event_fd and link_fd; -1 once somebody has closed them */
	struct probes probes;	/* lines in tracefs */
	char function[PROBE_FUNCTION_MAX];
};

/*
 * compare_open() - opened disabled. compare_bind(): @prog_fd, with the subject's cookie where the
 * cell has one. compare_enable(): PERF_EVENT_IOC_ENABLE. 0 or -errno with the cause checked.
 * compare_attach(): the three of them; a program that could not be loaded is told after opening.
 */
int compare_open(const struct compare_subject *s, const struct compare_cell *cell,
		 struct compare_event *e, struct error *err);
/* compare_open_as() - with what @change makes of the attributes, right before the call. */
int compare_open_as(const struct compare_subject *s, const struct compare_cell *cell,
		    void (*change)(struct perf_event_attr *attr), struct compare_event *e,
		    struct error *err);
int compare_bind(const struct compare_subject *s, const struct compare_cell *cell,
		 struct compare_event *e, int prog_fd, struct error *err);
int compare_enable(const struct compare_subject *s, struct compare_event *e, struct error *err);
int compare_attach(const struct compare_subject *s, const struct compare_cell *cell,
		   const struct trial_prog *prog, struct compare_event *e, struct error *err);
void compare_close(const struct compare_subject *s, struct compare_event *e);

/* What became of some work. */
struct compare_runs {
	unsigned int units;	/* of work that was done */
	struct trial_value more;	/* runs of the program meanwhile; the cookie of its last */
	uint64_t runs;		/* of these the ones that count: own, or all where a CPU is watched */
};

/*
 * compare_work() - do the work a fixed number of times where each makes it happen; else until @prog
 * has run, or some fifty milliseconds were in vain. @prog NULL: the user's program, whose runs the
 * kernel counts. 0 or -errno of asking how often it ran.
 */
int compare_work(const struct compare_subject *s, const struct trial_prog *prog,
		 struct compare_runs *runs);

/* compare_lifetime() - "sections": what ends an attachment, of each cell that fires in "cells". */
int compare_lifetime(const struct compare_subject *s, struct json_object *event, struct error *err);

/* compare_visibility() - likewise: what the kernel says of an attachment. */
int compare_visibility(const struct compare_subject *s, struct json_object *event,
		       struct error *err);

/* compare_privilege() - likewise: which step is refused to whom. */
int compare_privilege(const struct compare_subject *s, struct json_object *event,
		      struct error *err);

/* compare_error() - {"text","where","hint","reason","call","errno"}, or NULL: no memory. */
struct json_object *compare_error(const struct error *err);

/*
 * compare_section() - append a section {"id","title","rows":[]} to @event. compare_row() - append a
 * row to it. compare_answer() - what @cell answered in that row: a short word, and where there is
 * more to say a sentence (@detail) and a failure (@err); both may be NULL. The first two return
 * what they have appended, borrowed; NULL and false are: no memory.
 */
struct json_object *compare_section(struct json_object *event, const char *id, const char *title);
struct json_object *compare_row(struct json_object *section, const char *id, const char *what);
bool compare_answer(struct json_object *row, const struct compare_cell *cell, const char *answer,
		    const char *detail, const struct error *err);

/* --- the document --- */

/*
 * compare_document() - its beginning: "type":"compare" (as every message has it), kernel, CPUs,
 * privilege, an empty "events". NULL: no memory.
 */
struct json_object *compare_document(struct sys *sys, const struct compare_object *object);

/* compare_type_name() - what kind of event it is: "software", "uretprobe" ... Static. */
const char *compare_type_name(const struct event_spec *spec);

/* compare_event_new() - append {"event","kind","type","program"} to "events"; borrowed or NULL */
struct json_object *compare_event_new(struct json_object *document, const struct compare_subject *s);

#endif
