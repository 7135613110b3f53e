// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Every way to open x every way to bind x every kind of event, for this thread: the program runs as
 * often as it happens and has its cookie, a second one is refused, and closing ends it.
 */
#include <stdio.h>

#include <linux/hw_breakpoint.h>

#include "test/regress/groups/bind/fires.h"

/* How much is asserted of a kind. */
enum depth {
	ALL_FACTS,	/* each is a test */
	ONE_FACT,	/* it fires: the rest is as for a kind with all */
	NEVER,		/* it takes a program and does not run it */
};

static const struct fires_kind {
	struct kind kind;
	enum depth depth;
} kinds[] = {
	{ { "cpu-clock by period", "cpu-clock,period=1000000", KIND_COUNTED }, ALL_FACTS },
	{ { "page-faults", "page-faults,period=1", KIND_COUNTED }, ALL_FACTS },
	{ { "context-switches", "context-switches,period=1", KIND_COUNTED }, ALL_FACTS },
	{ { "cycles", "cycles,period=100000", KIND_COUNTED }, ALL_FACTS },
	{ { "breakpoint", "mem:%w/8:w", KIND_COUNTED }, ALL_FACTS },
	{ { "tracepoint", "sched:sched_switch", KIND_TRACEPOINT }, ALL_FACTS },
	{ { "syscall tracepoint", "syscalls:sys_enter_getppid", KIND_TRACEPOINT }, ALL_FACTS },
	{ { "kprobe", "kprobe:%g", KIND_KPROBE }, ALL_FACTS },
	{ { "kretprobe", "kretprobe:%g", KIND_KRETPROBE }, ALL_FACTS },
	{ { "uprobe", "uprobe:" FIRING_PATH ":%u", KIND_UPROBE }, ALL_FACTS },
	{ { "uretprobe", "uretprobe:" FIRING_PATH ":%u", KIND_URETPROBE }, ALL_FACTS },
	{ { "USDT", "usdt:" FIRING_PATH ":pload:trial", KIND_UPROBE }, ONE_FACT },
	{ { "cpu-clock by freq", "cpu-clock,freq=1000", KIND_COUNTED }, ONE_FACT },
	{ { "task-clock", "task-clock,period=1000000", KIND_COUNTED }, ONE_FACT },
	{ { "minor-faults", "minor-faults,period=1", KIND_COUNTED }, ONE_FACT },
	{ { "cpu-migrations", "cpu-migrations,period=1", KIND_COUNTED }, ONE_FACT },
	{ { "instructions", "instructions,period=100000", KIND_COUNTED }, ONE_FACT },
	{ { "cache", "L1-dcache-loads,period=10000", KIND_COUNTED }, ONE_FACT },
	{ { "software by number", "1:2,period=1", KIND_COUNTED }, ONE_FACT },
	{ { "breakpoint on 1 byte written", "mem:%w/1:w", KIND_COUNTED }, ONE_FACT },
	{ { "breakpoint on 2 bytes written", "mem:%w/2:w", KIND_COUNTED }, ONE_FACT },
	{ { "breakpoint on 4 bytes written", "mem:%w/4:w", KIND_COUNTED }, ONE_FACT },
	{ { "breakpoint on 1 byte read or written", "mem:%w/1:rw", KIND_COUNTED }, ONE_FACT },
	{ { "breakpoint on 8 bytes read or written", "mem:%w/8:rw", KIND_COUNTED }, ONE_FACT },
	{ { "breakpoint on execution", "mem:%f:x", KIND_COUNTED }, ONE_FACT },
	{ { "syscall exit tracepoint", "syscalls:sys_exit_getppid", KIND_TRACEPOINT }, ONE_FACT },
	{ { "dummy", "dummy,period=1", KIND_COUNTED }, NEVER },
	{ { "bpf-output", "bpf-output,period=1", KIND_COUNTED }, NEVER },
};

/* --- one cell of one kind, measured by the first of its tests that runs --- */

enum measured_state { UNTRIED, BEGUN, DONE };

struct measured {
	enum measured_state state;
	int ret;		/* of opening, binding and enabling */
	bool lacks;		/* the machine is to blame */
	char why[1100];
	bool exact;		/* one run per unit of work */
	bool counted;		/* ... or at least one; else it is timed */
	bool certain, has_cookie, tells_tasks;
	struct compare_runs runs;
	int second_ioctl, second_link;
	uint64_t after;		/* runs when it was closed */
};

struct room {
	struct measured cells[NR(kinds)][COMPARE_NR_CELLS];
};

static void keep_failure(struct measured *m, int ret, struct error *err)
{
	m->ret = ret;
	m->lacks = regress_lacks(err);
	snprintf(m->why, sizeof(m->why), "%s%s%s", err->where, err->where[0] ? ": " : "",
		 err->what);
	error_clear(err);
}

static int try_second(const struct compare_subject *s, const struct compare_event *e,
		      const struct firing_prog *second, const char *method)
{
	struct attachment again = { .event_fd = e->a.event_fd, .link_fd = -1 };
	int ret = attach_method_find(method, NULL)->bind(s->sys, &again, second->prog_fd, 0, NULL);

	sys_close_fd(s->sys, &again.link_fd);
	return ret;
}

static uint64_t runs_of(const struct firing_value *value)
{
	return value->own.runs + value->others.runs;
}

/* After the event is closed, the work must not run the program. */
static void try_closed(struct regress *t, const struct compare_subject *s, struct measured *m)
{
	struct firing_value before, after;

	regress_ok(t, firing_prog_read(s->sys, &s->prog, &before), NULL, "runs");
	for (unsigned int i = 0; i < m->runs.units; i++)
		s->work->unit();
	regress_ok(t, firing_prog_read(s->sys, &s->prog, &after), NULL, "runs");
	m->after = runs_of(&after) - runs_of(&before);
}

/*
 * A timer may expire much later on an emulated processor: the work is repeated until the program
 * has run.
 */
static void work_until_it_runs(struct regress *t, const struct compare_subject *s,
			       struct compare_runs *runs)
{
	const uint64_t end = sys_monotonic_ns() + CLOCK_NS;

	do
		regress_ok(t, compare_work(s, &s->prog, runs), NULL, "runs");
	while (s->work->load && !runs->runs && sys_monotonic_ns() < end);
}

static void try_bound(struct regress *t, const struct compare_subject *s, struct compare_event *e,
		      struct measured *m)
{
	struct error err = { 0 };
	struct firing_prog second;

	regress_ok(t, firing_prog_load(s->sys, &second, s->prog.prog_type, 1, &err), &err,
		   "a second program");
	m->second_ioctl = try_second(s, e, &second, "ioctl");
	m->second_link = try_second(s, e, &second, "link");
	firing_prog_close(s->sys, &second);
	m->ret = compare_enable(s, e, &err);
	if (m->ret)
		keep_failure(m, m->ret, &err);
	else
		work_until_it_runs(t, s, &m->runs);
}

static void measure(struct regress *t, const struct kind *kind, unsigned int cell,
		    struct measured *m)
{
	struct compare_subject s;
	struct event_spec spec;
	struct error err = { 0 };
	struct compare_event e;
	int cpus[2];

	kind_begin(t, kind, &spec, &s);
	if (spec.kind == EVENT_SOFTWARE && spec.fixed.config == PERF_COUNT_SW_CPU_MIGRATIONS)
		kind_two_cpus(t, cpus);
	/* An addition may be one access or two. */
	m->exact = s.work->exact && (spec.kind != EVENT_BREAKPOINT ||
				     spec.breakpoint.type != HW_BREAKPOINT_RW);
	m->counted = s.work->certain && !s.work->load;
	m->certain = s.work->certain;
	m->has_cookie = s.prog.has_cookie;
	m->tells_tasks = s.prog.tells_tasks;
	m->ret = compare_open(&s, &s.cells[cell], &e, &err);
	if (!m->ret && !s.no_prog.code)
		m->ret = compare_bind(&s, &s.cells[cell], &e, s.prog.prog_fd, &err);
	if (m->ret)
		keep_failure(m, m->ret, &err);
	else if (s.no_prog.code)
		keep_failure(m, s.no_prog.code, &s.no_prog);
	else
		try_bound(t, &s, &e, m);
	compare_close(&s, &e);
	if (!m->ret)
		try_closed(t, &s, m);
	kind_end(&s);
}

/* --- its facts --- */

struct fact {
	const struct fires_kind *kind;
	unsigned int cell;
};

static struct measured *measured(struct regress *t)
{
	const struct fact *fact = t->data;
	struct room *room = t->room;
	struct measured *m = &room->cells[fact->kind - kinds][fact->cell];

	/* Trying again would end the same way. */
	if (m->state == BEGUN)
		regress_fail(t, "the test that was to measure it did not get to the end");
	if (m->state == UNTRIED) {
		m->state = BEGUN;
		measure(t, &fact->kind->kind, fact->cell, m);
		m->state = DONE;
	}
	if (m->ret && m->lacks)
		regress_skip(t, "%s", m->why);
	regress_expect(t, !m->ret, "%s", m->why);
	return m;
}

static void runs(struct regress *t)
{
	const struct fact *fact = t->data;
	const struct measured *m = measured(t);
	const unsigned long long own = m->runs.more.own.runs;

	if (!own && !m->certain)
		regress_skip(t, "no work is known that must make it happen, and it did not");
	if (m->exact)
		regress_expect(t, own == m->runs.units, "%llu runs where it happened %u times", own,
			       m->runs.units);
	else
		regress_expect(t, own >= (m->counted ? m->runs.units : 1),
			       "%llu runs in %u units of work", own, m->runs.units);
	/* Others run it where it is traced, but for a uprobe, which is in this memory only. */
	if (m->tells_tasks && fact->kind->kind.is & (KIND_COUNTED | KIND_UPROBES))
		regress_expect(t, !m->runs.more.others.runs, "%llu runs for others",
			       (unsigned long long)m->runs.more.others.runs);
}

static void cookie(struct regress *t)
{
	const struct fact *fact = t->data;
	const struct measured *m = measured(t);
	const uint64_t wanted = CELLS_LINK & 1u << fact->cell ? KIND_COOKIE : 0;

	if (!m->has_cookie)
		regress_skip(t, "this kernel has no bpf_get_attach_cookie()");
	if (!m->runs.more.own.runs && !m->certain)
		regress_skip(t, "it did not run");
	regress_expect(t, m->runs.more.own.cookie == wanted, "cookie 0x%llx where 0x%llx was given",
		       (unsigned long long)m->runs.more.own.cookie, (unsigned long long)wanted);
}

static void second(struct regress *t)
{
	static const struct regress_since by_ioctl[] = { { LINUX(0, 0), "EEXIST" } };
	/* b89fbfbb854c: BPF_LINK_CREATE takes perf events. */
	static const struct regress_since by_link[] = { { LINUX(0, 0), "EINVAL" },
							{ LINUX(5, 15), "EEXIST" } };
	const struct measured *m = measured(t);

	regress_answer(t, "by ioctl", regress_errno(m->second_ioctl), by_ioctl, NR(by_ioctl));
	regress_answer(t, "by link", regress_errno(m->second_link), by_link, NR(by_link));
}

static void stops(struct regress *t)
{
	const struct measured *m = measured(t);

	regress_expect(t, !m->after, "%llu runs in %u units of work",
		       (unsigned long long)m->after, m->runs.units);
}

static void fires_as_others(struct regress *t)
{
	runs(t);
	if (measured(t)->has_cookie)
		cookie(t);
	stops(t);
}

static void never(struct regress *t)
{
	const struct measured *m = measured(t);

	regress_expect(t, !runs_of(&m->runs.more), "%llu runs",
		       (unsigned long long)runs_of(&m->runs.more));
}

static const struct {
	const char *what;
	regress_run *run;
	enum depth depth;
} facts[] = {
	{ "runs each time it happens", runs, ALL_FACTS },
	{ "has its cookie", cookie, ALL_FACTS },
	{ "takes no second program", second, ALL_FACTS },
	{ "stops when it is closed", stops, ALL_FACTS },
	{ "runs, and stops when it is closed", fires_as_others, ONE_FACT },
	{ "takes a program and never runs it", never, NEVER },
};

static struct fact all[NR(kinds)][COMPARE_NR_CELLS];

static void fill(struct regress_list *list)
{
	regress_share(list, sizeof(struct room));
	for (size_t k = 0; k < NR(kinds); k++)
		for (unsigned int c = 0; c < COMPARE_NR_CELLS; c++) {
			all[k][c] = (struct fact){ &kinds[k], c };
			/*
			 * A kind that never runs waits for a long time, so only the first and the
			 * last cell try it.
			 */
			if (kinds[k].depth == NEVER && c != 0 && c != COMPARE_NR_CELLS - 1)
				continue;
			for (size_t i = 0; i < NR(facts); i++)
				if (facts[i].depth == kinds[k].depth)
					regress_add(list, facts[i].run, &all[k][c], "%s by %s: %s",
						    kinds[k].kind.name,
						    kind_cell_name(&kinds[k].kind, c),
						    facts[i].what);
		}
	fires_add_scopes(list);
}

const struct regress_group regress_group_fires = {
	"fires", "every way to open and to bind x every kind of event x every scope", NULL, fill,
	__FILE__
};
