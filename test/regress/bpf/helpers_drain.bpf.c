// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The helper of perf_event programs that reads what a process wrote into a ring. */
#include "test/regress/bpf/helper_prog.h"

struct {
	__uint(type, BPF_MAP_TYPE_USER_RINGBUF);
	__uint(max_entries, 65536);
} ring SEC(".maps");

struct where {
	struct helper_io *io;
};

static long take(const struct bpf_dynptr *record, struct where *where)
{
	__u64 value = 0;

	where->io->ret[2] = bpf_dynptr_read(&value, sizeof(value), record, 0, 0);
	where->io->out[0]++;
	where->io->out[1] += value;
	return value == where->io->in[0];
}

HELPER(user_ringbuf_drain)
{
	struct where where = { io };

	io->ret[0] = bpf_user_ringbuf_drain(&ring, take, &where, 0);
	io->ret[1] = bpf_user_ringbuf_drain(&ring, take, &where, 1 << 5);
}
