// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What becomes of each way to attach: whether the program runs, how often, with which cookie. */
#include <errno.h>

#include "loader/compare/recorder.h"

/* One cell while it is measured. */
struct outcome {
	enum trial_outcome is;
	bool attached;
	struct compare_runs runs;
	struct recorder recorder;	/* of the calls */
	struct error err;	/* owned */
};

/* One step: what it came to, with only the calls that led there. */
static int step(struct recorder *r, enum compare_step next, int ret)
{
	if (ret < 0)
		recorder_refused(r, ret);
	else
		r->step = next;
	return ret;
}

/* The calls are those of the built-in program; with another one they are the same. */
static int attach(const struct compare_subject *s, const struct compare_cell *cell,
		  struct recorder *r, struct compare_event *e, struct error *err)
{
	struct compare_subject recorded = *s;
	int ret;

	recorded.sys = &r->sys;
	ret = step(r, COMPARE_BIND, compare_open(&recorded, cell, e, err));
	if (!ret && s->prog.prog_fd < 0)
		return compare_no_prog(s, err);
	if (!ret)
		ret = step(r, COMPARE_ENABLE,
			   compare_bind(&recorded, cell, e, s->prog.prog_fd, err));
	if (!ret)
		ret = step(r, COMPARE_DETACH, compare_enable(&recorded, e, err));
	return ret;
}

static void attach_and_work(const struct compare_subject *s, const struct compare_cell *cell,
			    struct outcome *o)
{
	struct compare_subject recorded = *s;
	struct compare_event e;
	int ret;

	recorder_begin(&o->recorder, s->sys, true);
	o->recorder.probe = event_is_probe(s->spec);
	recorder_name(&o->recorder, s->prog.prog_fd, "program");
	recorded.sys = &o->recorder.sys;
	ret = attach(s, cell, &o->recorder, &e, &o->err);
	o->attached = !ret;
	if (!ret)
		ret = compare_work(s, &s->prog, &o->runs);
	if (ret < 0 && !o->err.code)
		error_set(&o->err, -ret, "reading the program's map: %s", error_strerror(-ret));
	o->recorder.step = COMPARE_DETACH;
	compare_close(&recorded, &e);
	if (ret < 0)
		o->is = trial_outcome_of(&o->err);
	else if (o->runs.runs)
		o->is = TRIAL_FIRES;
	else
		o->is = s->work->certain ? TRIAL_SILENT : TRIAL_UNKNOWN;
}

static bool add_runs(const struct compare_subject *s, struct json_object *cell,
		     const struct outcome *o)
{
	struct json_object *runs = json_object_new_object();
	const struct trial_value *more = &o->runs.more;

	if (!o->attached) {
		json_object_put(runs);
		return value_add_null(cell, "runs");
	}
	return value_add(cell, "runs", runs) && compare_add_number(runs, "units", o->runs.units) &&
	       compare_add_text(runs, "unit", s->work->what) &&
	       compare_add_number(runs, "own", more->own.runs) &&
	       (s->prog.tells_tasks ? compare_add_number(runs, "others", more->others.runs) :
				      value_add_null(runs, "others")) &&
	       compare_add_text(runs, "by", "map");
}

/* Of the last run; one that has not run has seen none. */
static bool add_cookie(const struct compare_subject *s, struct json_object *cell,
		       const struct compare_cell *of, const struct outcome *o)
{
	struct json_object *cookie = json_object_new_object();
	const struct trial_value *more = &o->runs.more;
	const struct trial_runs *ran = more->own.runs ? &more->own : &more->others;

	return value_add(cell, "cookie", cookie) &&
	       (of->method.takes_cookie ? value_add(cookie, "given", value_address(s->cookie)) :
					  value_add_null(cookie, "given")) &&
	       (o->runs.runs && s->prog.has_cookie ?
			value_add(cookie, "seen", value_address(ran->cookie)) :
			value_add_null(cookie, "seen"));
}

static bool add_cell(const struct compare_subject *s, struct json_object *cells,
		     const struct compare_cell *of, struct outcome *o)
{
	struct json_object *cell = json_object_new_object();
	bool ok;

	if (!value_append(cells, cell))
		return false;
	compare_progress(s, of, "attaching");
	attach_and_work(s, of, o);
	ok = compare_add_text(cell, "cell", of->name) && compare_add_text(cell, "open", of->open) &&
	     compare_add_text(cell, "bind", of->bind) &&
	     compare_add_text(cell, "outcome", trial_outcome_name(o->is)) &&
	     (o->err.code ? value_add(cell, "error", compare_error(&o->err)) :
			    value_add_null(cell, "error")) &&
	     add_runs(s, cell, o) && add_cookie(s, cell, of, o) && !o->recorder.no_memory &&
	     value_add(cell, "calls", json_object_get(o->recorder.calls));
	recorder_end(&o->recorder);
	error_clear(&o->err);
	return ok;
}

int compare_cells(const struct compare_subject *s, struct json_object *event, struct error *err)
{
	struct json_object *cells = compare_list(event, "cells");
	bool fire[COMPARE_NR_CELLS] = { 0 }, ok = cells;

	for (int i = 0; ok && i < COMPARE_NR_CELLS; i++) {
		struct outcome o = { 0 };

		ok = add_cell(s, cells, &s->cells[i], &o);
		fire[i] = o.runs.runs;
	}
	ok = ok && compare_times(s, event, cells) && compare_costs(s, cells, fire) &&
	     compare_records(s, cells, fire);
	return ok ? 0 : error_set(err, ENOMEM, "no memory for the cells of an event");
}
