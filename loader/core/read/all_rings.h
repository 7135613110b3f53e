/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* All rings of a session: their state, and functions shared by several files. */
#ifndef PLOAD_CORE_READ_ALL_RINGS_H
#define PLOAD_CORE_READ_ALL_RINGS_H

#include "loader/core/read/ring.h"

struct rings {
	struct sys *sys;
	unsigned int latency_ms;	/* records below the wakeup watermark are read after this
					 * many */
	struct record_stream **streams;		/* owned; one per map; addresses are stable */
	unsigned int nr_streams;
	struct perf_ring *perf;			/* owned */
	unsigned int nr_perf;
	struct ringbuf *ringbufs;		/* owned */
	unsigned int nr_ringbufs;
	int epoll_fd;		/* owned; epoll set of all rings; -1: no waiting */
	uint64_t due_ns;	/* latest time to read all rings */
	unsigned char *scratch; /* owned; PERF_RING_SCRATCH bytes, allocated with the first perf
				 * ring */
	struct fd_limit *room;	/* borrowed; NULL: do not raise the descriptor limit */
};

/* rings_read_perf() - Read a perf ring, unless its CPU is offline. */
int rings_read_perf(struct rings *rings, struct perf_ring *ring, struct error *err);

/**
 * rings_wait_for_perf() - Add perf ring @i to the epoll set, if it exists.
 * rings_wait_for_ringbuf() - Add ring buffer @i.
 *
 * Return: 0 or -errno.
 */
int rings_wait_for_perf(struct rings *rings, unsigned int i, struct error *err);
int rings_wait_for_ringbuf(struct rings *rings, unsigned int i, struct error *err);

/* See rings.c. */
bool rings_make_room(struct rings *rings, unsigned int more, struct error *err);
bool rings_grow(struct rings *rings, unsigned int perf, unsigned int ringbufs);
int rings_open_perf(struct rings *rings, struct record_stream *stream, int cpu, unsigned int more,
		    struct error *err);

#endif
