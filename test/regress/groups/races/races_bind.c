// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Two threads with one event: both bind a program, or one changes the event in the meantime. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "loader/compare/measure/lifetime/lifetime.h"
#include "test/regress/groups/races/races.h"
#include "test/regress/common/stress.h"

/* Detaching a tracing event waits for grace periods, so that it gets fewer rounds. */
#define ROUNDS_COUNTED 20
#define ROUNDS_TRACED 3
#define UNITS 5

/* An event of this thread that is opened again and again, in the way of one cell. */
struct scene {
	struct event_spec spec;
	struct compare_subject subject;
	struct fixture fixture;
};

static const struct compare_cell *cell_of(const struct scene *sc, const char *name)
{
	for (int i = 0; i < COMPARE_NR_CELLS; i++)
		if (!strcmp(sc->subject.cells[i].bind, name))
			return &sc->subject.cells[i];
	return NULL;
}

static void scene_begin(struct regress *t, struct scene *sc, const struct stress_kind *kind,
			const char *bind)
{
	struct error err = { 0 };
	struct attachment a;
	int ret;

	memset(sc, 0, sizeof(*sc));
	stress_spec(t, kind, &sc->spec);
	sc->subject.sys = t->sys;
	sc->subject.spec = &sc->spec;
	compare_begin(&sc->subject);
	ret = fixture_begin(&sc->fixture, &sc->subject, cell_of(sc, bind), &err);
	if (ret == -ENOSPC && sc->spec.kind == EVENT_BREAKPOINT)
		regress_skip(t, "every breakpoint of this machine is taken by others");
	regress_ok(t, ret, &err, kind->name);
	/*
	 * This finds out whether the event can be bound at all: before Linux 5.15 there is no link
	 * to an event.
	 */
	ret = fixture_attach(&sc->fixture, NULL, &a, &err);
	fixture_close(&sc->fixture, &a);
	regress_ok(t, ret, &err, kind->name);
}

static int rounds(const struct scene *sc)
{
	return event_is_tracing(&sc->spec) ? ROUNDS_TRACED : ROUNDS_COUNTED;
}

static void scene_end(struct scene *sc)
{
	fixture_end(&sc->fixture);
	compare_end(&sc->subject);
}

/* --- both bind --- */

struct pair {
	const struct stress_kind *kind;
	const char *bind[2];
};

struct binder {
	struct scene *sc;
	const struct compare_cell *cell;
	pthread_barrier_t *begin;
	struct attachment a;	/* its event is the other's, too */
	int prog_fd, ret;
};

static void *bind_it(void *arg)
{
	struct binder *b = arg;

	pthread_barrier_wait(b->begin);
	b->ret = b->cell->method->bind(b->sc->fixture.sys, &b->a, b->prog_fd, 0, NULL);
	return NULL;
}

/* The one that was bound runs, each time, and the other one does not. */
static void check_winner(struct regress *t, struct scene *sc, struct binder *b)
{
	const struct firing_prog *progs[2] = { &sc->fixture.prog, &sc->fixture.second };
	const bool exact = sc->subject.work->exact;
	const int winner = b[0].ret == 0 ? 0 : 1;
	int64_t before[2], runs[2];
	struct error err = { 0 };

	regress_expect(t, b[winner].ret == 0 && b[!winner].ret == -EEXIST,
		       "the first said %s, the second %s: one has to win, and one gets EEXIST",
		       regress_errno(b[0].ret), regress_errno(b[1].ret));
	regress_ok(t, fixture_enable(&sc->fixture, &b->a, &err), &err, "enable");
	for (int i = 0; i < 2; i++)
		before[i] = fixture_count_runs(&sc->fixture, progs[i]);
	for (int i = 0; i < UNITS; i++)
		sc->subject.work->unit();
	for (int i = 0; i < 2; i++)
		runs[i] = fixture_count_runs(&sc->fixture, progs[i]) - before[i];
	regress_expect(t, exact ? runs[winner] == UNITS : runs[winner] >= 1,
		       "who has won ran %lld times of %d", (long long)runs[winner], UNITS);
	regress_expect(t, runs[!winner] == 0, "who has got EEXIST ran %lld times",
		       (long long)runs[!winner]);
}

static void both_bind(struct regress *t)
{
	const struct pair *pair = t->data;
	pthread_barrier_t begin;
	struct binder b[2];
	struct scene sc;

	scene_begin(t, &sc, pair->kind, pair->bind[1]);
	pthread_barrier_init(&begin, NULL, 2);
	for (int round = 0; round < rounds(&sc); round++) {
		struct attachment a;
		struct error err = { 0 };
		pthread_t other;

		regress_ok(t, fixture_open(&sc.fixture, NULL, &a, &err), &err, "open");
		for (int i = 0; i < 2; i++)
			b[i] = (struct binder){ .sc = &sc,
						.cell = cell_of(&sc, pair->bind[i]),
						.begin = &begin,
						.a = a,
						.prog_fd = i ? sc.fixture.second.prog_fd :
							       sc.fixture.prog.prog_fd };
		regress_expect(t, !pthread_create(&other, NULL, bind_it, &b[1]), "no thread");
		bind_it(&b[0]);
		pthread_join(other, NULL);
		check_winner(t, &sc, b);
		sys_close_fd(t->sys, &b[0].a.link_fd);
		sys_close_fd(t->sys, &b[1].a.link_fd);
		sys_close_fd(t->sys, &a.event_fd);
	}
	pthread_barrier_destroy(&begin);
	scene_end(&sc);
}

/* --- one binds, the other closes the event --- */

struct closer {
	struct sys *sys;
	pthread_barrier_t *begin;
	int fd;
};

static void *close_it(void *arg)
{
	struct closer *c = arg;

	pthread_barrier_wait(c->begin);
	sys_close(c->sys, c->fd);
	return NULL;
}

/* Either the event was closed first, or there is a link that keeps it. */
static void bind_and_close(struct regress *t)
{
	const struct pair *pair = t->data;
	const bool is_link = !strcmp(pair->bind[0], "link");
	pthread_barrier_t begin;
	struct scene sc;

	scene_begin(t, &sc, pair->kind, pair->bind[0]);
	pthread_barrier_init(&begin, NULL, 2);
	for (int round = 0; round < rounds(&sc); round++) {
		struct binder b = { .sc = &sc,
				    .cell = sc.fixture.cell,
				    .begin = &begin,
				    .prog_fd = sc.fixture.prog.prog_fd };
		struct closer c = { .sys = t->sys, .begin = &begin };
		struct error err = { 0 };
		pthread_t other;
		int64_t before, runs;

		regress_ok(t, fixture_open(&sc.fixture, NULL, &b.a, &err), &err, "open");
		regress_ok(t, fixture_enable(&sc.fixture, &b.a, &err), &err, "enable");
		c.fd = b.a.event_fd;
		regress_expect(t, !pthread_create(&other, NULL, close_it, &c), "no thread");
		bind_it(&b);
		pthread_join(other, NULL);
		regress_expect(t, b.ret == 0 || b.ret == -EBADF, "binding to an event that is "
			       "being closed: %s", regress_errno(b.ret));
		before = fixture_count_runs(&sc.fixture, &sc.fixture.prog);
		fixture_work(&sc.fixture);
		runs = fixture_count_runs(&sc.fixture, &sc.fixture.prog) - before;
		if (is_link && b.ret == 0)
			regress_expect(t, runs > 0, "the link does not run without its event");
		else
			regress_expect(t, runs == 0, "%lld runs without an event", (long long)runs);
		sys_close_fd(t->sys, &b.a.link_fd);
		before = fixture_count_runs(&sc.fixture, &sc.fixture.prog);
		fixture_work(&sc.fixture);
		runs = fixture_count_runs(&sc.fixture, &sc.fixture.prog) - before;
		regress_expect(t, runs == 0, "%lld runs after all was closed", (long long)runs);
	}
	pthread_barrier_destroy(&begin);
	scene_end(&sc);
}

void races_bind(struct regress_list *list)
{
	static const char *const binds[][2] = {
		{ "ioctl", "ioctl" }, { "ioctl", "link" }, { "link", "link" }
	};
	static struct pair pairs[STRESS_NR_KINDS][NR(binds)];

	for (int kind = 0; kind < STRESS_NR_KINDS; kind++) {
		if (kind == STRESS_CLOCK)	/* as page faults, and takes longer */
			continue;
		for (size_t i = 0; i < NR(binds); i++) {
			struct pair *p = &pairs[kind][i];

			*p = (struct pair){ &stress_kinds[kind], { binds[i][0], binds[i][1] } };
			/* A probe is bound as a tracepoint is, and takes longer to be removed. */
			if (kind > STRESS_TRACEPOINT && i != 1)
				continue;
			regress_add(list, both_bind, p, "%s, two threads bind at once by %s and "
				    "%s: one does", p->kind->name, p->bind[0], p->bind[1]);
		}
		regress_add(list, bind_and_close, &pairs[kind][0],
			    "%s, closed while a program is bound by ioctl: nothing is left",
			    stress_kinds[kind].name);
		regress_add(list, bind_and_close, &pairs[kind][2],
			    "%s, closed while a link is made: the link keeps it, or it was gone",
			    stress_kinds[kind].name);
	}
}
