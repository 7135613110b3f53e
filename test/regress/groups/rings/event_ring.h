/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Rings of bpf-output events, and the records in them as the kernel wrote them. */
#ifndef PLOAD_REGRESS_EVENT_RING_H
#define PLOAD_REGRESS_EVENT_RING_H

#include "test/regress/groups/rings/event_slot.h"

struct event_ring {
	int fd;			/* owned */
	struct perf_event_mmap_page *page;	/* owned; NULL: not mapped */
	size_t map_size, size;
	const unsigned char *data;
	uint64_t at;		/* the offset of the next record */
};

/*
 * ring_attr() - the attributes of a bpf-output event: PERF_SAMPLE_RAW, and a wake-up for each
 * record. ring_open() - open such an event for all tasks on the CPU @cpu, with @pages data pages
 * (0: not mapped), read-only if @overwrite. ring_close() closes it.
 */
struct perf_event_attr ring_attr(void);
void ring_open(struct regress *t, struct event_ring *ring, struct perf_event_attr *attr, int cpu,
	       unsigned int pages, bool overwrite);
void ring_close(struct regress *t, struct event_ring *ring);

/* One record: its header, and the bytes after it. */
struct ring_record {
	struct perf_event_header header;
	unsigned char bytes[65536];
};

/*
 * ring_next() - copy the next record, and free its room in the ring; false: there is none.
 * ring_peek() - copy the record at @ring->at, of a ring that is written over.
 */
bool ring_next(struct regress *t, struct event_ring *ring, struct ring_record *record);
void ring_peek(const struct event_ring *ring, struct ring_record *record);

/* ring_raw() - the size in a PERF_RECORD_SAMPLE that has PERF_SAMPLE_RAW alone. */
uint32_t ring_raw(const struct ring_record *record);

#endif
