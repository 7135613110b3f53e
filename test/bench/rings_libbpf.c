// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* libbpf reads rings, with its default wakeups: one per record of a perf ring. */
#include <bpf/libbpf.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "test/bench/rings.h"

struct libbpf_ring {
	struct perf_buffer *perf;	/* or */
	struct ring_buffer *ring;
	uint64_t *position, begin;	/* the reader's position; where the last drain() started */
	uint64_t records, lost;
};

static int take(void *ctx, void *data, size_t size)
{
	(void)data;
	(void)size;
	((struct libbpf_ring *)ctx)->records++;
	return 0;
}

static void take_sample(void *ctx, int cpu, void *data, unsigned int size)
{
	(void)cpu;
	(void)data;
	(void)size;
	((struct libbpf_ring *)ctx)->records++;
}

static void take_lost(void *ctx, int cpu, unsigned long long lost)
{
	(void)cpu;
	((struct libbpf_ring *)ctx)->lost += lost;
}

/* The reader's position in the perf ring of CPU 0, which libbpf keeps nowhere else. */
static uint64_t *position_of(struct libbpf_ring *r, int map_fd)
{
	void *page = MAP_FAILED;
	size_t size;

	if (r->perf)
		return perf_buffer__buffer(r->perf, 0, &page, &size) ?
			       NULL : (uint64_t *)&((struct perf_event_mmap_page *)page)->data_tail;
	page = mmap(NULL, getpagesize(), PROT_READ | PROT_WRITE, MAP_SHARED, map_fd, 0);
	return page == MAP_FAILED ? NULL : page;
}

static void *open_ring(int map_fd, bool is_perf, int cpu, size_t size)
{
	struct libbpf_ring *r = calloc(1, sizeof(*r));

	(void)cpu;	/* libbpf opens the rings of all CPUs */
	if (r && is_perf)
		r->perf = perf_buffer__new(map_fd, size / getpagesize(), take_sample, take_lost, r,
					   NULL);
	else if (r)
		r->ring = ring_buffer__new(map_fd, take, r, NULL);
	if (!r || (!r->perf && !r->ring))
		return NULL;
	r->position = position_of(r, map_fd);
	return r->position ? r : NULL;
}

static uint64_t drain(void *ring)
{
	struct libbpf_ring *r = ring;
	const uint64_t before = r->records;

	r->begin = *r->position;
	if (r->perf)
		perf_buffer__consume(r->perf);
	else
		ring_buffer__consume(r->ring);
	return r->records - before;
}

static void rewind_ring(void *ring)
{
	struct libbpf_ring *r = ring;

	*r->position = r->begin;
}

static void wait_for(void *ring)
{
	struct libbpf_ring *r = ring;

	if (r->perf)
		perf_buffer__poll(r->perf, 50);
	else
		ring_buffer__poll(r->ring, 50);
}

static uint64_t records(void *ring)
{
	return ((struct libbpf_ring *)ring)->records;
}

static uint64_t lost(void *ring)
{
	return ((struct libbpf_ring *)ring)->lost;
}

static void close_ring(void *ring)
{
	struct libbpf_ring *r = ring;

	if (r->ring)
		munmap(r->position, getpagesize());
	perf_buffer__free(r->perf);
	ring_buffer__free(r->ring);
	free(r);
}

const struct ring_reader reader_libbpf = {
	.name = "libbpf", .open = open_ring, .drain = drain, .rewind = rewind_ring, .wait = wait_for,
	.records = records, .lost = lost, .close = close_ring,
};
