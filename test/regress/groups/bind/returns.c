// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The effects of a program's return value: on the records of its event, on processes that poll for
 * them, on the count, and on other events.
 */
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "test/regress/common/others.h"

static const struct kind kinds[] = {
	{ "page-faults", "page-faults,period=1", KIND_COUNTED },
	{ "breakpoint", "mem:%w/8:w", KIND_COUNTED },
	/*
	 * No other group has programs on this tracepoint, which could drop the samples that are
	 * kept here.
	 */
	{ "syscall tracepoint", "syscalls:sys_exit_getppid", KIND_TRACEPOINT },
	{ "kprobe", "kprobe:%g", KIND_KPROBE },
	{ "kretprobe", "kretprobe:%g", KIND_KRETPROBE },
	{ "uprobe", "uprobe:" FIRING_PATH ":%u", KIND_UPROBE },
	{ "uretprobe", "uretprobe:" FIRING_PATH ":%u", KIND_URETPROBE },
};

#define TRIES 10
#define UNITS 20
#define PAGES 8		/* for many more records than that */

/* --- an event with a ring --- */

struct ringed {
	int fd;			/* owned */
	struct attachment a;	/* its link */
	struct perf_event_mmap_page *page;
};

static size_t ring_size(void)
{
	return (1 + PAGES) * (size_t)sysconf(_SC_PAGESIZE);
}

static void wake_each(struct perf_event_attr *attr)
{
	attr->sample_type |= PERF_SAMPLE_TID;
	attr->watermark = 0;
	attr->wakeup_events = 1;
}

static void ring_begin(struct regress *t, struct ringed *r, int fd)
{
	long addr = sys_mmap(t->sys, ring_size(), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	*r = (struct ringed){ .fd = fd };
	regress_expect(t, !sys_failed(addr), "mmap of a ring: %s", regress_errno(addr));
	r->page = (struct perf_event_mmap_page *)addr;
}

static void ring_end(struct regress *t, struct ringed *r)
{
	sys_munmap(t->sys, r->page, ring_size());
}

/* Samples in it; no other kind of record is expected. Records are multiples of 8 bytes. */
static unsigned int ring_samples(struct regress *t, const struct ringed *r)
{
	const uint64_t head = __atomic_load_n(&r->page->data_head, __ATOMIC_ACQUIRE);
	const char *data = (const char *)r->page + sysconf(_SC_PAGESIZE);
	unsigned int nr = 0;

	for (uint64_t at = 0; at < head; nr++) {
		struct perf_event_header header;

		memcpy(&header, data + at, sizeof(header));
		regress_expect(t, header.type == PERF_RECORD_SAMPLE, "a record of type %u",
			       header.type);
		regress_expect(t, header.size >= sizeof(header), "a record of %u bytes",
			       header.size);
		at += header.size;
	}
	return nr;
}

static bool is_woken(struct regress *t, int fd)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };

	return sys_poll(t->sys, &poll_fd, 1, 0) == 1;
}

static uint64_t count_of(struct regress *t, int fd)
{
	uint64_t count = 0;

	regress_expect(t, sys_read(t->sys, fd, &count, sizeof(count)) == sizeof(count),
		       "reading the event");
	return count;
}

/* --- one program --- */

struct fact {
	const struct kind *kind;
	unsigned int cell;
	int32_t retval;
	bool elsewhere;		/* the program watches another task: its event is not shared */
};

/*
 * A sampling event has counted before its program runs, and drops the sample if that returns 0
 * (__perf_event_overflow()). A tracing event runs its programs first, and looks at the lowest bit:
 * the values of all are ANDed, beginning with 1 (bpf_prog_run_array()).
 */
static bool keeps(const struct fact *fact)
{
	return fact->kind->is == KIND_COUNTED ? fact->retval != 0 :
						fact->elsewhere || fact->retval & 1;
}

struct measured {
	unsigned long long runs, records, count;
	bool woken;
};

/* Bind the program to an event with a ring, work, and read what both have seen. */
static void measure(struct regress *t, const struct fact *fact, struct compare_subject *s,
		    struct measured *m)
{
	struct firing_value value;
	struct firing_prog prog;
	struct compare_event e;
	struct error err = { 0 };
	struct ringed ring;

	regress_ok(t, firing_prog_load(t->sys, &prog, s->prog.prog_type, fact->retval, &err), &err,
		   "the program");
	if (fact->elsewhere)
		regress_ok(t, firing_prog_watch(t->sys, &prog, 1), NULL, "watching");
	regress_ok(t, compare_open_as(s, &s->cells[fact->cell], wake_each, &e, &err), &err,
		   "event");
	regress_ok(t, compare_bind(s, &s->cells[fact->cell], &e, prog.prog_fd, &err), &err,
		   "binding");
	ring_begin(t, &ring, e.a.event_fd);
	regress_ok(t, compare_enable(s, &e, &err), &err, "enabling");
	for (int i = 0; i < UNITS; i++)
		s->work->unit();
	/* Nothing else may be done before this that could trigger the event. */
	regress_ok(t, sys_ioctl(t->sys, e.a.event_fd, PERF_EVENT_IOC_DISABLE, 0), NULL,
		   "disabling");
	regress_ok(t, firing_prog_read(t->sys, &prog, &value), NULL, "runs");
	m->runs = fact->elsewhere && prog.tells_tasks ? value.others.runs : value.own.runs;
	m->records = ring_samples(t, &ring);
	m->count = count_of(t, e.a.event_fd);
	m->woken = is_woken(t, e.a.event_fd);
	ring_end(t, &ring);
	compare_close(s, &e);
	firing_prog_close(t->sys, &prog);
}

static void one_program(struct regress *t)
{
	const struct fact *fact = t->data;
	const bool kept = keeps(fact);
	struct compare_subject s;
	struct event_spec spec;
	struct measured m;

	others_none_on(t, fact->kind);
	kind_begin(t, fact->kind, &spec, &s);
	/* A program that watches another task also runs for whoever else triggers the event now. */
	for (int tries = 0; tries < TRIES; tries++) {
		measure(t, fact, &s, &m);
		if (!fact->elsewhere || m.runs <= UNITS)
			break;
	}
	kind_end(&s);
	regress_expect(t, s.work->exact ? m.runs == UNITS : m.runs >= UNITS, "%llu runs in %d "
		       "units of work", m.runs, UNITS);
	regress_expect(t, m.records == (kept ? m.runs : 0), "%llu records of %llu runs", m.records,
		       m.runs);
	regress_expect(t, m.woken == kept, kept ? "nobody is woken" : "somebody is woken");
	regress_expect(t, m.count == (kept || fact->kind->is == KIND_COUNTED ? m.runs : 0),
		       "it counts %llu of %llu", m.count, m.runs);
}

/* --- two programs, and an event that has none --- */

struct pair {
	const struct kind *kind;
	unsigned int cell;
	int32_t retvals[2];
};

/*
 * Returns whether both programs are in one bpf_prog_array: those of one tracepoint are, and those
 * of a probe that was created through tracefs.
 */
static bool share(const struct pair *p)
{
	return p->kind->is == KIND_TRACEPOINT ||
	       (p->kind->is & KIND_PROBES && CELLS_TYPE & 1u << p->cell);
}

/* Checks the counts of the three events, the last of which has no program. */
static void expect_counts(struct regress *t, const struct pair *p, const uint64_t counts[3])
{
	const bool counted = p->kind->is == KIND_COUNTED;
	bool all = true, own;

	for (int i = 0; i < 2; i++)
		all = all && p->retvals[i] & 1;
	for (int i = 0; i < 3; i++) {
		own = counted || (share(p) ? all : i == 2 || p->retvals[i] & 1);
		regress_expect(t, own ? counts[i] >= UNITS : !counts[i],
			       "the %s event counts %llu", i == 0 ? "first" : i == 1 ? "second" :
			       "third", (unsigned long long)counts[i]);
	}
}

static void open_three(struct regress *t, const struct pair *p, struct compare_subject *s,
		       struct compare_event *first, struct attachment a[3])
{
	struct error err = { 0 };

	regress_ok(t, compare_open(s, &s->cells[p->cell], first, &err), &err, "event");
	for (int i = 0; i < 3; i++) {
		a[i] = (struct attachment){ .event_fd = -1, .link_fd = -1 };
		a[i].event_fd = regress_ok(t, event_open(t->sys, s->spec, &first->attr, &s->target,
							 -1, &err), &err, "event");
	}
}

static void two_programs(struct regress *t)
{
	const struct pair *p = t->data;
	struct attachment a[3];
	struct compare_subject s;
	struct compare_event first;
	struct firing_prog progs[2];
	struct firing_value value;
	struct event_spec spec;
	struct error err = { 0 };
	uint64_t counts[3];

	others_none_on(t, p->kind);
	kind_begin(t, p->kind, &spec, &s);
	open_three(t, p, &s, &first, a);
	for (int i = 0; i < 2; i++) {
		regress_ok(t, firing_prog_load(t->sys, &progs[i], s.prog.prog_type, p->retvals[i],
					      &err), &err, "a program");
		regress_ok(t, s.cells[p->cell].method->bind(t->sys, &a[i], progs[i].prog_fd, 0,
							   &err), &err, "binding");
	}
	for (int i = 0; i < 3; i++)
		regress_ok(t, sys_ioctl(t->sys, a[i].event_fd, PERF_EVENT_IOC_ENABLE, 0), NULL,
			   "enabling");
	for (int i = 0; i < UNITS; i++)
		s.work->unit();
	for (int i = 0; i < 3; i++)
		counts[i] = count_of(t, a[i].event_fd);
	for (int i = 0; i < 2; i++) {
		regress_ok(t, firing_prog_read(t->sys, &progs[i], &value), NULL, "runs");
		regress_expect(t, value.own.runs >= UNITS, "program %d runs %llu times", i + 1,
			       (unsigned long long)value.own.runs);
	}
	for (int i = 0; i < 3; i++) {
		sys_close_fd(t->sys, &a[i].link_fd);
		sys_close_fd(t->sys, &a[i].event_fd);
	}
	firing_prog_close(t->sys, &progs[0]);
	firing_prog_close(t->sys, &progs[1]);
	compare_close(&s, &first);
	kind_end(&s);
	expect_counts(t, p, counts);
}

/* --- which --- */

#define NR_RETVALS 4

static const struct {
	int32_t retval;
	const char *counted, *traced;
} retvals[NR_RETVALS] = {
	{ 0, "no record and no wakeup, and it counts", "no record, no wakeup and no count" },
	{ 1, "a record, a wakeup and a count each", "a record, a wakeup and a count each" },
	{ 2, "a record, a wakeup and a count each", "no record, no wakeup and no count" },
	{ -1, "a record, a wakeup and a count each", "a record, a wakeup and a count each" },
};

static const struct {
	const char *what;
	int32_t retvals[2];
} pairs[] = {
	{ "1 with 1", { 1, 1 } },
	{ "1 with 0", { 1, 0 } },
	{ "2 with 1", { 2, 1 } },
	{ "3 with 1", { 3, 1 } },
};

static struct fact facts[NR(kinds)][COMPARE_NR_CELLS][NR_RETVALS], strangers[NR(kinds)];
static struct pair all_pairs[NR(kinds)][2][NR(pairs)];

static void add_kind(struct regress_list *list, size_t k)
{
	const struct kind *kind = &kinds[k];

	for (unsigned int c = 0; c < COMPARE_NR_CELLS; c++)
		for (int i = 0; i < NR_RETVALS; i++) {
			/*
			 * The other return values do not depend on the cell, and return probes are
			 * tried in only two cells.
			 */
			if (i >= 2 && c)
				continue;
			if (kind->is & (KIND_KRETPROBE | KIND_URETPROBE) && (c == 1 || c == 2))
				continue;
			facts[k][c][i] = (struct fact){ kind, c, retvals[i].retval, false };
			regress_add(list, one_program, &facts[k][c][i], "%s by %s returns %d: %s",
				    kind->name, kind_cell_name(kind, c), retvals[i].retval,
				    kind->is == KIND_COUNTED ? retvals[i].counted :
							       retvals[i].traced);
		}
}

static void add_pairs(struct regress_list *list, size_t k)
{
	const struct kind *kind = &kinds[k];

	/* Opened through its PMU, a tracepoint is the same event. */
	for (unsigned int i = 0; i < (kind->is == KIND_TRACEPOINT ? 1 : 2); i++)
		for (size_t j = 0; j < NR(pairs); j++) {
			struct pair *p = &all_pairs[k][i][j];

			*p = (struct pair){ kind, 2 * i,
					    { pairs[j].retvals[0], pairs[j].retvals[1] } };
			regress_add(list, two_programs, p, "%s by %s: %s, %s", kind->name,
				    kind_cell_name(kind, 2 * i), pairs[j].what,
				    share(p) ? "for all events of it" : "each for itself");
		}
}

static void fill(struct regress_list *list)
{
	for (size_t k = 0; k < NR(kinds); k++) {
		add_kind(list, k);
		strangers[k] = (struct fact){ &kinds[k], 0, 0, true };
		regress_add(list, one_program, &strangers[k], "%s by %s: to other tasks, a program "
			    "for this one %s", kinds[k].name, kind_cell_name(&kinds[k], 0),
			    kinds[k].is == KIND_COUNTED ? "returns 0" : "leaves their events");
		/* There may be too few breakpoints, and return probes behave like entry probes. */
		if (kinds[k].is & (KIND_TRACEPOINT | KIND_KPROBE | KIND_UPROBE) || k == 0)
			add_pairs(list, k);
	}
}

const struct regress_group regress_group_returns = {
	"returns", "what the value that a program returns does", NULL, fill, __FILE__
};
