/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The two kinds of rings through which the kernel passes records: perf rings and ring buffers. */
#ifndef PLOAD_CORE_READ_RING_H
#define PLOAD_CORE_READ_RING_H

#include <linux/perf_event.h>

#include "loader/core/kernel/kernel.h"
#include "loader/core/read/rings.h"

/* The records of one map. */
struct record_stream {
	const char *map;	/* borrowed; name of the map */
	struct record_sink sink;	/* owned; readers pass every record to it */
	uint64_t records;	/* number of records read */
	int map_fd;		/* borrowed; PERF_EVENT_ARRAY only */
	unsigned int pages;	/* data pages of each perf ring; 0: a ring buffer */
	bool one_ring;		/* see struct ring_map */
	bool cannot_count_lost;	/* the kernel has no PERF_FORMAT_LOST (Linux 6.0) */
	uint64_t overwritten;	/* bytes of records that a ring buffer overwrote before they were
				 * read */
};

/*
 * A reader releases space to the kernel this many times per round of the ring. Doing it less often
 * is faster: the kernel reads the position's cache line for every record.
 */
#define RING_RELEASES 16

/* The ring of a CPU, from the event in element @cpu of a PERF_EVENT_ARRAY. */
struct perf_ring {
	struct record_stream *stream;	/* borrowed */
	int cpu;
	int event_fd;		/* owned; -1: none */
	struct perf_event_mmap_page *page;	/* owned mapping of map_size bytes */
	size_t map_size;
	const unsigned char *data;	/* the data pages */
	uint64_t size;		/* bytes of data, a power of two */
	uint64_t tail;		/* read position; copied to data_tail for the kernel */
	uint64_t lost;		/* records that the kernel reported as dropped */
	uint64_t lost_before;	/* for the caller: lost by already closed events of this CPU */
	bool dead;		/* for the caller: the CPU is offline */
};

/**
 * perf_ring_open() - Open a bpf-output event on @cpu, map its ring, and store it in the stream's
 * map.
 *
 * On failure @ring is empty; the error context is "CPU n".
 */
int perf_ring_open(struct sys *sys, struct perf_ring *ring, struct record_stream *stream, int cpu,
		   struct error *err);

/**
 * perf_ring_read() - Pass on the records up to the current data_head, so that the function returns
 * even on a busy CPU.
 * @scratch: PERF_RING_SCRATCH bytes, for a record that wraps at the end of the ring.
 *
 * Return: number of records, or -errno; -EIO: invalid contents, which are skipped.
 */
int perf_ring_read(struct perf_ring *ring, unsigned char *scratch, struct error *err);
#define PERF_RING_SCRATCH 65536

/**
 * perf_ring_count_lost() - Read the number of lost records from the event (PERF_FORMAT_LOST, 6.0).
 *
 * PERF_RECORD_LOST is written only when a later record fits, so it misses the final losses.
 */
int perf_ring_count_lost(struct sys *sys, struct perf_ring *ring, struct error *err);

void perf_ring_close(struct sys *sys, struct perf_ring *ring);

/* The ring of a RINGBUF map. */
struct ringbuf {
	struct record_stream *stream;	/* borrowed */
	int map_fd;		/* borrowed */
	uint64_t *consumer;	/* owned mapping of one page */
	const uint64_t *producer;	/* owned mapping: one page plus twice the data */
	const unsigned char *data;	/* mapped twice back to back, so that no record wraps */
	uint64_t size;		/* a power of two */
	size_t page_size;
	unsigned char *copy;	/* owned; space for a record; NULL: not an overwriting ring */
};

/* Analogous to the perf_ring functions. */
int ringbuf_open(struct sys *sys, struct ringbuf *ring, struct record_stream *stream, int map_fd,
		 uint32_t size, uint32_t map_flags, struct error *err);
int ringbuf_read(struct ringbuf *ring, struct error *err);
void ringbuf_close(struct sys *sys, struct ringbuf *ring);

#endif
