// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bpf_perf_event_output(): the records that it writes, and its return values. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/kernel/kernel.h"
#include "test/regress/groups/rings/event_ring.h"

#define CURRENT_CPU UINT32_MAX	/* BPF_F_CURRENT_CPU */
#define CONTENT (65536 + 256)	/* test/regress/bpf/event_output.bpf.c: BYTES + OFFSETS */

static const struct carrier *perf_event = &carriers[0];

/* A program, the data that it writes, and the ring of the CPU on which it runs. */
struct writer {
	struct carried c;
	unsigned char *content;	/* owned */
	struct event_ring ring;
	struct ring_record record;
	unsigned int last;	/* write_over(): the number of the last record */
};

static struct writer *begin(struct regress *t, const struct carrier *by)
{
	struct writer *w = calloc(1, sizeof(*w));
	const uint32_t key = 0;

	regress_expect(t, w && (w->content = malloc(CONTENT)), "no memory");
	carry_begin(t, &w->c, "event_output", by);
	for (unsigned int i = 0; i < CONTENT; i++)
		w->content[i] = i % 251;
	regress_ok(t, map_update(t->sys, regress_map(t, &w->c.h.o, "content"), &key, w->content,
				 BPF_ANY), NULL, "what is written");
	w->ring.fd = -1;
	return w;
}

static void end(struct regress *t, struct writer *w)
{
	ring_close(t, &w->ring);
	carry_end(t, &w->c);
	free(w->content);
	free(w);
}

/* With a ring of @pages pages in the slot of its CPU. */
static struct writer *begin_ring(struct regress *t, const struct carrier *by,
				 struct perf_event_attr attr, unsigned int pages)
{
	struct writer *w = begin(t, by);

	ring_open(t, &w->ring, &attr, w->c.here, pages, false);
	regress_ok(t, slot_put(t, &w->c, w->c.here, w->ring.fd), NULL, "adding the event to the map");
	return w;
}

/* The program's call with these. */
static int output(struct regress *t, struct writer *w, uint64_t flags, uint64_t size)
{
	w->c.h.io.in[0] = flags;
	w->c.h.io.in[1] = size;
	carry_fire(t, &w->c);
	return (int)w->c.h.io.ret[0];
}

static void answers(struct regress *t, const char *key, int ret, const char *want)
{
	const struct regress_since rows[] = { { LINUX(0, 0), want } };

	regress_answer(t, key, regress_errno(ret), rows, 1);
}

/* Write a record that another check needs, so it must succeed. */
static void written(struct regress *t, struct writer *w, uint64_t flags, uint64_t size)
{
	const int ret = output(t, w, flags, size);

	regress_expect(t, !ret, "%llu bytes cannot be written: %s", (unsigned long long)size,
		       regress_errno(ret));
}

static void next_is(struct regress *t, struct writer *w, uint32_t type)
{
	regress_expect(t, ring_next(t, &w->ring, &w->record), "there is no record");
	regress_expect(t, w->record.header.type == type, "the record's type is %u, not %u",
		       w->record.header.type, type);
}

/* PERF_SAMPLE_RAW: a size, which fills the record up to 8 bytes, and as many bytes. */
static void is_sample(struct regress *t, const struct writer *w, uint32_t size)
{
	const uint32_t raw = (size + 4 + 7) / 8 * 8 - 4;

	regress_expect(t, w->record.header.type == PERF_RECORD_SAMPLE, "the record's type is %u",
		       w->record.header.type);
	regress_expect(t, ring_raw(&w->record) == raw, "of %u bytes the size is %u, not %u", size,
		       ring_raw(&w->record), raw);
	regress_expect(t, w->record.header.size == 8 + 4 + raw, "of %u bytes the record has %u",
		       size, w->record.header.size);
	regress_expect(t, !memcmp(w->record.bytes + 4, w->content + w->c.h.io.in[2], size),
		       "of %u bytes some are not those that were written", size);
}

static void holds(struct regress *t, struct writer *w, uint32_t size)
{
	next_is(t, w, PERF_RECORD_SAMPLE);
	is_sample(t, w, size);
}

/* --- by programs of every type --- */

static void by_content(struct regress *t)
{
	static const uint32_t sizes[] = { 1, 4, 5, 8, 12, 13, 100 };
	struct writer *w = begin_ring(t, t->data, ring_attr(), 1);

	for (size_t i = 0; i < NR(sizes); i++) {
		written(t, w, CURRENT_CPU, sizes[i]);
		holds(t, w, sizes[i]);
	}
	written(t, w, w->c.here, 16);
	holds(t, w, 16);
	regress_expect(t, !ring_next(t, &w->ring, &w->record), "there is an unexpected extra record");
	end(t, w);
}

/* Each way to name an event that the helper cannot use. */
static void by_no_event(struct regress *t)
{
	struct writer *w = begin(t, t->data);
	struct perf_event_attr attr = ring_attr();

	answers(t, "empty", output(t, w, CURRENT_CPU, 8), "ENOENT");
	answers(t, "beyond", output(t, w, 100000, 8), "E2BIG");
	if (w->c.there >= 0) {
		ring_open(t, &w->ring, &attr, w->c.there, 1, false);
		regress_ok(t, slot_put(t, &w->c, w->c.there, w->ring.fd), NULL,
			   "adding another CPU's event to the map");
		answers(t, "of another CPU", output(t, w, w->c.there, 8), "EOPNOTSUPP");
		regress_expect(t, !ring_next(t, &w->ring, &w->record), "there is a record there");
		ring_close(t, &w->ring);
	}
	attr.config = PERF_COUNT_SW_DUMMY;
	ring_open(t, &w->ring, &attr, w->c.here, 1, false);
	regress_ok(t, slot_put(t, &w->c, w->c.here, w->ring.fd), NULL, "adding the dummy event to the map");
	answers(t, "dummy", output(t, w, CURRENT_CPU, 8), "EINVAL");
	end(t, w);
}

/*
 * Returns whether the context has a packet, which the helper appends, in the length of bits 32 to
 * 51 of flags.
 */
static bool has_packet(const struct carrier *by)
{
	return by->packet != 0;
}

static void by_packet(struct regress *t)
{
	const struct carrier *by = t->data;
	struct writer *w = begin_ring(t, by, ring_attr(), 1);
	const uint64_t all = CURRENT_CPU | UINT64_C(16) << 32;

	if (!has_packet(by)) {
		answers(t, "16 bytes", output(t, w, all, 8), "EINVAL");
		regress_expect(t, !ring_next(t, &w->ring, &w->record), "there is a record");
		end(t, w);
		return;
	}
	answers(t, "16 bytes", output(t, w, all, 8), "0");
	next_is(t, w, PERF_RECORD_SAMPLE);
	regress_expect(t, ring_raw(&w->record) == 28, "of 8 and 16 bytes the size is %u",
		       ring_raw(&w->record));
	regress_expect(t, !memcmp(w->record.bytes + 4, w->content, 8), "the first 8 bytes differ");
	/*
	 * The appended bytes begin at the Ethernet header or after it, depending on the program
	 * type.
	 */
	regress_expect(t, !memcmp(w->record.bytes + 12, carry_packet(), 16) ||
			  !memcmp(w->record.bytes + 12, carry_packet() + 14, 16),
		       "the 16 bytes behind them are not the packet's");
	answers(t, "too many bytes", output(t, w, CURRENT_CPU | UINT64_C(4096) << 32, 8), "EFAULT");
	answers(t, "unknown flags", output(t, w, CURRENT_CPU | UINT64_C(1) << 52, 8), "EINVAL");
	end(t, w);
}

static const struct {
	regress_run *run;
	const char *fact;
} by_all[] = {
	{ by_content, "a sample with the bytes, filled up to eight with their size" },
	{ by_no_event, "ENOENT, E2BIG beyond the map, EOPNOTSUPP of another CPU, EINVAL if not "
		       "bpf-output" },
	{ by_packet, "bits 32 to 51 of flags: bytes of the packet, or EINVAL" },
};

/* --- by a perf_event program --- */

static void not_mapped(struct regress *t)
{
	static const struct regress_since rows[] = { { LINUX(0, 0), "ENOSPC" } };
	struct writer *w = begin_ring(t, perf_event, ring_attr(), 0);

	regress_answer(t, "", regress_errno(output(t, w, CURRENT_CPU, 8)), rows, NR(rows));
	end(t, w);
}

static void disabled(struct regress *t)
{
	struct writer *w = begin_ring(t, perf_event, ring_attr(), 1);

	regress_ok(t, sys_ioctl(t->sys, w->ring.fd, PERF_EVENT_IOC_DISABLE, 0), NULL, "disable");
	answers(t, "disabled", output(t, w, CURRENT_CPU, 8), "EOPNOTSUPP");
	regress_ok(t, sys_ioctl(t->sys, w->ring.fd, PERF_EVENT_IOC_ENABLE, 0), NULL, "enable");
	answers(t, "enabled again", output(t, w, CURRENT_CPU, 8), "0");
	holds(t, w, 8);
	end(t, w);
}

/* Fills the ring. Returns the number of records that fit. */
static unsigned int fill_up(struct regress *t, struct writer *w, uint32_t size)
{
	unsigned int nr = 0;
	int ret;

	while (!(ret = output(t, w, CURRENT_CPU, size)) && nr < 40)
		nr++;
	answers(t, "full", ret, "ENOSPC");
	return nr;
}

static void full(struct regress *t)
{
	struct writer *w = begin_ring(t, perf_event, ring_attr(), 1);
	const unsigned int nr = fill_up(t, w, 500);
	uint64_t lost[2];

	regress_expect(t, nr == w->ring.size / 512 || nr == w->ring.size / 512 - 1,
		       "%u records of 512 bytes fit into %zu", nr, w->ring.size);
	answers(t, "still full", output(t, w, CURRENT_CPU, 500), "ENOSPC");
	for (unsigned int i = 0; i < nr; i++)
		holds(t, w, 500);
	regress_expect(t, !ring_next(t, &w->ring, &w->record), "what was lost is said too early");
	answers(t, "room again", output(t, w, CURRENT_CPU, 8), "0");
	/* u64 id, u64 lost: how many, before the first one that fits again. */
	next_is(t, w, PERF_RECORD_LOST);
	memcpy(lost, w->record.bytes, sizeof(lost));
	regress_expect(t, lost[1] == 2, "%llu were lost", (unsigned long long)lost[1]);
	holds(t, w, 8);
	end(t, w);
}

/* PERF_FORMAT_LOST is the only way to learn of losses after the last record. */
static void count_lost(struct regress *t)
{
	struct perf_event_attr attr = ring_attr();
	uint64_t values[2] = { 0 };
	struct writer *w;
	int fd;

	attr.read_format = PERF_FORMAT_LOST;
	fd = sys_perf_event_open(t->sys, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd == -EPERM || fd == -EACCES)
		regress_skip(t, "no privilege to open events");
	/* 119a784c8127; older stable series have it as a backport. */
	if (fd == -EINVAL && t->kernel < LINUX(6, 0))
		regress_skip(t, "this kernel has no PERF_FORMAT_LOST");
	regress_ok(t, fd, NULL, "an event with PERF_FORMAT_LOST");
	sys_close(t->sys, fd);
	w = begin_ring(t, perf_event, attr, 1);
	fill_up(t, w, 500);
	output(t, w, CURRENT_CPU, 500);
	regress_expect(t, sys_read(t->sys, w->ring.fd, values, sizeof(values)) == sizeof(values),
		       "the event cannot be read");
	regress_expect(t, values[1] == 2, "%llu were lost", (unsigned long long)values[1]);
	end(t, w);
}

static void overwritten(struct regress *t)
{
	struct perf_event_attr attr = ring_attr();
	struct writer *w = begin(t, perf_event);

	ring_open(t, &w->ring, &attr, w->c.here, 1, true);
	regress_ok(t, slot_put(t, &w->c, w->c.here, w->ring.fd), NULL, "adding the event to the map");
	for (unsigned int i = 0; i < 20; i++)
		written(t, w, CURRENT_CPU, 500);
	regress_expect(t, w->ring.page->data_head == 20 * 512, "its head is at %llu",
		       (unsigned long long)w->ring.page->data_head);
	end(t, w);
}

static void paused(struct regress *t)
{
	static const struct regress_since rows[] = { { LINUX(0, 0), "ENOSPC" } };
	struct writer *w = begin_ring(t, perf_event, ring_attr(), 1);

	regress_ok(t, sys_ioctl(t->sys, w->ring.fd, PERF_EVENT_IOC_PAUSE_OUTPUT, 1), NULL, "pause");
	regress_answer(t, "", regress_errno(output(t, w, CURRENT_CPU, 8)), rows, NR(rows));
	regress_ok(t, sys_ioctl(t->sys, w->ring.fd, PERF_EVENT_IOC_PAUSE_OUTPUT, 0), NULL, "go on");
	answers(t, "gone on", output(t, w, CURRENT_CPU, 8), "0");
	end(t, w);
}

static bool is_readable(void *arg)
{
	struct pollfd poll = { .fd = *(const int *)arg, .events = POLLIN };

	return sys_poll(sys_linux(), &poll, 1, 0) == 1 && poll.revents & POLLIN;
}

static void wakes(struct regress *t)
{
	struct writer *w = begin_ring(t, perf_event, ring_attr(), 1);

	regress_expect(t, !is_readable(&w->ring.fd), "it is readable before there is a record");
	written(t, w, CURRENT_CPU, 8);
	regress_expect(t, regress_until(is_readable, &w->ring.fd), "nobody is woken");
	end(t, w);
}

static void wakes_third(struct regress *t)
{
	struct perf_event_attr attr = ring_attr();
	struct writer *w;

	attr.wakeup_events = 3;
	w = begin_ring(t, perf_event, attr, 1);
	for (unsigned int i = 0; i < 2; i++)
		written(t, w, CURRENT_CPU, 8);
	regress_expect(t, !is_readable(&w->ring.fd), "it is readable after two");
	written(t, w, CURRENT_CPU, 8);
	regress_expect(t, regress_until(is_readable, &w->ring.fd), "nobody is woken by the third");
	end(t, w);
}

static void no_raw(struct regress *t)
{
	struct perf_event_attr attr = ring_attr();
	struct writer *w;

	attr.sample_type = PERF_SAMPLE_TID;
	w = begin_ring(t, perf_event, attr, 1);
	written(t, w, CURRENT_CPU, 100);
	next_is(t, w, PERF_RECORD_SAMPLE);
	regress_expect(t, w->record.header.size == 16, "the record has %u bytes",
		       w->record.header.size);
	end(t, w);
}

static void nothing(struct regress *t)
{
	struct writer *w = begin_ring(t, perf_event, ring_attr(), 1);

	written(t, w, CURRENT_CPU, 0);
	holds(t, w, 0);
	end(t, w);
}

/*
 * The size of a record has 16 bits. For a longer record it is truncated to the lower 16 bits, and
 * so is the reserved space.
 */
static void too_long(struct regress *t)
{
	struct writer *w = begin_ring(t, perf_event, ring_attr(), 32);

	written(t, w, CURRENT_CPU, 65516);
	holds(t, w, 65516);
	answers(t, "65,517 bytes", output(t, w, CURRENT_CPU, 65517), "0");
	regress_expect(t, !ring_next(t, &w->ring, &w->record), "65,517 bytes have a record of %u",
		       w->record.header.size);
	answers(t, "65,536 bytes", output(t, w, CURRENT_CPU, 65536), "0");
	next_is(t, w, PERF_RECORD_SAMPLE);
	regress_expect(t, w->record.header.size == 16, "65,536 bytes have a record of %u",
		       w->record.header.size);
	end(t, w);
}

static void larger_than_ring(struct regress *t)
{
	struct writer *w = begin_ring(t, perf_event, ring_attr(), 1);

	answers(t, "", output(t, w, CURRENT_CPU, 20000), "ENOSPC");
	regress_expect(t, !ring_next(t, &w->ring, &w->record), "there is a record all the same");
	end(t, w);
}

static void flags(struct regress *t)
{
	struct writer *w = begin_ring(t, perf_event, ring_attr(), 1);

	answers(t, "bit 32", output(t, w, CURRENT_CPU | UINT64_C(1) << 32, 8), "EINVAL");
	answers(t, "bit 63", output(t, w, CURRENT_CPU | UINT64_C(1) << 63, 8), "EINVAL");
	end(t, w);
}

static void large(struct regress *t)
{
	struct writer *w = begin_ring(t, perf_event, ring_attr(), 32);

	written(t, w, CURRENT_CPU, 65000);
	holds(t, w, 65000);
	end(t, w);
}

/*
 * An event of the task is on whatever CPU the task runs on, so the error is ENOSPC rather than
 * EOPNOTSUPP.
 */
static void of_task(struct regress *t)
{
	struct writer *w = begin(t, perf_event);
	struct perf_event_attr attr = ring_attr();

	w->ring.fd = slot_open(t, &attr, 0, -1);
	regress_ok(t, slot_put(t, &w->c, 0, w->ring.fd), NULL, "adding the event to the map");
	answers(t, "not mapped", output(t, w, 0, 8), "ENOSPC");
	end(t, w);
}

/* --- rings that wrap --- */

/*
 * These tests write records of every size up to 509 bytes, whose bytes start elsewhere each time.
 */
static uint32_t nth_size(unsigned int n)
{
	return 1 + n * 37 % 509;
}

static uint32_t nth_from(unsigned int n)
{
	return n * 7 % 251;
}

/* A record of 8 bytes for its header, 4 for the size, and what fills it up to 8. */
static uint64_t record_size(uint32_t size)
{
	return 8 + (size + 4 + 7) / 8 * 8;
}

static bool wraps(const struct writer *w, uint64_t at, uint32_t size)
{
	return at / w->ring.size != (at + record_size(size) - 1) / w->ring.size;
}

static void each_in_turn(struct regress *t)
{
	struct writer *w = begin_ring(t, perf_event, ring_attr(), 1);
	unsigned int nr = 0;

	for (unsigned int n = 0; n < 509 || nr < 20; n++) {
		nr += wraps(w, w->ring.at, nth_size(n));
		w->c.h.io.in[2] = nth_from(n);
		written(t, w, CURRENT_CPU, nth_size(n));
		holds(t, w, nth_size(n));
	}
	regress_expect(t, !ring_next(t, &w->ring, &w->record), "there is an unexpected extra record");
	end(t, w);
}

/* Each round ends with a record that does not fit, which the first record of the next round reports. */
static void round_by_round(struct regress *t)
{
	struct writer *w = begin_ring(t, perf_event, ring_attr(), 1);
	unsigned int n = 0, first;
	uint64_t lost[2];
	int ret;

	for (unsigned int round = 0; round < 12; round++) {
		for (first = n, ret = 0; !ret; n += !ret) {
			w->c.h.io.in[2] = nth_from(n);
			ret = output(t, w, CURRENT_CPU, nth_size(n));
		}
		answers(t, "full", ret, "ENOSPC");
		for (unsigned int i = first; i < n; i++) {
			if (round && i == first) {
				next_is(t, w, PERF_RECORD_LOST);
				memcpy(lost, w->record.bytes, sizeof(lost));
				regress_expect(t, lost[1] == 1, "%llu were lost", (unsigned long long)lost[1]);
			}
			w->c.h.io.in[2] = nth_from(i);
			holds(t, w, nth_size(i));
		}
		regress_expect(t, n > first && !ring_next(t, &w->ring, &w->record), "%u records in round %u",
			       n - first, round);
	}
	end(t, w);
}

/* A record longer than a page spans two or three pages, and wraps at a different byte each time. */
static void longer_than_page(struct regress *t)
{
	struct writer *w = begin_ring(t, perf_event, ring_attr(), 4);
	const uint32_t size = w->ring.size / 4 + 905;
	unsigned int nr = 0;

	if (size > 65516)
		regress_skip(t, "a page is as long as the longest record");
	for (unsigned int n = 0; n < 40; n++) {
		nr += wraps(w, w->ring.at, size + n);
		w->c.h.io.in[2] = nth_from(n);
		written(t, w, CURRENT_CPU, size + n);
		holds(t, w, size + n);
	}
	regress_expect(t, nr > 5, "%u of them wrap", nr);
	end(t, w);
}

/* Write 100 records, more than fit, to a ring that is overwritten. */
static struct writer *write_over(struct regress *t, struct perf_event_attr attr)
{
	struct writer *w = begin(t, perf_event);

	ring_open(t, &w->ring, &attr, w->c.here, 1, true);
	regress_ok(t, slot_put(t, &w->c, w->c.here, w->ring.fd), NULL, "adding the event to the map");
	for (unsigned int n = 0; n < 100 || w->ring.size > 16384 * (uint64_t)n / 100; n++) {
		w->c.h.io.in[2] = nth_from(n);
		written(t, w, CURRENT_CPU, nth_size(n));
		w->last = n;
	}
	return w;
}

/* The newest record is at data_head, and older ones follow; nobody moves data_tail. */
static void backward_whole(struct regress *t)
{
	struct perf_event_attr attr = ring_attr();
	struct writer *w;
	uint64_t end_at;
	unsigned int n;

	attr.write_backward = 1;
	w = write_over(t, attr);
	w->ring.at = w->ring.page->data_head;
	end_at = w->ring.at + w->ring.size;
	for (n = w->last; w->ring.at + record_size(nth_size(n)) <= end_at; n--) {
		w->c.h.io.in[2] = nth_from(n);
		ring_peek(&w->ring, &w->record);
		is_sample(t, w, nth_size(n));
		w->ring.at += w->record.header.size;
	}
	regress_expect(t, w->last - n > 5, "%u records", w->last - n);
	end(t, w);
}

/*
 * In a ring that is written forward, the start of a record can only be found if the sizes of all
 * are known.
 */
static void forward_whole(struct regress *t)
{
	struct writer *w = write_over(t, ring_attr());
	const uint64_t head = w->ring.page->data_head;
	uint64_t sum = 0;
	unsigned int n;

	for (n = 0; n <= w->last; n++)
		sum += record_size(nth_size(n));
	regress_expect(t, head == sum, "its head is at %llu, expected %llu", (unsigned long long)head,
		       (unsigned long long)sum);
	w->ring.at = head;
	for (n = w->last; w->ring.at - record_size(nth_size(n)) >= head - w->ring.size; n--) {
		w->ring.at -= record_size(nth_size(n));
		w->c.h.io.in[2] = nth_from(n);
		ring_peek(&w->ring, &w->record);
		is_sample(t, w, nth_size(n));
	}
	regress_expect(t, w->last - n > 5, "%u records", w->last - n);
	end(t, w);
}

static const struct regress_test tests[] = {
	{ "into an event whose ring is not mapped is ENOSPC", not_mapped, NULL, 0 },
	{ "into an event of the task, whose ring is not mapped, is ENOSPC", of_task, NULL, 0 },
	{ "into a disabled event is EOPNOTSUPP, until it is enabled again", disabled, NULL, 0 },
	{ "a full ring is ENOSPC; once there is room a record says how many were lost", full, NULL,
	  0 },
	{ "PERF_FORMAT_LOST counts what a full ring has lost", count_lost, NULL, 0 },
	{ "a ring that is mapped to be read only is written over, and never full", overwritten,
	  NULL, 0 },
	{ "a paused ring is ENOSPC", paused, NULL, 0 },
	{ "who polls is woken by the first record", wakes, NULL, 0 },
	{ "who polls is woken by the third where wakeup_events is 3", wakes_third, NULL, 0 },
	{ "without PERF_SAMPLE_RAW the bytes are not in the record, and it is 0", no_raw, NULL, 0 },
	{ "no bytes are a record with a size of 4", nothing, NULL, 0 },
	{ "65,000 bytes are one record", large, NULL, 0 },
	{ "65,516 bytes are the longest record; of a longer one the size wraps, and it is 0", too_long, NULL, 0 },
	{ "more bytes than the ring has are ENOSPC", larger_than_ring, NULL, 0 },
	{ "records of each size wrap a ring of one page, and are whole", each_in_turn, NULL, 0 },
	{ "a ring that is filled and emptied in turn has each record, and each loss", round_by_round, NULL, 0 },
	{ "records that are longer than a page wrap, and are whole", longer_than_page, NULL, 0 },
	{ "write_backward: from the newest on all records are whole that the ring has room for", backward_whole,
	  NULL, 0 },
	{ "written over, the ring's last records are whole", forward_whole, NULL, 0 },
	{ "bits above the index are EINVAL where there is no packet", flags, NULL, 0 },
	{ 0 }
};

static void fill(struct regress_list *list)
{
	for (size_t f = 0; f < NR(by_all); f++)
		for (unsigned int i = 0; i < nr_carriers; i++)
			regress_add(list, by_all[f].run, &carriers[i], "%s: %s", carriers[i].name,
				    by_all[f].fact);
}

const struct regress_group regress_group_event_output = {
	"event_output", "what bpf_perf_event_output() writes and answers", tests, fill, __FILE__
};
