// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Read records of a RINGBUF map, one ring for all CPUs (Documentation/bpf/ringbuf.rst). mmap(2):
 *
 *	offset 0	consumer page, read-write: u64 consumer position
 *	page_size	producer page, read-only:  u64 producer position, u64 for the kernel,
 *			u64 overwrite position (Linux 6.19)
 *	2 * page_size	data, size bytes (a power of two)
 *	  + size	the same data mapped again, so that no record wraps
 *
 * Position & (size - 1) is the offset. Each record is padded to 8 bytes:
 *
 *	u32 len		31: BUSY (reserved, not yet committed)  30: DISCARD  29..0: bytes of data
 *	u32 pg_off	for the kernel
 *	u8  data[len]
 *
 * A ring with BPF_F_RB_OVERWRITE is never full: a new record takes the space of the oldest ones,
 * and the kernel moves the overwrite position to the oldest record left before it moves the
 * producer position (kernel/bpf/ringbuf.c, __bpf_ringbuf_reserve). A record is valid if the
 * overwrite position is not beyond it after it was copied.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/mman.h>

#include "loader/read/ring.h"

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

static int corrupt(uint64_t pos, const char *what, uint64_t value, struct error *err)
{
	return error_set(err, EIO, "ring buffer at %llu: %s %llu is invalid",
			 (unsigned long long)pos, what, (unsigned long long)value);
}

static inline uint32_t header_at(const unsigned char *at)
{
	return __atomic_load_n((const uint32_t *)at, __ATOMIC_ACQUIRE);
}

/* Advance *@pos to the oldest record left. Return true if the record at *@pos was overwritten. */
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

static inline uint64_t length_of(uint32_t header)
{
	return header & ~(BUSY_BIT | DISCARD_BIT);
}

static inline uint64_t step_of(uint32_t header)
{
	return (length_of(header) + HEADER_SIZE + 7) & ~7ULL;
}

/*
 * Pass on the record at @at, unless it was discarded. Return 0 or -errno.
 * @record: the caller's, so that what is the same for all is written once
 * @nr: is increased by a record that is passed on
 */
static inline int handle(struct record_stream *stream, uint32_t header, const unsigned char *at,
			 struct record *record, int *nr, struct error *err)
{
	if (header & DISCARD_BIT)
		return 0;
	record->bytes = (struct bytes){ at + HEADER_SIZE, length_of(header) };
	++*nr;
	return stream->handle(stream, record, err);
}

/* Give the kernel the room of what has been read. */
static void release(struct ringbuf *ring, uint64_t pos)
{
	__atomic_store_n(ring->consumer, pos, __ATOMIC_RELEASE);
}

/*
 * Read the records from *@pos to @end in place. Return their number or -errno, and the position of
 * the next one in *@pos. Stop at a record that is still being written: they are read in order.
 *
 * Records mostly have one size, and a header that is that of the record before is not checked
 * again. The CPU predicts that it is, and does not wait for this record to know where the next is.
 */
static int read_in_place(struct ringbuf *ring, uint64_t *pos, uint64_t end, struct error *err)
{
	const unsigned char *at = ring->data + (*pos & (ring->size - 1));
	const unsigned char *const begin = at, *const stop = at + (end - *pos);
	struct record_stream *const stream = ring->stream;
	const uint64_t batch = ring->size / RING_RELEASES;
	const unsigned char *release_at = begin + batch;
	struct record record = { .cpu = -1 };
	int ret = 0, n = 0;

	while (!ret && at != stop) {
		const uint32_t header = header_at(at);
		const uint64_t step = step_of(header);

		if (header & BUSY_BIT)
			break;
		if (step > (size_t)(stop - at)) {
			ret = corrupt(*pos + (at - begin), "record size", length_of(header), err);
			break;
		}
		if (at >= release_at) {
			release(ring, *pos + (at - begin));
			release_at = at + batch;
		}
		do {
			__builtin_prefetch(at + 4 * step);	/* into the caches meanwhile */
			ret = handle(stream, header, at, &record, &n, err);
			at += step;
		} while (!ret && at < release_at && step <= (size_t)(stop - at) &&
			 header_at(at) == header);
	}
	*pos += at - begin;
	return ret ? ret : n;
}

/*
 * The same in a ring that overwrites: each record is copied, and skipped if it was overwritten
 * meanwhile. The oldest record may be beyond @end by then.
 */
static int read_copies(struct ringbuf *ring, uint64_t *pos, uint64_t end, struct error *err)
{
	struct record record = { .cpu = -1 };
	int ret = 0, n = 0;

	while (!ret && (int64_t)(end - *pos) > 0) {
		const uint32_t header = header_at(ring->data + (*pos & (ring->size - 1)));
		const uint64_t step = step_of(header);
		const bool fits = step <= end - *pos;

		if (header & BUSY_BIT)
			break;
		if (fits)
			memcpy(ring->copy, ring->data + (*pos & (ring->size - 1)),
			       HEADER_SIZE + length_of(header));
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		if (skip_overwritten(ring, pos))
			continue;
		if (!fits)
			return corrupt(*pos, "record size", length_of(header), err);
		*pos += step;
		ret = handle(ring->stream, header, ring->copy, &record, &n, err);
	}
	return ret ? ret : n;
}

int ringbuf_read(struct ringbuf *ring, struct error *err)
{
	uint64_t pos = __atomic_load_n(ring->consumer, __ATOMIC_RELAXED);
	uint64_t end;
	int ret;

	do
		end = __atomic_load_n(ring->producer, __ATOMIC_ACQUIRE);
	while (skip_overwritten(ring, &pos));
	if (end - pos > ring->size || pos % 8)
		ret = corrupt(pos, "producer position", end, err);
	else
		ret = ring->copy ? read_copies(ring, &pos, end, err) :
				   read_in_place(ring, &pos, end, err);
	release(ring, ret == -EIO ? end : pos);
	return ret;
}
