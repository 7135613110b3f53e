// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Rings of bpf-output events, and the records in them as the kernel wrote them. */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "test/regress/groups/rings/event_ring.h"

struct perf_event_attr ring_attr(void)
{
	struct perf_event_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.size = PERF_ATTR_SIZE_VER0;
	attr.type = PERF_TYPE_SOFTWARE;
	attr.config = PERF_COUNT_SW_BPF_OUTPUT;
	attr.sample_type = PERF_SAMPLE_RAW;
	attr.sample_period = 1;
	attr.wakeup_events = 1;
	return attr;
}

void ring_open(struct regress *t, struct event_ring *ring, struct perf_event_attr *attr, int cpu,
	       unsigned int pages, bool overwrite)
{
	const size_t page_size = sysconf(_SC_PAGESIZE);
	long addr;

	*ring = (struct event_ring){ .fd = slot_open(t, attr, -1, cpu) };
	if (!pages)
		return;
	ring->size = pages * page_size;
	ring->map_size = ring->size + page_size;
	addr = sys_mmap(t->sys, ring->map_size, PROT_READ | (overwrite ? 0 : PROT_WRITE),
			MAP_SHARED, ring->fd, 0);
	if (sys_failed(addr))
		regress_fail(t, "the ring cannot be mapped: %s", regress_errno(addr));
	ring->page = (void *)addr;
	ring->data = (const unsigned char *)addr + page_size;
}

void ring_close(struct regress *t, struct event_ring *ring)
{
	if (ring->page)
		sys_munmap(t->sys, ring->page, ring->map_size);
	ring->page = NULL;
	sys_close_fd(t->sys, &ring->fd);
}

static void copy(const struct event_ring *ring, uint64_t at, void *to, size_t size)
{
	const size_t start = at & (ring->size - 1), room = ring->size - start;
	const size_t first = size < room ? size : room;

	memcpy(to, ring->data + start, first);
	memcpy((unsigned char *)to + first, ring->data, size - first);
}

void ring_peek(const struct event_ring *ring, struct ring_record *record)
{
	copy(ring, ring->at, &record->header, sizeof(record->header));
	if (record->header.size > sizeof(record->header))
		copy(ring, ring->at + sizeof(record->header), record->bytes,
		     record->header.size - sizeof(record->header));
}

bool ring_next(struct regress *t, struct event_ring *ring, struct ring_record *record)
{
	const uint64_t head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	size_t size;

	if (ring->at == head)
		return false;
	ring_peek(ring, record);
	size = record->header.size;
	regress_expect(t, size >= sizeof(record->header) && size % 8 == 0 &&
			  size <= head - ring->at,
		       "a record of %zu bytes, where there are %llu", size,
		       (unsigned long long)(head - ring->at));
	ring->at += size;
	__atomic_store_n(&ring->page->data_tail, ring->at, __ATOMIC_RELEASE);
	return true;
}

uint32_t ring_raw(const struct ring_record *record)
{
	uint32_t size;

	memcpy(&size, record->bytes, sizeof(size));
	return size;
}
