/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Split the time to load an object: inside bpf(2), which is the kernel's, and outside. It is the
 * CPU time of this thread, which other processes do not affect.
 */
#ifndef PLOAD_BENCH_SPLIT_H
#define PLOAD_BENCH_SPLIT_H

struct split {
	double begin_ms;		/* split_begin() */
	double enter_ms;		/* the start of the current bpf(2) */
	double in_bpf_ms;		/* in all of them */
	unsigned int bpf_calls;
};

/* split_prepare() - First measure the cost of reading the clock, which is subtracted. */
void split_prepare(void);

/*
 * split_enter(), split_leave() - Call before and after bpf(2): the time in between is the kernel's.
 * errno is preserved.
 */
void split_enter(struct split *s);
void split_leave(struct split *s);

/* split_begin() - Start a round. split_end() - A round of loading @object is over. */
void split_begin(struct split *s);
void split_end(const struct split *s, const char *object);

/*
 * split_report() - Print the figures of each object: the minimal time outside bpf(2), and the
 * number of bpf(2) calls. At most 24 objects.
 */
void split_report(const char *subject);

#endif
