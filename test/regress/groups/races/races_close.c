// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Descriptors closed by another thread while the program runs for them. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "test/regress/groups/races/races.h"
#include "test/regress/common/stress.h"

#define UNITS 200
#define TOGGLES 40

/* The descriptors that another thread closes. */
enum closed { CLOSE_LINK, CLOSE_EVENT, CLOSE_PROG };

struct row {
	const struct stress_kind *kind;
	const char *method;
	enum closed what;
};

struct closer {
	struct stress *s;
	struct firing *f;
	enum closed what;
};

static bool has_begun(void *arg)
{
	const struct firing *f = arg;

	return firing_total(f) > 0;
}

/* Closes the descriptors one by one once the program has begun to run. */
static void *close_all(void *arg)
{
	const struct closer *c = arg;
	struct attach_set *set = &c->s->set;

	regress_until(has_begun, c->f);
	if (c->what == CLOSE_PROG)
		sys_close_fd(c->s->sys, &c->s->prog.prog_fd);
	for (unsigned int i = 0; i < set->nr; i++) {
		if (c->what == CLOSE_LINK)
			sys_close_fd(c->s->sys, &set->list[i].link_fd);
		if (c->what == CLOSE_EVENT)
			sys_close_fd(c->s->sys, &set->list[i].event_fd);
	}
	return NULL;
}

static void close_while_firing(struct regress *t)
{
	const struct row *row = t->data;
	const bool ends = row->what == CLOSE_LINK ||
			  (row->what == CLOSE_EVENT && strcmp(row->method, "link"));
	struct closer c = { .what = row->what };
	unsigned long long runs, fired;
	struct stress s;
	struct firing f;
	pthread_t closer;

	stress_begin(t, &s, t->sys, row->kind, row->method, NULL);
	stress_attach(&s);
	firing_begin(t, &f, s.work);
	c.s = &s;
	c.f = &f;
	regress_expect(t, !pthread_create(&closer, NULL, close_all, &c), "no thread");
	firing_each(&f, UNITS);
	pthread_join(closer, NULL);
	runs = stress_runs(&s);
	fired = firing_total(&f);
	regress_expect(t, ends ? runs <= fired : runs == fired,
		       "%llu runs where it happened %llu times", runs, fired);
	firing_each(&f, UNITS);
	regress_expect(t, stress_runs(&s) == (ends ? runs : runs + UNITS * f.nr),
		       "%llu runs where it then happened %llu times more",
		       stress_runs(&s) - runs, (unsigned long long)firing_total(&f) - fired);
	stress_close(&s);
	runs = stress_runs(&s);
	firing_each(&f, UNITS);
	regress_expect(t, stress_runs(&s) == runs, "it runs though all is closed");
	firing_end(&f);
	stress_end(&s);
}

/* --- enabled and disabled by one thread, closed by another --- */

struct switcher {
	struct sys *sys;
	int fd;			/* owned: a copy */
	int ret;
	atomic_bool began;
};

static void *toggle(void *arg)
{
	struct switcher *w = arg;

	for (int i = 0; i < TOGGLES && w->ret >= 0; i++) {
		w->ret = sys_ioctl(w->sys, w->fd, i & 1 ? PERF_EVENT_IOC_DISABLE :
							  PERF_EVENT_IOC_ENABLE, 0);
		w->began = true;
	}
	return NULL;
}

static bool began(void *arg)
{
	return ((struct switcher *)arg)->began;
}

/* The copy of the descriptor keeps the event, which ends when that is closed, too. */
static void close_while_toggled(struct regress *t)
{
	const struct row *row = t->data;
	struct switcher w = { .sys = t->sys };
	struct stress s;
	struct firing f;
	pthread_t thread;

	stress_begin(t, &s, t->sys, row->kind, row->method, NULL);
	stress_attach(&s);
	firing_begin(t, &f, s.work);
	firing_always(&f);
	w.fd = fcntl(s.set.list[0].event_fd, F_DUPFD_CLOEXEC, 0);
	regress_expect(t, w.fd >= 0, "dup: %s", strerror(errno));
	regress_expect(t, !pthread_create(&thread, NULL, toggle, &w), "no thread");
	regress_until(began, &w);
	stress_close(&s);
	pthread_join(thread, NULL);
	regress_expect(t, w.ret == 0, "enabling and disabling: %s", regress_errno(w.ret));
	close(w.fd);
	stress_quiet(&s, &f);
	firing_end(&f);
	stress_end(&s);
}

/* --- copies of a descriptor --- */

static void last_copy_ends_it(struct regress *t)
{
	const struct row *row = t->data;
	const bool of_link = !strcmp(row->method, "link");
	int copies[FIRERS * 4];
	unsigned long long runs;
	struct stress s;
	struct firing f;
	cpu_set_t ours;

	stress_begin(t, &s, t->sys, row->kind, row->method, NULL);
	stress_attach(&s);
	if (!sched_getaffinity(0, sizeof(ours), &ours) && CPU_COUNT(&ours) < (int)s.set.nr)
		regress_skip(t, "this process may not run on every CPU");
	firing_begin(t, &f, s.work);
	regress_expect(t, s.set.nr >= 1, "nothing is attached");
	for (unsigned int i = 0; i < s.set.nr && i < NR(copies); i++) {
		const struct attachment *a = &s.set.list[i];

		copies[i] = fcntl(of_link ? a->link_fd : a->event_fd, F_DUPFD_CLOEXEC, 0);
		regress_expect(t, copies[i] >= 0, "dup: %s", strerror(errno));
	}
	for (unsigned int i = 0, nr = s.set.nr; i < nr && i < NR(copies); i++) {
		if (i == 0)
			stress_close(&s);
		runs = stress_runs(&s);
		firing_each(&f, UNITS);
		regress_expect(t, stress_runs(&s) > runs, "it has ended with %u copies open", nr - i);
		close(copies[i]);
	}
	runs = stress_runs(&s);
	firing_each(&f, UNITS);
	regress_expect(t, stress_runs(&s) == runs, "it runs though the last copy is closed");
	firing_end(&f);
	stress_end(&s);
}

void races_close(struct regress_list *list)
{
	static const struct {
		const char *method, *what;
		enum closed closed;
	} cases[] = {
		{ "link", "its link is closed by another thread while it runs", CLOSE_LINK },
		{ "link", "its event is closed by another thread: no run is lost", CLOSE_EVENT },
		{ "link", "its program is closed by another thread: no run is lost", CLOSE_PROG },
		{ "ioctl", "its event is closed by another thread while it runs", CLOSE_EVENT },
		{ "ioctl", "its program is closed by another thread: no run is lost", CLOSE_PROG },
	};
	static struct row rows[STRESS_NR_KINDS][NR(cases)];

	for (int kind = 0; kind < STRESS_NR_KINDS; kind++) {
		if (!stress_kinds[kind].exact)
			continue;
		for (size_t i = 0; i < NR(cases); i++) {
			struct row *row = &rows[kind][i];

			*row = (struct row){ &stress_kinds[kind], cases[i].method, cases[i].closed };
			regress_add(list, close_while_firing, row, "%s by %s, %s", row->kind->name,
				    row->method, cases[i].what);
		}
		for (size_t i = 0; kind != STRESS_UPROBE && i < NR(cases); i += NR(cases) - 1) {
			regress_add(list, close_while_toggled, &rows[kind][i],
				    "%s by %s, enabled and disabled while it is closed",
				    stress_kinds[kind].name, cases[i].method);
			regress_add(list, last_copy_ends_it, &rows[kind][i],
				    "%s by %s, the last copy of its descriptors ends it",
				    stress_kinds[kind].name, cases[i].method);
		}
	}
}
