/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What tests of stacks share: a program of stacks.bpf.c on an event, and what it took. */
#ifndef PLOAD_REGRESS_STACKS_H
#define PLOAD_REGRESS_STACKS_H

#include "test/regress/bpf/stacks_io.h"
#include "test/regress/common/happen.h"
#include "test/regress/common/known.h"

/* A program that takes stacks where known_store() touches a page. */
struct taking {
	struct regress *t;
	struct regress_object o;
	struct happen h;
	const char *prog;
};

/*
 * taking_load() - @prog, which is not yet bound. taking_begin(): and bound to page faults opened
 * with @change. taking_put(): what it is asked for from here on, where known_store() runs.
 * taking_get(): what it took, in one run at least. taking_end() gives it all back.
 */
void taking_load(struct regress *t, struct taking *k, const char *prog);
void taking_begin(struct regress *t, struct taking *k, const char *prog,
		  void (*change)(struct perf_event_attr *attr));
void taking_put(struct taking *k, const struct stacks_io *io);
void taking_get(struct taking *k, struct stacks_io *io);
void taking_end(struct taking *k);

/* taking_of() - all of that: @io asks, and has the answer of known_outer(known_touch). */
void taking_of(struct regress *t, const char *prog, void (*change)(struct perf_event_attr *attr),
	       struct stacks_io *io);

/* touch() - a new page, by known_touch() below known_outer(). deep(): below @depth of itself. */
void touch(struct regress *t);
void deep(struct regress *t, unsigned int depth);

/*
 * expect_path() - @frames has, one after the other, inner, middle and outer, with what is called
 * below them in front. Where stacks cannot be walked it is only recorded.
 */
void expect_path(struct regress *t, const __u64 *frames, int64_t bytes);

/*
 * needs_frames() - @ret is what a helper returned for a stack of user space. Skips the test where
 * there are no frames because this architecture's kernel walks none.
 */
void needs_frames(struct regress *t, int64_t ret);

#endif
