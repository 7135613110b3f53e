// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Attaching and detaching while the event happens on every CPU. */
#include <string.h>

#include "test/regress/groups/races/races.h"
#include "test/regress/common/stress.h"

/* Detaching a tracing event waits for grace periods, so that it gets fewer rounds. */
#define ROUNDS_COUNTED 4
#define ROUNDS_TRACED 2

struct row {
	const struct stress_kind *kind;
	const char *method;
};

struct watched {
	struct stress *s;
	uint64_t before;
};

static bool has_run(void *arg)
{
	const struct watched *w = arg;

	return stress_runs(w->s) > w->before;
}

/* In each round it has run, not more often than it happened, and not once after it was closed. */
static void attach_while_firing(struct regress *t)
{
	const struct row *row = t->data;
	struct stress s;
	struct firing f;
	unsigned int rounds;

	stress_begin(t, &s, t->sys, row->kind, row->method, NULL);
	rounds = event_is_tracing(&s.spec) ? ROUNDS_TRACED : ROUNDS_COUNTED;
	firing_begin(t, &f, s.work);
	while (rounds--) {
		struct watched w = { &s, stress_runs(&s) };
		uint64_t fired = firing_total(&f), runs;

		stress_attach(&s);
		/* It happens from the first time on that it could be attached at all. */
		firing_always(&f);
		regress_expect(t, regress_until(has_run, &w), "it does not run");
		stress_close(&s);
		stress_quiet(&s, &f);
		runs = stress_runs(&s) - w.before;
		fired = firing_total(&f) + f.nr - fired;
		regress_expect(t, !row->kind->exact || runs <= fired,
			       "%llu runs where it happened at most %llu times",
			       (unsigned long long)runs, (unsigned long long)fired);
	}
	firing_end(&f);
	stress_end(&s);
}

/* All that happens between two attachments that stay is counted, once by each. */
static void others_count_on(struct regress *t)
{
	const struct stress_kind *kind = &stress_kinds[STRESS_BREAKPOINT];
	struct stress stays, comes;
	struct firing f;
	uint64_t fired;

	stress_begin(t, &stays, t->sys, kind, t->data, NULL);
	stress_begin(t, &comes, t->sys, kind, t->data, NULL);
	stress_attach(&stays);
	firing_begin(t, &f, stays.work);
	firing_always(&f);
	for (int i = 0; i < ROUNDS_COUNTED; i++) {
		stress_attach(&comes);
		firing_settle(&f, 1);
		stress_close(&comes);
	}
	firing_each(&f, 1);
	fired = firing_total(&f);
	regress_expect(t, stress_runs(&stays) == fired, "%llu runs where it happened %llu times",
		       (unsigned long long)stress_runs(&stays), (unsigned long long)fired);
	regress_expect(t, stress_runs(&comes) <= fired, "more runs than it happened");
	firing_end(&f);
	stress_end(&comes);
	stress_end(&stays);
}

static void fill(struct regress_list *list)
{
	static struct row rows[STRESS_NR_KINDS][8];

	for (int kind = 0; kind < STRESS_NR_KINDS; kind++) {
		for (unsigned int m = 0; m < attach_nr_methods && m < NR(rows[0]); m++) {
			struct row *row = &rows[kind][m];

			*row = (struct row){ &stress_kinds[kind], attach_methods[m].name };
			/* But for probes the same event, bound the same way, as by ioctl. */
			if (kind < STRESS_KPROBE && !strcmp(row->method, "pmu"))
				continue;
			regress_add(list, attach_while_firing, row,
				    "%s by %s, attached and closed while it happens on each CPU",
				    row->kind->name, row->method);
		}
	}
	regress_add(list, others_count_on, "ioctl",
		    "by ioctl, others come and go and none of its runs is lost");
	regress_add(list, others_count_on, "link",
		    "by link, others come and go and none of its runs is lost");
	races_bind(list);
	races_close(list);
	races_tasks(list);
	races_exec(list);
	races_pass(list);
	races_kill(list);
}

const struct regress_group regress_group_races = {
	"races", "attaching, closing and ending while it happens", NULL, fill, __FILE__
};
