// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Probes with signatures: registers, system calls, returns.
#include <linux/bpf.h>
#include <linux/ptrace.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1024);
	__type(key, __u32);
	__type(value, __u64);
} since SEC(".maps");

__u64 longest;

SEC("kprobe/do_nanosleep")
int BPF_KPROBE(entered, void *timer, int mode)
{
	__u32 tid = bpf_get_current_pid_tgid();
	__u64 now = bpf_ktime_get_ns();

	if (timer && mode >= 0)
		bpf_map_update_elem(&since, &tid, &now, BPF_ANY);
	return 0;
}

SEC("kretprobe/do_nanosleep")
int BPF_KRETPROBE(left, long ret)
{
	__u32 tid = bpf_get_current_pid_tgid();
	__u64 *began = bpf_map_lookup_elem(&since, &tid);

	if (began && ret == 0 && bpf_ktime_get_ns() - *began > longest)
		longest = bpf_ktime_get_ns() - *began;
	bpf_map_delete_elem(&since, &tid);
	return 0;
}

SEC("ksyscall/kill")
int BPF_KSYSCALL(killed, int pid, int signal)
{
	bpf_printk("%d gets %d", pid, signal);
	return 0;
}

SEC("uprobe/libc.so.6:malloc")
int BPF_UPROBE(allocated, unsigned long size)
{
	longest += size;
	return 0;
}

SEC("uretprobe/libc.so.6:malloc")
int BPF_URETPROBE(got, void *where)
{
	longest += !where;
	return 0;
}

SEC("raw_tp/sched_switch")
int BPF_PROG(switched, _Bool preempt)
{
	longest += preempt;
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
