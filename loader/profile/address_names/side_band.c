// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Side-band events: dummy events that sample nothing, but into whose rings the kernel writes what
 * processes do. There is one on each CPU for all tasks or, without privileges, one per task of the
 * scope and CPU, which children inherit.
 *
 * A process may fork on one CPU, and its child map something on another: the records of all rings
 * are sorted by time before they are applied.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <linux/perf_event.h>

#include "loader/profile/address_names/addresses_internal.h"
#include "loader/core/sys/fd_limit.h"
#include "loader/base/calls/epoll.h"

#define RING_PAGES 32u	/* of 4 KB each; enough for 40 executed programs between two reads */

/*
 * How many bytes of records wake up pload. With few processes, files are opened immediately,
 * because they may be in a container that ends; with all processes there may be thousands per
 * second.
 */
#define WAKEUP_ALL 4096
#define WAKEUP_FEW 1

struct ring {
	struct perf_event_mmap_page *page;	/* owned mapping of map_size bytes */
	size_t map_size;
	const unsigned char *data;
	uint64_t size;		/* of data, a power of two */
	uint64_t head;		/* where this round stops reading */
	unsigned char *wrapped;	/* owned; a copy of this round's record that wraps around */
};

/* A record of this round, in its ring. */
struct timed {
	uint64_t time;
	uint32_t order;		/* among those with the same time */
	struct bytes record;
};

struct side_band {
	int epoll_fd;		/* owned */
	int *fds;		/* owned, as the events */
	uint32_t nr_fds;
	struct ring *rings;	/* owned */
	uint32_t nr_rings;
	struct timed *records;	/* owned */
	uint32_t nr;
	bool no_build_id, no_ksymbol;	/* the kernel lacks attr.build_id, attr.ksymbol */
};

/* --- open --- */

static int open_once(struct addresses *a, const struct side_band *band, pid_t pid, int cpu,
		     bool inherit)
{
	struct perf_event_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.type = PERF_TYPE_SOFTWARE;
	attr.size = sizeof(attr);
	attr.config = PERF_COUNT_SW_DUMMY;
	attr.sample_type = PERF_SAMPLE_TIME;
	attr.sample_id_all = 1;
	attr.inherit = inherit;
	attr.exclude_kernel = 1;	/* it samples nothing, and then needs no privilege */
	attr.mmap = attr.mmap2 = attr.comm = attr.comm_exec = attr.task = 1;
	attr.build_id = !band->no_build_id;
	attr.ksymbol = !band->no_ksymbol;
	attr.use_clockid = 1;
	attr.clockid = CLOCK_MONOTONIC;
	attr.watermark = 1;
	attr.wakeup_watermark = a->everyone ? WAKEUP_ALL : WAKEUP_FEW;
	return sys_perf_event_open(a->sys, &attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

/*
 * Open an event, and store it in band->fds. Print no note if the kernel is too old: without
 * build_id, files are identified by device and inode; without ksymbol, functions come from
 * /proc/kallsyms.
 */
static int open_event(struct addresses *a, struct side_band *band, pid_t pid, int cpu, bool inherit)
{
	int *grown = array_grow(band->fds, band->nr_fds, sizeof(*grown)), fd;

	if (!grown)
		return -ENOMEM;
	band->fds = grown;
	while ((fd = open_once(a, band, pid, cpu, inherit)) == -EINVAL && !band->no_ksymbol) {
		band->no_ksymbol = band->no_build_id;	/* Linux 5.1; 5.12 */
		band->no_build_id = true;
	}
	if (fd >= 0)
		band->fds[band->nr_fds++] = fd;
	return fd;
}

static int add_ring(struct addresses *a, struct side_band *band, int fd)
{
	const size_t page_size = sysconf(_SC_PAGESIZE);
	struct ring *grown = array_grow(band->rings, band->nr_rings, sizeof(*grown)), *ring;
	unsigned int pages = RING_PAGES * 4096 > page_size ? RING_PAGES * 4096 / page_size : 1;
	long addr;

	if (!grown)
		return -ENOMEM;
	band->rings = grown;
	/* EPERM: the user may not lock as much memory. Try a smaller ring. */
	do
		addr = sys_mmap(a->sys, page_size * (pages + 1), PROT_READ | PROT_WRITE, MAP_SHARED,
				fd, 0);
	while (addr == -EPERM && (pages /= 2));
	if (sys_failed(addr))
		return addr;
	ring = &band->rings[band->nr_rings++];
	*ring = (struct ring){
		.page = (void *)addr, .map_size = page_size * (pages + 1),
		.data = (const unsigned char *)addr + page_size, .size = page_size * pages,
	};
	return sys_epoll_add(a->sys, band->epoll_fd, fd, EPOLLIN, 0);
}

/* Open an event for each CPU. */
static int open_cpus(struct addresses *a, struct side_band *band, const struct cpu_list *cpus)
{
	int ret = 0;

	for (unsigned int i = 0; ret >= 0 && i < cpus->nr; i++) {
		ret = open_event(a, band, -1, cpus->cpus[i], false);
		if (ret >= 0)
			ret = add_ring(a, band, ret);
		else if (ret == -ENODEV)	/* it went offline */
			ret = 0;
	}
	return ret;
}

/* Open one for each task and CPU; those of a CPU share a ring. */
static int open_tasks(struct addresses *a, struct side_band *band, const struct cpu_list *cpus,
		      const struct event_scope *scope)
{
	int ret = 0;

	for (unsigned int i = 0; ret >= 0 && i < cpus->nr; i++) {
		int first = -1;

		for (unsigned int t = 0; ret >= 0 && t < scope->nr_tids; t++) {
			ret = open_event(a, band, scope->tids[t], cpus->cpus[i], scope->inherit);
			if (ret == -ESRCH || ret == -ENODEV) {
				ret = 0;
				continue;
			}
			if (ret >= 0 && first >= 0) {
				ret = sys_ioctl(a->sys, ret, PERF_EVENT_IOC_SET_OUTPUT, first);
			} else if (ret >= 0) {
				first = ret;
				ret = add_ring(a, band, ret);
			}
		}
	}
	return ret;
}

static void close_events(struct addresses *a, struct side_band *band)
{
	for (uint32_t i = 0; i < band->nr_rings; i++) {
		sys_munmap(a->sys, band->rings[i].page, band->rings[i].map_size);
		free(band->rings[i].wrapped);
	}
	for (uint32_t i = 0; i < band->nr_fds; i++)
		sys_close_fd(a->sys, &band->fds[i]);
	band->nr_rings = band->nr_fds = 0;
}

/* When watching, the events are already open, so that nothing is missed in between. */
int side_band_read_present(struct addresses *a, const struct event_scope *scope, struct error *err)
{
	struct event_processes processes;
	int ret;

	a->everyone = !event_scope_by_task(scope);
	if (a->everyone) {
		ret = processes_read_all(a);
		return ret ? error_set(err, -ret, "/proc: %s", error_strerror(-ret)) : 0;
	}
	ret = event_processes_list(a->sys, scope, &processes, err);
	if (ret < 0)
		return ret;
	for (unsigned int i = 0; i < processes.nr; i++)
		process_read(a, processes.list[i].pid);
	event_processes_free(&processes);
	return 0;
}

static int open_failed(struct addresses *a, int code, struct error *err)
{
	error_set(err, code, "perf_event_open of a dummy event: %s", error_strerror(code));
	if (!fd_limit_failed(a->sys, code, NULL, 0, err) && (code == EACCES || code == EPERM))
		error_hint(err, "it requires CAP_PERFMON if perf_event_paranoid is above 0; the "
				"rings also CAP_IPC_LOCK or a larger perf_event_mlock_kb");
	return err ? err->code : -code;
}

int side_band_open(struct addresses *a, const struct event_scope *scope, struct error *err)
{
	struct side_band *band = calloc(1, sizeof(*band));
	struct cpu_list cpus = { 0 };
	int ret = cpu_list_read(a->sys, "online", &cpus, err);

	if (ret || !band) {
		free(band);
		cpu_list_free(&cpus);
		return ret ? ret : error_set(err, ENOMEM, "no memory for events");
	}
	a->band = band;
	a->everyone = !event_scope_by_task(scope);
	band->epoll_fd = sys_epoll_create(a->sys);
	ret = band->epoll_fd < 0 ? band->epoll_fd : open_cpus(a, band, &cpus);
	if ((ret == -EACCES || ret == -EPERM) && !a->everyone) {
		close_events(a, band);
		ret = open_tasks(a, band, &cpus, scope);
	}
	cpu_list_free(&cpus);
	if (ret >= 0)
		return side_band_read_present(a, scope, err);
	side_band_close(a);
	side_band_read_present(a, scope, NULL);
	return open_failed(a, -ret, err);
}

int side_band_fd(const struct side_band *band)
{
	return band ? band->epoll_fd : -1;
}

void side_band_close(struct addresses *a)
{
	struct side_band *band = a->band;

	if (!band)
		return;
	close_events(a, band);
	sys_close_fd(a->sys, &band->epoll_fd);
	free(band->fds);
	free(band->rings);
	free(band->records);
	free(band);
	a->band = NULL;
}

/* --- read --- */

/* Return the whole record at @at, in one piece; headers never wrap. */
static struct bytes record_at(struct ring *ring, uint64_t at, size_t size)
{
	const uint64_t start = at & (ring->size - 1), first = ring->size - start;

	if (size <= first)
		return (struct bytes){ ring->data + start, size };
	free(ring->wrapped);
	ring->wrapped = malloc(size);
	if (!ring->wrapped)
		return (struct bytes){ 0 };
	memcpy(ring->wrapped, ring->data + start, first);
	memcpy(ring->wrapped + first, ring->data, size - first);
	return (struct bytes){ ring->wrapped, size };
}

/* Add a record to the round. Its time is its last field. */
static bool add_record(struct side_band *band, struct bytes record)
{
	struct timed *grown = array_grow(band->records, band->nr, sizeof(*grown));

	if (!grown || !record.data)
		return false;
	band->records = grown;
	band->records[band->nr] = (struct timed){
		.order = band->nr, .record = record,
		.time = bytes_u64(record, record.size - 8, false),
	};
	band->nr++;
	return true;
}

static void collect(struct addresses *a, struct side_band *band, struct ring *ring)
{
	uint64_t at = ring->page->data_tail;
	struct perf_event_header header;

	if (ring->head - at > ring->size)	/* no kernel writes such a record: skip the rest */
		at = ring->head;
	for (; at != ring->head; at += header.size) {
		memcpy(&header, ring->data + (at & (ring->size - 1)), sizeof(header));
		if (header.size < sizeof(header) + 8 || header.size % 8 ||
		    header.size > ring->head - at) {
			a->lost++;
			break;
		}
		if (!add_record(band, record_at(ring, at, header.size)))
			a->lost++;
	}
}

static int by_time(const void *a, const void *b)
{
	const struct timed *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

void side_band_read(struct addresses *a)
{
	struct side_band *band = a->band;

	if (!band)
		return;
	/*
	 * Read all heads first: whatever a record of this round depends on was written before it.
	 */
	for (uint32_t i = 0; i < band->nr_rings; i++)
		band->rings[i].head =
			__atomic_load_n(&band->rings[i].page->data_head, __ATOMIC_ACQUIRE);
	for (uint32_t i = 0; i < band->nr_rings; i++)
		collect(a, band, &band->rings[i]);
	if (band->nr)
		qsort(band->records, band->nr, sizeof(*band->records), by_time);
	for (uint32_t i = 0; i < band->nr; i++)
		record_apply(a, band->records[i].record);
	band->nr = 0;
	for (uint32_t i = 0; i < band->nr_rings; i++)
		__atomic_store_n(&band->rings[i].page->data_tail, band->rings[i].head,
				 __ATOMIC_RELEASE);
}
