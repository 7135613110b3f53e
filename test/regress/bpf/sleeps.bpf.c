// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A program that may wait for memory, and so is loaded with a flag that says so. */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

char seen[8];

SEC("uprobe.s")
int sleeps(void *ctx)
{
	return bpf_copy_from_user(seen, sizeof(seen), (void *)4096) == 0;
}

char LICENSE[] SEC("license") = "GPL";
