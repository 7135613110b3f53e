/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The ring of an event: its records, and the fields of samples. */
#ifndef PLOAD_REGRESS_SAMPLES_H
#define PLOAD_REGRESS_SAMPLES_H

#include "test/regress/common/happen.h"

struct samples {
	const struct happen *h;
	struct perf_event_mmap_page *page;
	size_t map_size;
	uint64_t tail;		/* the end of the part that has been read */
	bool backward;		/* the newest record comes first, and records are not consumed */
};

#define SAMPLE_MAX 4096

/* A record. If it is not a sample, only its type and bytes are set. */
struct sample {
	uint32_t type;		/* PERF_RECORD_* */
	uint64_t identifier, ip, time, addr, id, stream_id, period;
	uint32_t pid, tid, cpu;
	const uint64_t *chain;	/* in bytes */
	uint64_t nr_chain;
	const unsigned char *raw;	/* likewise */
	uint32_t raw_size;
	uint64_t bytes[SAMPLE_MAX / 8];	/* the bytes after the header */
};

/*
 * samples_map() - a ring of @pages for the event. samples_map_backward(): of one that was opened
 * with write_backward; it is overwritten. samples_unmap().
 */
void samples_map(struct samples *s, const struct happen *h, unsigned int pages);
void samples_map_backward(struct samples *s, const struct happen *h, unsigned int pages);
void samples_unmap(struct samples *s);

/*
 * samples_next() - copy the next record into @one; false: there is none. samples_skip() - consume
 * all records, and return the number of samples.
 */
bool samples_next(struct samples *s, struct sample *one);
unsigned int samples_skip(struct samples *s);

/* samples_poll() - poll(2) the event for @ms. Returns the reported events. */
short samples_poll(const struct happen *h, int ms);

#endif
