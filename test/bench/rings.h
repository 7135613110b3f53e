/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Readers of rings to be measured side by side: pload's and libbpf's. */
#ifndef PLOAD_BENCH_RINGS_H
#define PLOAD_BENCH_RINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A reader that only counts the records of a ring. */
struct ring_reader {
	const char *name;
	/* Open the ring of @map_fd with @size bytes: the perf ring of @cpu, or a ring buffer. */
	void *(*open)(int map_fd, bool is_perf, int cpu, size_t size);
	uint64_t (*drain)(void *ring);	/* read all records, and return their number */
	void (*rewind)(void *ring);	/* make the next drain() read the same records again */
	void (*wait)(void *ring);	/* wait a few ms at most for records, and read them */
	uint64_t (*records)(void *ring);	/* all that were read */
	uint64_t (*lost)(void *ring);	/* records of a perf ring that the kernel dropped */
	void (*close)(void *ring);
};

extern const struct ring_reader reader_pload, reader_libbpf;

#endif
