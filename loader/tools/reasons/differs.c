// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Pages of differences between ways to attach, as pload compare finds them: no errors, but why. */
#include <stddef.h>

#include "loader/tools/reasons/reasons.h"

const struct reason reasons_differs[] = {
	{ "differs/not-here", "one way to attach is not to be had, another is",
	  "pload compare tries each way; behind what was not to be had stands the reason that the "
	  "error has.",
	  "pload probe events EVENT; ls /sys/bus/event_source/devices",
	  "The page of that reason; another --attach." },
	{ "differs/cookie", "a program reads its cookie when bound by link, and 0 when bound by ioctl",
	  "perf_event_set_bpf_prog() in kernel/events/core.c is called with 0 by the ioctl and with "
	  "link_create.perf_event.bpf_cookie by bpf_perf_link_attach(); bpf_get_attach_cookie() "
	  "reads what was given.",
	  "pload --attach=link --cookie=7 -e cpu-clock -d 1 build/progs/cookie.bpf.o",
	  "--attach=link where one program is to know where it was attached; a map with a key of "
	  "its own where there are no links." },
	{ "differs/open-time", "one way to open the event takes longer than the other",
	  "pload opens a PMU's event by what files of sysfs say, and a tracepoint by its id in "
	  "tracefs; each file is openat(), read() and close() before perf_event_open().",
	  "pload --attach=pmu --trace -d 0 -e EVENT PROG.o, beside --attach=ioctl.",
	  "Nothing: it happens once for an event. Who opens thousands reads the files once." },
	{ "differs/bind-time", "binding by link takes longer than by ioctl",
	  "bpf_perf_link_attach() in kernel/bpf/syscall.c allocates a link, primes it with an id "
	  "and a file of anon_inode, binds the program as the ioctl does, and gives out the "
	  "descriptor.",
	  "pload compare -e EVENT, the row of the time to bind.",
	  "Nothing: it is paid once, and buys a cookie, an id, and a pin." },
	{ "differs/detach-time", "taking a link away takes longer than an event bound by ioctl",
	  "bpf_link_release() drops the program from the event, and the event's own release "
	  "follows; by ioctl the release of the event does both.",
	  "pload compare -e EVENT, the row of the time to detach.",
	  "Nothing, unless thousands are taken away: then close descriptors in parallel." },
	{ "differs/detach-event", "taking an event away takes longer where it was bound by ioctl",
	  "perf_event_free_bpf_prog() runs when the event is freed; by link the program has gone "
	  "before.",
	  "pload compare -e EVENT, the row of the time to detach.", "Nothing." },
	{ "differs/open-calls", "the ways to open differ in their system calls",
	  "perf_event_attr.type is fixed by the ABI (PERF_TYPE_*), or the number that a PMU got when "
	  "it was registered, which its file type in sysfs has.",
	  "cat /sys/bus/event_source/devices/*/type; pload --trace",
	  "A fixed type for what has one; sysfs for everything else." },
	{ "differs/bind-calls", "the ways to bind differ in their system call",
	  "_perf_ioctl() in kernel/events/core.c for PERF_EVENT_IOC_SET_BPF (Linux 4.1); link_create() "
	  "in kernel/bpf/syscall.c for BPF_LINK_CREATE with BPF_PERF_EVENT (Linux 5.15).",
	  "pload --trace --attach=link", "Either: the program is run by the same code afterwards." },
	{ "differs/detach-calls", "the ways to bind differ in what has to be closed",
	  "The file of a link is one more descriptor; no ioctl takes a program off an event.",
	  "pload --trace --attach=link", "docs/lifetime.md has what outlives what." },
	{ "differs/no-link", "an ioctl leaves no link, and what is done with links cannot be done",
	  "PERF_EVENT_IOC_SET_BPF keeps the program in the event itself (event->prog, or the "
	  "tracepoint's array).",
	  "ls -l /proc/PID/fd shows anon_inode:bpf_link only for links.",
	  "--attach=link to pin, to find it by id, or to take the program off and keep the event." },
	{ "differs/link-detach", "BPF_LINK_DETACH is refused for a link to an event",
	  "link_detach() in kernel/bpf/syscall.c: EOPNOTSUPP, as bpf_perf_link_lops has no detach(); "
	  "EINVAL for a descriptor that is no link.",
	  "pload compare -e EVENT", "Close the link, and whoever else has it; pload detach ID names "
	  "them." },
	{ "differs/link-holds", "an event that is closed goes on with its link, and not by ioctl",
	  "bpf_perf_link_attach() keeps a reference to the event's file; PERF_EVENT_IOC_SET_BPF "
	  "keeps the program in the event, and perf_release() frees that with its last descriptor.",
	  "pload compare -e EVENT; ls -l /proc/PID/fd", "Close events early where links hold them." },
	{ "differs/event-holds", "an event in another process keeps its program by ioctl, not by link",
	  "bpf_link_release() runs when the last descriptor of the link is closed, as by exit(); the "
	  "event that somebody else has counts on without the program.",
	  "pload compare -e EVENT", "Hand over the link, or pin it." },
	{ "differs/pin", "a link can be pinned, an event cannot",
	  "bpf_obj_pin_user() in kernel/bpf/inode.c asks for a program, a map or a link: EINVAL.",
	  "bpftool link pin", "--attach=link --pin=DIR" },
	{ "differs/line-removed", "a probe of tracefs is removed by a write, one of the PMU by closing",
	  "trace_kprobe and trace_uprobe stay until \"-:GROUP/NAME\" is written; "
	  "perf_kprobe_destroy() and perf_uprobe_destroy() run with the last close.",
	  "cat /sys/kernel/tracing/uprobe_events while a session runs.",
	  "--attach=pmu or link leave nothing behind, whoever dies." },
	{ "differs/probe-own", "a program may be on several events of the PMU, on one of a line",
	  "create_local_trace_uprobe() and create_local_trace_kprobe() give each event of the PMU a "
	  "trace_event_call, in which the array of programs is.",
	  "pload compare -e uprobe, the row of the same program.",
	  "One event of a line is enough: its program runs for all of them." },
	{ "differs/probe-inherited", "children that inherit a probe of the PMU run no program",
	  "perf_uprobe_event_init() makes the child's copy a trace_event_call of its own, whose "
	  "array is empty.",
	  "pload compare -e uprobe, the rows with attr.inherit.",
	  "One event for each process, as pload opens them; a line of tracefs." },
	{ "differs/query-type", "events of a line tell their programs, those of the PMU do not",
	  "perf_event_query_prog_array() in kernel/trace/bpf_trace.c: EINVAL unless "
	  "PERF_TYPE_TRACEPOINT.",
	  "pload compare -e uprobe, the row of PERF_EVENT_IOC_QUERY_BPF.",
	  "BPF_TASK_FD_QUERY answers for both." },
	{ "differs/tracefs-closed", "who is not root is stopped by tracefs, and not by sysfs",
	  "Modes of the files in tracefs (root, 0640 or 0440, below a directory of mode 0700), and "
	  "fsopen(), which asks for CAP_SYS_ADMIN.",
	  "ls -ld /sys/kernel/tracing; ls -l /sys/bus/event_source/devices/uprobe/type",
	  "Let root mount tracefs with -o gid=, or open the event and hand it over." },
	{ "differs/pmu-admin", "the PMUs of probes ask for more than CAP_PERFMON",
	  "perf_kprobe_event_init() and perf_uprobe_event_init() in kernel/events/core.c: EACCES; "
	  "whether for want of CAP_PERFMON or of CAP_SYS_ADMIN is a matter of the version.",
	  "setpriv --inh-caps +perfmon ... pload compare -e uprobe", "CAP_SYS_ADMIN, or a line that "
	  "root has written." },
	{ "differs/link-seen", "the kernel tells of programs that are bound by link, not by ioctl",
	  "BPF_LINK_GET_NEXT_ID and BPF_OBJ_GET_INFO_BY_FD go through link_idr in "
	  "kernel/bpf/syscall.c; an ioctl puts nothing there.",
	  "pload show; bpftool link", "--attach=link for what others are to find." },
	{ "differs/event-seen", "tracing events can be asked for their program, counters cannot",
	  "bpf_get_perf_event_info() in kernel/trace/bpf_trace.c: EOPNOTSUPP for "
	  "BPF_PROG_TYPE_PERF_EVENT; perf_event_query_prog_array(): EINVAL unless the event is of "
	  "PERF_TYPE_TRACEPOINT.",
	  "bpftool perf; pload show events", "--attach=link for counters that others are to find." },
	{ "differs/link-fields", "what a link says of its event depends on the event's kind",
	  "bpf_perf_link_fill_link_info() in kernel/bpf/syscall.c (Linux 6.6): one struct for "
	  "counters, tracepoints, kprobes and uprobes each; only the last three have a name that a "
	  "short buffer may cut off (ENOSPC).",
	  "pload show ID; cat /proc/PID/fdinfo/FD", "Look at bpf_link_info.perf_event.type first." },
	{ "differs/enabled", "programs on tracepoints run while their event is disabled",
	  "perf_trace_event_reg() registers the tracepoint when the event is opened, and "
	  "perf_trace_run_bpf_submit() runs programs before the event's state is looked at; a "
	  "counter's program is run by __perf_event_overflow(), which only active events reach.",
	  "pload --no-enable -e EVENT PROG.o",
	  "Let the program of a tracepoint look at a flag of its own; close the event to end it." },
	{ "differs/same-program", "a program may be on a tracepoint once, and on any number of counters",
	  "bpf_prog_array_copy() in kernel/bpf/core.c: EEXIST for a program that the array has.",
	  "pload compare -e EVENT, the row of the same program.",
	  "One event is enough: it runs for all tasks and CPUs." },
	{ "differs/scope", "a tracepoint's program runs for tasks and CPUs that its event is not for",
	  "perf_trace_run_bpf_submit() in kernel/events/core.c runs the array of the tracepoint, and "
	  "then asks events for their task and CPU.",
	  "pload -p PID -e sched:sched_switch PROG.o",
	  "Compare bpf_get_current_pid_tgid() in the program." },
	{ "differs/inherited", "a tracepoint's program is gone when a child that inherited it ends",
	  "perf_event_free_bpf_prog() of the child's event takes the program out of the array that "
	  "both share.",
	  "pload compare -e EVENT, the rows of a child and a thread that have ended.",
	  "inherit=0 for tracepoints, which see all tasks anyway, as pload opens them." },
	{ "differs/return-value", "0 returned by the program drops a record, and its count or not",
	  "__perf_event_overflow() in kernel/events/core.c has counted before bpf_overflow_handler() "
	  "asks the program; perf_trace_run_bpf_submit() asks the tracepoint's programs first and "
	  "goes no further on 0.",
	  "pload compare -e EVENT, the rows of records.",
	  "Return 1 from tracepoint programs, unless others shall see nothing." },
	{ .code = NULL },
};
