// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tables of tests: a quick run, those of this project's loader, and the options that each needs. */
#include "test/regress/groups/groups.h"
#include "test/regress/harness/parts.h"

const char *const regress_quick[] = {
	"basics/*", "binding/*", "cookies/*", "queries/*", "link_info/*", "attrs_begin/*", "records/*",
	"registers/*", "rings/*", "arena/*",
	"fires/*: runs, and stops when it is closed",
	"lifetime/page-faults*", "lifetime/tracepoint*", "lifetime/kprobe*", "lifetime/uprobe*",
	NULL
};

const char *const regress_loader[] = {
	"kprobes/a name *", "kprobes/a variable", "kprobes/behind the end", "kprobes/a return in *",
	"kprobes/an address *", "kprobes/no system call", "kprobes/one of two *",
	"kprobes/what nobody *", "calls/*", "facts/the loader *",
	NULL
};

/* These are names of bpf(2), perf_event_open(2), struct perf_event_attr, and ioctls. */
const char *const regress_abi[] = {
	"PERF_EVENT_IOC_ENABLE", "PERF_EVENT_IOC_DISABLE", "PERF_EVENT_IOC_REFRESH",
	"PERF_EVENT_IOC_RESET", "PERF_EVENT_IOC_PERIOD", "PERF_EVENT_IOC_SET_OUTPUT",
	"PERF_EVENT_IOC_SET_FILTER", "PERF_EVENT_IOC_ID", "PERF_EVENT_IOC_SET_BPF",
	"PERF_EVENT_IOC_PAUSE_OUTPUT", "PERF_EVENT_IOC_QUERY_BPF",
	"PERF_EVENT_IOC_MODIFY_ATTRIBUTES", "PERF_IOC_FLAG_GROUP", "PERF_FLAG_FD_NO_GROUP",
	"PERF_FLAG_FD_OUTPUT", "PERF_FLAG_PID_CGROUP", "PERF_FLAG_FD_CLOEXEC", "disabled",
	"inherit", "pinned", "exclusive", "exclude_user", "exclude_kernel", "exclude_hv",
	"exclude_idle", "exclude_host", "exclude_guest", "exclude_callchain_kernel",
	"exclude_callchain_user", "enable_on_exec", "remove_on_exec", "inherit_stat",
	"inherit_thread", "freq", "watermark", "precise_ip", "write_backward", "sample_id_all",
	"sigtrap", "sample_max_stack", "aux_output", "PERF_FORMAT_GROUP", "PERF_FORMAT_ID",
	"PERF_FORMAT_LOST", "PERF_SAMPLE_READ", "PERF_SAMPLE_RAW", "PERF_SAMPLE_CALLCHAIN",
	"PERF_SAMPLE_STACK_USER", "O_ASYNC", "BPF_LINK_CREATE", "BPF_LINK_UPDATE",
	"BPF_LINK_DETACH", "BPF_LINK_GET_FD_BY_ID", "BPF_LINK_GET_NEXT_ID", "BPF_OBJ_PIN",
	"BPF_OBJ_GET", "BPF_OBJ_GET_INFO_BY_FD", "BPF_PROG_ATTACH", "BPF_PROG_DETACH",
	"BPF_PROG_QUERY", "BPF_PROG_TEST_RUN", "BPF_RAW_TRACEPOINT_OPEN", "BPF_TASK_FD_QUERY",
	"BPF_ENABLE_STATS", "BPF_ITER_CREATE", "BPF_TOKEN_CREATE", "BPF_F_BEFORE",
	"BPF_F_REPLACE", "BPF_F_SLEEPABLE", "sys_pidfd_getfd",
	NULL
};

/* "@(a|b)" matches what a or b matches. */
const struct regress_need regress_needs[] = {
	{ "CONFIG_BPF_SYSCALL", "*" },
	{ "CONFIG_PERF_EVENTS", "*" },
	{ "CONFIG_BPF_EVENTS", "*" },
	{ "CONFIG_PROC_FS", "*" },
	{ "CONFIG_SYSFS", "*" },
	{ "CONFIG_TMPFS", "*" },
	{ "CONFIG_KPROBES", "*@(kprobe|kretprobe|fentry|fexit)*" },
	{ "CONFIG_KPROBE_EVENTS", "*@(kprobe|kretprobe)*" },
	{ "CONFIG_UPROBES", "*@(uprobe|uretprobe|USDT)*" },
	{ "CONFIG_UPROBE_EVENTS", "*@(uprobe|uretprobe|USDT)*" },
	{ "CONFIG_FTRACE", "*" },
	{ "CONFIG_FTRACE_SYSCALLS", "*@(syscall|tracepoint)*" },
	{ "CONFIG_DYNAMIC_FTRACE", "*@(many/|multi_links/|fentry|fexit|modify_return)*" },
	{ "CONFIG_FUNCTION_TRACER", "*@(many/|multi_links/|fentry|fexit|modify_return)*" },
	{ "CONFIG_FPROBE", "@(many|multi_links)/*kprobe*" },
	{ "CONFIG_BPF_KPROBE_OVERRIDE", "override/*" },
	{ "CONFIG_FUNCTION_ERROR_INJECTION", "override/*" },
	{ "CONFIG_BPF_LSM", "*lsm*" },
	{ "CONFIG_BPF_JIT", "@(core|struct_ops|many)/*" },
	{ "CONFIG_DEBUG_INFO_BTF", "@(core|struct_ops|many|helpers_btf)/*" },
	{ "CONFIG_KALLSYMS_ALL", "kprobes/*" },
	{ "CONFIG_CGROUPS", "*cgroup*" },
	{ "CONFIG_CGROUP_BPF", "@(points|helper_types)/*cgroup*" },
	{ "CONFIG_CGROUP_PERF", "@(fires|scope|hotplug)/*cgroup*" },
	{ "CONFIG_NET", "@(points|many|helpers_calls)/*" },
	{ "CONFIG_NET_NS", "points/*" },
	{ "CONFIG_USER_NS", "@(privilege|compare)/*" },
	{ "CONFIG_HOTPLUG_CPU", "hotplug/*" },
	{ "CONFIG_MODULES", "kprobes/*module*" },
	{ "CONFIG_SECCOMP", "reasons/*" },
	{ "CONFIG_DEBUG_FS", "short_memory/*" },
	{ "CONFIG_FAULT_INJECTION", "short_memory/*" },
	{ "CONFIG_FAILSLAB", "short_memory/*" },
	{ NULL, NULL }
};
