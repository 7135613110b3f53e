// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Timers in a map's value, with the helpers that work on them. */
#include "test/regress/bpf/helper_prog.h"
#include "test/regress/bpf/map.h"

struct timed {
	struct bpf_timer timer;
};

MAP(timers, ARRAY, 1, __u32, struct timed);

static int ring(void *map, __u32 *key, struct timed *value)
{
	struct helper_io *mine = io_get();

	if (mine)
		mine->out[0]++;
	return 0;
}

static __always_inline struct timed *timed_get(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&timers, &zero);
}

HELPER(timer_init)
{
	struct timed *timed = timed_get();

	if (timed)
		io->ret[0] = bpf_timer_init(&timed->timer, &timers, 1);
}

HELPER(timer_set_callback)
{
	struct timed *timed = timed_get();

	if (timed)
		io->ret[0] = bpf_timer_set_callback(&timed->timer, ring);
}

HELPER(timer_start)
{
	struct timed *timed = timed_get();

	if (timed)
		io->ret[0] = bpf_timer_start(&timed->timer, 1000000, 0);
}

HELPER(timer_cancel)
{
	struct timed *timed = timed_get();

	if (timed)
		io->ret[0] = bpf_timer_cancel(&timed->timer);
}

/* All of them in one program. in[0]: nanoseconds until it rings; in[1]: it is cancelled at once. */
HELPER(timer_all)
{
	struct timed *timed = timed_get();

	if (!timed)
		return;
	io->ret[0] = bpf_timer_init(&timed->timer, &timers, 1);
	io->ret[1] = bpf_timer_set_callback(&timed->timer, ring);
	io->ret[2] = bpf_timer_start(&timed->timer, io->in[0], 0);
	if (io->in[1])
		io->ret[3] = bpf_timer_cancel(&timed->timer);
}
