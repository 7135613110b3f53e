/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The rings of a session: the kernel's records, and to whom they are passed as they are read. */
#ifndef PLOAD_CORE_READ_RINGS_H
#define PLOAD_CORE_READ_RINGS_H

#include "elf/bytes.h"
#include "elf/error.h"
#include "loader/core/sys/cpus.h"

struct sys;

/* A record in its ring, or in a copy of it. */
struct record {
	struct bytes bytes;
	int cpu;		/* on which it was written; -1: not known */
	bool padded;		/* from a perf ring: size and data together are padded to 8 bytes */
};

/* Takes the records of a map. The one that prints them is in core/print/record.h. */
struct record_sink {
	/* Called with each record, in its order. Returns 0 or -errno, which ends the reading. */
	int (*record)(void *arg, const struct record *record, struct error *err);
	void (*end)(void *arg);	/* no more records come: release @arg; or NULL */
	void *arg;
};

/* A map whose records are read. */
struct ring_map {
	const char *name;	/* borrowed */
	int fd;			/* borrowed */
	bool one_ring;		/* of other CPUs than that of the ring, all records are lost */
	struct record_sink sink;	/* owned by the rings once it is passed to them */
};

/* All PERF_EVENT_ARRAY and RINGBUF maps of a session. */
struct rings;

/*
 * rings_new() - Create an empty set. A perf ring wakes its reader when a quarter of it is full,
 * which may take any time: records are read so many milliseconds after they were written, at the
 * latest.
 */
#define RINGS_LATENCY_MS 50
struct rings *rings_new(struct sys *sys);

/**
 * rings_add_perf() - Open a bpf-output event on each of @cpus, map its ring (@pages data pages, a
 *	power of two), and put the event into the PERF_EVENT_ARRAY @map.
 * rings_add_ringbuf() - Map the ring of the RINGBUF map @map; @size is its max_entries. With
 *	BPF_F_RB_OVERWRITE in @map_flags it is read from its oldest record left.
 * @map: copied.
 *
 * The error context is the CPU; the caller adds the map.
 */
int rings_add_perf(struct rings *rings, const struct ring_map *map, const struct cpu_list *cpus,
		   unsigned int pages, struct error *err);
int rings_add_ringbuf(struct rings *rings, const struct ring_map *map, uint32_t size,
		      uint32_t map_flags, struct error *err);

/**
 * rings_cpu_gone() - Mark the rings of @cpu, which is offline now, as dead.
 * rings_cpu_online() - Open a new ring for @cpu, which is online (again), in each PERF_EVENT_ARRAY.
 *	Records left in its dead ring are read, and its lost records counted.
 *
 * Return: the number of rings, or -errno.
 */
unsigned int rings_cpu_gone(struct rings *rings, int cpu);
int rings_cpu_online(struct rings *rings, int cpu, struct error *err);

/* rings_set_fd_limit() - Allow RLIMIT_NOFILE to be raised for rings. @room is borrowed. */
struct fd_limit;
void rings_set_fd_limit(struct rings *rings, struct fd_limit *room);

/**
 * rings_begin_waiting() - Open the epoll set of all rings, also of those that are added later.
 * rings_fd() - Return it (borrowed): readable while a ring is ready; -1: there is none.
 * rings_due_ms() - Return in how many milliseconds the latency is over; -1: there is no ring.
 * rings_read() - Read the records of the rings that are ready, if any is (@ready), and those of
 *	all rings if the latency is over.
 *
 * Return: 0 or -errno; -EIO when a ring has invalid contents, which are skipped ("output/ring").
 */
int rings_begin_waiting(struct rings *rings, struct error *err);
int rings_fd(const struct rings *rings);
int rings_due_ms(const struct rings *rings);
int rings_read(struct rings *rings, bool ready, struct error *err);

/* rings_drain() - Read all records that are available now, without waiting. */
int rings_drain(struct rings *rings, struct error *err);

/* rings_count_lost() - Read from each event the records it has lost; call it once, at the end. */
int rings_count_lost(struct rings *rings, struct error *err);

/* The losses of one ring, and the memory that it takes. */
struct ring_total {
	const char *map;	/* borrowed; its name */
	int cpu;		/* -1: all CPUs share the ring buffer */
	bool knows_lost;	/* the kernel counts them in @lost; else only programs may know */
	uint64_t lost;		/* records */
	uint64_t overwritten;	/* bytes of records that were overwritten before they were read */
	uint64_t size;		/* bytes */
};

/* rings_total() - Fill @total of ring @i, counted from 0. Return false if there are no more. */
bool rings_total(const struct rings *rings, unsigned int i, struct ring_total *total);

/*
 * rings_lost() - Return the number of records that the kernel has reported as dropped.
 * rings_records() - Return the number of those that were read.
 */
uint64_t rings_lost(const struct rings *rings);
uint64_t rings_records(const struct rings *rings);
void rings_free(struct rings *rings);

#endif
