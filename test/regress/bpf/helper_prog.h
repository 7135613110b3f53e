/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The map and the macro that every program which calls a helper begins with: the program runs its
 * body for one page fault only, that of the page in io->page.
 */
#ifndef PLOAD_REGRESS_HELPER_PROG_H
#define PLOAD_REGRESS_HELPER_PROG_H

#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>
#include <bpf/bpf_helpers.h>

#include "test/regress/bpf/helper_io.h"
#include "test/regress/bpf/map.h"

MAP(io, ARRAY, 1, __u32, struct helper_io);

static __always_inline struct helper_io *io_get(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&io, &zero);
}

/* NULL: some other page was touched, or it has run already: a page may fault again. */
static __always_inline struct helper_io *io_begin(const struct bpf_perf_event_data *ctx)
{
	struct helper_io *mine = io_get();

	if (!mine || (ctx->addr & ~4095ULL) != mine->page || mine->runs++)
		return NULL;
	return mine;
}

/* A program for each helper: do_NAME, by which the test asks for it. */
#define HELPER(name) \
	static __always_inline void name##_in(struct bpf_perf_event_data *ctx, \
					      struct helper_io *io); \
	SEC("?perf_event") int do_##name(struct bpf_perf_event_data *ctx) \
	{ \
		struct helper_io *mine = io_begin(ctx); \
		\
		if (mine) \
			name##_in(ctx, mine); \
		return 1; \
	} \
	static __always_inline void name##_in(struct bpf_perf_event_data *ctx, \
					      struct helper_io *io)

char LICENSE[] SEC("license") = "GPL";

#endif
