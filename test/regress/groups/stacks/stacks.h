/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Shared by the tests of call stacks: a program of stacks.bpf.c on an event, and the stacks that it
 * took.
 */
#ifndef PLOAD_REGRESS_STACKS_H
#define PLOAD_REGRESS_STACKS_H

#include "test/regress/bpf/stacks_io.h"
#include "test/regress/common/happen.h"
#include "test/regress/common/known.h"

/* A program that takes a stack whenever known_store() touches a new page. */
struct taking {
	struct regress *t;
	struct regress_object o;
	struct happen h;
	const char *prog;
};

/*
 * taking_load() - load @prog, and do not bind it yet. taking_begin() - load it, and bind it to page
 * faults whose event was opened with @change. taking_put() - pass it the request for the next runs,
 * in the range of known_store(). taking_get() - get the stacks that it took, in one run at least.
 * taking_end() frees all of it.
 */
void taking_load(struct regress *t, struct taking *k, const char *prog);
void taking_begin(struct regress *t, struct taking *k, const char *prog,
		  void (*change)(struct perf_event_attr *attr));
void taking_put(struct taking *k, const struct stacks_io *io);
void taking_get(struct taking *k, struct stacks_io *io);
void taking_end(struct taking *k);

/*
 * taking_of() - all of these: pass @io as the request, take the stack of known_outer(known_touch),
 * and return it in @io.
 */
void taking_of(struct regress *t, const char *prog, void (*change)(struct perf_event_attr *attr),
	       struct stacks_io *io);

/*
 * touch() - touch a new page in known_touch(), called by known_outer(). deep() - touch one in a
 * function that calls itself @depth times.
 */
void touch(struct regress *t);
void deep(struct regress *t, unsigned int depth);

/*
 * expect_path() - check that @frames has the functions inner, middle and outer one after the other,
 * preceded by those that they call. If stacks cannot be unwound, the result is only recorded.
 */
void expect_path(struct regress *t, const __u64 *frames, int64_t bytes);

/*
 * needs_frames() - @ret is the result of a helper for a stack of user space. Skips the test if
 * there are no frames because the kernel of this architecture cannot unwind user space.
 */
void needs_frames(struct regress *t, int64_t ret);

#endif
