// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Write numbered records to either kind of ring, and count those that do not fit. */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#ifndef RING_FLAGS
#define RING_FLAGS 0
#endif

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
} events SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096 * 16);	/* a page of the largest that there are */
	__uint(map_flags, RING_FLAGS);
} ring SEC(".maps");

struct record {
	__u64 nr;
	char fill[48];	/* so that some lie across the end of a ring */
	__u64 again;	/* the same number */
};

volatile __u64 nr, refused, discarded;

SEC("tc")
int into_events(struct __sk_buff *ctx)
{
	struct record r = {};

	nr++;
	r.nr = r.again = nr;
	refused += bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU, &r, sizeof(r)) != 0;
	return 0;
}

/* Each third record is discarded after it was reserved. */
SEC("tc")
int into_ring(struct __sk_buff *ctx)
{
	struct record *r = bpf_ringbuf_reserve(&ring, sizeof(*r), 0);

	nr++;
	if (!r) {
		refused++;
		return 0;
	}
	__builtin_memset(r, 0, sizeof(*r));
	r->nr = r->again = nr;
	if (nr % 3) {
		bpf_ringbuf_submit(r, 0);
	} else {
		discarded++;
		bpf_ringbuf_discard(r, 0);
	}
	return 0;
}

/* Records of 1 to 16 bytes; the kernel pads those whose size is not a multiple of 8. */
SEC("tc")
int sizes_into_ring(struct __sk_buff *ctx)
{
	__u64 bytes[2];

	__builtin_memset(bytes, 0xa0 + (nr & 15), sizeof(bytes));
	refused += bpf_ringbuf_output(&ring, bytes, (nr & 15) + 1, 0) != 0;
	nr++;
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
