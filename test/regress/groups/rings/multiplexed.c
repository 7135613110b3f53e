// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Programs on events that run for a part of the time in which they are enabled. The kernel returns the count and both
 * times, and scales nothing: whoever reads multiplies by enabled/running. Software events and tracepoints never wait
 * for a counter, and a breakpoint gets its debug register when it is opened, or ENOSPC (slots.c). What is left is an
 * event of a task for one CPU, and a hardware PMU.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "loader/core/kernel/kernel.h"
#include "test/regress/common/happen.h"
#include "test/regress/common/kinds.h"
#include "test/regress/common/known.h"
#include "test/regress/groups/rings/event_slot.h"

#define TIMES 20

static void times(struct perf_event_attr *attr)
{
	attr->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
}

/* --- an event of this thread for one of two CPUs, which runs on the other --- */

struct apart {
	struct regress_object o;
	struct happen h;
	int here, there;
};

/* merge_sched_in() keeps an event of a task off other CPUs than its own; its enabled time goes on. */
static void begin(struct regress *t, struct apart *a, enum happen_how how)
{
	struct context_io io = { .answer = 1, .low = (uintptr_t)known_store_at, .high = (uintptr_t)known_store_at + 1,
				 .size = sizeof(struct bpf_perf_event_value) };
	int cpus[2];

	known_ready();
	kind_two_cpus(t, cpus);
	a->here = cpus[0];
	a->there = cpus[1];
	kind_move_to(t, a->here);
	regress_load(t, &a->o, "context", "pe_value");
	io_put(t, &a->o, &io);
	happen_open_on(t, &a->h, how, a->there, times, "page-faults:u,period=1");
	happen_bind(&a->h, &a->o, "pe_value", 0);
}

static void end(struct regress *t, struct apart *a)
{
	happen_close(&a->h);
	regress_unload(t, &a->o);
}

static void expect_part(struct regress *t, struct slot_count is, const char *what)
{
	regress_expect(t, is.running < is.enabled, "%s: enabled for %" PRIu64 " ns and running for %" PRIu64, what,
		       is.enabled, is.running);
}

/* Let some time pass in which the event is enabled but runs on no CPU. */
static void wait_here(struct regress *t, const struct apart *a)
{
	const struct slot_count before = slot_read(t, a->h.e.a.event_fd);

	for (int i = 0; i < 1000 && slot_read(t, a->h.e.a.event_fd).enabled < before.enabled + 1000000; i++)
		known_spin(300000);
	happen_touch(t, TIMES);
}

static void other_cpu(struct regress *t)
{
	const enum happen_how *how = t->data;
	struct context_io io;
	struct slot_count is;
	struct apart a;

	begin(t, &a, *how);
	wait_here(t, &a);
	is = slot_read(t, a.h.e.a.event_fd);
	io = io_get(t, &a.o);
	regress_expect(t, !io.runs && !is.count && !is.running && is.enabled, "on the other CPU: %llu runs, a count of %"
		       PRIu64 ", enabled for %" PRIu64 " ns, running for %" PRIu64, (unsigned long long)io.runs, is.count,
		       is.enabled, is.running);
	kind_move_to(t, a.there);
	happen_touch(t, TIMES);
	io = io_get(t, &a.o);
	is = slot_read(t, a.h.e.a.event_fd);
	regress_expect(t, io.runs >= TIMES && io.runs <= is.count, "%llu runs for %d pages, and %" PRIu64 " faults",
		       (unsigned long long)io.runs, TIMES, is.count);
	expect_part(t, is, "read(2)");
	kind_move_to(t, a.here);
	happen_touch(t, TIMES);
	regress_expect(t, io_get(t, &a.o).runs == io.runs && slot_read(t, a.h.e.a.event_fd).count == is.count,
		       "it runs or counts on the other CPU again");
	end(t, &a);
}

/* The program sees what read(2) returns: on its CPU both times grow alike, and their difference stays. */
static void program_reads(struct regress *t)
{
	const enum happen_how *how = t->data;
	struct slot_count before, after, seen;
	struct context_io io;
	struct apart a;

	begin(t, &a, *how);
	wait_here(t, &a);
	kind_move_to(t, a.there);
	before = slot_read(t, a.h.e.a.event_fd);
	happen_touch(t, TIMES);
	after = slot_read(t, a.h.e.a.event_fd);
	io = io_get(t, &a.o);
	seen = (struct slot_count){ io.word[0], io.word[1], io.word[2] };
	regress_expect(t, !io.ret && io.runs >= TIMES, "%llu runs, bpf_perf_prog_read_value: %s",
		       (unsigned long long)io.runs, regress_errno(io.ret));
	expect_part(t, seen, "the program");
	regress_expect(t, seen.count > before.count && seen.count <= after.count, "the program reads %" PRIu64 ", which is not "
		       "within %" PRIu64 " and %" PRIu64, seen.count, before.count + 1, after.count);
	regress_expect(t, before.running <= seen.running && seen.running <= after.running &&
		       before.enabled <= seen.enabled && seen.enabled <= after.enabled, "running for %" PRIu64 " ns and enabled "
		       "for %" PRIu64 ", by read(2) %" PRIu64 " to %" PRIu64 " and %" PRIu64 " to %" PRIu64, seen.running,
		       seen.enabled, before.running, after.running, before.enabled, after.enabled);
	regress_expect(t, seen.enabled - seen.running == after.enabled - after.running, "it was off for %" PRIu64 " ns, and "
		       "by read(2) for %" PRIu64, seen.enabled - seen.running, after.enabled - after.running);
	end(t, &a);
}

/* bpf_perf_event_read_value() of an event that is on no CPU while the program runs. */
static void map_reads(struct regress *t)
{
	struct slot_count before, after;
	struct carried c;
	int fd;

	carry_begin(t, &c, "event_read", &carriers[0]);
	slot_skip_alone(t, &c);
	fd = slot_event(t, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, 0, c.there, false);
	kind_move_to(t, c.there);
	happen_touch(t, TIMES);
	kind_move_to(t, c.here);
	regress_ok(t, slot_put(t, &c, c.here, fd), NULL, "adding the event to the map");
	c.h.io.in[0] = UINT32_MAX;
	before = slot_read(t, fd);
	carry_fire(t, &c);
	after = slot_read(t, fd);
	helper_returned(t, &c.h, 1, 0);
	regress_expect(t, before.count >= TIMES && c.h.io.out[0] == before.count && (uint64_t)c.h.io.ret[0] == before.count,
		       "a count of %llu by _read_value and %lld, by read(2) %" PRIu64, (unsigned long long)c.h.io.out[0],
		       (long long)c.h.io.ret[0], before.count);
	regress_expect(t, before.enabled <= c.h.io.out[1] && c.h.io.out[1] <= after.enabled, "enabled for %llu, expected %"
		       PRIu64 " to %" PRIu64, (unsigned long long)c.h.io.out[1], before.enabled, after.enabled);
	regress_expect(t, before.running && before.running == c.h.io.out[2] && c.h.io.out[2] < c.h.io.out[1],
		       "running for %llu, expected %" PRIu64, (unsigned long long)c.h.io.out[2], before.running);
	sys_close(t->sys, fd);
	carry_end(t, &c);
}

/* --- more events than the PMU has counters --- */

#define MOST 48		/* no PMU has this many counters */

struct many {
	struct regress *t;
	struct regress_object o;
	struct happen h[MOST];
	unsigned int nr;
};

/* Each event has run, and each has waited for the others: perf_rotate_context(). */
static bool have_rotated(void *arg)
{
	struct many *m = arg;

	known_spin(3000000);
	for (unsigned int i = 0; i < m->nr; i++) {
		const struct slot_count is = slot_read(m->t, m->h[i].e.a.event_fd);

		if (!is.running || is.running >= is.enabled)
			return false;
	}
	return io_get(m->t, &m->o).runs > 0;
}

static void counters_rotate(struct regress *t)
{
	const struct context_io io = { .answer = 1, .size = sizeof(struct bpf_perf_event_value) };
	struct many *m = calloc(1, sizeof(*m));
	struct context_io got;

	regress_expect(t, m, "no memory");
	m->t = t;
	regress_load(t, &m->o, "context", "pe_value");
	io_put(t, &m->o, &io);
	for (m->nr = 0; m->nr < MOST; m->nr++) {
		happen_open(t, &m->h[m->nr], BY_IOCTL, times, "cycles:u,period=100000");
		happen_bind(&m->h[m->nr], &m->o, "pe_value", 0);
	}
	regress_expect(t, regress_until(have_rotated, m), "%d events of cycles do not take turns", MOST);
	got = io_get(t, &m->o);
	regress_expect(t, !got.ret && got.word[2] && got.word[2] < got.word[1], "the program reads %s, enabled for %llu and "
		       "running for %llu", regress_errno(got.ret), (unsigned long long)got.word[1],
		       (unsigned long long)got.word[2]);
	while (m->nr)
		happen_close(&m->h[--m->nr]);
	regress_unload(t, &m->o);
	free(m);
}

static const enum happen_how by_ioctl = BY_IOCTL, by_link = BY_LINK;

static const struct regress_test tests[] = {
	{ "by ioctl: on another CPU than the event's its time goes on, and no program runs", other_cpu, &by_ioctl },
	{ "by link: on another CPU than the event's its time goes on, and no program runs", other_cpu, &by_link },
	{ "by ioctl: the program reads a running time below the enabled time, as read(2) does", program_reads, &by_ioctl },
	{ "by link: the program reads a running time below the enabled time, as read(2) does", program_reads, &by_link },
	{ "read from a map while it is on no CPU, an event has the count and times of read(2)", map_reads },
	{ "more events of cycles than counters: each runs for a part of its time", counters_rotate },
	{ 0 }
};

const struct regress_group regress_group_multiplexed = {
	"multiplexed", "programs on events that run for a part of the time in which they are enabled", tests, NULL, __FILE__
};
