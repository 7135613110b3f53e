/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Programs of other users on the tracepoints that tests use. */
#ifndef PLOAD_REGRESS_OTHERS_H
#define PLOAD_REGRESS_OTHERS_H

#include "test/regress/common/kinds.h"

/* The kernel's BPF_TRACE_MAX_PROGS: how many programs a tracepoint takes, of all users together. */
#define OTHERS_MOST 64

/*
 * others_on() - the number of programs on the tracepoint or probe of an event, whoever bound them;
 * 0 if the kernel cannot tell.
 */
uint32_t others_on(struct sys *sys, int event_fd);

/*
 * others_none() - skip the test if the event's tracepoint has programs: if one of them returns 0,
 * no event on that tracepoint counts or samples (perf_call_bpf_enter()).
 */
void others_none(struct regress *t, int event_fd, const char *event);

/* others_none_on() - the same for an event of that kind, which is opened to find out. */
void others_none_on(struct regress *t, const struct kind *kind);

/*
 * others_choose() - of some rarely used tracepoints, choose the one with the fewest programs.
 * *@programs: their number, which may change when others attach or detach.
 */
struct kind others_choose(struct regress *t, uint32_t *programs);

#endif
