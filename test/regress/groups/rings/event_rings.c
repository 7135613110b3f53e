// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Rings of events that run a program: full, paused, shared or overwritten; and the descriptors that
 * keep them.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "test/regress/common/known.h"
#include "test/regress/common/samples.h"

/* The program returns @with for faults in known_store() only, and drops the samples of others. */
static void put_answer(struct regress *t, const struct regress_object *o, int64_t with)
{
	const struct context_io io = { .answer = with, .low = (uintptr_t)known_store_at,
				       .high = (uintptr_t)known_store_at + 1 };

	io_put(t, o, &io);
}

static void begin(struct regress *t, struct regress_object *o, struct happen *h, int64_t with,
		  void (*change)(struct perf_event_attr *attr))
{
	known_ready();
	regress_load(t, o, "context", "pe_see");
	happen_open(t, h, BY_IOCTL, change, "page-faults:u,period=1");
	put_answer(t, o, with);
	happen_bind(h, o, "pe_see", 0);
}

static void end(struct happen *h, struct regress_object *o)
{
	happen_close(h);
	regress_unload(h->t, o);
}

/* How often the program has run for @nr pages: for each, and as often as one faults again. */
static uint64_t touch(struct regress *t, const struct regress_object *o, unsigned int nr)
{
	const uint64_t before = io_get(t, o).runs;
	uint64_t runs;

	happen_touch(t, nr);
	runs = io_get(t, o).runs - before;
	regress_expect(t, runs >= nr, "%llu runs for %u pages", (unsigned long long)runs, nr);
	return runs;
}

static void add_fields(struct perf_event_attr *attr)
{
	attr->sample_type |= PERF_SAMPLE_IP | PERF_SAMPLE_ADDR | PERF_SAMPLE_ID;
}

/* --- full --- */

static void count_lost(struct perf_event_attr *attr)
{
	add_fields(attr);
	attr->read_format = PERF_FORMAT_LOST;
}

/* A page of 4 KB has room for 128 samples of 32 bytes; there may be larger pages. */
static unsigned int too_many(void)
{
	return getpagesize() / 32 + 50;
}

static uint64_t lost_of(const struct happen *h)
{
	uint64_t values[2] = { 0 };	/* count, lost */
	const ssize_t got = sys_read(h->t->sys, h->e.a.event_fd, values, sizeof(values));

	regress_expect(h->t, got == sizeof(values), "reading the count: %zd", got);
	return values[1];
}

static void lost_is_counted(struct regress *t)
{
	/* PERF_FORMAT_LOST: 119a784c8127. Some older kernels have it as a backport. */
	static const struct regress_since rows[] = {
		{ LINUX(0, 0), "EINVAL|0" }, { LINUX(6, 0), "0" },
	};
	struct error err = { 0 };
	struct regress_object o;
	struct samples s;
	struct happen h;
	uint64_t runs, lost;
	int ret;

	known_ready();
	ret = happen_try(t, &h, BY_IOCTL, count_lost, "page-faults:u,period=1", &err);
	if (ret && ret != -EINVAL)
		regress_ok(t, ret, &err, "opening");
	error_clear(&err);
	regress_answer(t, "open", regress_errno(ret), rows, NR(rows));
	if (ret) {
		happen_close(&h);
		return;
	}
	regress_load(t, &o, "context", "pe_see");
	put_answer(t, &o, 1);
	happen_bind(&h, &o, "pe_see", 0);
	samples_map(&s, &h, 1);
	runs = touch(t, &o, too_many());
	lost = lost_of(&h);
	regress_expect(t, lost >= 50, "%llu lost", (unsigned long long)lost);
	regress_expect(t, samples_skip(&s) + lost == runs, "%llu lost, and others are left",
		       (unsigned long long)lost);
	samples_unmap(&s);
	end(&h, &o);
}

static void dropped_are_not_lost(struct regress *t)
{
	struct error err = { 0 };
	struct regress_object o;
	struct samples s;
	struct happen h;
	int ret;

	known_ready();
	ret = happen_try(t, &h, BY_IOCTL, count_lost, "page-faults:u,period=1", &err);
	if (ret == -EINVAL)
		regress_skip(t, "this kernel has no PERF_FORMAT_LOST, which came with Linux 6.0");
	regress_ok(t, ret, &err, "opening");
	regress_load(t, &o, "context", "pe_see");
	put_answer(t, &o, 0);
	happen_bind(&h, &o, "pe_see", 0);
	samples_map(&s, &h, 1);
	touch(t, &o, too_many());
	regress_expect(t, lost_of(&h) == 0, "%llu lost", (unsigned long long)lost_of(&h));
	samples_unmap(&s);
	end(&h, &o);
}

/* A LOST record precedes the next record that fits. */
static void lost_is_told(struct regress *t)
{
	struct regress_object o;
	unsigned int runs, kept, told = 0;
	struct sample one;
	struct samples s;
	struct happen h;

	begin(t, &o, &h, 1, add_fields);
	samples_map(&s, &h, 1);
	runs = touch(t, &o, too_many());
	kept = samples_skip(&s);
	regress_expect(t, kept && kept < runs, "%u of %u are kept", kept, runs);
	touch(t, &o, 1);
	while (samples_next(&s, &one))
		if (one.type == PERF_RECORD_LOST)
			told += one.bytes[1];	/* id, lost */
	regress_expect(t, told == runs - kept, "%u of %u are said to be lost", told, runs - kept);
	samples_unmap(&s);
	end(&h, &o);
}

/* --- paused --- */

static void paused(struct regress *t)
{
	struct regress_object o;
	struct samples s;
	struct happen h;
	unsigned int nr, runs;

	begin(t, &o, &h, 1, add_fields);
	samples_map(&s, &h, 8);
	happen_must(&h, PERF_EVENT_IOC_PAUSE_OUTPUT, 1, "PERF_EVENT_IOC_PAUSE_OUTPUT");
	touch(t, &o, 10);
	nr = samples_skip(&s);
	regress_expect(t, nr == 0, "%u samples while it is paused", nr);
	happen_must(&h, PERF_EVENT_IOC_PAUSE_OUTPUT, 0, "PERF_EVENT_IOC_PAUSE_OUTPUT");
	runs = touch(t, &o, 10);
	nr = samples_skip(&s);
	regress_expect(t, nr == runs, "%u samples of %u afterwards", nr, runs);
	samples_unmap(&s);
	end(&h, &o);
}

static void pause_without_ring(struct regress *t)
{
	struct happen h;
	int ret;

	happen_open(t, &h, BY_IOCTL, NULL, "page-faults:u,period=1");
	ret = happen_ioctl(&h, PERF_EVENT_IOC_PAUSE_OUTPUT, 1);
	regress_expect(t, ret == -EINVAL, "%s", regress_errno(ret));
	happen_close(&h);
}

/* --- shared --- */

static uint64_t id_of(const struct happen *h)
{
	uint64_t id = 0;

	happen_must(h, PERF_EVENT_IOC_ID, (uintptr_t)&id, "PERF_EVENT_IOC_ID");
	return id;
}

/* Samples of two events in one ring; their ids show which event each belongs to. */
static void count_shared(struct samples *s, const struct happen h[2], unsigned int nr[2])
{
	const uint64_t ids[2] = { id_of(&h[0]), id_of(&h[1]) };
	struct sample one;

	nr[0] = nr[1] = 0;
	while (samples_next(s, &one))
		for (int i = 0; i < 2; i++)
			nr[i] += one.type == PERF_RECORD_SAMPLE && one.id == ids[i];
}

static void share(struct regress *t, struct regress_object *o, struct happen h[2],
		  struct samples *s, const char *other)
{
	begin(t, o, &h[0], 1, add_fields);
	samples_map(s, &h[0], 8);
	happen_open(t, &h[1], BY_IOCTL, add_fields, other);
	happen_must(&h[1], PERF_EVENT_IOC_SET_OUTPUT, h[0].e.a.event_fd,
		    "PERF_EVENT_IOC_SET_OUTPUT");
	happen_bind(&h[1], o, "pe_see", 0);
}

static void into_anothers(struct regress *t)
{
	struct regress_object o;
	struct happen h[2];
	struct samples s;
	unsigned int nr[2], runs;

	share(t, &o, h, &s, "minor-faults:u,period=1");
	runs = touch(t, &o, 10);
	count_shared(&s, h, nr);
	regress_expect(t, nr[0] >= 10 && nr[1] >= 10 && nr[0] + nr[1] == runs,
		       "%u of its own and %u of the other", nr[0], nr[1]);
	happen_must(&h[1], PERF_EVENT_IOC_SET_OUTPUT, -1, "PERF_EVENT_IOC_SET_OUTPUT");
	runs = touch(t, &o, 10);
	count_shared(&s, h, nr);
	regress_expect(t, nr[0] >= 10 && nr[0] < runs && nr[1] == 0,
		       "%u and %u when it has been taken back", nr[0], nr[1]);
	happen_close(&h[1]);
	samples_unmap(&s);
	end(&h[0], &o);
}

/*
 * Two software events sample the same occurrence: since about Linux 6.3 the kernel fills in each
 * field of their sample only once, so both have the id of the first.
 */
static void ids_of_same(struct regress *t)
{
	static const struct regress_since rows[] = {
		{ LINUX(0, 0), "each has its own" },
		{ LINUX(6, 1), "each has its own|both have that of one" },
		{ LINUX(6, 4), "both have that of one" },
		{ LINUX(7, 0), "each has its own|both have that of one" },
	};
	struct regress_object o;
	struct happen h[2];
	struct samples s;
	unsigned int nr[2], runs;

	share(t, &o, h, &s, "page-faults:u,period=1");
	runs = touch(t, &o, 10);
	count_shared(&s, h, nr);
	regress_expect(t, nr[0] + nr[1] == runs && runs >= 20, "%u and %u of %u", nr[0], nr[1],
		       runs);
	regress_answer(t, "", nr[0] == nr[1] ? "each has its own" :
		       !nr[0] || !nr[1] ? "both have that of one" : "some have", rows, NR(rows));
	happen_close(&h[1]);
	samples_unmap(&s);
	end(&h[0], &o);
}

/* --- overwritten --- */

static void backward(struct perf_event_attr *attr)
{
	add_fields(attr);
	attr->write_backward = 1;
}

static void newest_first(struct regress *t)
{
	struct regress_object o;
	struct sample one;
	struct samples s;
	struct happen h;
	uint64_t last;

	begin(t, &o, &h, 1, backward);
	samples_map_backward(&s, &h, 1);
	last = happen_touch(t, too_many());
	happen_must(&h, PERF_EVENT_IOC_PAUSE_OUTPUT, 1, "PERF_EVENT_IOC_PAUSE_OUTPUT");
	regress_expect(t, samples_next(&s, &one) && one.type == PERF_RECORD_SAMPLE, "no sample");
	regress_expect(t, (one.addr & ~(uint64_t)(getpagesize() - 1)) == last,
		       "%#llx, expected %#llx", (unsigned long long)one.addr,
		       (unsigned long long)last);
	samples_unmap(&s);
	end(&h, &o);
}

/* --- this many and no more --- */

/* Every fault counts, including those outside known_store(). */
static void begin_refresh(struct regress *t, struct regress_object *o, struct happen *h,
			  int64_t with)
{
	const struct context_io io = { .answer = with };

	known_ready();
	regress_load(t, o, "context", "pe_see");
	io_put(t, o, &io);
	happen_open(t, h, BY_IOCTL, add_fields, "page-faults:u,period=1");
	regress_ok(t, compare_bind(&h->s, h->cell, &h->e, regress_prog(t, o, "pe_see"), NULL), NULL,
		   "binding");
	happen_must(h, PERF_EVENT_IOC_REFRESH, 3, "PERF_EVENT_IOC_REFRESH");
}

struct stopping {
	struct regress *t;
	const struct regress_object *o;
	struct context_io io;
};

/* The kernel disables it a moment later, which on some machines is the next tick. */
static bool has_stopped(void *arg)
{
	struct stopping *s = arg;
	const uint64_t before = io_get(s->t, s->o).runs;

	happen_touch(s->t, 5);
	s->io = io_get(s->t, s->o);
	return s->io.runs == before;
}

static void expect_stop(struct regress *t, const struct regress_object *o, uint64_t runs)
{
	struct stopping s = { .t = t, .o = o };

	happen_touch(t, 10);
	regress_expect(t, regress_until(has_stopped, &s), "it goes on");
	regress_saw(t, runs == 3 ? "" : "again", "%s",
		    s.io.runs == runs ? "at once" : "a moment later");
	regress_expect(t, s.io.runs >= runs, "%llu runs", (unsigned long long)s.io.runs);
}

static void refresh(struct regress *t)
{
	struct regress_object o;
	struct happen h;

	begin_refresh(t, &o, &h, 1);
	expect_stop(t, &o, 3);
	end(&h, &o);
}

static void refresh_again(struct regress *t)
{
	struct regress_object o;
	struct happen h;
	uint64_t runs;

	begin_refresh(t, &o, &h, 1);
	expect_stop(t, &o, 3);
	runs = io_get(t, &o).runs;
	happen_must(&h, PERF_EVENT_IOC_REFRESH, 2, "PERF_EVENT_IOC_REFRESH");
	expect_stop(t, &o, runs + 2);
	end(&h, &o);
}

/* Before f11f10bfa1ca samples that the program drops were among the three. */
static void refresh_dropped(struct regress *t)
{
	static const struct regress_since rows[] = {
		{ LINUX(0, 0), "counted" }, { LINUX(6, 10), "not counted" },
	};
	struct regress_object o;
	struct happen h;
	bool stopped = false;
	uint64_t until;

	begin_refresh(t, &o, &h, 0);
	/* Many more than three, and many ticks. */
	until = sys_monotonic_ns() + 500 * UINT64_C(1000000);
	for (int i = 0; !stopped && (i < 50 || sys_monotonic_ns() < until); i++) {
		struct stopping s = { .t = t, .o = &o };

		stopped = has_stopped(&s);
	}
	regress_answer(t, "", stopped ? "counted" : "not counted", rows, NR(rows));
	end(&h, &o);
}

static void refresh_of_inherited(struct perf_event_attr *attr)
{
	add_fields(attr);
	attr->inherit = 1;
}

static void refresh_inherit(struct regress *t)
{
	struct happen h;
	int ret;

	happen_open(t, &h, BY_IOCTL, refresh_of_inherited, "page-faults:u,period=1");
	ret = happen_ioctl(&h, PERF_EVENT_IOC_REFRESH, 3);
	regress_expect(t, ret == -EINVAL, "%s", regress_errno(ret));
	happen_close(&h);
}

/* --- descriptors and mappings that keep it --- */

static void ring_keeps_event(struct regress *t)
{
	struct regress_object o;
	struct samples s;
	struct happen h;
	uint64_t runs;

	begin(t, &o, &h, 1, add_fields);
	samples_map(&s, &h, 8);
	sys_close_fd(t->sys, &h.e.a.event_fd);
	runs = touch(t, &o, 10);
	samples_unmap(&s);
	happen_touch(t, 10);
	regress_expect(t, io_get(t, &o).runs == runs, "it runs when the ring is unmapped");
	end(&h, &o);
}

static void ring_may_go_first(struct regress *t)
{
	struct regress_object o;
	struct samples s;
	struct happen h;
	uint64_t runs;

	begin(t, &o, &h, 1, add_fields);
	samples_map(&s, &h, 8);
	touch(t, &o, 10);
	samples_unmap(&s);
	touch(t, &o, 10);
	samples_map(&s, &h, 8);
	runs = touch(t, &o, 10);
	regress_expect(t, samples_skip(&s) == runs, "its second ring does not have all");
	samples_unmap(&s);
	end(&h, &o);
}

static const struct regress_test tests[] = {
	{ "full: PERF_FORMAT_LOST counts each that had no room", lost_is_counted, NULL, 0 },
	{ "full: what the program drops is not lost", dropped_are_not_lost, NULL, 0 },
	{ "full: PERF_RECORD_LOST tells of all of them", lost_is_told, NULL, 0 },
	{ "PERF_EVENT_IOC_PAUSE_OUTPUT: the program runs, and nothing is kept", paused, NULL, 0 },
	{ "PERF_EVENT_IOC_PAUSE_OUTPUT without a ring is EINVAL", pause_without_ring, NULL, 0 },
	{ "PERF_EVENT_IOC_SET_OUTPUT: into the ring of another event", into_anothers, NULL, 0 },
	{ "ids of samples that two events have of the same happening", ids_of_same, NULL, 0 },
	{ "write_backward: the newest is found first", newest_first, NULL, 0 },
	{ "PERF_EVENT_IOC_REFRESH: the program runs as often as that, and stops", refresh, NULL,
	  0 },
	{ "PERF_EVENT_IOC_REFRESH: so many more", refresh_again, NULL, 0 },
	{ "PERF_EVENT_IOC_REFRESH: whether what is dropped counts", refresh_dropped, NULL, 0 },
	{ "PERF_EVENT_IOC_REFRESH of an inherited event is EINVAL", refresh_inherit, NULL, 0 },
	{ "the event closed, its ring keeps it and its program, until it is unmapped",
	  ring_keeps_event, NULL, 0 },
	{ "the ring unmapped, the program goes on and a second ring works", ring_may_go_first, NULL,
	  0 },
	{ 0 }
};

const struct regress_group regress_group_event_rings = {
	"event_rings", "rings of events that run a program: full, paused, shared, overwritten",
	tests,
	NULL, __FILE__
};
