// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A copy of the lists in the eBPF documentation (docs.ebpf.io) of which program type may call which
 * helper, to be compared with the kernel. It is complete for perf_event programs and for the
 * helpers of perf events.
 */
#include <stddef.h>

#include "loader/observe/capabilities/capabilities.h"

/* The helpers of BPF_PROG_TYPE_PERF_EVENT. */
static const uint8_t of_perf_event[] = {
	BPF_FUNC_perf_event_output, BPF_FUNC_get_stackid, BPF_FUNC_get_stack,
	BPF_FUNC_perf_prog_read_value, BPF_FUNC_read_branch_records, BPF_FUNC_get_attach_cookie,
	BPF_FUNC_map_lookup_elem, BPF_FUNC_map_update_elem, BPF_FUNC_map_delete_elem,
	BPF_FUNC_map_push_elem, BPF_FUNC_map_pop_elem, BPF_FUNC_map_peek_elem,
	BPF_FUNC_map_lookup_percpu_elem, BPF_FUNC_ktime_get_ns, BPF_FUNC_ktime_get_boot_ns,
	BPF_FUNC_tail_call, BPF_FUNC_get_current_pid_tgid, BPF_FUNC_get_current_task,
	BPF_FUNC_get_current_task_btf, BPF_FUNC_task_pt_regs, BPF_FUNC_get_current_uid_gid,
	BPF_FUNC_get_current_comm, BPF_FUNC_trace_printk, BPF_FUNC_get_smp_processor_id,
	BPF_FUNC_get_numa_node_id, BPF_FUNC_perf_event_read, BPF_FUNC_current_task_under_cgroup,
	BPF_FUNC_get_prandom_u32, BPF_FUNC_probe_write_user, BPF_FUNC_probe_read_user,
	BPF_FUNC_probe_read_kernel, BPF_FUNC_probe_read_user_str,
	BPF_FUNC_probe_read_kernel_str, BPF_FUNC_probe_read, BPF_FUNC_probe_read_str,
	BPF_FUNC_get_current_cgroup_id, BPF_FUNC_get_current_ancestor_cgroup_id,
	BPF_FUNC_send_signal, BPF_FUNC_send_signal_thread, BPF_FUNC_perf_event_read_value,
	BPF_FUNC_get_ns_current_pid_tgid, BPF_FUNC_ringbuf_output, BPF_FUNC_ringbuf_reserve,
	BPF_FUNC_ringbuf_submit, BPF_FUNC_ringbuf_discard, BPF_FUNC_ringbuf_query,
	BPF_FUNC_jiffies64, BPF_FUNC_get_task_stack, BPF_FUNC_copy_from_user,
	BPF_FUNC_copy_from_user_task, BPF_FUNC_snprintf_btf, BPF_FUNC_per_cpu_ptr,
	BPF_FUNC_this_cpu_ptr, BPF_FUNC_task_storage_get, BPF_FUNC_task_storage_delete,
	BPF_FUNC_for_each_map_elem, BPF_FUNC_snprintf, BPF_FUNC_get_func_ip,
	BPF_FUNC_get_branch_snapshot, BPF_FUNC_find_vma, BPF_FUNC_trace_vprintk, BPF_FUNC_loop,
	BPF_FUNC_strncmp, BPF_FUNC_spin_lock, BPF_FUNC_spin_unlock, BPF_FUNC_timer_init,
	BPF_FUNC_timer_set_callback, BPF_FUNC_timer_start, BPF_FUNC_timer_cancel,
};

/* The program types of each helper of perf events, one bit each. */
#define TYPE(name) (UINT64_C(1) << BPF_PROG_TYPE_##name)

static const struct {
	uint32_t func;
	uint64_t types;
} of_types[] = {
	{ BPF_FUNC_perf_event_read,
	  TYPE(KPROBE) | TYPE(LSM) | TYPE(PERF_EVENT) | TYPE(RAW_TRACEPOINT) |
	  TYPE(RAW_TRACEPOINT_WRITABLE) | TYPE(SYSCALL) | TYPE(TRACEPOINT) |
	  TYPE(TRACING) },
	{ BPF_FUNC_perf_event_read_value,
	  TYPE(KPROBE) | TYPE(LSM) | TYPE(PERF_EVENT) | TYPE(RAW_TRACEPOINT) |
	  TYPE(RAW_TRACEPOINT_WRITABLE) | TYPE(SYSCALL) | TYPE(TRACEPOINT) |
	  TYPE(TRACING) },
	{ BPF_FUNC_perf_event_output,
	  TYPE(CGROUP_DEVICE) | TYPE(CGROUP_SKB) | TYPE(CGROUP_SOCK) |
	  TYPE(CGROUP_SOCKOPT) | TYPE(CGROUP_SOCK_ADDR) | TYPE(CGROUP_SYSCTL) |
	  TYPE(KPROBE) | TYPE(LWT_IN) | TYPE(LWT_OUT) | TYPE(LWT_SEG6LOCAL) |
	  TYPE(LWT_XMIT) | TYPE(PERF_EVENT) | TYPE(RAW_TRACEPOINT) |
	  TYPE(RAW_TRACEPOINT_WRITABLE) | TYPE(SCHED_ACT) | TYPE(SCHED_CLS) |
	  TYPE(SK_LOOKUP) | TYPE(SK_MSG) | TYPE(SK_SKB) | TYPE(SOCKET_FILTER) |
	  TYPE(SOCK_OPS) | TYPE(TRACEPOINT) | TYPE(TRACING) | TYPE(XDP) },
};

int capability_documented(uint32_t prog_type, uint32_t func)
{
	for (size_t i = 0; i < sizeof(of_types) / sizeof(of_types[0]); i++)
		if (of_types[i].func == func)
			return prog_type < 64 && of_types[i].types >> prog_type & 1;
	if (prog_type != BPF_PROG_TYPE_PERF_EVENT)
		return -1;
	for (size_t i = 0; i < sizeof(of_perf_event) / sizeof(of_perf_event[0]); i++)
		if (of_perf_event[i] == func)
			return 1;
	return 0;
}
