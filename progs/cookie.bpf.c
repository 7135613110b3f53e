// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Count the runs of a program for each attachment, which the program recognizes by its cookie.
#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>
#include <bpf/bpf_helpers.h>

/*
 * One program can be attached to many events. Each link can carry a cookie
 * (--attach=link --cookie=N), from which the program recognizes the event that fired. It does not
 * have to look up an address or a name.
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
	/* The cookie is 0 if the program was attached by ioctl(2), which cannot pass one. */
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
