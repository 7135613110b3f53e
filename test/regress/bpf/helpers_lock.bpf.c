// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Spin locks in a map's value, and the helpers that lock and unlock them. */
#include "test/regress/bpf/helper_prog.h"
#include "test/regress/bpf/map.h"

struct locked {
	struct bpf_spin_lock lock;
	__u32 value;
};

MAP(locks, ARRAY, 1, __u32, struct locked);

static __always_inline void lock_and_unlock(struct helper_io *io)
{
	__u32 zero = 0;
	struct locked *locked = bpf_map_lookup_elem(&locks, &zero);

	if (!locked)
		return;
	bpf_spin_lock(&locked->lock);
	locked->value++;
	bpf_spin_unlock(&locked->lock);
	io->out[0]++;
}

HELPER(spin_lock)
{
	lock_and_unlock(io);
}

HELPER(spin_unlock)
{
	lock_and_unlock(io);
}
