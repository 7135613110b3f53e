/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The two kinds of rings that the kernel puts records into, each read out of shared memory. */
#ifndef PLOAD_OUTPUT_RING_RING_H
#define PLOAD_OUTPUT_RING_RING_H

#include <linux/perf_event.h>

#include "loader/output/output.h"

/* Where the records of one map go to. */
struct record_stream {
	struct output *out;	/* borrowed */
	struct record_format format;
	uint64_t records;
	bool cannot_count_lost;	/* the kernel has no PERF_FORMAT_LOST (Linux 6.0) */
	int map_fd;		/* borrowed; of perf rings */
	unsigned int pages;	/* of each perf ring; 0: it is a ring buffer */
	uint64_t lost;		/* by rings that are closed */
};

/*
 * record_print() - say that @bytes came, on @cpu (-1: not known). @padded: from a perf ring, whose
 * records are filled up to a multiple of eight, with the four bytes of their size.
 *
 * What is more than the fixed part of a record is its payload: packet bytes that XDP and TC
 * programs ask for in the upper half of flags. From a perf ring, up to seven more bytes are taken
 * for padding, since no packet is as short as that; and the last seven bytes of a payload, or of a
 * record whose size is not known, may be padding, which nothing in the ring tells. Padding is
 * whatever was in the ring before.
 */
int record_print(struct record_stream *stream, int cpu, struct bytes bytes, bool padded,
		 struct error *err);

/* A CPU's ring, of the event in element @cpu of a PERF_EVENT_ARRAY. */
struct perf_ring {
	struct record_stream *stream;	/* borrowed */
	int cpu;
	int event_fd;		/* owned; -1: none */
	struct perf_event_mmap_page *page;	/* owned mapping of map_size bytes */
	size_t map_size;
	const unsigned char *data;	/* the data pages */
	uint64_t size;		/* of them, a power of two */
	uint64_t tail;		/* what is read; ours alone, data_tail tells the kernel */
	uint64_t lost;		/* records the kernel says it dropped */
	unsigned int at;	/* the caller's: where it is waited for */
	bool dead;		/* the caller's: its CPU is offline */
};

/*
 * perf_ring_open() - event, mapping, place in the stream's map. Place "CPU n"; then @ring is empty.
 */
int perf_ring_open(struct sys *sys, struct perf_ring *ring, struct record_stream *stream, int cpu,
		   struct error *err);

/*
 * perf_ring_read() - print what is there at the time of the call, so that a busy CPU cannot keep us
 * here. Returns the number of records, or -errno; EIO when the ring does not hold what it should:
 * then all it holds is skipped. @scratch: 64 KiB, for a record that wraps.
 */
int perf_ring_read(struct perf_ring *ring, unsigned char *scratch, struct error *err);
#define PERF_RING_SCRATCH 65536

/*
 * perf_ring_count_lost() - ask the event how many records it dropped in all. The ring itself tells
 * only when the next record finds room, and so never about the last ones. Place "CPU n".
 */
int perf_ring_count_lost(struct sys *sys, struct perf_ring *ring, struct error *err);

void perf_ring_close(struct sys *sys, struct perf_ring *ring);

/* The ring of a RINGBUF map. */
struct ringbuf {
	struct record_stream *stream;	/* borrowed */
	int map_fd;		/* borrowed */
	uint64_t *consumer;	/* owned mapping of one page */
	const uint64_t *producer;	/* owned mapping of one page and twice the data */
	const unsigned char *data;	/* twice after each other, so that no record wraps */
	uint64_t size;		/* a power of two */
	size_t page_size;
};

/* As those above. */
int ringbuf_open(struct sys *sys, struct ringbuf *ring, struct record_stream *stream, int map_fd,
		 uint32_t size, struct error *err);
int ringbuf_read(struct ringbuf *ring, struct error *err);
void ringbuf_close(struct sys *sys, struct ringbuf *ring);

#endif
