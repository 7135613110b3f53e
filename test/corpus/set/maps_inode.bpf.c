// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Inode storage, which requires a kernel with the BPF LSM.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

struct {
	__uint(type, BPF_MAP_TYPE_INODE_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, __u64);
} of_inodes SEC(".maps");

__u64 calls;

SEC("perf_event")
int sample(void *ctx)
{
	(void)ctx;
	calls++;
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
