// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Pages of what perf_event_open(2) refuses. */
#include <stddef.h>

#include "loader/tools/reasons/reasons.h"

const struct reason reasons_perf_open[] = {
	{ "perf-open/no-pmu", "the machine has no PMU that counts hardware events",
	  "perf_init_event() in kernel/events/core.c asks the PMU that is registered for the "
	  "type, and ENOENT is left when none takes it. pload finds no core PMU in sysfs.",
	  "ls /sys/bus/event_source/devices has no cpu (x86), armv8_* or the like; dmesg | grep "
	  "-i 'performance events'.",
	  "-e cpu-clock samples by a timer, everywhere. A virtual machine has a PMU only where "
	  "the hypervisor gives it one (-cpu host,pmu=on)." },
	{ "perf-open/no-event", "no PMU of this machine takes this event",
	  "The event_init() of each PMU answers ENOENT for what is not its own; a processor's "
	  "PMU says it, or EOPNOTSUPP or ENODEV, for events that it does not have.",
	  "ls /sys/bus/event_source/devices/*/events",
	  "pload list shows the events that there are. -e TYPE:CONFIG asks for a number as it "
	  "is." },
	{ "perf-open/no-sampling", "its PMU counts and cannot sample, so a program would never run",
	  "perf_event_open() in kernel/events/core.c: EOPNOTSUPP for a period on a PMU with "
	  "PERF_PMU_CAP_NO_INTERRUPT; others (msr, uncore, RAPL) say EINVAL in event_init(). "
	  "pload opens it as a counter, and it opens.",
	  "perf stat -e EVENT works, perf record -e EVENT does not.",
	  "Let a program on another event read it: pload --counter=MAP:EVENT, and "
	  "bpf_perf_event_read_value() in the program." },
	{ "perf-open/no-filter", "its PMU cannot leave out user, kernel, host or guest",
	  "perf_try_init_event() in kernel/events/core.c: EINVAL for exclude_* on a PMU with  "
	  "PERF_PMU_CAP_NO_EXCLUDE. pload opens it without, and it opens.",
	  "Leave out the modifier behind the last ':' of the event.",
	  "Count all, and tell them apart in the program: ctx->regs, bpf_get_current_pid_tgid()." },
	{ "perf-open/precise", "its PMU has no samples that precise",
	  "x86_pmu_hw_config() in arch/x86/events/core.c: EOPNOTSUPP for a precise_ip above "
	  "what the processor's PEBS or IBS does; other architectures take 0 only.",
	  "cat /sys/bus/event_source/devices/cpu/caps/max_precise",
	  "Fewer p behind the event; P takes the most that opens." },
	{ "perf-open/inherit", "the event cannot be inherited by children of the task",
	  "perf_event_alloc() in kernel/events/core.c refuses inherit together with some ways "
	  "to read groups, and some PMUs refuse it themselves. pload opens it without, and it "
	  "opens.",
	  "pload --no-inherit opens it.", "--no-inherit, or -p for each of the children." },
	{ "perf-open/group", "the event does not fit into its group",
	  "perf_event_open() in kernel/events/core.c: a group is of one context (task and CPU) "
	  "and one PMU beside software events, and validate_group() of the PMU asks whether all "
	  "fit its counters at once. pload opens it alone, and it opens.",
	  "perf stat -e '{a,b}' says <not supported> likewise.",
	  "Fewer events between the braces, or the modifier W, which gives the group up." },
	{ "perf-open/cgroup", "the event cannot be limited to this cgroup",
	  "perf_cgroup_connect() in kernel/events/core.c: the descriptor has to be a cgroup "
	  "that the perf_event controller knows, and the kernel built with CONFIG_CGROUP_PERF.",
	  "cat /sys/kernel/cgroup/features; grep perf_event /proc/cgroups.",
	  "-G with a directory of cgroup2, or of the perf_event hierarchy of version 1." },
	{ "perf-open/no-tasks", "its PMU counts CPUs and cannot follow tasks",
	  "event_init() of PMUs outside of the cores (uncore, RAPL, msr) answers EINVAL for "
	  "PERF_ATTACH_TASK or a CPU of -1: they do not know which task caused what.",
	  "cat /sys/bus/event_source/devices/PMU/cpumask names CPUs.",
	  "Leave out -p, -t, -u, -G: open it on CPUs, and compare pids in the program." },
	{ "perf-open/combination", "the event opens only without several of its parts",
	  "pload drops group, modifiers, precise_ip, inherit, sampling, cgroup and task one "
	  "after the other until the kernel takes it; no single one was enough.",
	  "perf stat and perf record -vv with the same event print the attr that they try.",
	  "Leave out what the error names." },
	{ "perf-open/config", "its PMU does not take these numbers",
	  "event_init() of the PMU: bits of config that the processor or the driver reserves, a "
	  "tracepoint id that is gone, a cache event that does not exist. It is refused alone, "
	  "on a CPU and counting as well.",
	  "Compare with /sys/bus/event_source/devices/PMU/format; -v of perf stat prints the "
	  "attr.",
	  "pload list PMU names terms and events. Tracepoints of modules change their ids when "
	  "the module is loaded again." },
	{ "perf-open/rate", "the frequency is above kernel.perf_event_max_sample_rate",
	  "perf_event_open() in kernel/events/core.c: EINVAL for a sample_freq beyond it. The "
	  "kernel lowers it itself when samples take too long (perf_sample_event_took()).",
	  "sysctl kernel.perf_event_max_sample_rate; dmesg | grep 'perf: interrupt took too "
	  "long'.", "A lower -F; or -c with a period; or raise the sysctl." },
	{ "perf-open/max-stack", "more frames are asked for than kernel.perf_event_max_stack",
	  "get_callchain_buffers() in kernel/events/callchain.c: EOVERFLOW.",
	  "sysctl kernel.perf_event_max_stack", "Ask for fewer frames, or raise the sysctl." },
	{ "perf-open/offline-cpu", "the CPU is not online",
	  "perf_event_open() in kernel/events/core.c: ENODEV for a CPU that is offline when its "
	  "context is locked.",
	  "cat /sys/devices/system/cpu/online",
	  "Name CPUs of that list with -C; without -C pload takes those that are online." },
	{ "perf-open/no-task", "the task has ended, or was never there",
	  "find_lively_task_by_vpid() in kernel/events/core.c finds no such pid in this pid "
	  "namespace, and a task that is exiting is ESRCH as well. Zombies are still in /proc.",
	  "grep State /proc/PID/status",
	  "-p takes the pid of a running process, as this pid namespace numbers it." },
	{ "perf-open/not-traceable", "this process may not watch that task",
	  "perf_check_permission() in kernel/events/core.c: without CAP_PERFMON it takes what "
	  "ptrace(2) takes to read (ptrace_may_access()): the same user, and a process that is "
	  "dumpable. pload opens the event for itself, and it opens.",
	  "grep -E 'Uid|CapPrm' /proc/PID/status /proc/self/status; sysctl "
	  "kernel.yama.ptrace_scope.",
	  "Run as that user, or with CAP_PERFMON. A setuid program is not dumpable." },
	{ "perf-open/fd-limit", "there are no more file descriptors",
	  "get_unused_fd_flags() in fs/file.c: EMFILE beyond RLIMIT_NOFILE, and ENFILE beyond "
	  "fs.file-max of the machine. An event on each CPU, for each task, is a descriptor "
	  "each.",
	  "ulimit -n; ls /proc/self/fd; cat /proc/sys/fs/file-nr.",
	  "ulimit -n with a larger number, or fewer CPUs (-C), tasks or events." },
	{ "perf-open/no-breakpoint-slot", "every breakpoint register is in use",
	  "reserve_bp_slot() in kernel/events/hw_breakpoint.c: ENOSPC. A breakpoint of a CPU "
	  "takes a register of that CPU; one of a task takes a register on every CPU it may run "
	  "on. pload counts how many more would open on each CPU.",
	  "gdb, perf -e mem: and kgdb use them: ls -l /proc/*/fd | grep perf_event.",
	  "End another user. x86 and most arm cores have 4." },
	{ "perf-open/no-space", "the PMU has no room for another event",
	  "event_init() or validate_event() of the PMU: ENOSPC.",
	  "perf stat -a sleep 1 says <not counted> for those that wait.",
	  "End another user of this PMU." },
	{ "perf-open/breakpoint", "the processor does not take this breakpoint",
	  "hw_breakpoint_parse() in kernel/events/hw_breakpoint.c and "
	  "hw_breakpoint_arch_parse() of the processor: lengths are 1, 2, 4 and 8, the address "
	  "is a multiple of the length, and x86 has no breakpoint for reads alone.",
	  "Compare the call's bp_addr, bp_len and bp_type with these rules.",
	  "mem:ADDR/LEN:w or :rw; :x for execution, whose length is that of a long." },
	{ "perf-open/busy", "another user has the PMU for itself",
	  "x86_reserve_hardware() in arch/x86/events/core.c and its like: EBUSY when oprofile "
	  "or a BIOS has the counters; exclusive_event_init() in kernel/events/core.c for PMUs "
	  "that are for CPUs or tasks, not both (Intel PT).",
	  "sysctl kernel.nmi_watchdog; dmesg | grep -i perf; ps for another perf.",
	  "End the other user; sysctl kernel.nmi_watchdog=0 gives a counter back." },
	{ "perf-open/too-old", "this kernel's perf_event_attr is shorter than the event needs",
	  "perf_copy_attr() in kernel/events/core.c: E2BIG for bytes that it does not know and "
	  "that are not 0; it writes how many it knows.",
	  "uname -r; the call's size is what pload knows, the hint's what the kernel knows.",
	  "A newer kernel, or the event without the term: config3 came with 6.3, sig_data with "
	  "5.13." },
	{ "perf-open/no-memory", "the kernel has no memory for the event",
	  "perf_event_alloc() in kernel/events/core.c, and what the PMU allocates for each CPU.",
	  "free; dmesg; cat /sys/fs/cgroup/memory.events of the cgroup.",
	  "Fewer events, or fewer CPUs with -C." },
	{ "perf-open/failed", "the event is refused with an errno that says nothing else",
	  "pload knows no cause for this errno of perf_event_open(2).",
	  "dmesg; the call is below the error, for trying it with perf stat -vv.",
	  "The source of the PMU's driver, in drivers/ or arch/*/events, has its errnos." },
	{ NULL, NULL, NULL, NULL, NULL },
};
