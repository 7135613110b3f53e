// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Spin locks in a map's value, and the helpers that lock and unlock them. */
#include "test/regress/bpf/helper_prog.h"

struct locked {
	struct bpf_spin_lock lock;
	__u32 value;
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct locked);
} locks SEC(".maps");

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
