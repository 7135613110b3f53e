// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The rings of CPUs that go offline and come back. */
#include <errno.h>

#include "loader/core/read/all_rings.h"
#include "loader/core/sys/fd_limit.h"

static struct perf_ring *find_perf(struct rings *rings, const struct record_stream *stream, int cpu)
{
	for (unsigned int i = 0; i < rings->nr_perf; i++)
		if (rings->perf[i].stream == stream && rings->perf[i].cpu == cpu)
			return &rings->perf[i];
	return NULL;
}

/*
 * The event of a CPU that went offline stays dead. Read what is left in its ring, then open a new
 * one, even if reading fails.
 */
static int renew(struct rings *rings, struct perf_ring *ring, struct error *err)
{
	int ret = rings_read_perf(rings, ring, err), opened;
	uint64_t lost;

	if (ret >= 0 && ring->page)
		ret = perf_ring_count_lost(rings->sys, ring, err);
	lost = ring->lost_before + ring->lost;
	perf_ring_close(rings->sys, ring);
	do
		opened = perf_ring_open(rings->sys, ring, ring->stream, ring->cpu,
					ret < 0 ? NULL : err);
	while (opened == -EMFILE && rings_make_room(rings, 1, ret < 0 ? NULL : err));
	ring->lost_before = lost;
	if (!opened)
		opened = rings_wait_for_perf(rings, ring - rings->perf, ret < 0 ? NULL : err);
	return ret < 0 ? ret : opened;
}

unsigned int rings_cpu_gone(struct rings *rings, int cpu)
{
	unsigned int nr = 0;

	for (unsigned int i = 0; i < rings->nr_perf; i++) {
		struct perf_ring *ring = &rings->perf[i];

		nr += ring->cpu == cpu && !ring->dead;
		ring->dead |= ring->cpu == cpu;
	}
	return nr;
}

int rings_cpu_online(struct rings *rings, int cpu, struct error *err)
{
	int ret = 0, nr = 0;

	for (unsigned int i = 0; !ret && i < rings->nr_streams; i++) {
		struct record_stream *stream = rings->streams[i];
		struct perf_ring *had = find_perf(rings, stream, cpu);

		if (!stream->pages)
			continue;
		if (had)
			ret = renew(rings, had, err);
		else if (rings_grow(rings, 1, 0))
			ret = rings_open_perf(rings, stream, cpu, 1, err);
		else
			ret = error_set(err, ENOMEM, "no memory for a ring");
		if (ret)
			error_where(err, "map '%s'", stream->map);
		nr += !ret;
	}
	return ret ? ret : nr;
}
