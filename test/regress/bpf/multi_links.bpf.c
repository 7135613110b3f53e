// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Programs on many functions, which count their calls and add up the cookies that they are given. */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

struct counts {
	__u64 entries, cookies;
} counts;

static int count(void *ctx)
{
	__sync_fetch_and_add(&counts.entries, 1);
	__sync_fetch_and_add(&counts.cookies, bpf_get_attach_cookie(ctx));
	return 0;
}

SEC("?kprobe.multi/bpf_fentry_test1")
int kernel_entry(void *ctx)
{
	return count(ctx);
}

SEC("?uprobe.multi//proc/self/exe:multi_target")
int user_entry(void *ctx)
{
	return count(ctx);
}

char LICENSE[] SEC("license") = "GPL";
