/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Programs of others on the tracepoints that tests use. */
#ifndef PLOAD_REGRESS_OTHERS_H
#define PLOAD_REGRESS_OTHERS_H

#include "test/regress/common/kinds.h"

/*
 * The kernel's BPF_TRACE_MAX_PROGS: a tracepoint has at most so many programs of all users
 * together.
 */
#define OTHERS_MOST 64

/*
 * others_on() - the number of programs on the tracepoint or probe of an event, whoever bound them;
 * 0 where the kernel does not answer that.
 */
uint32_t others_on(struct sys *sys, int event_fd);

/*
 * others_none() - skip the test if there are programs on the tracepoint of an event: when one of
 * them returns 0, no event on that tracepoint counts or samples (perf_call_bpf_enter()).
 */
void others_none(struct regress *t, int event_fd, const char *event);

/* others_none_on() - likewise of an event of that kind, which is opened to find out. */
void others_none_on(struct regress *t, const struct kind *kind);

/*
 * others_choose() - choose, among some rarely used tracepoints, the one with the fewest programs.
 * *@programs is their number, which may change when others attach or detach.
 */
struct kind others_choose(struct regress *t, uint32_t *programs);

#endif
