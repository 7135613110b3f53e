/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The rings of a session, through which records pass from the kernel to sinks. */
#ifndef PLOAD_CORE_READ_RINGS_H
#define PLOAD_CORE_READ_RINGS_H

#include "elf/bytes.h"
#include "elf/error.h"
#include "loader/core/sys/cpus.h"

struct sys;

/* A record, in its ring or copied. */
struct record {
	struct bytes bytes;
	int cpu;		/* CPU on which it was written; -1: unknown */
	bool padded;		/* from a perf ring: size and data together are padded to 8 bytes */
};

/* Consumes the records of a map. The sink that prints them is in core/print/record.h. */
struct record_sink {
	/* Called for each record, in order. Returns 0, or -errno to stop reading. */
	int (*record)(void *arg, const struct record *record, struct error *err);
	void (*end)(void *arg);	/* no more records: release @arg; or NULL */
	void *arg;
};

/* A map whose records are read. */
struct ring_map {
	const char *name;	/* borrowed */
	int fd;			/* borrowed */
	bool one_ring;		/* CPUs that have a ring; records of other CPUs are lost */
	struct record_sink sink;	/* owned by the rings after the call */
};

/* All PERF_EVENT_ARRAY and RINGBUF maps of a session. */
struct rings;

/*
 * rings_new() - Create an empty set. A perf ring wakes its reader only when it is a quarter full,
 * so this latency in milliseconds bounds how long a record waits.
 */
#define RINGS_LATENCY_MS 50
struct rings *rings_new(struct sys *sys);

/**
 * rings_add_perf() - Open a bpf-output event on each of @cpus, map its ring (@pages data pages, a
 *	power of two), and put the event into the PERF_EVENT_ARRAY @map.
 * rings_add_ringbuf() - Map the ring of the RINGBUF map @map; @size is its max_entries. With
 * BPF_F_RB_OVERWRITE in @map_flags, reading starts at the oldest remaining record.
 * @map: copied.
 *
 * The error context is the CPU; the caller adds the map.
 */
int rings_add_perf(struct rings *rings, const struct ring_map *map, const struct cpu_list *cpus,
		   unsigned int pages, struct error *err);
int rings_add_ringbuf(struct rings *rings, const struct ring_map *map, uint32_t size,
		      uint32_t map_flags, struct error *err);

/**
 * rings_cpu_gone() - Mark the rings of @cpu, which went offline, as dead.
 * rings_cpu_online() - Open a new ring for @cpu, which is online (again), in each PERF_EVENT_ARRAY.
 * Reads what is left in the dead ring and counts its lost records.
 *
 * Return: the number of rings, or -errno.
 */
unsigned int rings_cpu_gone(struct rings *rings, int cpu);
int rings_cpu_online(struct rings *rings, int cpu, struct error *err);

/* rings_set_fd_limit() - Allow RLIMIT_NOFILE to be raised for rings. @room is borrowed. */
struct fd_limit;
void rings_set_fd_limit(struct rings *rings, struct fd_limit *room);

/**
 * rings_begin_waiting() - Open the epoll set for all rings, including those added later.
 * rings_fd() - Return it (borrowed): readable while a ring is ready; -1: no epoll set.
 * rings_due_ms() - Return the milliseconds until the latency expires; -1: no rings.
 * rings_read() - Read the rings that are ready (if @ready), and all rings if the latency has
 * expired.
 *
 * Return: 0 or -errno; -EIO if a ring has invalid contents, which are skipped ("output/ring").
 */
int rings_begin_waiting(struct rings *rings, struct error *err);
int rings_fd(const struct rings *rings);
int rings_due_ms(const struct rings *rings);
int rings_read(struct rings *rings, bool ready, struct error *err);

/* rings_drain() - Read all available records without waiting. */
int rings_drain(struct rings *rings, struct error *err);

/* rings_count_lost() - Read the number of lost records of each event; call it once, at the end. */
int rings_count_lost(struct rings *rings, struct error *err);

/* The losses and memory use of one ring. */
struct ring_total {
	const char *map;	/* borrowed; name of the map */
	int cpu;		/* -1: all CPUs share the ring buffer */
	bool knows_lost;	/* the kernel counts @lost; otherwise only programs may know */
	uint64_t lost;		/* records */
	uint64_t overwritten;	/* bytes of records that were overwritten before they were read */
	uint64_t size;		/* bytes */
};

/* rings_total() - Fill in @total for ring @i. Return false if there is no such ring. */
bool rings_total(const struct rings *rings, unsigned int i, struct ring_total *total);

/*
 * rings_lost() - Return the number of records that the kernel reported as dropped.
 * rings_records() - Return the number of records read.
 */
uint64_t rings_lost(const struct rings *rings);
uint64_t rings_records(const struct rings *rings);
void rings_free(struct rings *rings);

#endif
