// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The tests of a quick run, those that are about this project's loader, and what a kernel needs for each. */
#include "test/regress/groups/groups.h"
#include "test/regress/harness/parts.h"

const char *const regress_quick[] = {
	"basics/*", "binding/*", "cookies/*", "queries/*", "link_info/*", "attrs_begin/*", "records/*",
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
