// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// CO-RE and typed tracing: a program that includes a vmlinux.h instead of any kernel header.
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/bpf_core_read.h>

struct task_struct___renamed {
	long state;
} __attribute__((preserve_access_index));

struct pair {
	u64 a;
	u64 b;
};

extern int LINUX_KERNEL_VERSION __kconfig;
extern enum libbpf_tristate CONFIG_EXT4_FS __kconfig __weak;
extern const void init_task __ksym;
extern void bpf_rcu_read_lock(void) __ksym __weak;

u64 results[32];

SEC("tp_btf/sched_switch")
int BPF_PROG(on_switch, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	struct task_struct___renamed *old = (void *)prev;
	char comm[16];
	pid_t pid;

	results[0] = BPF_CORE_READ(prev, pid);
	results[1] = BPF_CORE_READ(next, real_parent, real_parent, pid);
	results[2] = (u64)BPF_CORE_READ(next, mm, exe_file);
	BPF_CORE_READ_INTO(&pid, prev, real_parent, pid);
	BPF_CORE_READ_INTO(&comm, prev, real_parent, comm);
	BPF_CORE_READ_STR_INTO(&comm, prev, comm);
	bpf_core_read(&pid, sizeof(pid), &next->pid);
	bpf_core_read_str(comm, sizeof(comm), &next->comm);
	results[3] = pid + comm[0] + preempt;

	if (bpf_core_field_exists(old->state))
		results[4] = BPF_CORE_READ(old, state);
	results[5] = bpf_core_field_exists(struct task_struct, pid);
	results[6] = bpf_core_field_offset(struct task_struct, comm);
	results[7] = bpf_core_field_size(prev->comm);
	results[8] = bpf_core_type_exists(struct task_struct);
	results[9] = bpf_core_type_size(struct task_struct);
	results[10] = bpf_core_type_id_local(struct pair);
	results[10] += bpf_core_type_id_kernel(struct task_struct);
	results[11] = bpf_core_enum_value_exists(enum bpf_map_type, BPF_MAP_TYPE_RINGBUF);
	results[12] = bpf_core_enum_value(enum bpf_map_type, BPF_MAP_TYPE_RINGBUF);
	return 0;
}

SEC("raw_tp/sched_switch")
int BPF_PROG(bits, bool preempt, struct task_struct *prev)
{
	results[13] = BPF_CORE_READ_BITFIELD_PROBED(prev, in_execve);
	results[14] = BPF_PROBE_READ(prev, pid) + preempt;
	results[15] = BPF_CORE_READ_USER((struct task_struct *)results[0], pid);
	results[16] = BPF_PROBE_READ_USER((struct pair *)results[0], b);
	BPF_PROBE_READ_INTO(&results[17], (struct pair *)prev, b);
	return 0;
}

SEC("fentry/do_nanosleep")
int BPF_PROG(typed)
{
	struct task_struct *task = bpf_get_current_task_btf();

	results[18] = BPF_CORE_READ_BITFIELD(task, in_execve) + LINUX_KERNEL_VERSION;
	results[19] = (u64)&init_task + (CONFIG_EXT4_FS == TRI_YES);
	if (bpf_ksym_exists(bpf_rcu_read_lock))
		bpf_rcu_read_lock();
	return 0;
}

SEC("fentry/by_value")
int BPF_PROG2(by_value, struct pair, p, int, n, char, c)
{
	results[20] = p.a + p.b + n + c;
	return 0;
}

SEC("iter/task")
int walk(struct bpf_iter__task *ctx)
{
	if (ctx->task)
		BPF_SEQ_PRINTF(ctx->meta->seq, "%d %s\n", ctx->task->pid, ctx->task->comm);
	return 0;
}

SEC("ksyscall/openat")
int BPF_KSYSCALL(open_at, int dfd, const char *path, int flags, int mode)
{
	char name[64];

	bpf_probe_read_user_str(name, sizeof(name), path);
	results[21] = dfd + flags + mode;
	return 0;
}

SEC("kprobe")
int core_regs(struct pt_regs *ctx)
{
	u64 ret;

	BPF_KPROBE_READ_RET_IP(ret, ctx);
	results[22] = PT_REGS_PARM1_CORE(ctx) + PT_REGS_PARM5_CORE(ctx) + PT_REGS_RC_CORE(ctx);
	results[23] = PT_REGS_SP_CORE(ctx) + PT_REGS_IP_CORE(ctx) + PT_REGS_FP_CORE(ctx) + ret;
	results[24] = PT_REGS_PARM1_CORE_SYSCALL(ctx) + PT_REGS_PARM4_CORE_SYSCALL(ctx);
	results[25] = PT_REGS_PARM6_CORE_SYSCALL(ctx) + PT_REGS_PARM2_SYSCALL(ctx);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
