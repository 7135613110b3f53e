// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* All rings of a session, in one epoll set: only the rings that are ready are visited. */
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
	int epoll_fd;		/* owned; rings and watched descriptors; -1: nothing is waited for yet */
	uint64_t due_ns;	/* when all rings are read, at the latest */
	struct record_buffer buffer;
	unsigned char *scratch; /* owned; PERF_RING_SCRATCH bytes once there is a perf ring */
	struct fd_limit *room;	/* borrowed; NULL: the limit of descriptors stays as it is */
};

struct rings *rings_new(struct sys *sys, struct output *out)
{
	struct rings *rings = calloc(1, sizeof(*rings));

	if (!rings)
		return NULL;
	rings->sys = sys;
	rings->out = out;
	rings->latency_ms = RINGS_LATENCY_MS;
	rings->epoll_fd = -1;
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
	sys_close_fd(rings->sys, &rings->epoll_fd);
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
		grow(&rings->ringbufs, rings->nr_ringbufs + ringbufs, sizeof(*rings->ringbufs)));
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

/* --- the epoll set --- */

/* The kind of a descriptor and its index: in epoll_event.data. */
enum { PERF_RING, RINGBUF, WATCHED };

static int add_fd(struct rings *rings, int fd, uint32_t events, uint64_t kind, unsigned int index,
		  struct error *err)
{
	int ret = sys_epoll_add(rings->sys, rings->epoll_fd, fd, events, kind << 32 | index);

	return ret < 0 ? error_set(err, -ret, "EPOLL_CTL_ADD: %s", error_strerror(-ret)) : 0;
}

/*
 * A perf event reports each watermark once, and with EPOLLET only once that its CPU is offline. A
 * ring buffer is ready while it has a record: the kernel does not announce one that it commits
 * before the reader has released the one before it.
 */
static int add_perf_fd(struct rings *rings, unsigned int i, struct error *err)
{
	if (rings->epoll_fd < 0 || !rings->perf[i].page)
		return 0;
	return add_fd(rings, rings->perf[i].event_fd, EPOLLIN | EPOLLET, PERF_RING, i, err);
}

static int add_ringbuf_fd(struct rings *rings, unsigned int i, struct error *err)
{
	if (rings->epoll_fd < 0)
		return 0;
	return add_fd(rings, rings->ringbufs[i].map_fd, EPOLLIN, RINGBUF, i, err);
}

/* A session that never waits needs no epoll set. */
static int begin_waiting(struct rings *rings, struct error *err)
{
	int ret = 0;

	if (rings->epoll_fd >= 0)
		return 0;
	rings->epoll_fd = sys_epoll_create(rings->sys);
	if (rings->epoll_fd < 0)
		ret = error_set(err, -rings->epoll_fd, "epoll_create1: %s",
				error_strerror(-rings->epoll_fd));
	for (unsigned int i = 0; !ret && i < rings->nr_perf; i++)
		ret = add_perf_fd(rings, i, err);
	for (unsigned int i = 0; !ret && i < rings->nr_ringbufs; i++)
		ret = add_ringbuf_fd(rings, i, err);
	return ret;
}

static int cannot_wait(int ret, struct error *err)
{
	error_reason(err, "output/ring");
	error_where(err, "waiting for records");
	return ret;
}

int rings_watch(struct rings *rings, int fd, unsigned int bit, struct error *err)
{
	int ret = begin_waiting(rings, err);

	if (!ret && fd >= 0)
		ret = add_fd(rings, fd, EPOLLIN, WATCHED, bit, err);
	return ret ? cannot_wait(ret, err) : 0;
}

/* --- opening --- */

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
	return add_perf_fd(rings, rings->nr_perf++, err);
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
	if (!opened)
		opened = add_perf_fd(rings, ring - rings->perf, ret < 0 ? NULL : err);
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
	return add_ringbuf_fd(rings, rings->nr_ringbufs++, err);
}

/* --- reading --- */

static int read_failed(int ret, const struct record_stream *stream, struct error *err)
{
	error_reason_default(err, "output/ring");
	error_where(err, "map '%s'", stream->format.map);
	return ret;
}

static int read_perf(struct rings *rings, unsigned int i, struct error *err)
{
	struct perf_ring *ring = &rings->perf[i];
	/* Without a page, its CPU went offline while it was reopened. */
	const int ret = ring->page ? perf_ring_read(ring, rings->scratch, err) : 0;

	return ret < 0 ? read_failed(ret, ring->stream, err) : 0;
}

static int read_ringbuf(struct rings *rings, unsigned int i, struct error *err)
{
	const int ret = ringbuf_read(&rings->ringbufs[i], err);

	return ret < 0 ? read_failed(ret, rings->ringbufs[i].stream, err) : 0;
}

static int read_all(struct rings *rings, struct error *err)
{
	int ret = 0;

	for (unsigned int i = 0; !ret && i < rings->nr_perf; i++)
		ret = read_perf(rings, i, err);
	for (unsigned int i = 0; !ret && i < rings->nr_ringbufs; i++)
		ret = read_ringbuf(rings, i, err);
	return ret;
}

/* Read the rings among the @nr that are ready. @watched: a bit for each other descriptor. */
static int read_ready(struct rings *rings, const struct epoll_event *ready, int nr, int *watched,
		      struct error *err)
{
	int ret = 0;

	for (int i = 0; i < nr; i++) {
		const uint64_t kind = ready[i].data.u64 >> 32;
		const unsigned int index = ready[i].data.u64;

		if (kind == WATCHED)
			*watched |= 1 << index;
		else if (!ret)
			ret = kind == PERF_RING ? read_perf(rings, index, err) :
						  read_ringbuf(rings, index, err);
	}
	return ret;
}

/* Pass what was read to the output, also after an error, which counts then. */
static int pass_on(struct rings *rings, int ret, struct error *err)
{
	const int passed = record_buffer_flush(&rings->buffer, rings->out, ret ? NULL : err);

	return ret ? ret : passed;
}

int rings_drain(struct rings *rings, struct error *err)
{
	const int ret = pass_on(rings, read_all(rings, err), err);

	return ret ? ret : output_flush(rings->out, err);
}

/* Return @timeout_ms, or less: until all rings are to be read. */
static int timeout_of(const struct rings *rings, int timeout_ms)
{
	const uint64_t now = sys_monotonic_ns();
	uint64_t ms;

	if (!rings->nr_streams)
		return timeout_ms;
	ms = rings->due_ns > now ? (rings->due_ns - now + 999999) / 1000000 : 0;
	return timeout_ms < 0 || (uint64_t)timeout_ms > ms ? (int)ms : timeout_ms;
}

int rings_wait(struct rings *rings, int timeout_ms, struct error *err)
{
	struct epoll_event ready[64];	/* those beyond are reported the next time */
	int nr, watched = 0, ret = output_flush(rings->out, err);

	if (ret)
		return ret;
	ret = begin_waiting(rings, err);
	if (ret)
		return cannot_wait(ret, err);
	nr = sys_epoll_wait(rings->sys, rings->epoll_fd, ready, sizeof(ready) / sizeof(ready[0]),
			    timeout_of(rings, timeout_ms));
	if (nr < 0 && nr != -EINTR) {
		error_set(err, -nr, "%s", error_strerror(-nr));
		return cannot_wait(nr, err);
	}
	ret = read_ready(rings, ready, nr, &watched, err);
	if (!ret && (!nr || sys_monotonic_ns() >= rings->due_ns)) {
		ret = read_all(rings, err);
		rings->due_ns = sys_monotonic_ns() + rings->latency_ms * 1000000ull;
	}
	ret = pass_on(rings, ret, err);
	return ret ? ret : watched;
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
