// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* All rings of a session: open them and add up their losses. */
#include <errno.h>
#include <stdlib.h>

#include "loader/core/read/all_rings.h"
#include "loader/core/sys/fd_limit.h"

struct rings *rings_new(struct sys *sys)
{
	struct rings *rings = calloc(1, sizeof(*rings));

	if (!rings)
		return NULL;
	rings->sys = sys;
	rings->latency_ms = RINGS_LATENCY_MS;
	rings->epoll_fd = -1;
	return rings;
}

static void end_sink(struct record_sink *sink)
{
	if (sink->end)
		sink->end(sink->arg);
}

void rings_free(struct rings *rings)
{
	if (!rings)
		return;
	sys_close_fd(rings->sys, &rings->epoll_fd);
	for (unsigned int i = rings->nr_perf; i-- > 0;)
		perf_ring_close(rings->sys, &rings->perf[i]);
	for (unsigned int i = rings->nr_ringbufs; i-- > 0;)
		ringbuf_close(rings->sys, &rings->ringbufs[i]);
	for (unsigned int i = 0; i < rings->nr_streams; i++) {
		end_sink(&rings->streams[i]->sink);
		free(rings->streams[i]);
	}
	free(rings->perf);
	free(rings->ringbufs);
	free(rings->scratch);
	free(rings->streams);
	free(rings);
}

static bool grow(void *array, unsigned int nr, size_t size)
{
	void **p = array;
	void *more = reallocarray(*p, nr, size);

	if (more)
		*p = more;
	return more;
}

/* Make room for more rings of each kind. */
bool rings_grow(struct rings *rings, unsigned int perf, unsigned int ringbufs)
{
	return (!perf || grow(&rings->perf, rings->nr_perf + perf, sizeof(*rings->perf))) &&
	       (!ringbufs ||
		grow(&rings->ringbufs, rings->nr_ringbufs + ringbufs, sizeof(*rings->ringbufs)));
}

/* Add a map's stream and allocate its rings. Return NULL if out of memory. */
static struct record_stream *add_stream(struct rings *rings, const struct ring_map *map,
					unsigned int perf, unsigned int ringbufs)
{
	struct record_stream *stream = calloc(1, sizeof(*stream));
	struct record_sink sink = map->sink;

	if (!stream || !grow(&rings->streams, rings->nr_streams + 1, sizeof(*rings->streams)) ||
	    !rings_grow(rings, perf, ringbufs)) {
		end_sink(&sink);
		free(stream);
		return NULL;
	}
	*stream = (struct record_stream){
		.map = map->name, .map_fd = map->fd, .one_ring = map->one_ring, .sink = sink,
	};
	rings->streams[rings->nr_streams++] = stream;
	return stream;
}

/* After EMFILE: raise RLIMIT_NOFILE for @more rings. Return false and set a hint if that fails. */
bool rings_make_room(struct rings *rings, unsigned int more, struct error *err)
{
	struct fd_limit *room = rings->room;

	if (!room)
		return false;
	/* Leave room for the session's other descriptors. */
	if (fd_limit_raise(rings->sys, room, more + 64)) {
		if (err)
			error_clear(err);
		return true;
	}
	fd_limit_failed(rings->sys, EMFILE, NULL, room->to + more + 64, err);
	return false;
}

/*
 * Open the ring of @cpu, whose slot exists. @more: number of rings still to open, including this
 * one.
 */
int rings_open_perf(struct rings *rings, struct record_stream *stream, int cpu, unsigned int more,
		    struct error *err)
{
	struct perf_ring *ring = &rings->perf[rings->nr_perf];
	int ret;

	do
		ret = perf_ring_open(rings->sys, ring, stream, cpu, err);
	while (ret == -EMFILE && rings_make_room(rings, more, err));
	if (ret)
		return ret;
	return rings_wait_for_perf(rings, rings->nr_perf++, err);
}

void rings_set_fd_limit(struct rings *rings, struct fd_limit *room)
{
	rings->room = room;
}

int rings_add_perf(struct rings *rings, const struct ring_map *map, const struct cpu_list *cpus,
		   unsigned int pages, struct error *err)
{
	struct record_stream *stream = add_stream(rings, map, cpus->nr, 0);
	int ret = 0;

	if (stream && !rings->scratch)
		rings->scratch = malloc(PERF_RING_SCRATCH);
	if (!stream || !rings->scratch)
		return error_set(err, ENOMEM, "no memory for its rings");
	stream->pages = pages;
	for (unsigned int i = 0; !ret && i < cpus->nr; i++)
		ret = rings_open_perf(rings, stream, cpus->cpus[i], cpus->nr - i, err);
	return ret;
}

int rings_add_ringbuf(struct rings *rings, const struct ring_map *map, uint32_t size,
		      uint32_t map_flags, struct error *err)
{
	struct record_stream *stream = add_stream(rings, map, 0, 1);
	int ret = stream ? 0 : error_set(err, ENOMEM, "no memory for its ring");

	if (!ret)
		ret = ringbuf_open(rings->sys, &rings->ringbufs[rings->nr_ringbufs], stream,
				   map->fd, size, map_flags, err);
	if (ret)
		return ret;
	return rings_wait_for_ringbuf(rings, rings->nr_ringbufs++, err);
}

int rings_count_lost(struct rings *rings, struct error *err)
{
	int ret = 0;

	for (unsigned int i = 0; !ret && i < rings->nr_perf; i++) {
		if (!rings->perf[i].page)
			continue;
		ret = perf_ring_count_lost(rings->sys, &rings->perf[i], err);
		if (ret)
			error_where(err, "map '%s'", rings->perf[i].stream->map);
	}
	return ret;
}

bool rings_total(const struct rings *rings, unsigned int i, struct ring_total *total)
{
	const struct perf_ring *perf = &rings->perf[i];
	const struct ringbuf *buf = &rings->ringbufs[i - rings->nr_perf];

	if (i < rings->nr_perf)
		*total = (struct ring_total){
			.map = perf->stream->map, .cpu = perf->cpu,
			.knows_lost = !perf->stream->one_ring,
			.lost = perf->lost_before + perf->lost,
			.size = perf->map_size,
		};
	else if (i - rings->nr_perf < rings->nr_ringbufs)
		*total = (struct ring_total){
			.map = buf->stream->map, .cpu = -1,
			.overwritten = buf->stream->overwritten,
			.size = 2 * buf->page_size + buf->size,
		};
	else
		return false;
	return true;
}

uint64_t rings_lost(const struct rings *rings)
{
	struct ring_total total;
	uint64_t n = 0;

	for (unsigned int i = 0; rings_total(rings, i, &total); i++)
		n += total.lost;
	return n;
}

uint64_t rings_records(const struct rings *rings)
{
	uint64_t n = 0;

	for (unsigned int i = 0; i < rings->nr_streams; i++)
		n += rings->streams[i]->records;
	return n;
}
