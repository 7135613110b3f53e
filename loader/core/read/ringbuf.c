// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Read the records of a RINGBUF map, one ring for all CPUs (Documentation/bpf/ringbuf.rst).
 * mmap(2):
 *
 *	offset 0	consumer page, read-write: u64 consumer position
 *	page_size	producer page, read-only:  u64 producer position, u64 for the kernel,
 *			u64 overwrite position (Linux 6.19)
 *	2 * page_size	data, size bytes (a power of two)
 *	  + size	the same data, mapped again so that no record wraps
 *
 * Position & (size - 1) is the offset. Records are padded to 8 bytes:
 *
 *	u32 len		31: BUSY (reserved, not yet committed)  30: DISCARD  29..0: bytes of data
 *	u32 pg_off	for the kernel
 *	u8  data[len]
 *
 * A ring with BPF_F_RB_OVERWRITE is never full: a new record takes the space of the oldest ones,
 * and the kernel moves the overwrite position to the oldest record left before it moves the
 * producer position (kernel/bpf/ringbuf.c, __bpf_ringbuf_reserve). A copied record is valid if the
 * overwrite position has not passed it by then.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/mman.h>

#include "loader/core/read/ring.h"

#define HEADER_SIZE	8
#define BUSY_BIT	(1U << 31)
#define DISCARD_BIT	(1U << 30)
#define OVERWRITE_POS	2	/* index into the producer page */

int ringbuf_open(struct sys *sys, struct ringbuf *ring, struct record_stream *stream, int map_fd,
		 uint32_t size, uint32_t map_flags, struct error *err)
{
	size_t page_size = sysconf(_SC_PAGESIZE);
	long addr;

	*ring = (struct ringbuf){
		.stream = stream,
		.map_fd = map_fd,
		.size = size,
		.page_size = page_size,
	};
	if (size < page_size || size & (size - 1))
		return error_set(err, EINVAL, "a ring of %u bytes: must be a power of two", size);
	if (map_flags & BPF_F_RB_OVERWRITE) {
		ring->copy = malloc(size);
		if (!ring->copy)
			return error_set(err, ENOMEM, "no memory for a copy of its records");
	}
	addr = sys_mmap(sys, page_size, PROT_READ | PROT_WRITE, MAP_SHARED, map_fd, 0);
	if (sys_failed(addr)) {
		ringbuf_close(sys, ring);
		return error_set(err, -addr, "mmap of the ring's consumer page: %s",
				 error_strerror(-addr));
	}
	ring->consumer = (void *)addr;
	addr = sys_mmap(sys, page_size + 2 * (size_t)size, PROT_READ, MAP_SHARED, map_fd,
			page_size);
	if (sys_failed(addr)) {
		ringbuf_close(sys, ring);
		return error_set(err, -addr, "mmap of the ring's %u bytes: %s", size,
				 error_strerror(-addr));
	}
	ring->producer = (void *)addr;
	ring->data = (const unsigned char *)addr + page_size;
	return 0;
}

void ringbuf_close(struct sys *sys, struct ringbuf *ring)
{
	if (ring->producer)
		sys_munmap(sys, (void *)ring->producer, ring->page_size + 2 * (size_t)ring->size);
	if (ring->consumer)
		sys_munmap(sys, ring->consumer, ring->page_size);
	free(ring->copy);
	ring->producer = NULL;
	ring->consumer = NULL;
	ring->copy = NULL;
}

/* The range of records being read, from @pos to @end; the kernel has reserved them. */
struct reading {
	struct ringbuf *ring;
	uint64_t pos, end;
	uint64_t publish_at;	/* position at which to update the kernel's next */
	int nr;			/* number of records passed on */
	struct error *err;
};

static int corrupt(const struct reading *r, const char *what, uint64_t value)
{
	return error_set(r->err, EIO, "ring buffer at %llu: %s %llu is invalid",
			 (unsigned long long)r->pos, what, (unsigned long long)value);
}

static inline const unsigned char *record_at(const struct ringbuf *ring, uint64_t pos)
{
	return ring->data + (pos & (ring->size - 1));
}

static inline uint32_t header_at(const unsigned char *at)
{
	return __atomic_load_n((const uint32_t *)at, __ATOMIC_ACQUIRE);
}

static inline uint64_t length_of(uint32_t header)
{
	return header & ~(BUSY_BIT | DISCARD_BIT);
}

/* Return the distance from one record to the next, in bytes. */
static inline uint64_t step_of(uint32_t header)
{
	return (length_of(header) + HEADER_SIZE + 7) & ~7ULL;
}

/* Release the space of what has been read to the kernel. */
static void release(struct ringbuf *ring, uint64_t pos)
{
	__atomic_store_n(ring->consumer, pos, __ATOMIC_RELEASE);
}

/* Do that in batches: see RING_RELEASES. */
static inline void publish(struct reading *r)
{
	if ((int64_t)(r->pos - r->publish_at) < 0)	/* positions wrap */
		return;
	release(r->ring, r->pos);
	r->publish_at = r->pos + r->ring->size / RING_RELEASES;
}

/*
 * Pass on the record at @at and all following ones of this batch with the same header.
 *
 * Records usually have the same size, and an equal header is not checked again. The CPU predicts an
 * equal header and need not wait for this record to find the next.
 */
static int pass_on(struct reading *r, uint32_t header, const unsigned char *at)
{
	const struct record_sink sink = r->ring->stream->sink;
	const unsigned char *const begin = at, *const end = at + (r->end - r->pos);
	const unsigned char *const batch = at + (r->publish_at - r->pos);
	const uint64_t step = step_of(header);
	struct record record = { .cpu = -1 };
	int ret, nr = 0;

	do {
		__builtin_prefetch(at + 4 * step);	/* prefetch into the caches */
		record.bytes = (struct bytes){ at + HEADER_SIZE, length_of(header) };
		ret = sink.record(sink.arg, &record, r->err);
		nr++;
		at += step;
	} while (!ret && at < batch && step <= (size_t)(end - at) && header_at(at) == header);
	r->pos += at - begin;
	r->nr += nr;
	return ret;
}

/* Read the records in order. Stop at a record that is still being written. */
static int read_records(struct reading *r)
{
	int ret = 0;

	while (!ret && r->pos != r->end) {
		const unsigned char *at = record_at(r->ring, r->pos);
		const uint32_t header = header_at(at);

		if (header & BUSY_BIT)
			break;
		if (step_of(header) > r->end - r->pos)
			return corrupt(r, "record size", length_of(header));
		if (header & DISCARD_BIT)
			r->pos += step_of(header);
		else
			ret = pass_on(r, header, at);
		publish(r);
	}
	return ret;
}

/* --- overwriting rings --- */

/*
 * Advance *@pos to the oldest remaining record. Return true if the record at *@pos was overwritten.
 */
static bool skip_overwritten(struct ringbuf *ring, uint64_t *pos)
{
	uint64_t oldest;

	if (!ring->copy)
		return false;
	oldest = __atomic_load_n(&ring->producer[OVERWRITE_POS], __ATOMIC_ACQUIRE);
	/* Positions wrap. */
	if ((int64_t)(oldest - *pos) <= 0)
		return false;
	ring->stream->overwritten += oldest - *pos;
	*pos = oldest;
	return true;
}

/*
 * The same loop for an overwriting ring: copy each record, and skip it if it was overwritten in the
 * meantime. The oldest record may be past r->end by then.
 */
static int read_copies(struct reading *r)
{
	const struct record_sink sink = r->ring->stream->sink;
	unsigned char *const copy = r->ring->copy;
	int ret = 0;

	while (!ret && (int64_t)(r->end - r->pos) > 0) {
		const unsigned char *at = record_at(r->ring, r->pos);
		const uint32_t header = header_at(at);
		const bool fits = step_of(header) <= r->end - r->pos;
		const struct record record = { .cpu = -1,
					       .bytes = { copy + HEADER_SIZE, length_of(header) } };

		if (header & BUSY_BIT)
			break;
		if (fits)
			memcpy(copy, at, HEADER_SIZE + length_of(header));
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		if (skip_overwritten(r->ring, &r->pos))
			continue;
		if (!fits)
			return corrupt(r, "record size", length_of(header));
		r->pos += step_of(header);
		if (header & DISCARD_BIT)
			continue;
		ret = sink.record(sink.arg, &record, r->err);
		r->nr++;
	}
	return ret;
}

int ringbuf_read(struct ringbuf *ring, struct error *err)
{
	struct reading r = { .ring = ring, .err = err };
	int ret;

	r.pos = __atomic_load_n(ring->consumer, __ATOMIC_RELAXED);
	do
		r.end = __atomic_load_n(ring->producer, __ATOMIC_ACQUIRE);
	while (skip_overwritten(ring, &r.pos));
	r.publish_at = r.pos + ring->size / RING_RELEASES;
	if (r.end - r.pos > ring->size || r.pos % 8)
		ret = corrupt(&r, "producer position", r.end);
	else
		ret = ring->copy ? read_copies(&r) : read_records(&r);
	ring->stream->records += r.nr;
	release(ring, ret == -EIO ? r.end : r.pos);
	return ret ? ret : r.nr;
}
