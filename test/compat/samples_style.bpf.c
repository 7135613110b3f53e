// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Legacy maps, u32 and u64, <uapi/linux/...>: a program in the style of the kernel's samples/bpf.
#include <linux/ptrace.h>
#include <linux/version.h>
#include <uapi/linux/bpf.h>
#include <uapi/linux/bpf_perf_event.h>
#include <uapi/linux/perf_event.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

struct who {
	char name[TASK_COMM_LEN];
	s32 stack;
	u32 cpu;
} __packed;

struct bpf_map_def SEC("maps") by_who = {
	.type = BPF_MAP_TYPE_PERCPU_HASH,
	.key_size = sizeof(struct who),
	.value_size = sizeof(u64),
	.max_entries = 512,
	.map_flags = BPF_F_NO_PREALLOC,
};

struct bpf_map_def SEC("maps") traces = {
	.type = BPF_MAP_TYPE_STACK_TRACE,
	.key_size = sizeof(u32),
	.value_size = sizeof(u64) * PERF_MAX_STACK_DEPTH,
	.max_entries = 512,
};

struct bpf_map_def SEC("maps") cycles = {
	.type = BPF_MAP_TYPE_PERF_EVENT_ARRAY,
	.key_size = sizeof(u32),
	.value_size = sizeof(u32),
	.max_entries = 8,
};

SEC("perf_event")
int weigh(struct bpf_perf_event_data *ctx)
{
	char message[] = "no stack at %llx";
	struct bpf_perf_event_value now = {};
	struct who who = { .cpu = bpf_get_smp_processor_id() };
	u64 *weight, first = ctx->sample_period;

	who.stack = bpf_get_stackid(ctx, &traces, BPF_F_REUSE_STACKID);
	if (who.stack < 0)
		bpf_trace_printk(message, sizeof(message), PT_REGS_IP(&ctx->regs));
	bpf_get_current_comm(who.name, sizeof(who.name));
	if (bpf_perf_prog_read_value(ctx, &now, sizeof(now)) || now.running < now.enabled)
		return 0;

	weight = bpf_map_lookup_elem(&by_who, &who);
	if (weight)
		*weight += min(ctx->sample_period, (u64)1 << 32) + max(ctx->addr & 1, 0);
	else
		bpf_map_update_elem(&by_who, &who, &first, BPF_NOEXIST);
	return 0;
}

SEC("kprobe/vfs_read")
int read_counter(struct pt_regs *regs)
{
	struct who who = { .cpu = PT_REGS_PARM3(regs) };
	u64 caller = 0, count = bpf_perf_event_read(&cycles, bpf_get_smp_processor_id());

	BPF_KPROBE_READ_RET_IP(caller, regs);
	if ((s64)count > 0 && caller)
		bpf_map_update_elem(&by_who, &who, &count, BPF_ANY);
	return 0;
}

char _license[] SEC("license") = "GPL";
u32 _version SEC("version") = LINUX_VERSION_CODE;

#ifdef bpf_target_x86
SEC("kprobe/vfs_write")
int registers(struct pt_regs *regs)
{
	return regs->ip == regs->rip && regs->di == regs->rdi;
}
#endif
