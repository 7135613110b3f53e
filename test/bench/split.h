/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * How the time of loading an object is split: in bpf(2), which is the kernel's, and outside of it.
 * It is the time of this thread on a CPU, which no other process makes longer.
 */
#ifndef PLOAD_BENCH_SPLIT_H
#define PLOAD_BENCH_SPLIT_H

struct split {
	double begin_ms;		/* split_begin() */
	double enter_ms;		/* the call of bpf(2) under way began */
	double in_bpf_ms;		/* in all of them */
	unsigned int bpf_calls;
};

/* split_prepare() - Measure first what reading the clock costs, which is subtracted. */
void split_prepare(void);

/* split_enter(), split_leave() - Enclose bpf(2): the time between is the kernel's. errno stays. */
void split_enter(struct split *s);
void split_leave(struct split *s);

/* split_begin() - Begin a round; split_end() - one more round of loading @object is over. */
void split_begin(struct split *s);
void split_end(const struct split *s, const char *object);

/*
 * split_report() - Print figures of each object: the least time outside of bpf(2), and the number
 * of bpf(2) calls. At most 24 objects.
 */
void split_report(const char *subject);

#endif
