// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Kernel functions, both existing and missing (weak), and iterators based on them.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

struct task_struct {
	int pid;
} __attribute__((preserve_access_index));

extern struct task_struct *bpf_task_from_pid(int pid) __ksym;
extern void bpf_task_release(struct task_struct *task) __ksym;
extern void bpf_rcu_read_lock(void) __ksym __weak;
extern void bpf_rcu_read_unlock(void) __ksym __weak;
extern int bpf_no_such_function(int what) __ksym __weak;
extern struct task_struct *bpf_task_acquire___flavour(struct task_struct *task) __ksym __weak;

int seen, sum;

SEC("tp_btf/sys_enter")
int BPF_PROG(tasks, void *regs, long id)
{
	struct task_struct *task;

	(void)regs;
	if (id != 110)
		return 0;
	task = bpf_task_from_pid(1);
	if (!task)
		return 0;
	seen = task->pid;
	bpf_task_release(task);
	if (bpf_ksym_exists(bpf_rcu_read_lock)) {
		bpf_rcu_read_lock();
		seen++;
		bpf_rcu_read_unlock();
	}
	if (bpf_ksym_exists(bpf_no_such_function))
		seen += bpf_no_such_function(seen);
	if (bpf_ksym_exists(bpf_task_acquire___flavour))
		seen++;
	return 0;
}

SEC("raw_tp/sys_enter")
int iterators(void *ctx)
{
	int i;

	(void)ctx;
	bpf_for(i, 0, 10)
		sum += i;
	bpf_repeat(3)
		sum++;
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
