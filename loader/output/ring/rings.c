// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* All rings of a session, polled together. */
#include <errno.h>
#include <stdlib.h>

#include "loader/output/ring/ring.h"
#include "loader/output/ring/writer.h"
#include "loader/output/stacks/stacks.h"
#include "loader/sys/fd_limit.h"

struct rings {
	struct sys *sys;
	struct output *out;
	unsigned int latency_ms;	/* records below the wakeup watermark are read after it */
	struct record_stream **streams;		/* owned; one for each map; addresses are stable */
	unsigned int nr_streams;
	struct perf_ring *perf;			/* owned */
	unsigned int nr_perf;
	struct ringbuf *ringbufs;		/* owned */
	unsigned int nr_ringbufs;
	struct pollfd *fds; /* owned; one for each ring, and RINGS_EXTRA of the caller */
	unsigned int nr_fds;
	struct record_buffer buffer;
	unsigned char *scratch; /* owned; PERF_RING_SCRATCH bytes once there is a perf ring */
	struct fd_limit *room;	/* borrowed; NULL: the limit of descriptors stays as it is */
};

struct rings *rings_new(struct sys *sys, struct output *out)
{
	struct rings *rings = calloc(1, sizeof(*rings));

	if (!rings)
		return NULL;
	rings->fds = calloc(RINGS_EXTRA, sizeof(*rings->fds));
	if (!rings->fds) {
		free(rings);
		return NULL;
	}
	rings->sys = sys;
	rings->out = out;
	rings->latency_ms = RINGS_LATENCY_MS;
	return rings;
}

void rings_set_latency(struct rings *rings, unsigned int ms)
{
	rings->latency_ms = ms;
}

void rings_free(struct rings *rings)
{
	if (!rings)
		return;
	for (unsigned int i = rings->nr_perf; i-- > 0;)
		perf_ring_close(rings->sys, &rings->perf[i]);
	for (unsigned int i = rings->nr_ringbufs; i-- > 0;)
		ringbuf_close(rings->sys, &rings->ringbufs[i]);
	for (unsigned int i = 0; i < rings->nr_streams; i++) {
		record_writer_free(rings->streams[i]->writer);
		free(rings->streams[i]);
	}
	record_buffer_free(&rings->buffer);
	free(rings->perf);
	free(rings->ringbufs);
	free(rings->scratch);
	free(rings->streams);
	free(rings->fds);
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
static bool grow_rings(struct rings *rings, unsigned int perf, unsigned int ringbufs)
{
	return (!perf || grow(&rings->perf, rings->nr_perf + perf, sizeof(*rings->perf))) &&
	       (!ringbufs ||
		grow(&rings->ringbufs, rings->nr_ringbufs + ringbufs, sizeof(*rings->ringbufs))) &&
	       grow(&rings->fds, rings->nr_fds + perf + ringbufs + RINGS_EXTRA,
		    sizeof(*rings->fds));
}

/* Add a map's stream and allocate its rings. Return NULL if memory is short. */
static struct record_stream *add_stream(struct rings *rings, const struct record_format *format,
					unsigned int perf, unsigned int ringbufs)
{
	struct record_stream *stream = calloc(1, sizeof(*stream));

	if (!stream || !grow(&rings->streams, rings->nr_streams + 1, sizeof(*rings->streams)) ||
	    !grow_rings(rings, perf, ringbufs)) {
		free(stream);
		return NULL;
	}
	stream->handle = record_print;
	stream->out = rings->out;
	stream->format = *format;
	stream->buffer = &rings->buffer;
	if (rings->out->format->records != RECORDS_AS_MESSAGES &&
	    !stacks_has(rings->out->stacks, format->map_index))
		stream->writer = record_writer_new(format, rings->out->format->records);
	rings->streams[rings->nr_streams++] = stream;
	return stream;
}

static void add_fd(struct rings *rings, int fd)
{
	rings->fds[rings->nr_fds++] = (struct pollfd){ .fd = fd, .events = POLLIN };
}

/* After EMFILE: raise RLIMIT_NOFILE for @more rings. Return false, with a hint, if impossible. */
static bool make_room(struct rings *rings, unsigned int more, struct error *err)
{
	struct fd_limit *room = rings->room;

	if (!room)
		return false;
	/* Allow for other descriptors of the session. */
	if (fd_limit_raise(rings->sys, room, more + 64)) {
		if (err)
			error_clear(err);
		return true;
	}
	fd_limit_failed(rings->sys, EMFILE, NULL, room->to + more + 64, err);
	return false;
}

/* Open the ring of @cpu; its slot exists. @more: number of rings still to open, itself included. */
static int add_perf(struct rings *rings, struct record_stream *stream, int cpu, unsigned int more,
		    struct error *err)
{
	struct perf_ring *ring = &rings->perf[rings->nr_perf];
	int ret;

	do
		ret = perf_ring_open(rings->sys, ring, stream, cpu, err);
	while (ret == -EMFILE && make_room(rings, more, err));
	if (ret)
		return ret;
	ring->at = rings->nr_fds;
	add_fd(rings, ring->event_fd);
	rings->nr_perf++;
	return 0;
}

void rings_set_fd_limit(struct rings *rings, struct fd_limit *room)
{
	rings->room = room;
}

int rings_add_perf(struct rings *rings, int map_fd, const int *cpus, unsigned int nr_cpus,
		   unsigned int pages, const struct record_format *format, struct error *err)
{
	struct record_stream *stream = add_stream(rings, format, nr_cpus, 0);
	int ret = 0;

	if (stream && !rings->scratch)
		rings->scratch = malloc(PERF_RING_SCRATCH);
	if (!stream || !rings->scratch)
		return error_set(err, ENOMEM, "no memory for its rings");
	stream->map_fd = map_fd;
	stream->pages = pages;
	for (unsigned int i = 0; !ret && i < nr_cpus; i++)
		ret = add_perf(rings, stream, cpus[i], nr_cpus - i, err);
	return ret;
}

static struct perf_ring *find_perf(struct rings *rings, const struct record_stream *stream, int cpu)
{
	for (unsigned int i = 0; i < rings->nr_perf; i++)
		if (rings->perf[i].stream == stream && rings->perf[i].cpu == cpu)
			return &rings->perf[i];
	return NULL;
}

/*
 * The event of a CPU that went offline stays dead. Print the records left in its ring, then open a
 * new one, also when printing fails.
 */
static int renew(struct rings *rings, struct perf_ring *ring, struct error *err)
{
	const unsigned int at = ring->at;
	int ret = ring->page ? perf_ring_read(ring, rings->scratch, err) : 0, opened;
	uint64_t lost;

	if (ret >= 0 && ring->page)
		ret = perf_ring_count_lost(rings->sys, ring, err);
	lost = ring->lost_before + ring->lost;
	perf_ring_close(rings->sys, ring);
	do
		opened = perf_ring_open(rings->sys, ring, ring->stream, ring->cpu,
					ret < 0 ? NULL : err);
	while (opened == -EMFILE && make_room(rings, 1, ret < 0 ? NULL : err));
	ring->lost_before = lost;
	ring->at = at;
	rings->fds[at] = (struct pollfd){ .fd = ring->event_fd, .events = POLLIN };
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
		else if (grow_rings(rings, 1, 0))
			ret = add_perf(rings, stream, cpu, 1, err);
		else
			ret = error_set(err, ENOMEM, "no memory for a ring");
		if (ret)
			error_where(err, "map '%s'", stream->format.map);
		nr += !ret;
	}
	return ret ? ret : nr;
}

int rings_add_ringbuf(struct rings *rings, int map_fd, uint32_t size, uint32_t map_flags,
		      const struct record_format *format, struct error *err)
{
	struct record_stream *stream = add_stream(rings, format, 0, 1);
	int ret = stream ? 0 : error_set(err, ENOMEM, "no memory for its ring");

	if (!ret)
		ret = ringbuf_open(rings->sys, &rings->ringbufs[rings->nr_ringbufs], stream, map_fd,
				   size, map_flags, err);
	if (ret)
		return ret;
	rings->nr_ringbufs++;
	add_fd(rings, map_fd);
	return 0;
}

/* Read each ring once. Return 1 if there were records, 0, or -errno. */
static int read_rings(struct rings *rings, struct error *err)
{
	const char *map = NULL;
	int ret = 0, n = 0;

	for (unsigned int i = 0; ret >= 0 && i < rings->nr_perf; i++) {
		if (!rings->perf[i].page)	/* its CPU went offline while it was reopened */
			continue;
		map = rings->perf[i].stream->format.map;
		ret = perf_ring_read(&rings->perf[i], rings->scratch, err);
		n |= ret;
	}
	for (unsigned int i = 0; ret >= 0 && i < rings->nr_ringbufs; i++) {
		map = rings->ringbufs[i].stream->format.map;
		ret = ringbuf_read(&rings->ringbufs[i], err);
		n |= ret;
	}
	if (ret < 0) {
		error_reason_default(err, "output/ring");
		return error_where(err, "map '%s'", map);
	}
	return n != 0;
}

/* Read each ring once and flush. Returns as read_rings(); the first error counts. */
static int read_all(struct rings *rings, struct error *err)
{
	const int n = read_rings(rings, err);
	int ret = record_buffer_flush(&rings->buffer, rings->out, n < 0 ? NULL : err);

	if (n >= 0 && !ret)
		ret = output_flush(rings->out, err);
	return n < 0 ? n : ret ? ret : n;
}

int rings_drain(struct rings *rings, struct error *err)
{
	int ret = read_all(rings, err);

	return ret < 0 ? ret : 0;
}

/* A descriptor in error would end every poll at once. Its ring is still read. */
static void drop_broken(struct rings *rings)
{
	for (unsigned int i = 0; i < rings->nr_fds; i++)
		if (rings->fds[i].revents & (POLLERR | POLLHUP | POLLNVAL))
			rings->fds[i].fd = -1;
}

/* Return true if one of @extra was ready in the last poll. */
static bool is_ready(const struct pollfd *extra, unsigned int nr)
{
	for (unsigned int i = 0; i < nr; i++)
		if (extra[i].revents)
			return true;
	return false;
}

static int wait_for(struct rings *rings, struct pollfd *extra, unsigned int nr, int timeout_ms,
		    struct error *err)
{
	int ret;

	for (unsigned int i = 0; i < nr; i++) {
		extra[i].revents = 0;
		rings->fds[rings->nr_fds + i] = extra[i];
	}
	ret = sys_poll(rings->sys, rings->fds, rings->nr_fds + nr, timeout_ms);
	if (ret < 0 && ret != -EINTR) {
		error_set(err, -ret, "%s", error_strerror(-ret));
		error_reason(err, "output/ring");
		error_where(err, "waiting for records");
	}
	if (ret < 0)
		return ret;
	for (unsigned int i = 0; i < nr; i++)
		extra[i].revents = rings->fds[rings->nr_fds + i].revents;
	drop_broken(rings);
	return ret;
}

int rings_wait(struct rings *rings, struct pollfd *extra, unsigned int nr, int timeout_ms,
	       struct error *err)
{
	int slice, ret, n = read_all(rings, err);

	while (n == 0) {
		slice = timeout_ms;
		if (rings->nr_fds && (timeout_ms < 0 || timeout_ms > (int)rings->latency_ms))
			slice = rings->latency_ms;
		ret = wait_for(rings, extra, nr, slice, err);
		if (ret < 0 && ret != -EINTR)
			return ret;
		n = read_all(rings, err);
		if (n < 0)
			return n;
		if (ret == -EINTR || (ret > 0 && is_ready(extra, nr)))
			return ret > 0;
		if (timeout_ms == slice || timeout_ms < 0)
			return 0;
		timeout_ms -= slice;
	}
	if (n < 0)
		return n;
	/* A steady flow of records must not hide a signal from the caller. */
	ret = wait_for(rings, extra, nr, 0, err);
	return ret == -EINTR ? 0 : ret < 0 ? ret : is_ready(extra, nr);
}

int rings_count_lost(struct rings *rings, struct error *err)
{
	int ret = 0;

	for (unsigned int i = 0; !ret && i < rings->nr_perf; i++) {
		if (!rings->perf[i].page)
			continue;
		ret = perf_ring_count_lost(rings->sys, &rings->perf[i], err);
		if (ret)
			error_where(err, "map '%s'", rings->perf[i].stream->format.map);
	}
	return ret;
}

bool rings_total(const struct rings *rings, unsigned int i, struct ring_total *total)
{
	const struct perf_ring *perf = &rings->perf[i];
	const struct ringbuf *buf = &rings->ringbufs[i - rings->nr_perf];

	if (i < rings->nr_perf)
		*total = (struct ring_total){
			.map = perf->stream->format.map, .cpu = perf->cpu, .knows_lost = true,
			.lost = perf->lost_before + perf->lost, .size = perf->map_size,
		};
	else if (i - rings->nr_perf < rings->nr_ringbufs)
		*total = (struct ring_total){
			.map = buf->stream->format.map, .cpu = -1,
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
