// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Probes of each kind by each method: the number of runs, the cookie, the limit of one program, and
 * the traces in tracefs and in the probed file when the probes are gone.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "test/regress/common/bound.h"
#include "test/regress/common/probed.h"

#define UNITS 20

static const struct kind {
	const char *name;
	const char *event;	/* "%+td": the distance of the labels of probed_function() */
	void (*work)(void);	/* one happening */
	bool counted_up;	/* it has a semaphore */
	bool in_tables;		/* its runs, its cookie and the limit of one program are tested
				 * in the groups "fires", "cookies" and "lifetime" */
} kinds[] = {
	{ "kprobe", "kprobe:" PROBED_GETPPID, probed_getppid, false, true },
	{ "kretprobe", "kretprobe:" PROBED_GETPPID, probed_getppid, false, false },
	{ "ksyscall", "ksyscall:getppid", probed_getppid, false, false },
	{ "kretsyscall", "kretsyscall:getppid", probed_getppid, false, false },
	{ "uprobe", "uprobe:" PROBED_SELF ":probed_function", probed_function, false, true },
	{ "uprobe at an offset", "uprobe:" PROBED_SELF ":probed_function%+td", probed_function,
	  false, false },
	{ "uretprobe", "uretprobe:" PROBED_SELF ":probed_function", probed_function, false, true },
	{ "usdt", "usdt:" PROBED_SELF ":pload_test:here", probed_usdt, true, false },
};

/* One kind by one method. */
struct cell {
	const struct kind *kind;
	const struct attach_method *method;
	unsigned int index;
};

static struct cell cells[NR(kinds) * 8];

/*
 * The measurements of a cell, taken once for all its tests, since adding and removing probes is
 * slow.
 */
struct seen {
	bool done, has_cookie;
	char lacking[sizeof(((struct error *)0)->what)];	/* why it cannot be had here; "": it can */
	struct firing_runs runs;		/* for UNITS times */
	int second;			/* the answer to another program ... */
	char reason[64];		/* ... and the reason that is given for it */
	unsigned int lines, lines_after;	/* in tracefs */
	unsigned short semaphore, semaphore_after;
	uint64_t runs_after;
};

/* Returns false if the kernel lacks such a probe; @seen then has the reason. */
static bool attach(struct regress *t, const struct cell *cell, struct bound *b, struct seen *seen)
{
	const char *event = cell->kind->event;
	char text[EVENT_TEXT_MAX];
	struct error err = { 0 };
	int ret;

	snprintf(text, sizeof(text), event, probed_second - (const char *)probed_function);
	ret = bound_try(t, b, cell->method, text, 0, &err);
	if (ret < 0 && !regress_lacks(&err))
		regress_ok(t, ret, &err, text);
	snprintf(seen->lacking, sizeof(seen->lacking), "%s", ret < 0 ? err.what : "");
	error_clear(&err);
	return ret == 0;
}

static void bind_second(struct regress *t, const struct bound *b, struct seen *seen)
{
	struct attachment again = { .event_fd = b->set.list[0].event_fd, .link_fd = -1 };
	struct error err = { 0 };
	struct firing_prog second;

	regress_ok(t, firing_prog_load(t->sys, &second, BPF_PROG_TYPE_KPROBE, 1, &err), &err,
		   "a second program");
	seen->second = b->method->bind(t->sys, &again, second.prog_fd, 0, &err);
	snprintf(seen->reason, sizeof(seen->reason), "%s", err.reason ? err.reason : "");
	sys_close_fd(t->sys, &again.link_fd);
	firing_prog_close(t->sys, &second);
	error_clear(&err);
}

/*
 * A uprobe is of the file: while another suite that runs from the same file has one at this
 * location, the kernel keeps the semaphore up in this process, too.
 */
static bool semaphore_is_down(void *arg)
{
	(void)arg;
	return !probed_semaphore;
}

static void measure(struct regress *t, const struct cell *cell, struct bound *b, struct seen *seen)
{
	const pid_t self = getpid();

	seen->lines = probed_nr_lines_of(t->sys, &self, 1);
	seen->semaphore = probed_semaphore;
	bind_second(t, b, seen);
	bound_during(t, b, cell->kind->work, UNITS);
	seen->runs = bound_value(t, b).own;
	seen->has_cookie = b->prog.has_cookie;
	attach_close(t->sys, &b->set);
	seen->runs_after = bound_during(t, b, cell->kind->work, UNITS);
	seen->lines_after = probed_nr_lines_of(t->sys, &self, 1);
	if (cell->kind->counted_up)
		regress_until(semaphore_is_down, NULL);
	seen->semaphore_after = probed_semaphore;
}

/*
 * Those of system calls together: their functions are looked up among all of the kernel's symbols,
 * which are read once for this process.
 */
static bool is_with(const struct cell *cell, const struct cell *other)
{
	return cell == other || (strstr(cell->kind->event, "syscall:") &&
				 strstr(other->kind->event, "syscall:"));
}

static const struct seen *look(struct regress *t)
{
	const struct cell *cell = t->data;
	struct seen *all = t->room, *seen = &all[cell->index];
	struct bound b;

	for (unsigned int i = 0; !seen->done && i < NR(kinds) * attach_nr_methods; i++) {
		if (!is_with(cell, &cells[i]) || all[i].done)
			continue;
		if (attach(t, &cells[i], &b, &all[i]))
			measure(t, &cells[i], &b, &all[i]);
		bound_end(t, &b);
		all[i].done = true;
	}
	if (seen->lacking[0])
		regress_skip(t, "%s", seen->lacking);
	return seen;
}

static void runs_each_time(struct regress *t)
{
	const struct seen *seen = look(t);

	regress_expect(t, seen->runs.runs == UNITS, "%" PRIu64 " runs for %d times",
		       seen->runs.runs, UNITS);
}

static void cookie(struct regress *t)
{
	const struct cell *cell = t->data;
	const struct seen *seen = look(t);

	if (!seen->has_cookie)
		regress_skip(t, "this kernel has no bpf_get_attach_cookie()");
	regress_expect(t, seen->runs.cookie == (cell->method->takes_cookie ? BOUND_COOKIE : 0),
		       "it is 0x%" PRIx64, seen->runs.cookie);
}

static void one_program(struct regress *t)
{
	static const struct regress_since rows[] = { { LINUX(0, 0), "EEXIST" } };
	const struct seen *seen = look(t);

	regress_answer(t, "", regress_errno(seen->second), rows, NR(rows));
	regress_expect(t, !strcmp(seen->reason, "attach/already-bound"), "the reason is '%s'",
		       seen->reason);
}

static void stops(struct regress *t)
{
	const struct seen *seen = look(t);

	regress_expect(t, !seen->runs_after, "%" PRIu64 " runs for %d times", seen->runs_after,
		       UNITS);
}

/* A probe by tracefs has one line there, and a probe by the PMU none. */
static void lines(struct regress *t)
{
	const struct cell *cell = t->data;
	const unsigned int wanted = cell->method->probes_by_tracefs;
	const struct seen *seen = look(t);

	regress_expect(t, seen->lines == wanted && !seen->lines_after,
		       "%u lines while it is there, %u afterwards", seen->lines, seen->lines_after);
}

static void semaphore(struct regress *t)
{
	const struct seen *seen = look(t);

	regress_expect(t, seen->semaphore == 1 && !seen->semaphore_after,
		       "it is %u while it is there, %u afterwards", seen->semaphore,
		       seen->semaphore_after);
}

static void fill(struct regress_list *list)
{
	static const struct {
		const char *name;
		regress_run *run;
		bool in_tables;
	} facts[] = {
		{ "runs each time it happens", runs_each_time, true },
		{ "reads its cookie", cookie, true },
		{ "a second program is EEXIST", one_program, true },
		{ "closed, it runs no more", stops, false },
		{ "its line in tracefs goes with it", lines, false },
		{ "its semaphore is up while it is there", semaphore, false },
	};
	unsigned int nr = 0;

	regress_patience(list, 120);	/* those of system calls are measured at once */
	for (unsigned int i = 0; i < NR(kinds) * attach_nr_methods && i < NR(cells); i++) {
		const struct kind *kind = &kinds[i / attach_nr_methods];
		const struct attach_method *method = &attach_methods[i % attach_nr_methods];

		cells[i] = (struct cell){ kind, method, nr++ };
		for (size_t f = 0; f < NR(facts); f++)
			if (!(facts[f].in_tables && kind->in_tables) &&
			    (facts[f].run != semaphore || kind->counted_up))
				regress_add(list, facts[f].run, &cells[i], "%s x %s: %s",
					    kind->name, method->name, facts[f].name);
	}
	regress_share(list, nr * sizeof(struct seen));
}

const struct regress_group regress_group_probes = {
	"probes", "kprobes, uprobes and USDT by each method: runs, cookies, what is left", NULL,
	fill, __FILE__
};
