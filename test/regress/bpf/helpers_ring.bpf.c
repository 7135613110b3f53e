// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Helpers of perf_event programs that put records into a ring buffer. */
#include "test/regress/bpf/helper_prog.h"

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 65536);
} ring SEC(".maps");

HELPER(ringbuf_output)
{
	__u64 value = io->in[0];

	io->ret[0] = bpf_ringbuf_output(&ring, &value, sizeof(value), 0);
	io->ret[1] = bpf_ringbuf_output(&ring, &value, sizeof(value), 1 << 5);
}

HELPER(ringbuf_reserve)
{
	__u64 *room = bpf_ringbuf_reserve(&ring, 16, 0), *all;

	if (room) {
		io->out[0]++;
		bpf_ringbuf_discard(room, 0);
	}
	all = bpf_ringbuf_reserve(&ring, 65536, 0);
	if (all) {
		io->out[1]++;
		bpf_ringbuf_discard(all, 0);
	}
}

HELPER(ringbuf_submit)
{
	__u64 *room = bpf_ringbuf_reserve(&ring, 16, 0);

	if (!room)
		return;
	room[0] = io->in[0];
	room[1] = ~io->in[0];
	bpf_ringbuf_submit(room, 0);
}

HELPER(ringbuf_discard)
{
	__u64 *room = bpf_ringbuf_reserve(&ring, 16, 0);

	if (room)
		bpf_ringbuf_discard(room, 0);
}

HELPER(ringbuf_query)
{
	__u64 value = 1;

	bpf_ringbuf_output(&ring, &value, sizeof(value), BPF_RB_NO_WAKEUP);
	io->out[0] = bpf_ringbuf_query(&ring, BPF_RB_AVAIL_DATA);
	io->out[1] = bpf_ringbuf_query(&ring, BPF_RB_RING_SIZE);
	io->out[2] = bpf_ringbuf_query(&ring, BPF_RB_CONS_POS);
	io->out[3] = bpf_ringbuf_query(&ring, BPF_RB_PROD_POS);
	io->out[4] = bpf_ringbuf_query(&ring, 99);
}
