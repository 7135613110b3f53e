// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What becomes of each way to attach: whether the program runs, how often, with which cookie. */
#include <errno.h>

#include "loader/compare/parts.h"

/* One cell while it is measured. */
struct outcome {
	enum trial_outcome is;
	bool attached;
	struct compare_runs runs;
	struct error err;	/* owned */
};

static void attach_and_work(const struct compare_subject *s, const struct compare_cell *cell,
			    struct outcome *o)
{
	struct compare_event e;
	int ret = compare_attach(s, cell, &s->prog, &e, &o->err);

	o->attached = !ret;
	if (!ret)
		ret = compare_work(s, &s->prog, &o->runs);
	if (ret < 0 && !o->err.code)
		error_set(&o->err, -ret, "reading the program's map: %s", error_strerror(-ret));
	compare_close(s, &e);
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
		     const struct compare_cell *of)
{
	struct json_object *cell = json_object_new_object();
	struct outcome o = { 0 };
	bool ok;

	if (!value_append(cells, cell))
		return false;
	compare_progress(s, of, "attaching");
	attach_and_work(s, of, &o);
	ok = compare_add_text(cell, "cell", of->name) && compare_add_text(cell, "open", of->open) &&
	     compare_add_text(cell, "bind", of->bind) &&
	     compare_add_text(cell, "outcome", trial_outcome_name(o.is)) &&
	     (o.err.code ? value_add(cell, "error", compare_error(&o.err)) :
			   value_add_null(cell, "error")) &&
	     add_runs(s, cell, &o) && add_cookie(s, cell, of, &o);
	error_clear(&o.err);
	return ok;
}

int compare_cells(const struct compare_subject *s, struct json_object *event, struct error *err)
{
	struct json_object *cells = compare_list(event, "cells");
	bool ok = cells;

	for (int i = 0; ok && i < COMPARE_NR_CELLS && !compare_stopped(s); i++)
		ok = add_cell(s, cells, &s->cells[i]);
	return ok ? 0 : error_set(err, ENOMEM, "no memory for the cells of an event");
}
