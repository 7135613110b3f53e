// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Programs that may wait for memory, and so are loaded with BPF_F_SLEEPABLE. */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

char seen[8];

SEC("uprobe.s")
int sleeps(void *ctx)
{
	return bpf_copy_from_user(seen, sizeof(seen), (void *)4096) == 0;
}

/* The program sets begun when it runs, and loops until the test sets go. */
volatile struct {
	__u64 begun, go;
} waiting SEC(".data.waiting");

static long look(__u32 round, void *unused)
{
	return waiting.go != 0;
}

static long look_often(__u32 round, void *unused)
{
	bpf_loop(1 << 6, look, 0, 0);
	return waiting.go != 0;
}

/* The program runs until the test sets go, though not for ever. */
SEC("?uprobe.s")
int waits(void *ctx)
{
	waiting.begun = 1;
	bpf_loop(1 << 23, look_often, 0, 0);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
