/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * How the time of loading an object is split: in bpf(2), which is the kernel's, and outside of it.
 */
#ifndef PLOAD_BENCH_SPLIT_H
#define PLOAD_BENCH_SPLIT_H

/* Milliseconds: on the wall, and of this thread on a CPU, which no other process makes longer. */
struct split_time {
	double wall, cpu;
};

struct split {
	struct split_time begin;	/* since when */
	struct split_time enter;	/* when the bpf(2) under way began */
	struct split_time in_bpf;	/* in all of them */
	unsigned int bpf_calls;
};

/* split_prepare() - to be called first: what asking the clocks costs is not to be counted. */
void split_prepare(void);

/* split_enter(), split_leave() - around bpf(2): the time between is the kernel's. Keep errno. */
void split_enter(struct split *s);
void split_leave(struct split *s);

/* split_begin() - from now on; split_end() - one more round of loading @object is over. */
void split_begin(struct split *s);
void split_end(const struct split *s, const char *object);

/*
 * split_report() - of the rounds of each object the least and the median, as "NAME OBJECT: ...". At
 * most 8 objects and 64 rounds.
 */
void split_report(const char *name);

#endif
