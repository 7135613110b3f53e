// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Helpers of perf_event programs that need no map but those of Linux 4.20: a program for each. */
#include <linux/ptrace.h>

#include "test/regress/bpf/helper_prog.h"
#include "test/regress/bpf/map.h"

#include <bpf/bpf_tracing.h>
#include <bpf/bpf_core_read.h>

MAP(hash, HASH, 4, __u32, __u64);
MAP(percpu, PERCPU_ARRAY, 1, __u32, __u64);

struct {
	__uint(type, BPF_MAP_TYPE_QUEUE);
	__uint(max_entries, 2);
	__uint(value_size, 8);
} queue SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_STACK);
	__uint(max_entries, 2);
	__uint(value_size, 8);
} stack SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_STACK_TRACE);
	__uint(max_entries, 16);
	__uint(key_size, 4);
	__uint(value_size, 127 * 8);
} traces SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PROG_ARRAY);
	__uint(max_entries, 2);
	__uint(key_size, 4);
	__uint(value_size, 4);
} calls SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_CGROUP_ARRAY);
	__uint(max_entries, 2);
	__uint(key_size, 4);
	__uint(value_size, 4);
} cgroups SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, 4);
	__uint(value_size, 4);
} events SEC(".maps");

/* --- of the event itself --- */

HELPER(perf_event_output)
{
	__u64 value = io->in[0];

	io->ret[0] = bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU, &value, sizeof(value));
}

HELPER(perf_event_read)
{
	io->ret[0] = bpf_perf_event_read(&events, BPF_F_CURRENT_CPU);
}

HELPER(perf_event_read_value)
{
	io->ret[0] = bpf_perf_event_read_value(&events, BPF_F_CURRENT_CPU, (void *)io->out, 24);
}

HELPER(perf_prog_read_value)
{
	io->ret[0] = bpf_perf_prog_read_value(ctx, (void *)io->out, 24);
	io->ret[1] = bpf_perf_prog_read_value(ctx, (void *)&io->out[3], 16);
}

HELPER(get_stackid)
{
	io->ret[0] = bpf_get_stackid(ctx, &traces, BPF_F_USER_STACK);
	io->ret[1] = bpf_get_stackid(ctx, &traces, BPF_F_USER_STACK);
	io->ret[2] = bpf_get_stackid(ctx, &traces, 1ULL << 40);
	io->out[0] = PT_REGS_IP(&ctx->regs);
}

HELPER(get_stack)
{
	io->ret[0] = bpf_get_stack(ctx, &io->out[1], 56, BPF_F_USER_STACK);
	io->ret[1] = bpf_get_stack(ctx, io->text, 8, 1ULL << 40);
	io->out[0] = PT_REGS_IP(&ctx->regs);
}

HELPER(read_branch_records)
{
	io->ret[0] = bpf_read_branch_records(ctx, io->out, 48, 0);
	io->ret[1] = bpf_read_branch_records(ctx, NULL, 0, BPF_F_GET_BRANCH_RECORDS_SIZE);
	io->ret[2] = bpf_read_branch_records(ctx, io->out, 48, 2);
}

HELPER(get_branch_snapshot)
{
	io->ret[0] = bpf_get_branch_snapshot(io->out, 48, 0);
	io->ret[1] = bpf_get_branch_snapshot(io->out, 48, 1);
}

HELPER(get_attach_cookie)
{
	io->out[0] = bpf_get_attach_cookie(ctx);
}

HELPER(get_func_ip)
{
	io->out[0] = bpf_get_func_ip(ctx);
}

/* --- maps --- */

HELPER(map_lookup_elem)
{
	__u32 key = 1;
	__u64 *value = bpf_map_lookup_elem(&hash, &key);

	if (value)
		io->out[0] = (*value)++;
	key = 2;
	io->out[1] = !bpf_map_lookup_elem(&hash, &key);
}

HELPER(map_update_elem)
{
	__u32 key = 1;
	__u64 value = io->in[0];

	io->ret[0] = bpf_map_update_elem(&hash, &key, &value, BPF_ANY);
	io->ret[1] = bpf_map_update_elem(&hash, &key, &value, BPF_NOEXIST);
	key = 2;
	io->ret[2] = bpf_map_update_elem(&hash, &key, &value, BPF_EXIST);
	io->ret[3] = bpf_map_update_elem(&hash, &key, &value, 8);
}

HELPER(map_delete_elem)
{
	__u32 key = 1;

	io->ret[0] = bpf_map_delete_elem(&hash, &key);
	io->ret[1] = bpf_map_delete_elem(&hash, &key);
}

HELPER(map_push_elem)
{
	__u64 value = 1;

	io->ret[0] = bpf_map_push_elem(&queue, &value, 0);
	value = 2;
	io->ret[1] = bpf_map_push_elem(&queue, &value, 0);
	value = 3;
	io->ret[2] = bpf_map_push_elem(&queue, &value, 0);
	io->ret[3] = bpf_map_push_elem(&queue, &value, BPF_EXIST);
}

HELPER(map_pop_elem)
{
	io->ret[0] = bpf_map_pop_elem(&queue, &io->out[0]);
	io->ret[1] = bpf_map_pop_elem(&stack, &io->out[1]);
	io->ret[2] = bpf_map_pop_elem(&queue, &io->out[2]);
	io->ret[3] = bpf_map_pop_elem(&queue, &io->out[3]);
}

HELPER(map_peek_elem)
{
	io->ret[0] = bpf_map_peek_elem(&queue, &io->out[0]);
	io->ret[1] = bpf_map_peek_elem(&stack, &io->out[1]);
	io->ret[2] = bpf_map_peek_elem(&queue, &io->out[2]);
}

HELPER(map_lookup_percpu_elem)
{
	__u32 key = 0;
	__u64 *value = bpf_map_lookup_percpu_elem(&percpu, &key, io->in[0]);

	if (value)
		io->out[0] = *value;
	io->out[1] = !bpf_map_lookup_percpu_elem(&percpu, &key, 1 << 20);
}

HELPER(tail_call)
{
	io->out[0] = 1;
	bpf_tail_call(ctx, &calls, io->in[0]);
	io->out[1] = 1;
}

SEC("?perf_event")
int tail_called(struct bpf_perf_event_data *ctx)
{
	struct helper_io *mine = io_get();

	if (mine)
		mine->out[2] = 1;
	return 1;
}

/* --- times and numbers --- */

HELPER(ktime_get_ns)
{
	io->out[0] = bpf_ktime_get_ns();
	io->out[1] = bpf_ktime_get_ns();
}

HELPER(ktime_get_boot_ns)
{
	io->out[0] = bpf_ktime_get_boot_ns();
	io->out[1] = bpf_ktime_get_boot_ns();
}

HELPER(jiffies64)
{
	io->out[0] = bpf_jiffies64();
	io->out[1] = bpf_jiffies64();
}

HELPER(get_smp_processor_id)
{
	io->out[0] = bpf_get_smp_processor_id();
}

HELPER(get_numa_node_id)
{
	io->out[0] = bpf_get_numa_node_id();
}

HELPER(get_prandom_u32)
{
	for (int i = 0; i < 8; i++)
		io->out[i] = bpf_get_prandom_u32();
}

/* --- the task --- */

HELPER(get_current_pid_tgid)
{
	io->out[0] = bpf_get_current_pid_tgid();
}

HELPER(get_ns_current_pid_tgid)
{
	struct bpf_pidns_info info = { 0 };

	io->ret[0] = bpf_get_ns_current_pid_tgid(io->in[0], io->in[1], &info, sizeof(info));
	io->out[0] = info.pid;
	io->out[1] = info.tgid;
	io->ret[1] = bpf_get_ns_current_pid_tgid(io->in[0], io->in[1] + 1, &info, sizeof(info));
	io->out[2] = info.pid;
}

HELPER(get_current_uid_gid)
{
	io->out[0] = bpf_get_current_uid_gid();
}

HELPER(get_current_comm)
{
	io->ret[0] = bpf_get_current_comm(io->text, 16);
	io->ret[1] = bpf_get_current_comm(&io->text[16], 4);
}

HELPER(get_current_task)
{
	io->out[0] = bpf_get_current_task();
	io->out[1] = bpf_get_current_task();
}

HELPER(get_current_task_btf)
{
	io->out[0] = (__u64)bpf_get_current_task_btf();
	io->out[1] = bpf_get_current_task();
}

HELPER(task_pt_regs)
{
	const bpf_user_pt_regs_t *regs =
		(const void *)bpf_task_pt_regs((void *)bpf_get_current_task_btf());

	io->ret[0] = bpf_probe_read_kernel(&io->out[0], 8, &PT_REGS_IP(regs));
	io->out[1] = PT_REGS_IP(&ctx->regs);
}

HELPER(get_task_stack)
{
	io->ret[0] = bpf_get_task_stack((void *)bpf_get_current_task_btf(), io->out, 64, 0);
	io->ret[1] = bpf_get_task_stack((void *)bpf_get_current_task_btf(), io->text, 8,
				       1ULL << 40);
}

HELPER(send_signal)
{
	io->ret[0] = bpf_send_signal(io->in[0]);
	io->ret[1] = bpf_send_signal(1000);
}

HELPER(send_signal_thread)
{
	io->ret[0] = bpf_send_signal_thread(io->in[0]);
	io->ret[1] = bpf_send_signal_thread(1000);
}

HELPER(current_task_under_cgroup)
{
	io->ret[0] = bpf_current_task_under_cgroup(&cgroups, 0);
	io->ret[1] = bpf_current_task_under_cgroup(&cgroups, 1);
	io->ret[2] = bpf_current_task_under_cgroup(&cgroups, 2);
}

HELPER(get_current_cgroup_id)
{
	io->out[0] = bpf_get_current_cgroup_id();
}

HELPER(get_current_ancestor_cgroup_id)
{
	io->out[0] = bpf_get_current_ancestor_cgroup_id(0);
	io->out[1] = bpf_get_current_ancestor_cgroup_id(1000);
}
