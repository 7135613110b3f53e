// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Probes of each kind by each method: how often they run, with which cookie, one program and no
 * more, and what is left in tracefs and in the probed file when they are gone.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "test/regress/common/bound.h"
#include "test/unit/probed_builder.h"

#define UNITS 20

static const struct kind {
	const char *name;
	const char *event;	/* "%s": the kernel's function; "%+td": what is between the labels */
	void (*work)(void);	/* one happening */
	bool counted_up;	/* it has a semaphore */
} kinds[] = {
	{ "kprobe", "kprobe:%s", probed_getppid, false },
	{ "kretprobe", "kretprobe:%s", probed_getppid, false },
	{ "ksyscall", "ksyscall:getppid", probed_getppid, false },
	{ "kretsyscall", "kretsyscall:getppid", probed_getppid, false },
	{ "uprobe", "uprobe:" PROBED_SELF ":probed_function", probed_function, false },
	{ "uprobe at an offset", "uprobe:" PROBED_SELF ":probed_function%+td", probed_function,
	  false },
	{ "uretprobe", "uretprobe:" PROBED_SELF ":probed_function", probed_function, false },
	{ "usdt", "usdt:" PROBED_SELF ":pload_test:here", probed_usdt, true },
};

/* One kind by one method. */
struct cell {
	const struct kind *kind;
	const struct attach_method *method;
};

static void attach(struct regress *t, struct bound *b)
{
	const struct cell *cell = t->data;
	const char *event = cell->kind->event, *function = "";
	char text[EVENT_TEXT_MAX];

	if (strstr(event, "%s"))
		function = probed_getppid_function(t->sys);
	if (!function)
		regress_skip(t, "/proc/kallsyms has no function for getppid()");
	if (strstr(event, "%+td"))
		snprintf(text, sizeof(text), event, probed_second - (const char *)probed_function);
	else
		snprintf(text, sizeof(text), event, function);
	bound_begin(t, b, cell->method, text);
}

static void runs_each_time(struct regress *t)
{
	const struct cell *cell = t->data;
	struct trial_value value;
	struct bound b;

	attach(t, &b);
	bound_during(t, &b, cell->kind->work, UNITS);
	value = bound_value(t, &b);
	regress_expect(t, value.own.runs == UNITS, "%" PRIu64 " runs for %d times",
		       value.own.runs, UNITS);
	if (b.prog.has_cookie)
		regress_expect(t,
			       value.own.cookie == (cell->method->takes_cookie ? BOUND_COOKIE : 0),
			       "the cookie is 0x%" PRIx64, value.own.cookie);
	bound_end(t, &b);
}

static void one_program(struct regress *t)
{
	static const struct regress_since rows[] = { { LINUX(0, 0), "EEXIST" } };
	const struct cell *cell = t->data;
	struct error err = { 0 };
	struct attachment again;
	struct trial_prog second;
	struct bound b;
	int ret;

	attach(t, &b);
	again = (struct attachment){ .event_fd = b.set.list[0].event_fd, .link_fd = -1 };
	regress_ok(t, trial_prog_load(t->sys, &second, BPF_PROG_TYPE_KPROBE, 1, &err), &err,
		   "a second program");
	ret = cell->method->bind(t->sys, &again, second.prog_fd, 0, &err);
	regress_answer(t, "", regress_errno(ret), rows, NR(rows));
	regress_expect(t, !strcmp(err.reason, "attach/already-bound"), "the reason is %s",
		       err.reason);
	trial_prog_close(t->sys, &second);
	error_clear(&err);
	bound_end(t, &b);
}

/* By tracefs it is a line of its own; by the PMU it has no name. */
static void leaves_nothing(struct regress *t)
{
	const struct cell *cell = t->data;
	const unsigned int wanted = cell->method->probe == probe_by_tracefs;
	struct trial_value before, after;
	unsigned int nr;
	struct bound b;

	attach(t, &b);
	nr = probed_nr_lines_of(t->sys, getpid());
	regress_expect(t, nr == wanted, "%u lines in tracefs while it is there", nr);
	regress_expect(t, probed_semaphore == cell->kind->counted_up,
		       "its semaphore is %u while it is there", probed_semaphore);
	attach_close(t->sys, &b.set);
	before = bound_value(t, &b);
	bound_during(t, &b, cell->kind->work, UNITS);
	after = bound_value(t, &b);
	regress_expect(t, after.own.runs == before.own.runs &&
		       after.others.runs == before.others.runs, "it runs although it is closed");
	nr = probed_nr_lines_of(t->sys, getpid());
	regress_expect(t, !nr, "%u lines in tracefs afterwards", nr);
	regress_expect(t, !probed_semaphore, "its semaphore is %u afterwards", probed_semaphore);
	bound_end(t, &b);
}

static void fill(struct regress_list *list)
{
	static const struct {
		const char *name;
		regress_run *run;
	} facts[] = {
		{ "runs each time it happens, with its cookie", runs_each_time },
		{ "a second program is EEXIST", one_program },
		{ "closed, it runs no more and leaves nothing behind", leaves_nothing },
	};
	static struct cell cells[NR(kinds)][8];

	for (size_t k = 0; k < NR(kinds); k++)
		for (unsigned int m = 0; m < attach_nr_methods; m++) {
			cells[k][m] = (struct cell){ &kinds[k], &attach_methods[m] };
			for (size_t f = 0; f < NR(facts); f++)
				regress_add(list, facts[f].run, &cells[k][m], "%s x %s: %s",
					    kinds[k].name, attach_methods[m].name, facts[f].name);
		}
}

const struct regress_group regress_group_probes = {
	"probes", "kprobes, uprobes and USDT by each method: runs, cookies, what is left", NULL, fill
};
