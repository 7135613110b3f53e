// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Count who opens files and which errors occur: one probe is on the entry of a kernel function, the
// other on its return.
#include <linux/bpf.h>
#include <linux/ptrace.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#define MAX_ERRNO 4095	/* include/linux/err.h: a pointer in [-4095, -1] is an error number. */

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
 * The context holds the processor's registers at the function's entry. The machine determines which
 * of them contain the arguments; PT_REGS_PARM1() and its siblings hide that difference. The kernel
 * may rename, change or inline any function: do_filp_open() has existed since Linux 2.6, and Linux
 * 7.2 calls it do_file_open(). pload attaches to the name after "or=" if the first does not exist.
 */
SEC("kprobe/do_filp_open,or=kprobe:do_file_open")
int on_open(struct pt_regs *ctx)
{
	struct who who;

	bpf_get_current_comm(who.comm, sizeof(who.comm));
	count(&opens, &who);
	return 0;
}

/* The arguments are not available at the return; the macro reads the return value instead. */
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
