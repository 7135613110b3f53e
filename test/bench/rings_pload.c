// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* pload's rings, with a function that counts records instead of printing them. */
#include <stdlib.h>
#include <unistd.h>

#include "loader/core/read/ring.h"
#include "test/bench/rings.h"

struct pload_ring {
	struct record_stream stream;
	uint64_t taken;
	struct perf_ring perf;
	struct ringbuf buf;
	uint64_t begin;		/* where the last drain() started */
	struct pollfd fd;
	unsigned char scratch[PERF_RING_SCRATCH];
	struct error err;
};

static int take(void *ring, const struct record *record, struct error *err)
{
	(void)record;
	(void)err;
	((struct pload_ring *)ring)->taken++;
	return 0;
}

static void *open_ring(int map_fd, bool is_perf, int cpu, size_t size)
{
	struct pload_ring *r = calloc(1, sizeof(*r));
	int ret;

	if (!r)
		return NULL;
	r->stream = (struct record_stream){ .sink = { .record = take, .arg = r }, .map_fd = map_fd };
	r->perf.event_fd = -1;
	if (is_perf) {
		r->stream.pages = size / getpagesize();
		ret = perf_ring_open(sys_linux(), &r->perf, &r->stream, cpu, &r->err);
	} else {
		ret = ringbuf_open(sys_linux(), &r->buf, &r->stream, map_fd, size, 0, &r->err);
	}
	r->fd = (struct pollfd){ .fd = is_perf ? r->perf.event_fd : map_fd, .events = POLLIN };
	return ret ? NULL : r;
}

static uint64_t drain(void *ring)
{
	struct pload_ring *r = ring;

	r->begin = r->stream.pages ? r->perf.tail : *r->buf.consumer;
	return r->stream.pages ? perf_ring_read(&r->perf, r->scratch, &r->err) :
				 ringbuf_read(&r->buf, &r->err);
}

static void rewind_ring(void *ring)
{
	struct pload_ring *r = ring;

	*(r->stream.pages ? &r->perf.tail : r->buf.consumer) = r->begin;
}

static void wait_for(void *ring)
{
	struct pload_ring *r = ring;

	if (!drain(r)) {
		sys_poll(sys_linux(), &r->fd, 1, 50);
		drain(r);
	}
}

static uint64_t records(void *ring)
{
	return ((struct pload_ring *)ring)->taken;
}

static uint64_t lost(void *ring)
{
	struct pload_ring *r = ring;

	if (r->stream.pages)
		perf_ring_count_lost(sys_linux(), &r->perf, &r->err);
	return r->perf.lost;
}

static void close_ring(void *ring)
{
	struct pload_ring *r = ring;

	perf_ring_close(sys_linux(), &r->perf);
	ringbuf_close(sys_linux(), &r->buf);
	free(r);
}

const struct ring_reader reader_pload = {
	.name = "pload", .open = open_ring, .drain = drain, .rewind = rewind_ring, .wait = wait_for,
	.records = records, .lost = lost, .close = close_ring,
};
