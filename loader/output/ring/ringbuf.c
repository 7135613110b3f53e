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

#include "loader/output/ring/ring.h"

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

static uint32_t header_at(const struct ringbuf *ring, uint64_t pos)
{
	return __atomic_load_n((const uint32_t *)(ring->data + (pos & (ring->size - 1))),
			       __ATOMIC_ACQUIRE);
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

static uint64_t length_of(uint32_t header)
{
	return header & ~(BUSY_BIT | DISCARD_BIT);
}

static uint64_t step_of(uint32_t header)
{
	return (length_of(header) + HEADER_SIZE + 7) & ~7ULL;
}

/* Return 1 if the record was handled, 0 if it was discarded, or -errno. */
static int handle(struct ringbuf *ring, uint32_t header, const unsigned char *at, struct error *err)
{
	int ret;

	if (header & DISCARD_BIT)
		return 0;
	ret = ring->stream->handle(ring->stream,
				   &(struct record){ .bytes = { at + HEADER_SIZE,
								length_of(header) },
						     .cpu = -1 }, err);
	return ret ? ret : 1;
}

/* Read the record at *@pos in place, and advance. Returns as handle(). */
static int read_one(struct ringbuf *ring, uint32_t header, uint64_t *pos, uint64_t end,
		    struct error *err)
{
	const unsigned char *at = ring->data + (*pos & (ring->size - 1));
	const uint64_t step = step_of(header);

	if (step > end - *pos)
		return corrupt(*pos, "record size", length_of(header), err);
	/* Records mostly have one size, and the caches load the next headers meanwhile. */
	__builtin_prefetch(at + 4 * step);
	*pos += step;
	return handle(ring, header, at, err);
}

/* The same in a ring that overwrites: in a copy, and 0 if the record was overwritten meanwhile. */
static int read_copy(struct ringbuf *ring, uint32_t header, uint64_t *pos, uint64_t end,
		     struct error *err)
{
	const uint64_t step = step_of(header);
	const bool fits = step <= end - *pos;

	if (fits)
		memcpy(ring->copy, ring->data + (*pos & (ring->size - 1)),
		       HEADER_SIZE + length_of(header));
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	if (skip_overwritten(ring, pos))
		return 0;
	if (!fits)
		return corrupt(*pos, "record size", length_of(header), err);
	*pos += step;
	return handle(ring, header, ring->copy, err);
}

/* Give the kernel the room of what has been read. */
static void release(struct ringbuf *ring, uint64_t pos)
{
	__atomic_store_n(ring->consumer, pos, __ATOMIC_RELEASE);
}

/* Stop at a record that is still being written: records are consumed in order. */
int ringbuf_read(struct ringbuf *ring, struct error *err)
{
	uint64_t pos = __atomic_load_n(ring->consumer, __ATOMIC_RELAXED), released = pos;
	uint64_t end;
	uint32_t header;
	int ret = 0, n = 0;

	do
		end = __atomic_load_n(ring->producer, __ATOMIC_ACQUIRE);
	while (skip_overwritten(ring, &pos));
	if (end - pos > ring->size || pos % 8)
		ret = corrupt(pos, "producer position", end, err);
	/* The oldest record may be beyond @end by now. */
	while (ret >= 0 && (int64_t)(end - pos) > 0) {
		header = header_at(ring, pos);
		if (header & BUSY_BIT)
			break;
		ret = ring->copy ? read_copy(ring, header, &pos, end, err) :
				   read_one(ring, header, &pos, end, err);
		n += ret > 0;
		if (pos - released < ring->size / RING_RELEASES)
			continue;
		release(ring, pos);
		released = pos;
	}
	if (ret == -EIO)
		pos = end;
	if (pos != released)
		release(ring, pos);
	return ret < 0 ? ret : n;
}
