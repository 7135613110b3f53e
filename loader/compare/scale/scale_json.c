// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Create the member "scale" of the document: the measurements and the models. */
#include <math.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "loader/compare/scale/scale_internal.h"

/* Add @n, or null if it is unknown. */
static bool add_number(struct json_object *o, const char *key, uint64_t n)
{
	return value_add_count(o, key, n != SCALE_UNKNOWN, n);
}

/* An error, or null. */
static bool add_error(struct json_object *o, const char *key, const struct error *err)
{
	return err->code ? value_add(o, key, doc_error(err)) : value_add_null(o, key);
}

static bool add_waits(const struct scale_all *all, struct json_object *o,
		      const struct wait_counts *counts)
{
	struct json_object *waits;

	if (waits_by(all->waits) == WAITS_NOT || counts->lost)
		return value_add_null(o, "waits");
	waits = json_object_new_object();
	for (int kind = 0; kind < WAIT_NR_KINDS; kind++)
		value_add_count(waits, wait_names[kind], waits_counts(all->waits, kind),
				counts->nr[kind]);
	return value_add(o, "waits", waits);
}

static struct json_object *attach_json(const struct scale_all *all, const struct scale_figures *f)
{
	struct json_object *o = json_object_new_object();

	value_add_uint(o, "ns", f->attach_ns);
	value_add_uint(o, "calls", f->attach_calls);
	add_waits(all, o, &f->attach_waits);
	value_add_uint(o, "descriptors", f->fds);
	value_add_uint(o, "lines", f->lines);
	add_number(o, "memory", f->memory);
	return o;
}

static struct json_object *end_json(const struct scale_all *all, const struct scale_figures *f,
				    unsigned int end)
{
	const bool exits = end == SCALE_EXIT || end == SCALE_KILL;
	struct json_object *o = json_object_new_object();

	value_add_uint(o, "ns", f->detach_ns);
	value_add_count(o, "calls", !exits, f->detach_calls);
	add_waits(all, o, &f->detach_waits);
	add_number(o, "released_ns", f->gone_ns);
	value_add_uint(o, "lines_left", f->left_lines);
	return o;
}

/* The figures for attaching and for hits are from the process that closes in order. */
static bool add_cell(const struct scale_all *all, struct json_object *cells, unsigned int number,
		     const struct scale_cell c[SCALE_NR_ENDS])
{
	const struct scale_figures *f = &c[SCALE_CLOSE].f;
	struct json_object *o = json_object_new_object();

	value_add_uint(o, "number", number);
	if (c[SCALE_CLOSE].measured) {
		value_add(o, "attach", attach_json(all, f));
		add_number(o, "nothing_ns", f->nothing_ns);
		add_number(o, "hit_ns", f->hit_ns);
		add_number(o, "second_ns", f->second_ns);
	}
	for (unsigned int end = 0; end < SCALE_NR_ENDS; end++) {
		if (c[end].measured)
			value_add(o, scale_end_names[end], end_json(all, &c[end].f, end));
		else if (end < SCALE_FULL_ENDS)
			value_add_string(o, scale_end_names[end], c[end].skipped);
	}
	return value_append(cells, o);
}

/* --- models --- */

static bool add_rounded(struct json_object *o, const char *key, double n)
{
	return value_add_int(o, key, llround(n));
}

/*
 * The number of ticks after which a grace period checks for idle CPUs: jiffies_till_first_fqs in
 * kernel/rcu/tree.c, RCU_JIFFIES_TILL_FORCE_QS + nr_cpu_ids / RCU_JIFFIES_FQS_DIV.
 */
static double wait_seconds(double cpus, double hz)
{
	return (1 + (hz > 250) + (hz > 500) + floor(cpus / 256)) / hz;
}

/* CLOCK_MONOTONIC_COARSE advances with the tick. */
static unsigned int hz_here(void)
{
	struct timespec tick = { 0, 0 };

	clock_getres(CLOCK_MONOTONIC_COARSE, &tick);
	return tick.tv_nsec ? (unsigned int)(1000000000 / tick.tv_nsec) : 0;
}

static unsigned int cpus_here(void)
{
	const long nr = sysconf(_SC_NPROCESSORS_CONF);

	return nr > 0 ? nr : 1;
}

/* Return by which factor waits take longer with the CPUs and Hz of --scale; 0: not given. */
static double predicted_factor(const struct scale_all *all)
{
	const double cpus = all->words.cpus ? all->words.cpus : cpus_here(),
		     hz = all->words.hz ? all->words.hz : hz_here();

	if ((!all->words.cpus && !all->words.hz) || !hz_here())
		return 0;
	return wait_seconds(cpus, hz) / wait_seconds(cpus_here(), hz_here());
}

#define ASSUMES "a way that waits takes as long as its waits, of which each takes as many ticks " \
	"as RCU leaves before it looks for idle CPUs; other ways take as long as here"

static bool add_prediction(const struct scale_all *all, struct json_object *o)
{
	struct json_object *p;

	if (!predicted_factor(all))
		return value_add_null(o, "predict");
	p = json_object_new_object();
	value_add_uint(p, "cpus", all->words.cpus ? all->words.cpus : cpus_here());
	value_add_uint(p, "hz", all->words.hz ? all->words.hz : hz_here());
	value_add_uint(p, "hz_here", hz_here());
	add_rounded(p, "factor_1000", predicted_factor(all) * 1000);
	doc_add_text(p, "assumes", ASSUMES);
	return value_add(o, "predict", p);
}

static bool add_model(const struct scale_all *all, const struct scale_measured *of,
		      unsigned int end, struct json_object *models)
{
	const struct scale_fit time = scale_fit_of(all, of, end, SCALE_FIT_NS);
	const double factor = predicted_factor(all);
	double waits_once = 0, waits_each = 0;
	struct json_object *o, *waits;

	/* A multi link with a few locations says little about one with many. */
	if (time.points < (of->way->bind == SCALE_MULTI ? 3 : 1))
		return true;
	o = json_object_new_object();
	waits = json_object_new_object();
	doc_add_text(o, "of", end == SCALE_NR_ENDS ? "attach" : scale_end_names[end]);
	value_add_uint(o, "points", time.points);
	add_rounded(o, "fixed_ns", time.fixed);
	add_rounded(o, "each_ns", time.each);
	add_rounded(o, "error_percent", time.error * 100);
	for (int kind = 0; kind < WAIT_NR_KINDS; kind++) {
		const struct scale_fit f = scale_fit_of(all, of, end, kind);
		struct json_object *w;

		if (!waits_counts(all->waits, kind))
			continue;
		waits_once += f.fixed;
		waits_each += f.each;
		w = json_object_new_object();
		add_rounded(w, "fixed_1000", f.fixed * 1000);
		add_rounded(w, "each_1000", f.each * 1000);
		value_add(waits, wait_names[kind], w);
	}
	value_add(o, "waits", waits);
	if (factor)
		add_rounded(o, "predicted_each_ns", time.each * (waits_each ? factor : 1));
	if (factor)
		add_rounded(o, "predicted_fixed_ns",
			    time.fixed * (waits_each || waits_once ? factor : 1));
	return value_append(models, o);
}

static struct json_object *way_json(const struct scale_all *all, const struct scale_measured *of)
{
	struct json_object *o = json_object_new_object(), *cells = json_object_new_array(),
			   *models = json_object_new_array();

	doc_add_text(o, "kind", scale_kind_name(of->way->kind));
	doc_add_text(o, "way", of->way->name);
	doc_add_text(o, "what", scale_kind_what(of->way->kind));
	value_add_count(o, "refused_at", of->refused_at, of->refused_at);
	add_error(o, "error", &of->refused);
	for (unsigned int i = 0; i < all->words.nr; i++)
		add_cell(all, cells, all->words.numbers[i], of->cells[i]);
	value_add(o, "cells", cells);
	add_model(all, of, SCALE_NR_ENDS, models);
	for (int end = 0; end < SCALE_FULL_ENDS; end++)
		add_model(all, of, end, models);
	value_add(o, "models", models);
	return o;
}

struct json_object *scale_json(const struct scale_all *all)
{
	struct json_object *o = json_object_new_object(), *ways = json_object_new_array();
	const enum waits_by by = waits_by(all->waits);

	doc_add_text(o, "waits_by", by == WAITS_NOT ? NULL : waits_by_names[by]);
	add_error(o, "no_waits", &all->no_waits);
	doc_add_text(o, "memory_by", "slabs of the machine");
	add_prediction(all, o);
	for (unsigned int w = 0; w < all->nr; w++)
		value_append(ways, way_json(all, &all->ways[w]));
	value_add(o, "ways", ways);
	return doc_finish(o, value_is_complete(o));
}
