// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Measure the outcome of each cell: the program's runs, its cookie, and the calls. */
#include <errno.h>
#include <string.h>

#include "loader/compare/measure/record_calls.h"
#include "loader/core/kernel/attr.h"

/* The program to bind: the user's or a built-in one. */
struct bound {
	int prog_fd;
	const struct error *why;	/* prog_fd is -1 */
	const struct firing_prog *counts;	/* counts the runs; NULL: the kernel does */
};

/* The result of one cell. */
struct outcome {
	enum firing_outcome is;
	bool attached;
	struct compare_taken taken;
	struct compare_runs runs;
	struct recorder recorder;	/* records the calls */
	struct error err;		/* owned */
};

/* Record the end of a step; if it failed, drop the calls that looked for the cause. */
static int step(struct recorder *r, enum compare_step next, int ret)
{
	if (ret < 0)
		recorder_refused(r, ret);
	else
		r->step = next;
	return ret;
}

static int not_loaded(const struct error *why, struct error *err)
{
	*err = *why;
	err->log = NULL;	/* owned by @why */
	return err->code;
}

static int attach(const struct compare_subject *s, const struct compare_cell *cell,
		  const struct bound *bound, struct recorder *r, struct compare_event *e,
		  struct error *err)
{
	int ret = step(r, COMPARE_BIND, compare_open(s, cell, e, err));

	if (!ret && bound->prog_fd < 0)
		return not_loaded(bound->why, err);
	if (!ret)
		ret = step(r, COMPARE_ENABLE, compare_bind(s, cell, e, bound->prog_fd, err));
	if (!ret)
		ret = step(r, COMPARE_DETACH, compare_enable(s, e, err));
	return ret;
}

static void attach_and_work(const struct compare_subject *s, const struct compare_cell *cell,
			    const struct bound *bound, struct outcome *o)
{
	struct compare_subject recorded = *s;
	struct compare_event e;
	int ret;

	recorder_begin(&o->recorder, s->sys, true);
	o->recorder.probe = event_is_probe(s->spec);
	recorder_name(&o->recorder, bound->prog_fd, "program");
	recorded.sys = &o->recorder.sys;
	ret = attach(&recorded, cell, bound, &o->recorder, &e, &o->err);
	o->attached = !ret;
	if (!ret)
		ret = compare_work(s, bound->counts, &o->runs);
	if (ret < 0 && !o->err.code)
		error_set(&o->err, -ret, "the count of runs cannot be read: %s",
			  error_strerror(-ret));
	o->taken.reached = o->recorder.step;
	o->recorder.step = COMPARE_DETACH;
	compare_close(&recorded, &e);
	memcpy(o->taken.ns, o->recorder.ns, sizeof(o->taken.ns));
	if (ret < 0)
		o->is = firing_outcome_of(&o->err);
	else if (o->runs.runs)
		o->is = FIRING_FIRES;
	else
		o->is = s->work->certain ? FIRING_SILENT : FIRING_UNKNOWN;
}

/* --- the JSON of a cell --- */

/* @by: "map" or "run_cnt", whichever counted the runs; NULL: they could not be counted. */
static bool add_runs(const struct compare_subject *s, struct json_object *cell,
		     const struct outcome *o, const char *by)
{
	const struct firing_value *more = &o->runs.more;
	struct json_object *runs;

	if (!o->attached || !by)
		return value_add_null(cell, "runs");
	runs = json_object_new_object();
	return value_add(cell, "runs", runs) && value_add_uint(runs, "units", o->runs.units) &&
	       doc_add_text(runs, "unit", s->work->what) &&
	       value_add_uint(runs, "own", more->own.runs) &&
	       (!s->object && s->prog.tells_tasks ?
			value_add_uint(runs, "others", more->others.runs) :
			value_add_null(runs, "others")) &&
	       doc_add_text(runs, "by", by);
}

/* The cookie of the last run of the built-in program; null if it has not run. */
static bool add_cookie(const struct compare_subject *s, struct json_object *cell,
		       const struct compare_cell *of, const struct outcome *o)
{
	struct json_object *cookie = json_object_new_object();
	const struct firing_value *more = &o->runs.more;
	const struct firing_runs *ran = more->own.runs ? &more->own : &more->others;

	return value_add(cell, "cookie", cookie) &&
	       (of->method->takes_cookie ? value_add(cookie, "given", value_address(s->cookie)) :
					  value_add_null(cookie, "given")) &&
	       (o->runs.runs && s->prog.has_cookie ?
			value_add(cookie, "seen", value_address(ran->cookie)) :
			value_add_null(cookie, "seen")) &&
	       doc_add_text(cookie, "by", "built-in");
}

static bool add_outcome(const struct compare_subject *s, struct json_object *cell,
			const struct compare_cell *of, const struct outcome *o, const char *by)
{
	return doc_add_text(cell, "cell", of->name) &&
	       doc_add_text(cell, "open", of->open) &&
	       doc_add_text(cell, "bind", of->bind) &&
	       doc_add_text(cell, "outcome", firing_outcome_name(o->is)) &&
	       (o->err.code ? value_add(cell, "error", doc_error(&o->err)) :
			      value_add_null(cell, "error")) &&
	       add_runs(s, cell, o, by) && !o->recorder.no_memory &&
	       value_add(cell, "calls", json_object_get(o->recorder.calls)) &&
	       doc_add_text(cell, "attach", of->attach);
}

static void outcome_end(struct outcome *o)
{
	recorder_end(&o->recorder);
	error_clear(&o->err);
}

/* Measure the user's program. The kernel counts its runs while @stats_fd is open. */
static bool add_object(const struct compare_subject *s, struct json_object *cell,
		       const struct compare_cell *of, int stats_fd)
{
	const struct bound bound = { s->object->prog_fd, s->object->why, NULL };
	struct outcome o = { 0 };
	bool ok;

	attach_and_work(s, of, &bound, &o);
	if (stats_fd < 0 && o.attached)
		o.is = FIRING_UNKNOWN;
	ok = add_outcome(s, cell, of, &o, stats_fd < 0 ? NULL : "run_cnt");
	outcome_end(&o);
	return ok;
}

/* Return true if the built-in program runs. *@ok is set to false if out of memory. */
static bool add_cell(const struct compare_subject *s, struct json_object *cells,
		     const struct compare_cell *of, int stats_fd, struct compare_taken *taken,
		     bool *ok)
{
	const struct bound bound = { s->prog.prog_fd, &s->no_prog, &s->prog };
	struct json_object *cell = json_object_new_object();
	struct outcome o = { 0 };

	compare_progress(s, of, "attaching");
	*ok = value_append(cells, cell);
	if (*ok && s->object)
		*ok = add_object(s, cell, of, stats_fd);
	if (!*ok)
		return false;
	attach_and_work(s, of, &bound, &o);
	*ok = (s->object || add_outcome(s, cell, of, &o, "map")) && add_cookie(s, cell, of, &o);
	outcome_end(&o);
	*taken = o.taken;
	return o.runs.runs;
}

/* The kernel counts program runs while this descriptor is open. Linux 5.8. */
static int start_counting(struct sys *sys)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.enable_stats.type = BPF_STATS_RUN_TIME;
	return sys_bpf(sys, BPF_ENABLE_STATS, &attr, ATTR_SIZE(enable_stats));
}

int compare_cells(const struct compare_subject *s, struct json_object *event, struct error *err)
{
	struct json_object *cells = doc_list(event, "cells");
	bool fire[COMPARE_NR_CELLS] = { 0 }, ok = cells;
	struct compare_taken taken[COMPARE_NR_CELLS] = { 0 };
	int stats_fd = s->object ? start_counting(s->sys) : -1;

	for (int i = 0; ok && i < COMPARE_NR_CELLS; i++)
		fire[i] = add_cell(s, cells, &s->cells[i], stats_fd, &taken[i], &ok);
	sys_close_fd(s->sys, &stats_fd);
	ok = ok && compare_times(s, event, cells, taken) && compare_costs(s, cells, fire) &&
	     compare_records(s, cells, fire);
	return ok ? 0 : error_set(err, ENOMEM, "no memory for the cells of an event");
}
