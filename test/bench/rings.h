/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Readers of rings that are measured side by side: pload's and libbpf's. */
#ifndef PLOAD_BENCH_RINGS_H
#define PLOAD_BENCH_RINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A reader that counts the records of a ring, and does nothing else with them. */
struct ring_reader {
	const char *name;
	/* Open the ring of @map_fd with @size bytes: a perf ring of @cpu, or a ring buffer. */
	void *(*open)(int map_fd, bool is_perf, int cpu, size_t size);
	uint64_t (*drain)(void *ring);	/* read what is there, and return the number of records */
	void (*rewind)(void *ring);	/* the next drain() reads those of the last one again */
	void (*wait)(void *ring);	/* for records, a few ms at most, and read them */
	uint64_t (*records)(void *ring);	/* all that were read */
	uint64_t (*lost)(void *ring);	/* those of a perf ring that the kernel dropped */
	void (*close)(void *ring);
};

extern const struct ring_reader reader_pload, reader_libbpf;

#endif
