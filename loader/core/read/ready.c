// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* One epoll set for all rings of a session: readable while a ring is ready, and shows which one. */
#include <errno.h>

#include "loader/core/read/all_rings.h"
#include "loader/base/calls/epoll.h"

/* --- the epoll set --- */

/* The kind and index of a ring, stored in epoll_event.data. */
enum { PERF_RING, RINGBUF };

static int add_fd(struct rings *rings, int fd, uint32_t events, uint64_t kind, unsigned int index,
		  struct error *err)
{
	int ret = sys_epoll_add(rings->sys, rings->epoll_fd, fd, events, kind << 32 | index);

	return ret < 0 ? error_set(err, -ret, "EPOLL_CTL_ADD: %s", error_strerror(-ret)) : 0;
}

/*
 * A perf event reports each watermark once and, with EPOLLET, reports only once that its CPU is
 * offline. A ring buffer is level-triggered: the kernel does not signal a record committed before
 * the reader has released the previous one.
 */
int rings_wait_for_perf(struct rings *rings, unsigned int i, struct error *err)
{
	if (rings->epoll_fd < 0 || !rings->perf[i].page)
		return 0;
	return add_fd(rings, rings->perf[i].event_fd, EPOLLIN | EPOLLET, PERF_RING, i, err);
}

int rings_wait_for_ringbuf(struct rings *rings, unsigned int i, struct error *err)
{
	if (rings->epoll_fd < 0)
		return 0;
	return add_fd(rings, rings->ringbufs[i].map_fd, EPOLLIN, RINGBUF, i, err);
}

static int cannot_wait(int ret, struct error *err)
{
	error_reason(err, "output/ring");
	error_where(err, "waiting for records");
	return ret;
}

int rings_begin_waiting(struct rings *rings, struct error *err)
{
	int ret = 0;

	if (rings->epoll_fd >= 0 || !rings->nr_streams)
		return 0;
	rings->epoll_fd = sys_epoll_create(rings->sys);
	if (rings->epoll_fd < 0)
		ret = error_set(err, -rings->epoll_fd, "epoll_create1: %s",
				error_strerror(-rings->epoll_fd));
	for (unsigned int i = 0; !ret && i < rings->nr_perf; i++)
		ret = rings_wait_for_perf(rings, i, err);
	for (unsigned int i = 0; !ret && i < rings->nr_ringbufs; i++)
		ret = rings_wait_for_ringbuf(rings, i, err);
	return ret ? cannot_wait(ret, err) : 0;
}

int rings_fd(const struct rings *rings)
{
	return rings->epoll_fd;
}

int rings_due_ms(const struct rings *rings)
{
	return rings->nr_streams ? sys_ms_until(rings->due_ns) : -1;
}

/* --- reading --- */

static int read_failed(int ret, const struct record_stream *stream, struct error *err)
{
	error_reason_default(err, "output/ring");
	error_where(err, "map '%s'", stream->map);
	return ret;
}

int rings_read_perf(struct rings *rings, struct perf_ring *ring, struct error *err)
{
	if (!ring->page)	/* its CPU went offline while it was being reopened */
		return 0;
	return perf_ring_read(ring, rings->scratch, err);
}

static int read_perf(struct rings *rings, unsigned int i, struct error *err)
{
	const int ret = rings_read_perf(rings, &rings->perf[i], err);

	return ret < 0 ? read_failed(ret, rings->perf[i].stream, err) : 0;
}

static int read_ringbuf(struct rings *rings, unsigned int i, struct error *err)
{
	const int ret = ringbuf_read(&rings->ringbufs[i], err);

	return ret < 0 ? read_failed(ret, rings->ringbufs[i].stream, err) : 0;
}

int rings_drain(struct rings *rings, struct error *err)
{
	int ret = 0;

	for (unsigned int i = 0; !ret && i < rings->nr_perf; i++)
		ret = read_perf(rings, i, err);
	for (unsigned int i = 0; !ret && i < rings->nr_ringbufs; i++)
		ret = read_ringbuf(rings, i, err);
	return ret;
}

/* Read the rings that epoll reports, up to 64; the rest are reported next time. */
static int read_ready(struct rings *rings, struct error *err)
{
	struct epoll_event ready[64];
	const int nr = sys_epoll_wait(rings->sys, rings->epoll_fd, ready,
				      sizeof(ready) / sizeof(ready[0]), 0);
	int ret = 0;

	if (nr < 0 && nr != -EINTR) {
		error_set(err, -nr, "%s", error_strerror(-nr));
		return cannot_wait(nr, err);
	}
	for (int i = 0; !ret && i < nr; i++) {
		const unsigned int index = ready[i].data.u64;

		if (ready[i].data.u64 >> 32 == RINGBUF)
			ret = read_ringbuf(rings, index, err);
		else
			ret = read_perf(rings, index, err);
	}
	return ret;
}

int rings_read(struct rings *rings, bool ready, struct error *err)
{
	const bool due = rings->nr_streams && !rings_due_ms(rings);
	int ret = ready ? read_ready(rings, err) : 0;

	if (!ret && due) {
		ret = rings_drain(rings, err);
		rings->due_ns = sys_monotonic_ns() + rings->latency_ms * 1000000ull;
	}
	return ret;
}
