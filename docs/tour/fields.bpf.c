// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// One CO-RE relocation of each kind, for co_re.c: fields, bit fields, types and enumerators of the
// kernel.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>

#define KERNEL_TYPE __attribute__((preserve_access_index))

/* Only the members that are used, at offsets that no kernel has. */
struct sched_info {
	unsigned long long run_delay;
} KERNEL_TYPE;

struct task_struct {
	int tgid;
	char comm[16];
	struct sched_info sched_info;
	struct {
		int exit_code;
	};
	unsigned int filler : 3;
	unsigned int sched_reset_on_fork : 1;
} KERNEL_TYPE;

/* The same struct for CO-RE, as kernels before 5.14 had it: "___" and what follows is ignored. */
struct task_struct___old {
	volatile long state;
} KERNEL_TYPE;

enum bpf_map_type___kernel {
	BPF_MAP_TYPE_ARRAY___here = 99,
	BPF_MAP_TYPE_NEVER___here = 100,
};

SEC("raw_tracepoint")
int fields(void *ctx)
{
	struct task_struct *task = (void *)bpf_get_current_task();
	struct task_struct___old *old = (void *)task;
	long sum;

	sum = BPF_CORE_READ(task, sched_info.run_delay);
	sum += BPF_CORE_READ(task, exit_code);
	sum += BPF_CORE_READ_BITFIELD_PROBED(task, sched_reset_on_fork);
	if (bpf_core_field_exists(old->state))
		sum += BPF_CORE_READ(old, state);
	sum += bpf_core_field_size(task->tgid);
	sum += bpf_core_field_offset(task->comm[3]);
	sum += bpf_core_field_offset(task[1].tgid);
	sum += __builtin_preserve_field_info(task->exit_code, BPF_FIELD_SIGNED);
	sum += bpf_core_type_exists(struct task_struct___old);
	sum += bpf_core_type_size(struct sched_info);
	sum += bpf_core_type_id_local(struct sched_info);
	sum += bpf_core_type_id_kernel(struct sched_info);
	sum += bpf_core_enum_value(enum bpf_map_type___kernel, BPF_MAP_TYPE_ARRAY___here);
	sum += bpf_core_enum_value_exists(enum bpf_map_type___kernel, BPF_MAP_TYPE_NEVER___here);
	return sum & 1;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
