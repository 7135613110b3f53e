// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Measure how a program's return value affects the samples and the count of its event. */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "loader/compare/measure/compare_internal.h"

#define DATA_PAGES 8	/* far more than the work fills */

/*
 * The ring of one event, written by the kernel and mapped by this process:
 *
 *	+-----------------------------+-----------------------------------------------+
 *	| struct perf_event_mmap_page | data: record | record | ...                   |
 *	|  .data_head ----------------|-----------------------------> end of records  |
 *	+-----------------------------+-----------------------------------------------+
 *	  1 page			DATA_PAGES pages
 *
 *	a record: struct perf_event_header { u32 type; u16 misc; u16 size }, then its members
 *	PERF_RECORD_LOST: header, u64 id, u64 lost
 *
 * See include/uapi/linux/perf_event.h.
 */
struct ring {
	struct perf_event_mmap_page *page;
	size_t page_size, size;
};

struct kept {
	uint64_t records, lost, runs, counted;
};

static int ring_open(struct sys *sys, int event_fd, struct ring *ring)
{
	const size_t page_size = sysconf(_SC_PAGESIZE), size = (1 + DATA_PAGES) * page_size;
	long addr = sys_mmap(sys, size, PROT_READ | PROT_WRITE, MAP_SHARED, event_fd, 0);

	if (sys_failed(addr))
		return addr;
	*ring = (struct ring){ (void *)addr, page_size, size };
	return 0;
}

/* Copy @size bytes at position @at, which may wrap around the end of the data. */
static void copy_out(const struct ring *ring, uint64_t at, void *to, size_t size)
{
	const size_t data = ring->size - ring->page_size;
	const char *base = (const char *)ring->page + ring->page_size;

	for (size_t i = 0; i < size; i++)
		((char *)to)[i] = base[(at + i) % data];
}

/* Count the samples and the lost ones. -EIO if the records are inconsistent. */
static int count_records(const struct ring *ring, struct kept *kept)
{
	const uint64_t head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	uint64_t at = 0;

	if (head > ring->size - ring->page_size)
		return -EIO;
	while (at < head) {
		struct perf_event_header header;
		uint64_t lost = 0;

		copy_out(ring, at, &header, sizeof(header));
		if (header.size < sizeof(header) || header.size > head - at)
			return -EIO;
		if (header.type == PERF_RECORD_LOST && header.size >= sizeof(header) + 16)
			copy_out(ring, at + sizeof(header) + 8, &lost, sizeof(lost));
		kept->records += header.type == PERF_RECORD_SAMPLE;
		kept->lost += lost;
		at += header.size;
	}
	return 0;
}

static void add_tid_to_samples(struct perf_event_attr *attr)
{
	attr->sample_type |= PERF_SAMPLE_TID;
}

/* Disable the event before reading anything, so that all counts are consistent. */
static int work(const struct compare_subject *s, struct compare_event *e,
		const struct firing_prog *prog, struct kept *kept, struct error *err)
{
	struct firing_value before, after;
	struct compare_runs runs;
	int ret = firing_prog_read(s->sys, prog, &before);

	if (ret >= 0)
		ret = compare_enable(s, e, err);
	if (ret >= 0)
		ret = compare_work(s, prog, &runs);
	if (ret >= 0)
		ret = sys_ioctl(s->sys, e->a.event_fd, PERF_EVENT_IOC_DISABLE, 0);
	if (ret >= 0)
		ret = firing_prog_read(s->sys, prog, &after);
	if (ret >= 0)
		ret = sys_read(s->sys, e->a.event_fd, &kept->counted, sizeof(kept->counted));
	if (ret < 0)
		return ret;
	kept->runs = after.own.runs - before.own.runs;
	if (s->target.tid < 0)
		kept->runs += after.others.runs - before.others.runs;
	return 0;
}

static int with_ring(const struct compare_subject *s, struct compare_event *e,
		     const struct firing_prog *prog, struct kept *kept, struct error *err)
{
	struct ring ring = { 0 };
	int ret = ring_open(s->sys, e->a.event_fd, &ring);

	if (ret < 0)
		return error_set(err, -ret, "mmap of the ring buffer: %s", error_strerror(-ret));
	ret = work(s, e, prog, kept, err);
	if (!ret)
		ret = count_records(&ring, kept);
	sys_munmap(s->sys, ring.page, ring.size);
	return ret;
}

static int measure(const struct compare_subject *s, const struct compare_cell *cell,
		   const struct firing_prog *prog, struct kept *kept, struct error *err)
{
	struct compare_event e;
	int ret = compare_open_as(s, cell, add_tid_to_samples, &e, err);

	if (!ret)
		ret = compare_bind(s, cell, &e, prog->prog_fd, err);
	if (!ret)
		ret = with_ring(s, &e, prog, kept, err);
	if (ret < 0 && !err->code)
		error_set(err, -ret, "the results cannot be read: %s", error_strerror(-ret));
	compare_close(s, &e);
	return ret;
}

static bool add(const struct compare_subject *s, const struct compare_cell *cell,
		const struct firing_prog *prog, struct json_object *records, const char *key)
{
	struct json_object *o = json_object_new_object();
	struct kept kept = { 0 };
	struct error err = { 0 };
	bool ok = value_add(records, key, o);

	if (!ok)
		return false;
	if (measure(s, cell, prog, &kept, &err) < 0) {
		ok = value_add(o, "error", doc_error(&err));
	} else {
		const uint64_t written = kept.records + kept.lost;

		ok = value_add_uint(o, "kept", kept.records) &&
		     value_add_uint(o, "dropped",
				    kept.runs > written ? kept.runs - written : 0) &&
		     value_add_uint(o, "lost", kept.lost) &&
		     value_add_uint(o, "counted", kept.counted);
	}
	error_clear(&err);
	return ok;
}

bool compare_records(const struct compare_subject *s, struct json_object *cells,
		     const bool fire[COMPARE_NR_CELLS])
{
	struct firing_prog zero;
	struct error err = { 0 };
	bool ok = true, loaded;

	/* A program that cannot distinguish tasks would also hide the event from others. */
	loaded = !firing_prog_load(s->sys, &zero, event_prog_type(s->spec), 0, &err) &&
		 (zero.tells_tasks || !event_is_tracing(s->spec));
	for (int i = 0; ok && i < COMPARE_NR_CELLS && !compare_stopped(s); i++) {
		struct json_object *cell = json_object_array_get_idx(cells, i), *records;

		if (!fire[i] || !loaded) {
			ok = value_add_null(cell, "records");
			continue;
		}
		compare_progress(s, &s->cells[i], "records kept and dropped");
		records = json_object_new_object();
		ok = value_add(cell, "records", records) &&
		     add(s, &s->cells[i], &zero, records, "returns_0") &&
		     add(s, &s->cells[i], &s->prog, records, "returns_1");
	}
	firing_prog_close(s->sys, &zero);
	error_clear(&err);
	return ok;
}
