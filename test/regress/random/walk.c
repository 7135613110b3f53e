// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Makes a life in the kernel and in the model, step by step, and finds the first difference. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "test/regress/random/walk.h"

#define POLLS_MAX 10000		/* of a millisecond, until what should be gone is said to stay */

static void differ(struct difference *d, const char *text)
{
	d->is = true;
	snprintf(d->text, sizeof(d->text), "%s", text);
}

/* --- answers --- */

static int by_fact(const void *a, const void *b)
{
	const struct fact *x = a, *y = b;

	if (x->what != y->what)
		return x->what < y->what ? -1 : 1;
	if (x->object != y->object)
		return x->object < y->object ? -1 : 1;
	return x->key < y->key ? -1 : x->key > y->key;
}

static bool same(const struct fact *a, const struct fact *b)
{
	return !by_fact(a, b) && a->value == b->value;
}

/* The first fact that only one of them has. */
static void compare_facts(const struct answer *real, const struct answer *model,
			  struct difference *d)
{
	char text[2][96], both[224];
	unsigned int i = 0;

	while (i < real->nr && i < model->nr && same(&real->facts[i], &model->facts[i]))
		i++;
	if (i == real->nr && i == model->nr)
		return;
	snprintf(both, sizeof(both), "the kernel: %s; the model: %s",
		 i < real->nr ? report_fact(&real->facts[i], text[0], sizeof(text[0])) : "nothing more",
		 i < model->nr ? report_fact(&model->facts[i], text[1], sizeof(text[1])) :
				 "nothing more");
	differ(d, both);
}

static void drop(struct answer *a, enum fact_what what)
{
	unsigned int kept = 0;

	for (unsigned int i = 0; i < a->nr; i++)
		if (a->facts[i].what != what)
			a->facts[kept++] = a->facts[i];
	a->nr = kept;
}

static bool mentions(const struct answer *a, enum fact_what what)
{
	for (unsigned int i = 0; i < a->nr; i++)
		if (a->facts[i].what == what)
			return true;
	return false;
}

static void compare(struct answer *real, struct expected *e, struct difference *d)
{
	static const enum fact_what newer[] = { LINK_EVENT_TYPE, COOKIE };
	char text[192], *at = text;
	bool permitted = false;

	for (unsigned int i = 0; i < e->nr_may; i++)
		permitted = permitted || e->may[i] == real->err;
	if (!permitted) {
		at += snprintf(text, sizeof(text), "the kernel: %s; the model:",
			       real->err ? strerror(real->err) : "success");
		for (unsigned int i = 0; i < e->nr_may; i++)
			at += snprintf(at, text + sizeof(text) - at, "%s %s", i ? " or" : "",
				       e->may[i] ? strerror(e->may[i]) : "success");
		differ(d, text);
		return;
	}
	for (int i = 0; i < 2; i++)
		if (!mentions(&e->answer, newer[i]))
			drop(real, newer[i]);
	if (e->count_is_free) {
		drop(real, COUNT);
		drop(&e->answer, COUNT);
	}
	qsort(real->facts, real->nr, sizeof(real->facts[0]), by_fact);
	qsort(e->answer.facts, e->answer.nr, sizeof(e->answer.facts[0]), by_fact);
	compare_facts(real, &e->answer, d);
}

/* --- objects --- */

static void pause_ms(unsigned int ms)
{
	const struct timespec time = { ms / 1000, ms % 1000 * 1000000L };

	nanosleep(&time, NULL);
}

static bool is_alive(const struct model *m, enum kind kind, int object)
{
	return kind == MAP ? m->maps[object] : kind == PROG ? m->progs[object].alive :
	       m->links[object].alive;
}

/* An object that is alive in the model exists in the kernel; one that has just ended there goes. */
static void check_object(struct walk *w, const struct model *before, const struct model *m,
			 enum kind kind, int object, bool later, struct difference *d)
{
	static const char *const names[] = { [MAP] = "map", [PROG] = "program", [LINK] = "link" };
	char text[96];

	if (is_alive(m, kind, object)) {
		if (actors_exists(&w->world, kind, object))
			return;
		snprintf(text, sizeof(text), "%s %d is gone, though it is held", names[kind], object);
		return differ(d, text);
	}
	if (!is_alive(before, kind, object))
		return;
	for (int polls = 0; actors_exists(&w->world, kind, object); polls++) {
		pause_ms(polls > 0);
		if (polls == POLLS_MAX) {
			snprintf(text, sizeof(text), "%s %d is still there, though nobody holds it",
				 names[kind], object);
			return differ(d, text);
		}
	}
	/*
	 * Its id goes first, then its program leaves the event, and what a kernel thread puts is let
	 * go by a timer: the event may end 60 ms after the link (delayed_fput()).
	 */
	if (kind == LINK && later)
		pause_ms(m->events[m->links[object].event].alive ? 100 : 5);
}

static void check_objects(struct walk *w, const struct model *before, const struct model *m,
			  bool later, struct difference *d)
{
	static const enum kind kinds[] = { LINK, PROG, MAP };

	for (int k = 0; k < 3; k++) {
		const unsigned int nr = w->world.nr[kinds[k]];

		for (unsigned int i = 0; i < nr && !d->is; i++)
			check_object(w, before, m, kinds[k], i, later, d);
	}
}

/* --- lives --- */

/* Before Linux 6.5 a link that is closed ends in the background as well (ab5d47bd41b1). */
static bool ends_later(const struct walk *w, const struct expected *e)
{
	return e->later || w->kernel < (6 << 16 | 5 << 8);
}

static void step(struct walk *w, struct model *m, const struct op *op, struct difference *d)
{
	const struct model before = *m;
	struct answer real;
	struct expected e;
	const char *wrong;

	w->progress->steps++;
	wrong = actors_do(&w->world, op, &real);
	if (wrong)
		return differ(d, wrong);
	actors_runs(&w->world, &real);
	model_step(m, op, real.err, &e);
	compare(&real, &e, d);
	if (!d->is)
		check_objects(w, &before, m, ends_later(w, &e), d);
}

/* Everybody ends, and what they held is gone. */
static void end(struct walk *w, const struct model *m, struct difference *d)
{
	struct model none;

	actors_stop(&w->world);
	model_init(&none, w->kernel);
	if (!d->is)
		check_objects(w, m, &none, true, d);
}

static void begin(struct walk *w, struct model *m, struct difference *d)
{
	*d = (struct difference){ 0 };
	model_init(m, w->kernel);
	actors_start(&w->world);
}

static void say(const struct walk *w, const struct op *op, unsigned int nr)
{
	char text[160];

	if (!w->progress->verbose || w->progress->quiet)
		return;
	printf("# %u. %s\n", nr, report_op(op, text, sizeof(text)));
	fflush(stdout);
}

/* A life ends with the same steps: everything happens in each process, and each event is read. */
static bool last_step(const struct walk *w, const struct model *m, unsigned int i, struct op *op)
{
	const int who = i % NR_PROCS, which = i / NR_PROCS;

	*op = (struct op){ .code = OP_FIRE, .who = who, .what = which, .n = 3, .fd = 0,
			   .fd2 = -1, .other = -1 };
	if (which < NR_TYPES)
		return m->alive[who] && w->world.has[which];
	op->code = OP_READ;
	op->fd = which - NR_TYPES;
	return m->alive[who] && m->files[who][op->fd].kind == EVENT;
}

void walk_life(struct walk *w, struct difference *d)
{
	struct progress *p = w->progress;
	const unsigned int nr = p->limit;
	struct model m;
	struct op op;

	begin(w, &m, d);
	p->life.nr = 0;
	for (unsigned int i = 0; i < nr + LAST_STEPS && !d->is; i++) {
		if (i < nr)
			walk_choose(w, &m, &op);
		else if (!last_step(w, &m, i - nr, &op))
			continue;
		d->step = p->at = p->life.nr;
		p->life.ops[p->life.nr++] = op;
		say(w, &op, d->step);
		step(w, &m, &op, d);
	}
	end(w, &m, d);
}

/* Return whether its processes exist: the steps that began them may have been taken away. */
static bool makes_sense(const struct model *m, const struct op *op)
{
	unsigned int alive = 0;

	for (int who = 0; who < NR_PROCS; who++)
		alive += m->alive[who];
	if (!m->alive[op->who] || (op->code == OP_EXIT && alive == 1) ||
	    (op->code == OP_KILL && (alive == 1 || !m->alive[op->other] || op->other == op->who)) ||
	    (op->code == OP_FORK && m->alive[op->other]) ||
	    (op->code == OP_SEND && m->nr_transit == NR_TRANSIT))
		return false;
	return true;
}

void walk_again(struct walk *w, const struct life *life, struct difference *d)
{
	struct model m;

	begin(w, &m, d);
	w->progress->life = *life;
	for (unsigned int i = 0; i < life->nr && !d->is; i++) {
		d->step = w->progress->at = i;
		if (!makes_sense(&m, &life->ops[i]))
			continue;
		say(w, &life->ops[i], i);
		step(w, &m, &life->ops[i], d);
	}
	end(w, &m, d);
}
