// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Pages of programs that cannot be bound to an event or to another attach point. */
#include <stddef.h>

#include "loader/tools/reasons/reasons.h"

const struct reason reasons_attach[] = {
	{ "attach/already-bound", "something else is bound there, and there is room for one only",
	  "perf_event_attach_bpf_prog() in kernel/trace/bpf_trace.c and "
	  "perf_event_set_bpf_handler() in kernel/events/core.c: EEXIST when the event has a "
	  "program. Devices, namespaces and netfilter hooks have one for each place or "
	  "priority: EBUSY or EEXIST.",
	  "pload show; bpftool link, bpftool net, bpftool perf.",
	  "Open another event for the second program; end the other link; another --netfilter "
	  "priority." },
	{ "attach/same-program", "this very program is bound to the same tracepoint already",
	  "bpf_prog_array_copy() in kernel/bpf/core.c, called by perf_event_attach_bpf_prog(): "
	  "EEXIST when the program is in the tracepoint's array, by whatever event. pload asks "
	  "the event with PERF_EVENT_IOC_QUERY_BPF, and finds the program's id.",
	  "bpftool perf",
	  "One event for a program and tracepoint is enough: it runs for all tasks and CPUs." },
	{ "attach/too-many", "there are as many programs as the place takes",
	  "perf_event_attach_bpf_prog() in kernel/trace/bpf_trace.c: E2BIG at 64 programs on "
	  "one tracepoint or probe (BPF_TRACE_MAX_PROGS); bpf_trampoline_link_prog(): E2BIG at "
	  "38 or so on one function (BPF_MAX_TRAMP_LINKS); net namespaces: E2BIG at 64.",
	  "bpftool perf; bpftool link.", "End one of them." },
	{ "attach/beyond-record", "the program reads beyond the tracepoint's record or arguments",
	  "perf_event_attach_bpf_prog() compares max_ctx_offset, which the verifier kept, with "
	  "the size of the record: EACCES. A raw tracepoint has as many arguments as its "
	  "prototype.",
	  "cat /sys/kernel/tracing/events/CATEGORY/NAME/format",
	  "Let the program's struct have the fields of format; fields differ between kernels." },
	{ "attach/needs-callchain", "the program takes stacks, and the precise event keeps none",
	  "perf_event_set_bpf_handler() in kernel/events/core.c: EPROTO for a program that "
	  "calls bpf_get_stack() or bpf_get_stackid() on an event with precise_ip and without "
	  "PERF_SAMPLE_CALLCHAIN: the registers at the time of the program are not those of the "
	  "event.",
	  "The event of -e has p behind its last ':'.", "The event without p." },
	{ "attach/mismatch", "the event does not take a program of this type",
	  "perf_event_set_bpf_prog() in kernel/events/core.c: EINVAL unless tracepoints get "
	  "BPF_PROG_TYPE_TRACEPOINT, k- and uprobes BPF_PROG_TYPE_KPROBE, and all others "
	  "BPF_PROG_TYPE_PERF_EVENT.",
	  "The program's section: readelf -S prog.o.",
	  "SEC(\"tracepoint/category/name\"), SEC(\"kprobe/function\") or SEC(\"perf_event\")." },
	{ "attach/kprobe-program", "a program for probes does what a kprobe does not allow",
	  "perf_event_set_bpf_prog() in kernel/events/core.c: EINVAL for a sleepable program, and "
	  "for one that writes registers where that can be loaded (on 7.2, and not on 6.18); "
	  "uprobes run both. perf_event_attach_bpf_prog() in bpf_trace.c: EINVAL for one that calls "
	  "bpf_override_return(), unless the kprobe stands where a function begins that is marked "
	  "by ALLOW_ERROR_INJECTION().",
	  "cat /sys/kernel/debug/error_injection/list; readelf -S prog.o shows \"uprobe.s\".",
	  "SEC(\"kprobe/function\") without helpers that sleep; a function of that list." },
	{ "attach/prog-type", "what is asked for does not run programs of this type",
	  "pload compares the programs of the object with -e, --attach and the options that "
	  "name a place, before the kernel is asked.",
	  "pload load -v prog.o lists sections and types.",
	  "--attach=link for what is no event; --prog=NAME for one of several." },
	{ "attach/link-unsupported", "this kernel has no links of this kind",
	  "link_create() in kernel/bpf/syscall.c: EINVAL. Links came with 5.5 (tracing), 5.7 "
	  "(cgroups), 5.9 (XDP), 5.15 (perf events), 6.4 (netfilter), 6.6 (tcx), 6.7 (netkit), "
	  "6.10 (sockmaps); to many functions with 5.18 (kprobe.multi), 6.6 (uprobe.multi), 6.10 "
	  "(kprobe.session), 6.13 (uprobe.session), 7.2 (fentry.multi).",
	  "uname -r", "--attach=ioctl for events; tc or ip link for devices." },
	{ "attach/unsupported", "this kernel, device or event has no programs",
	  "perf_event_set_bpf_prog() without CONFIG_BPF_EVENTS, and dev_xdp_install() of a "
	  "driver without XDP: EOPNOTSUPP or 524 (ENOTSUPP); kprobe.multi without CONFIG_FPROBE; "
	  "arch_prepare_bpf_trampoline() and register_ftrace_direct(), which fentry, fexit, "
	  "fmod_ret and LSM programs take, where an architecture has none: 524.",
	  "zgrep -e CONFIG_BPF_EVENTS -e CONFIG_FPROBE -e DIRECT_CALLS /proc/config.gz; "
	  "ethtool -i DEV.",
	  "--xdp-mode=generic goes without the driver; a kernel with CONFIG_BPF_EVENTS." },
	{ "attach/no-cookie", "this way of binding carries no cookie",
	  "bpf_get_attach_cookie() would give 0: only links of some kinds keep a cookie (5.15 "
	  "for events, 5.18 for fentry, 6.10 for raw tracepoints).",
	  "pload --help, at --cookie.",
	  "--attach=link, or leave --cookie out. A USDT probe has a cookie by each method, which "
	  "bpf_usdt_cookie() gives: it stands beside its arguments in a map." },
	{ "attach/no-link", "programs of this type are bound by other means than a link",
	  "link_create() in kernel/bpf/syscall.c has no case for them: sockets, routes, maps of "
	  "programs and tc actions take them in their own ways.",
	  "The hint names the way.", "pload load --pin=DIR loads it, for others to bind." },
	{ "attach/no-target", "where to attach is not named, or not there",
	  "pload looks up the device, cgroup, namespace, tracepoint or map that the options and "
	  "the section name; the kernel says ENODEV, ENOENT or EBADF.",
	  "ip link; grep cgroup2 /proc/mounts; cat /sys/kernel/tracing/available_events.",
	  "--dev, --cgroup, --netns, --netfilter, --target-map or the section's name." },
	{ "attach/no-leader", "the first event of a group is not open where the next one is wanted",
	  "Events of one group are on one CPU and task. A traced event is opened once, and one of "
	  "a PMU outside of the cores on the CPUs of its cpumask.",
	  "pload --trace shows where each was opened.",
	  "Begin the group with an event that is open everywhere, or leave the {} out." },
	{ "attach/no-method", "there is no attachment method of that name",
	  "pload has a table of them: ioctl, pmu, link.",
	  "pload --help", "One of these." },
	{ "attach/forbidden", "a program attached above, or the kernel, forbids it here",
	  "cgroup_bpf_attach() in kernel/bpf/cgroup.c: EPERM when a cgroup above has a program "
	  "of this type that lets no other override it.",
	  "bpftool cgroup tree", "End that program, or attach to another branch." },
	{ "attach/bad-fd", "the event's or the program's descriptor is not what it was",
	  "bpf_prog_get() and perf_fget_light(): EBADF for a descriptor that is closed or of "
	  "another thing. pload asks each with fstat(2).",
	  "ls -l /proc/PID/fd while it runs.", "Find what closes descriptors of this process." },
	{ "attach/enable", "the event cannot be enabled",
	  "perf_ioctl() in kernel/events/core.c, PERF_EVENT_IOC_ENABLE: an event that has "
	  "failed, or whose task has gone (error state).",
	  "dmesg; is its CPU still online?", "Start pload again." },
	{ "attach/fd-limit", "there is no file descriptor left for the link",
	  "bpf_link_prime() in kernel/bpf/syscall.c: EMFILE beyond RLIMIT_NOFILE, ENFILE beyond "
	  "fs.file-max.",
	  "ulimit -n", "ulimit -n with a larger number; --attach=ioctl takes half as many." },
	{ "attach/no-memory", "the kernel has no memory to bind the program",
	  "bpf_prog_array_copy() in kernel/bpf/core.c allocates the array anew for each program.",
	  "free; memory.events of the cgroup.", "Free memory." },
	{ "attach/failed", "binding is refused with an errno that says nothing else",
	  "pload knows no cause for this errno at this place.",
	  "dmesg; the call is below the error.",
	  "attach() of the place, in the kernel's source." },
	{ NULL, NULL, NULL, NULL, NULL },
};
