/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* How the time of loading an object is split: in bpf(2), which is the kernel's, and outside of it. */
#ifndef PLOAD_BENCH_SPLIT_H
#define PLOAD_BENCH_SPLIT_H

#include <stdint.h>

struct split {
	double begin_ms;	/* since when */
	double enter_ms;	/* when the bpf(2) under way began */
	double in_bpf_ms;	/* in all of them */
	unsigned int bpf_calls;
};

/* split_enter(), split_leave() - around bpf(2): the time between is the kernel's. Keep errno. */
void split_enter(struct split *s);
void split_leave(struct split *s);

/* split_begin() - from now on; split_end() - one more round of loading @object is over. */
void split_begin(struct split *s);
void split_end(const struct split *s, const char *object);

/*
 * split_report() - the medians of the rounds of each object, as "NAME OBJECT: ...". At most 8
 * objects and 64 rounds.
 */
void split_report(const char *name);

#endif
