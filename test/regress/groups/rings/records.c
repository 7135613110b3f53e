// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The ring of an event that runs a program: the samples that reach it, and their contents. */
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "test/regress/common/known.h"
#include "test/regress/common/others.h"
#include "test/regress/common/samples.h"

/* An event that must come does so within this time. */
#define PATIENCE_MS 20000

/* An event with a ring, and a program whose return value decides whether samples are kept. */
struct keeping {
	struct regress *t;
	struct regress_object o;
	struct happen h;
	struct samples s;
};

static void answer(struct keeping *k, int64_t with)
{
	const struct context_io io = { .answer = with, .low = (uintptr_t)known_store_at,
				       .high = (uintptr_t)known_store_at + 1 };

	io_put(k->t, &k->o, &io);
}

static void begin(struct regress *t, struct keeping *k, int64_t with, unsigned int pages,
		  void (*change)(struct perf_event_attr *attr))
{
	*k = (struct keeping){ .t = t };
	known_ready();
	regress_load(t, &k->o, "context", "pe_see");
	happen_open(t, &k->h, BY_IOCTL, change, "page-faults:u,period=1");
	answer(k, with);
	happen_bind(&k->h, &k->o, "pe_see", 0);
	if (pages)
		samples_map(&k->s, &k->h, pages);
}

static void end(struct keeping *k)
{
	if (k->s.page)
		samples_unmap(&k->s);
	happen_close(&k->h);
	regress_unload(k->t, &k->o);
}

/* Returns the number of samples of known_store(), and drops other faults of this process. */
static unsigned int stores(struct keeping *k, struct sample *last)
{
	struct sample one;
	unsigned int nr = 0;

	while (samples_next(&k->s, &one)) {
		if (one.type != PERF_RECORD_SAMPLE || one.ip != (uintptr_t)known_store_at)
			continue;
		nr++;
		if (!last)
			continue;
		*last = one;
		last->chain = last->bytes + (one.chain - one.bytes);
	}
	return nr;
}

static void add_ip(struct perf_event_attr *attr)
{
	attr->sample_type |= PERF_SAMPLE_IP;
}

/* --- kept and dropped --- */

/* t->data: NULL, or the program returns 1. */
static void kept_or_not(struct regress *t)
{
	struct context_io io;
	struct keeping k;
	unsigned int nr;

	begin(t, &k, !!t->data, 8, add_ip);
	happen_touch(t, 10);
	nr = stores(&k, NULL);
	io = io_get(t, &k.o);
	happen_ran(&k.h, &io, 10);
	regress_expect(t, nr == (t->data ? io.runs : 0), "%u samples of %llu", nr,
		       (unsigned long long)io.runs);
	end(&k);
}

static void dropped_are_counted(struct regress *t)
{
	struct keeping k;
	uint64_t count;

	begin(t, &k, 0, 8, add_ip);
	happen_touch(t, 10);
	count = happen_count(&k.h);
	regress_expect(t, count >= 10, "%llu", (unsigned long long)count);
	end(&k);
}

/* --- fields --- */

static void add_all(struct perf_event_attr *attr)
{
	attr->sample_type |= PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			     PERF_SAMPLE_ADDR | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID |
			     PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN |
			     PERF_SAMPLE_IDENTIFIER;
}

/* One sample, the program's context at that time, and the id of the event. */
struct fields {
	struct sample one;
	struct context_io io;
	uint64_t id;
};

static void fields(struct regress *t, struct fields *f)
{
	struct keeping k;
	unsigned int nr;

	begin(t, &k, 1, 8, add_all);
	happen_must(&k.h, PERF_EVENT_IOC_ID, (uintptr_t)&f->id, "PERF_EVENT_IOC_ID");
	happen_touch(t, 1);
	nr = stores(&k, &f->one);
	f->io = io_get(t, &k.o);
	happen_ran(&k.h, &f->io, 1);
	regress_expect(t, nr == f->io.runs, "%u samples, %llu runs", nr,
		       (unsigned long long)f->io.runs);
	end(&k);
}

static void expect_same(struct regress *t, uint64_t saw, uint64_t wanted)
{
	regress_expect(t, saw == wanted, "%#llx, expected %#llx", (unsigned long long)saw,
		       (unsigned long long)wanted);
}

static void field_ip(struct regress *t)
{
	struct fields f;

	fields(t, &f);
	expect_same(t, f.one.ip, f.io.ip);
}

static void field_addr(struct regress *t)
{
	struct fields f;

	fields(t, &f);
	expect_same(t, f.one.addr, f.io.addr);
}

static void field_period(struct regress *t)
{
	struct fields f;

	fields(t, &f);
	expect_same(t, f.one.period, f.io.period);
}

static void field_ids(struct regress *t)
{
	struct fields f;

	fields(t, &f);
	expect_same(t, f.one.id, f.id);
	expect_same(t, f.one.stream_id, f.id);
	expect_same(t, f.one.identifier, f.id);
}

static void field_tid(struct regress *t)
{
	struct fields f;

	fields(t, &f);
	expect_same(t, f.one.pid, getpid());
	expect_same(t, f.one.tid, gettid());
}

static int stay_here(struct regress *t)
{
	const int here = sched_getcpu();
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(here, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		regress_skip(t, "this thread cannot stay on its CPU");
	return here;
}

static void field_cpu(struct regress *t)
{
	const int here = stay_here(t);
	struct fields f;

	fields(t, &f);
	expect_same(t, f.one.cpu, here);
}

static void field_callchain(struct regress *t)
{
	struct fields f;
	bool found = false;

	fields(t, &f);
	regress_expect(t, f.one.nr_chain < 300, "%llu entries", (unsigned long long)f.one.nr_chain);
	for (uint64_t i = 0; i + 1 < f.one.nr_chain; i++)
		found |= f.one.chain[i] == PERF_CONTEXT_USER && f.one.chain[i + 1] == f.io.ip;
	if (!found && !known_unwinds())
		regress_skip(t, "the kernel of this architecture walks no stacks of user space");
	regress_expect(t, found, "no PERF_CONTEXT_USER with the instruction behind it");
}

/* The thread stays on one CPU, because the clocks of CPUs may differ. */
static void times_grow(struct regress *t)
{
	struct keeping k;
	struct sample one;
	uint64_t before = 0;
	unsigned int nr = 0;

	stay_here(t);
	begin(t, &k, 1, 8, add_all);
	happen_touch(t, 10);
	while (samples_next(&k.s, &one)) {
		if (one.type != PERF_RECORD_SAMPLE)
			continue;
		regress_expect(t, one.time >= before, "%llu after %llu",
			       (unsigned long long)one.time, (unsigned long long)before);
		before = one.time;
		nr++;
	}
	regress_expect(t, nr >= 10, "%u samples", nr);
	end(&k);
}

static void add_raw(struct perf_event_attr *attr)
{
	attr->sample_type |= PERF_SAMPLE_RAW;
}

/* The first field of every tracepoint is its number; the program's copy begins after it. */
static void raw_of_tracepoint(struct regress *t)
{
	struct context_io io = { .answer = 1 };
	struct regress_object o;
	struct samples s;
	struct sample one;
	struct happen h;
	uint16_t type;

	io_ours(t, &io);
	regress_load(t, &o, "context", "tp_exit");
	io_put(t, &o, &io);
	happen_open(t, &h, BY_IOCTL, add_raw, "syscalls:sys_exit_getppid");
	others_none(t, h.e.a.event_fd, "syscalls:sys_exit_getppid");
	happen_bind(&h, &o, "tp_exit", 0);
	samples_map(&s, &h, 8);
	getppid();
	regress_expect(t, samples_next(&s, &one) && one.type == PERF_RECORD_SAMPLE, "no sample");
	io = io_get(t, &o);
	memcpy(&type, one.raw, sizeof(type));
	expect_same(t, type, h.e.attr.config);
	regress_expect(t, one.raw_size >= 24, "%u bytes", one.raw_size);
	regress_expect(t, !memcmp(one.raw + 16, &io.word[1], 8), "another result");
	samples_unmap(&s);
	happen_close(&h);
	regress_unload(t, &o);
}

/* --- waking up --- */

static void three_events(struct perf_event_attr *attr)
{
	add_ip(attr);
	attr->wakeup_events = 3;
}

static void watermark(struct perf_event_attr *attr)
{
	add_ip(attr);
	attr->watermark = 1;
	attr->wakeup_watermark = 100;	/* ip and addr: 24 bytes each */
}

/* Expects two samples, or three if a page faulted again. */
static void expect_sleep(struct keeping *k)
{
	happen_touch(k->t, 2);
	regress_expect(k->t, !samples_poll(&k->h, 0) || io_get(k->t, &k->o).runs > 2,
		       "it woke up for two samples");
}

static void wakes(struct regress *t)
{
	void (*change)(struct perf_event_attr *) = t->data;
	struct keeping k;

	begin(t, &k, 1, 8, change);
	expect_sleep(&k);
	happen_touch(t, 10);
	regress_expect(t, samples_poll(&k.h, PATIENCE_MS) & POLLIN, "it did not wake up for ten");
	end(&k);
}

static void dropped_do_not_wake(struct regress *t)
{
	struct keeping k;

	begin(t, &k, 0, 8, three_events);
	happen_touch(t, 20);
	/* The first one kept is the first one that counts. */
	answer(&k, 1);
	expect_sleep(&k);
	happen_touch(t, 10);
	regress_expect(t, samples_poll(&k.h, PATIENCE_MS) & POLLIN, "it did not wake up at last");
	end(&k);
}

static void no_ring_is_hup(struct regress *t)
{
	struct keeping k;
	short saw;

	begin(t, &k, 1, 0, add_ip);
	happen_touch(t, 1);
	saw = samples_poll(&k.h, 0);
	regress_expect(t, saw == POLLHUP, "poll says %#x", saw);
	end(&k);
}

static const struct regress_test tests[] = {
	{ "a program that returns 1 keeps each sample", kept_or_not, "", 0 },
	{ "a program that returns 0 drops each sample", kept_or_not, NULL, 0 },
	{ "what is dropped is counted", dropped_are_counted, NULL, 0 },
	{ "IP is what the program saw", field_ip, NULL, 0 },
	{ "ADDR is what the program saw", field_addr, NULL, 0 },
	{ "PERIOD is what the program saw", field_period, NULL, 0 },
	{ "ID, STREAM_ID and IDENTIFIER are those of the event", field_ids, NULL, 0 },
	{ "TID is this thread", field_tid, NULL, 0 },
	{ "CPU is this one", field_cpu, NULL, 0 },
	{ "CALLCHAIN has the instruction behind PERF_CONTEXT_USER", field_callchain, NULL, 0 },
	{ "TIME never goes back", times_grow, NULL, 0 },
	{ "RAW of a tracepoint is what its program saw", raw_of_tracepoint, NULL, 0 },
	{ "wakeup_events", wakes, three_events, 0 },
	{ "wakeup_watermark", wakes, watermark, 0 },
	{ "what is dropped wakes nobody up", dropped_do_not_wake, NULL, 0 },
	{ "poll of an event without a ring is POLLHUP", no_ring_is_hup, NULL, 0 },
	{ 0 }
};

const struct regress_group regress_group_records = {
	"records", "samples in the ring of an event that runs a program", tests, NULL, __FILE__
};
