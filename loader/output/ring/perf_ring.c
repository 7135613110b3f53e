// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Read records of a PERF_EVENT_ARRAY map, for which each CPU has a perf ring. mmap(2) of the event:
 *
 *	page 0: struct perf_event_mmap_page	pages 1 .. 2^n: data
 *	+-------------------------------+	+--------------------------------------------+
 *	| data_head (kernel) data_tail  |	| old |record|record|record|   free          |
 *	+-------------------------------+	+-----^--------------------^-----------------+
 *						 data_tail            data_head
 *
 * Both positions only grow; position & (size - 1) is the offset. The kernel writes data_head, the
 * reader data_tail; their barriers are described at data_head in include/uapi/linux/perf_event.h.
 * A record is a multiple of 8 bytes and may wrap; its header cannot:
 *
 *	struct perf_event_header	u32 type = PERF_RECORD_SAMPLE, u16 misc, u16 size
 *	u64 time			PERF_SAMPLE_TIME: only of records that are sorted
 *	u32 raw_size			of the data and its padding
 *	u8  data[raw_size]		as passed to bpf_perf_event_output(), then padding
 *
 * A ring that is mapped without PROT_WRITE has no data_tail: the kernel overwrites. With
 * write_backward it moves data_head down, and writes each record below the one before it, so that a
 * reader finds the newest record at data_head, and the older ones after it.
 */
#include <errno.h>
#include <time.h>
#include <unistd.h>

#include <sys/mman.h>

#include "loader/output/ring/ring.h"
#include "loader/sys/fd_limit.h"

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
	/* A wake-up for each record costs the program more than the record does. */
	attr.watermark = 1;
	attr.wakeup_watermark = bytes / 4;
	attr.write_backward = stream->overwrites;
	if (stream->sorter) {	/* The default clock may differ between CPUs. */
		attr.sample_type |= PERF_SAMPLE_TIME;
		attr.size = PERF_ATTR_SIZE_VER3;
		attr.use_clockid = 1;
		attr.clockid = CLOCK_MONOTONIC;
	}
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
			error_hint(err, "the CPU is offline: select others with -C");
		return fd;
	}
	ring->event_fd = fd;
	return 0;
}

static int map_ring(struct sys *sys, struct perf_ring *ring, size_t page_size, unsigned int pages,
		    struct error *err)
{
	size_t size = page_size * (pages + 1UL);
	const int prot = ring->stream->overwrites ? PROT_READ : PROT_READ | PROT_WRITE;
	long addr = sys_mmap(sys, size, prot, MAP_SHARED, ring->event_fd, 0);

	if (sys_failed(addr)) {
		error_set(err, -addr, "mmap of a ring of %u pages: %s", pages,
			  error_strerror(-addr));
		if (addr == -EPERM)
			error_hint(err, "perf_event_mlock_kb and RLIMIT_MEMLOCK allow no more "
					"without CAP_IPC_LOCK");
		return addr;
	}
	ring->page = (void *)addr;
	ring->map_size = size;
	ring->data = (const unsigned char *)ring->page + page_size;
	ring->size = page_size * pages;
	ring->tail = __atomic_load_n(&ring->page->data_tail, __ATOMIC_RELAXED);
	return 0;
}

/* Done last: an event in the map drops records without counting them until it has a ring. */
static int publish(struct sys *sys, struct perf_ring *ring, int map_fd, struct error *err)
{
	uint32_t key = ring->cpu, value = ring->event_fd;
	int ret = map_update(sys, map_fd, &key, &value, BPF_ANY);

	if (!ret)
		return 0;
	error_set(err, -ret, "storing the event of the ring in the map: %s", error_strerror(-ret));
	if (ret == -E2BIG)
		error_hint(err, "leave max_entries out to create a map of the size needed");
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
		ret = publish(sys, ring, stream->map_fd, err);
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
	uint64_t values[2] = { 0 };	/* the event's count, and the number of lost records */
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

static int corrupt(const struct perf_ring *ring, const char *what, uint64_t value,
		   struct error *err)
{
	error_set(err, EIO, "perf ring at %llu: %s %llu is invalid", (unsigned long long)ring->tail,
		  what, (unsigned long long)value);
	return error_where(err, "CPU %d", ring->cpu);
}

/* Return a copy of the record of @size bytes at @at, which wraps; a header never does. */
static const unsigned char *whole_record(const struct perf_ring *ring, const unsigned char *at,
					 size_t size, unsigned char *scratch)
{
	const size_t first = ring->data + ring->size - at;

	memcpy(scratch, at, first);
	memcpy(scratch + first, ring->data, size - first);
	return scratch;
}

/* Count what a record that is no sample reports. Its size is checked. */
static int handle_other(struct perf_ring *ring, uint32_t type, struct bytes body, struct error *err)
{
	switch (type) {
	case PERF_RECORD_LOST:		/* u64 id, u64 lost */
		if (body.size < 16)
			return corrupt(ring, "size of a LOST record", body.size + 8, err);
		ring->lost += bytes_u64(body, 8, false);
		break;
	case PERF_RECORD_LOST_SAMPLES:	/* u64 lost */
		if (body.size < 8)
			return corrupt(ring, "size of a LOST_SAMPLES record", body.size + 8, err);
		ring->lost += bytes_u64(body, 0, false);
		break;
	}
	return 0;
}

/* Give the kernel the room of what has been read. */
static void release(struct perf_ring *ring, uint64_t tail)
{
	ring->tail = tail;
	__atomic_store_n(&ring->page->data_tail, tail, __ATOMIC_RELEASE);
}

/*
 * Read what is at @at, which is a whole record. Return 0 or -errno.
 * @nr: is increased by a sample, not by others
 */
static inline int handle(struct perf_ring *ring, struct record_stream *stream,
			 struct perf_event_header header, const unsigned char *at,
			 struct record *record, int *nr, struct error *err)
{
	uint32_t room = header.size - sizeof(header), size;

	at += sizeof(header);
	if (header.type != PERF_RECORD_SAMPLE)
		return handle_other(ring, header.type, (struct bytes){ at, room }, err);
	if (stream->sorter && room >= sizeof(record->time)) {
		memcpy(&record->time, at, sizeof(record->time));
		at += sizeof(record->time);
		room -= sizeof(record->time);
	}
	if (room < sizeof(size))
		return corrupt(ring, "size of a sample", room, err);
	memcpy(&size, at, sizeof(size));
	if (size > room - sizeof(size))
		return corrupt(ring, "size of a sample", size, err);
	record->bytes = (struct bytes){ at + sizeof(size), size };
	++*nr;
	return stream->handle(stream, record, err);
}

/*
 * Positions and addresses are kept in registers: the next header is found by the position, so that
 * a detour through memory would delay each record.
 */
int perf_ring_read(struct perf_ring *ring, unsigned char *scratch, struct error *err)
{
	const uint64_t head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	const uint64_t size = ring->size, batch = size / RING_RELEASES;
	const unsigned char *const data = ring->data;
	struct record_stream *const stream = ring->stream;
	struct record record = { .cpu = ring->cpu, .padded = true };
	uint64_t tail = ring->tail, release_at = tail + batch;
	int ret = 0, n = 0;

	if (head - tail > size || head % 8)
		ret = corrupt(ring, "head", head, err);
	while (!ret && tail != head) {
		const uint64_t off = tail & (size - 1);
		const unsigned char *at = data + off;
		struct perf_event_header header;

		memcpy(&header, at, sizeof(header));
		if (header.size < sizeof(header) || header.size % 8 || header.size > head - tail) {
			ring->tail = tail;
			ret = corrupt(ring, "record size", header.size, err);
			break;
		}
		/* Records mostly have one size, and the caches load later headers meanwhile. */
		__builtin_prefetch(at + 4 * header.size);
		if (header.size > size - off)
			at = whole_record(ring, at, header.size, scratch);
		ret = handle(ring, stream, header, at, &record, &n, err);
		tail += header.size;
		if ((int64_t)(tail - release_at) < 0)
			continue;
		release(ring, tail);
		release_at = tail + batch;
	}
	release(ring, ret == -EIO ? head & ~7ULL : tail);
	return ret ? ret : n;
}

/* Stop or resume what programs write to the ring. */
static int pause_output(struct sys *sys, const struct perf_ring *ring, bool pause,
			struct error *err)
{
	const int ret = sys_ioctl(sys, ring->event_fd, PERF_EVENT_IOC_PAUSE_OUTPUT, pause);

	if (ret >= 0)
		return 0;
	error_set(err, -ret, "PERF_EVENT_IOC_PAUSE_OUTPUT: %s", error_strerror(-ret));
	return error_where(err, "CPU %d", ring->cpu);
}

/* Read from @head to the record that was the newest before, or to the end of the last whole one. */
static int read_backward(struct perf_ring *ring, uint64_t head, unsigned char *scratch,
			 struct error *err)
{
	struct record record = { .cpu = ring->cpu, .padded = true };
	uint64_t pos = head;
	int ret = 0, n = 0;

	while (!ret && pos != ring->tail && pos - head < ring->size) {
		const uint64_t off = pos & (ring->size - 1);
		const unsigned char *at = ring->data + off;
		struct perf_event_header header;

		memcpy(&header, at, sizeof(header));
		if (header.size < sizeof(header) || header.size % 8)
			return corrupt(ring, "record size", header.size, err);
		if (header.size > ring->size - (pos - head))	/* its end was overwritten */
			break;
		if (header.size > ring->size - off)
			at = whole_record(ring, at, header.size, scratch);
		ret = handle(ring, ring->stream, header, at, &record, &n, err);
		pos += header.size;
	}
	ring->overwritten += ring->tail - pos;
	return ret ? ret : n;
}

int perf_ring_read_backward(struct sys *sys, struct perf_ring *ring, unsigned char *scratch,
			    struct error *err)
{
	int ret = pause_output(sys, ring, true, err), resumed;
	uint64_t head;

	if (ret)
		return ret;
	head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	ret = head % 8 ? corrupt(ring, "head", head, err) : read_backward(ring, head, scratch, err);
	ring->tail = head;
	resumed = pause_output(sys, ring, false, ret < 0 ? NULL : err);
	return ret < 0 || !resumed ? ret : resumed;
}
