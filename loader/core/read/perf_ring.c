// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Read the records of a PERF_EVENT_ARRAY map, which has one perf ring per CPU. mmap(2) of the
 * event:
 *
 *	page 0: struct perf_event_mmap_page	pages 1 .. 2^n: data
 *	+-------------------------------+	+--------------------------------------------+
 *	| data_head (kernel) data_tail  |	| old |record|record|record|   free          |
 *	+-------------------------------+	+-----^--------------------^-----------------+
 *						 data_tail            data_head
 *
 * Both positions only grow; position & (size - 1) is the offset. The kernel writes data_head, the
 * reader data_tail; see data_head in include/uapi/linux/perf_event.h for the barriers. A record is
 * a multiple of 8 bytes and may wrap; its header cannot:
 *
 *	struct perf_event_header	u32 type = PERF_RECORD_SAMPLE, u16 misc, u16 size
 *	u32 raw_size			of the data and its padding
 *	u8  data[raw_size]		as passed to bpf_perf_event_output(), then padding
 */
#include <errno.h>
#include <unistd.h>

#include <sys/mman.h>

#include "loader/core/read/ring.h"
#include "loader/core/sys/fd_limit.h"

static int open_event(struct sys *sys, struct perf_ring *ring, unsigned int bytes,
		      struct error *err)
{
	struct record_stream *stream = ring->stream;
	struct perf_event_attr attr;
	int fd;

	memset(&attr, 0, sizeof(attr));
	attr.type = PERF_TYPE_SOFTWARE;
	attr.size = PERF_ATTR_SIZE_VER0;
	attr.config = PERF_COUNT_SW_BPF_OUTPUT;
	attr.sample_type = PERF_SAMPLE_RAW;
	attr.sample_period = 1;
	/* Waking the reader for every record would cost the program more than the record itself. */
	attr.watermark = 1;
	attr.wakeup_watermark = bytes / 4;
	attr.read_format = stream->cannot_count_lost ? 0 : PERF_FORMAT_LOST;
	fd = sys_perf_event_open(sys, &attr, -1, ring->cpu, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd == -EINVAL && attr.read_format) {
		stream->cannot_count_lost = true;
		attr.read_format = 0;
		fd = sys_perf_event_open(sys, &attr, -1, ring->cpu, -1, PERF_FLAG_FD_CLOEXEC);
	}
	if (fd < 0) {
		error_set(err, -fd, "perf_event_open of a bpf-output event: %s",
			  error_strerror(-fd));
		fd_limit_failed(sys, -fd, NULL, 0, err);
		if (fd == -ENODEV)
			error_hint(err, "the CPU may be offline: select other CPUs with -C");
		return fd;
	}
	ring->event_fd = fd;
	return 0;
}

static int map_ring(struct sys *sys, struct perf_ring *ring, size_t page_size, unsigned int pages,
		    struct error *err)
{
	size_t size = page_size * (pages + 1UL);
	long addr = sys_mmap(sys, size, PROT_READ | PROT_WRITE, MAP_SHARED, ring->event_fd, 0);

	if (sys_failed(addr)) {
		error_set(err, -addr, "mmap of a ring of %u pages: %s", pages,
			  error_strerror(-addr));
		if (addr == -EPERM)
			error_hint(err, "without CAP_IPC_LOCK, perf_event_mlock_kb and "
					"RLIMIT_MEMLOCK limit the size");
		return addr;
	}
	ring->page = (void *)addr;
	ring->map_size = size;
	ring->data = (const unsigned char *)ring->page + page_size;
	ring->size = page_size * pages;
	ring->tail = __atomic_load_n(&ring->page->data_tail, __ATOMIC_RELAXED);
	return 0;
}

/* Do this last: an event without a ring drops records and does not count them. */
static int put_into_map(struct sys *sys, struct perf_ring *ring, int map_fd, struct error *err)
{
	uint32_t key = ring->cpu, value = ring->event_fd;
	int ret = map_update(sys, map_fd, &key, &value, BPF_ANY);

	if (!ret)
		return 0;
	error_set(err, -ret, "storing the event of the ring in the map: %s", error_strerror(-ret));
	if (ret == -E2BIG)
		error_hint(err, "the map may be too small: leave max_entries out to create one of "
				"the size needed");
	return ret;
}

int perf_ring_open(struct sys *sys, struct perf_ring *ring, struct record_stream *stream, int cpu,
		   struct error *err)
{
	const size_t page_size = sysconf(_SC_PAGESIZE);
	const unsigned int pages = stream->pages;
	int ret;

	*ring = (struct perf_ring){ .stream = stream, .cpu = cpu, .event_fd = -1 };
	if (!pages || pages & (pages - 1) || pages > UINT32_MAX / page_size) {
		ret = error_set(err, EINVAL, "a ring of %u pages: must be a power of two", pages);
		goto out;
	}
	ret = open_event(sys, ring, page_size * pages, err);
	if (!ret)
		ret = map_ring(sys, ring, page_size, pages, err);
	if (!ret)
		ret = put_into_map(sys, ring, stream->map_fd, err);
	if (!ret)
		return 0;
	perf_ring_close(sys, ring);
out:
	error_where(err, "CPU %d", cpu);
	return ret;
}

void perf_ring_close(struct sys *sys, struct perf_ring *ring)
{
	if (ring->page)
		sys_munmap(sys, ring->page, ring->map_size);
	ring->page = NULL;
	sys_close_fd(sys, &ring->event_fd);
}

int perf_ring_count_lost(struct sys *sys, struct perf_ring *ring, struct error *err)
{
	uint64_t values[2] = { 0 };	/* the event's count and the number of lost records */
	ssize_t ret;

	if (ring->stream->cannot_count_lost)
		return 0;
	ret = sys_read(sys, ring->event_fd, values, sizeof(values));
	if (ret < 0) {
		error_set(err, -ret, "reading its lost records: %s", error_strerror(-ret));
		return error_where(err, "CPU %d", ring->cpu);
	}
	if (ret == sizeof(values) && values[1] > ring->lost)
		ring->lost = values[1];
	return 0;
}

/* The range of records being read, from @pos to @end. */
struct reading {
	struct perf_ring *ring;
	unsigned char *scratch;		/* see perf_ring_read() */
	uint64_t pos, end;
	uint64_t publish_at;	/* position at which to update the kernel's next */
	int nr;			/* number of samples passed on */
	struct error *err;
};

static int corrupt(const struct reading *r, const char *what, uint64_t value)
{
	error_set(r->err, EIO, "perf ring at %llu: %s %llu is invalid", (unsigned long long)r->pos,
		  what, (unsigned long long)value);
	return error_where(r->err, "CPU %d", r->ring->cpu);
}

/* Count the losses reported by a record that is not a sample. */
static int count_lost(struct reading *r, const struct perf_event_header *header,
		      const unsigned char *at)
{
	const struct bytes body = { at + sizeof(*header), header->size - sizeof(*header) };

	switch (header->type) {
	case PERF_RECORD_LOST:		/* u64 id, u64 lost */
		if (body.size < 16)
			return corrupt(r, "size of a LOST record", header->size);
		r->ring->lost += bytes_u64(body, 8, false);
		break;
	case PERF_RECORD_LOST_SAMPLES:	/* u64 lost */
		if (body.size < 8)
			return corrupt(r, "size of a LOST_SAMPLES record", header->size);
		r->ring->lost += bytes_u64(body, 0, false);
		break;
	}
	r->pos += header->size;
	return 0;
}

/*
 * Pass on the first sample in @in and all following ones with the same header.
 *
 * Samples usually have the same size, so the header is checked once. The CPU predicts an equal
 * header and need not wait for this one to find the next.
 */
static int pass_on(struct reading *r, const struct perf_event_header *header, struct bytes in)
{
	const struct record_sink sink = r->ring->stream->sink;
	const size_t data = sizeof(*header) + 4, step = header->size;
	const unsigned char *at = in.data, *const end = at + in.size;
	struct record record = { .cpu = r->ring->cpu, .padded = true };
	int ret = 0, nr = 0;
	uint32_t size;

	if (step < data)
		return corrupt(r, "size of a sample", step);
	do {
		__builtin_prefetch(at + 4 * step);	/* prefetch into the caches */
		memcpy(&size, at + data - sizeof(size), sizeof(size));
		if (size > step - data) {
			r->pos += at - in.data;
			r->nr += nr;
			return corrupt(r, "size of a sample", size);
		}
		record.bytes = (struct bytes){ at + data, size };
		ret = sink.record(sink.arg, &record, r->err);
		nr++;
		at += step;
	} while (!ret && step <= (size_t)(end - at) && !memcmp(at, header, sizeof(*header)));
	r->pos += at - in.data;
	r->nr += nr;
	return ret;
}

/*
 * Return the record of @size bytes at r->pos and the contiguous ones after it, up to the end of
 * this batch. A record that wraps is returned alone, as a copy.
 */
static struct bytes in_one_piece(const struct reading *r, size_t size)
{
	const uint64_t off = r->pos & (r->ring->size - 1), linear = r->ring->size - off;
	uint64_t batch = r->end - r->pos;

	if (size > linear) {
		memcpy(r->scratch, r->ring->data + off, linear);
		memcpy(r->scratch + linear, r->ring->data, size - linear);
		return (struct bytes){ r->scratch, size };
	}
	if (batch > r->publish_at - r->pos)
		batch = r->publish_at - r->pos;
	if (batch > linear)
		batch = linear;
	return (struct bytes){ r->ring->data + off, batch > size ? batch : size };
}

/* Release the space of what has been read to the kernel. */
static void release(struct perf_ring *ring, uint64_t tail)
{
	ring->tail = tail;
	__atomic_store_n(&ring->page->data_tail, tail, __ATOMIC_RELEASE);
}

/* Do that in batches: see RING_RELEASES. */
static inline void publish(struct reading *r)
{
	if ((int64_t)(r->pos - r->publish_at) < 0)	/* positions wrap */
		return;
	release(r->ring, r->pos);
	r->publish_at = r->pos + r->ring->size / RING_RELEASES;
}

/* Read the records one by one. */
static int read_records(struct reading *r)
{
	int ret = 0;

	while (!ret && r->pos != r->end) {
		const uint64_t off = r->pos & (r->ring->size - 1), left = r->end - r->pos;
		struct perf_event_header header;
		struct bytes in;

		memcpy(&header, r->ring->data + off, sizeof(header));
		if (header.size < sizeof(header) || header.size % 8 || header.size > left)
			return corrupt(r, "record size", header.size);
		in = in_one_piece(r, header.size);
		ret = header.type == PERF_RECORD_SAMPLE ? pass_on(r, &header, in) :
							  count_lost(r, &header, in.data);
		publish(r);
	}
	return ret;
}

int perf_ring_read(struct perf_ring *ring, unsigned char *scratch, struct error *err)
{
	const uint64_t head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	struct reading r = { ring, scratch, .pos = ring->tail, .end = head, .err = err };
	int ret;

	r.publish_at = r.pos + ring->size / RING_RELEASES;
	if (head - r.pos > ring->size || head % 8)
		ret = corrupt(&r, "head", head);
	else
		ret = read_records(&r);
	ring->stream->records += r.nr;
	if (ret == -EIO)
		r.pos = head & ~7ULL;
	if (r.pos != ring->tail)
		release(ring, r.pos);
	return ret ? ret : r.nr;
}
