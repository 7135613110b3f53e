// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Attaching and closing again and again leaves everything unchanged. */
#include <string.h>
#include <unistd.h>

#include "loader/base/calls/tracefs.h"
#include "loader/base/text/each_line.h"
#include "loader/core/event/pmu.h"
#include "loader/core/sys/read.h"
#include "test/regress/common/probed.h"
#include "test/regress/common/seam.h"
#include "test/regress/common/stress.h"

#define ROUNDS_COUNTED 5
#define ROUNDS_TRACED 2
#define UNITS_MAX 200	/* of a clock; one is enough of all others */

struct row {
	const struct stress_kind *kind;
	const char *method;
};

/* The counts that a round must leave unchanged. */
struct state {
	unsigned int fds, lines, functions;
};

static int count_line(void *arg, char *line)
{
	(void)line;
	++*(unsigned int *)arg;
	return 0;
}

/* Functions with hooks of ftrace; 0 where this kernel has no such file. */
static unsigned int count_functions(struct sys *sys)
{
	struct tracefs tracefs;
	unsigned int nr = 0;
	int fd;

	if (tracefs_find(sys, &tracefs, NULL) < 0)
		return 0;
	fd = tracefs_openat(sys, &tracefs, "enabled_functions", O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		sys_each_line(sys, fd, count_line, &nr);
		sys_close(sys, fd);
	}
	tracefs_close(sys, &tracefs);
	return nr;
}

static struct state look(struct regress *t)
{
	const pid_t self = getpid();
	struct state state = { .fds = regress_nr_fds() };

	state.lines = probed_nr_lines_of(t->sys, &self, 1);
	state.functions = count_functions(t->sys);
	return state;
}

struct functions {
	struct regress *t;
	unsigned int before;
};

static bool as_before(void *arg)
{
	const struct functions *f = arg;

	return count_functions(f->t->sys) <= f->before;
}

static void nothing_is_left(struct regress *t)
{
	const struct row *row = t->data;
	struct ledger *ledger = ledger_new(t);
	struct state before, after;
	struct functions functions;
	unsigned int rounds;
	struct seam seam;
	struct stress s;

	seam_init(&seam, t->sys, ledger, 0, 0);
	before = look(t);
	stress_begin(t, &s, &seam.sys, row->kind, row->method, NULL);
	rounds = event_is_tracing(&s.spec) ? ROUNDS_TRACED : ROUNDS_COUNTED;
	while (rounds--) {
		const uint64_t runs = stress_runs(&s);

		stress_attach(&s);
		for (int i = 0; i < UNITS_MAX && stress_runs(&s) == runs; i++)
			s.work->unit();
		regress_expect(t, stress_runs(&s) > runs, "it does not run");
		stress_close(&s);
	}
	stress_end(&s);
	ledger_gone(t, ledger);
	after = look(t);
	regress_expect(t, after.fds == before.fds, "%d descriptors are left",
		       (int)(after.fds - before.fds));
	regress_expect(t, after.lines == before.lines, "%u lines are left in tracefs", after.lines);
	functions = (struct functions){ t, before.functions };
	regress_expect(t, regress_until(as_before, &functions), "%u functions have hooks, and %u "
		       "had some before", count_functions(t->sys), before.functions);
}

static void fill(struct regress_list *list)
{
	static struct row rows[STRESS_NR_KINDS][8];

	for (int kind = 0; kind < STRESS_NR_KINDS; kind++) {
		for (unsigned int m = 0; m < attach_nr_methods && m < NR(rows[0]); m++) {
			struct row *row = &rows[kind][m];

			*row = (struct row){ &stress_kinds[kind], attach_methods[m].name };
			regress_add(list, nothing_is_left, row, "%s by %s, again and again: "
				    "everything is as before", row->kind->name, row->method);
		}
	}
}

const struct regress_group regress_group_leaks = {
	"leaks", "what rounds of attaching and closing leave behind", NULL, fill, __FILE__
};
