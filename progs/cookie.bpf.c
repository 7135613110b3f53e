// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Through which attachment was I called? Counts runs by the cookie that the attachment was given.
#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>
#include <bpf/bpf_helpers.h>

/*
 * The same program can be attached to many events. A number given with each link
 * (--attach=link --cookie=N) tells it which of them fired, without a lookup by address or name.
 */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1024);
	__type(key, __u64);
	__type(value, __u64);
} runs SEC(".maps");

__u64 dropped;

SEC("perf_event")
int cookie(struct bpf_perf_event_data *ctx)
{
	/* 0 when attached by ioctl, which has no place for a cookie. */
	__u64 key = bpf_get_attach_cookie(ctx);
	__u64 *count, one = 1;

	count = bpf_map_lookup_elem(&runs, &key);
	if (count)
		__sync_fetch_and_add(count, 1);
	else if (bpf_map_update_elem(&runs, &key, &one, BPF_NOEXIST))
		__sync_fetch_and_add(&dropped, 1);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
