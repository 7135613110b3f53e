// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Who opens files, and what goes wrong: a probe where a function of the kernel begins, and one where
// it returns.
#include <linux/bpf.h>
#include <linux/ptrace.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#define MAX_ERRNO 4095	/* include/linux/err.h: pointers above -4096 are errors */

struct who {
	char comm[16];
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 4096);
	__type(key, struct who);
	__type(value, __u64);
} opens SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 256);
	__type(key, __u32);	/* errno */
	__type(value, __u64);
} errors SEC(".maps");

__u64 dropped;

static void count(void *map, const void *key)
{
	__u64 *n = bpf_map_lookup_elem(map, key), one = 1;

	if (n)
		__sync_fetch_and_add(n, 1);
	else if (bpf_map_update_elem(map, key, &one, BPF_NOEXIST))
		__sync_fetch_and_add(&dropped, 1);
}

/*
 * struct file *do_filp_open(int dfd, struct filename *pathname, const struct open_flags *op)
 *
 * The context is the processor's registers as the function found them. Which of them hold the
 * arguments depends on the machine, and PT_REGS_PARM1() ... know that. No kernel promises that a
 * function keeps its name, its arguments or its place: this one has been there since Linux 2.6, and
 * is called do_file_open by 7.2. What stands behind "or=" is taken where the first is not there.
 */
SEC("kprobe/do_filp_open,or=kprobe:do_file_open")
int on_open(struct pt_regs *ctx)
{
	struct who who;

	bpf_get_current_comm(who.comm, sizeof(who.comm));
	count(&opens, &who);
	return 0;
}

/* The arguments are gone when it returns; the macro takes what it returns out of the registers. */
SEC("kretprobe/do_filp_open,or=kretprobe:do_file_open")
int BPF_KRETPROBE(on_opened, long file)
{
	__u32 error;

	if (file < -MAX_ERRNO || file >= 0)
		return 0;
	error = -file;
	count(&errors, &error);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
