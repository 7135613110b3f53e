// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Pages of kprobes and uprobes that are not made. */
#include <stddef.h>

#include "loader/tools/reasons/reasons.h"

#define BLACKLIST \
	"sort -k2 /sys/kernel/debug/kprobes/blacklist; available_filter_functions of tracefs"

const struct reason reasons_probe[] = {
	{ "probe/no-kprobes", "the kernel makes no kprobes",
	  "kernel/trace/trace_kprobe.c makes kprobe_events in tracefs and the PMU kprobe; neither "
	  "is there.",
	  "zgrep KPROBE /proc/config.gz; ls /sys/bus/event_source/devices",
	  "A kernel with CONFIG_KPROBE_EVENTS. fentry/FUNCTION needs no kprobes, but "
	  "CONFIG_FUNCTION_TRACER and BTF." },
	{ "probe/no-uprobes", "the kernel makes no uprobes",
	  "kernel/trace/trace_uprobe.c makes uprobe_events in tracefs and the PMU uprobe; neither "
	  "is there.",
	  "zgrep UPROBE /proc/config.gz; ls /sys/bus/event_source/devices",
	  "A kernel with CONFIG_UPROBE_EVENTS." },
	{ "probe/no-pmu", "the kernel makes probes by tracefs only",
	  "The PMUs kprobe and uprobe came with Linux 4.17.",
	  "ls /sys/bus/event_source/devices; uname -r",
	  "--attach=ioctl, which writes into kprobe_events and uprobe_events." },
	{ "probe/no-ref-ctr", "the kernel counts no semaphores of USDT probes up",
	  "format/ref_ctr_offset of the PMU uprobe came with Linux 4.20. A program that is "
	  "waiting for its semaphore would never get to the probe.",
	  "ls /sys/bus/event_source/devices/uprobe/format",
	  "A newer kernel; probes without a semaphore work." },
	{ "probe/no-proc", "pload cannot find out which process it is",
	  "A line in tracefs outlives the process that wrote it, so its name has the pid, its "
	  "start and its pid namespace, by which the next pload knows whether it was left behind.",
	  "cat /proc/self/stat; ls -l /proc/self/ns/pid",
	  "mount -t proc proc /proc; --attach=link needs no names." },
	{ "probe/tracefs-name", "no line of tracefs can say this name",
	  "argv_split() in lib/argv_split.c parts a line at every byte that isspace() takes for a "
	  "space, 0xa0 among them, '#' begins a comment, and a line has at most 4094 characters. "
	  "There is no way to quote.",
	  "The message has the byte; in UTF-8 it may be the second of a letter.",
	  "--attach=link or --attach=pmu, which give the name as a string; or a link to the file "
	  "with another name." },
	{ "probe/unresolved", "pload has not looked up where the probe is in the file",
	  "A mistake of pload's own: a uprobe is described before its names are resolved.",
	  "pload --trace shows what was opened.", "Report it." },
	{ "probe/no-symbol", "the kernel has no function of that name",
	  "kallsyms_lookup_name() by register_kprobe() in kernel/kprobes.c. Since Linux 6.7 "
	  "tracefs says EINVAL, and the PMU ENOENT.",
	  "grep -w NAME /proc/kallsyms: t and T are functions.",
	  "A name of the hint. What the compiler has inlined everywhere is no function; of others "
	  "it leaves parts: NAME.isra.0, NAME.constprop.0, NAME.part.0." },
	{ "probe/ambiguous", "several functions of the kernel have that name",
	  "kernel/trace/trace_kprobe.c counts them, since Linux 6.7 and in later releases of older "
	  "series (5.10.262, 6.1.176): EADDRNOTAVAIL by the PMU, that or EINVAL by tracefs. "
	  "Kernels before took one of them.",
	  "grep -w NAME /proc/kallsyms",
	  "kprobe:0xADDRESS of the one that is meant (root sees addresses), MODULE:NAME, or a "
	  "function that calls it." },
	{ "probe/no-syscall", "this kernel has no system call of that name",
	  "pload looks for __x64_sys_NAME (or as this machine calls it) and sys_NAME in "
	  "/proc/kallsyms.",
	  "grep -w __x64_sys_NAME /proc/kallsyms",
	  "The name of the kernel, which may differ from that of the C library: newfstatat, "
	  "prlimit64." },
	{ "probe/no-module", "the module is not loaded",
	  "The PMU refuses it: ENOENT. __register_trace_kprobe() in kernel/trace/trace_kprobe.c "
	  "takes a line for a module that is not there, as it may be loaded later, and pload does "
	  "not, as its program would not run.",
	  "ls /sys/module", "modprobe it first. The kernel's own functions are of no module." },
	{ "probe/no-address", "nothing that can be probed is at that address",
	  "check_kprobe_address_safe() in kernel/kprobes.c. By tracefs newer kernels take any "
	  "address, as if of a module to come, so that pload asks the PMU.",
	  "sort /proc/kallsyms; addresses change with each boot (KASLR).",
	  "A name, with an offset if need be." },
	{ "probe/offset", "there is no instruction to be probed at that offset",
	  "arch_prepare_kprobe() says EILSEQ in the middle of an instruction. What is beyond the "
	  "end of the function would be in another one, and pload refuses it by /proc/kallsyms; "
	  "more than 32 bits the kernel cuts off.",
	  "objdump -d vmlinux --disassemble=FUNCTION",
	  "The offset of an instruction; none for a kretprobe." },
	{ "probe/blacklisted", "the function must not be probed: a probe would call itself",
	  "within_kprobe_blacklist() in kernel/kprobes.c: NOKPROBE_SYMBOL(), __kprobes and "
	  "entry code.",
	  BLACKLIST, "A function that calls it, or is called by it." },
	{ "probe/notrace", "the function is notrace",
	  "within_notrace_func() in kernel/trace/trace_kprobe.c: what ftrace must not trace is "
	  "refused for events, unless CONFIG_KPROBE_EVENTS_ON_NOTRACE.",
	  BLACKLIST, "A function that calls it, or is called by it." },
	{ "probe/no-file", "the file that is to be probed cannot be opened",
	  "kern_path() by create_local_trace_uprobe() or __trace_uprobe_create().",
	  "ls -l PATH, in the mount namespace that pload is in",
	  "The path as pload sees it; of a container, below /proc/PID/root." },
	{ "probe/not-regular", "what is to be probed is no regular file",
	  "d_is_reg() in kernel/trace/trace_uprobe.c: EINVAL.",
	  "stat PATH", "The program or library itself." },
	{ "probe/beyond-end", "the offset is beyond the end of the file",
	  "uprobe_register() in kernel/events/uprobes.c compares it with i_size: EINVAL.",
	  "readelf -lW PATH: an address is no offset",
	  "A name, or ADDRESS - VirtAddr + Offset of the segment that has the address." },
	{ "probe/filesystem", "its file system has no pages of code that could be probed",
	  "uprobe_register() in kernel/events/uprobes.c: EIO without read_folio.",
	  "stat -f PATH", "A copy of the program on another file system." },
	{ "probe/instruction", "the instruction there cannot be replaced by a breakpoint",
	  "arch_uprobe_analyze_insn(): ENOEXEC for what is no instruction, 524 (ENOTSUPP) for "
	  "what cannot be stepped elsewhere. It is found out where a process has the file mapped.",
	  "objdump -d PATH", "Another instruction of the function; its return." },
	{ "probe/ref-ctr", "the kernel does not take this reference counter at that place",
	  "uprobe_register() and alloc_uprobe() in kernel/events/uprobes.c: all uprobes of one "
	  "place have the same counter, or none, and it is aligned to two bytes.",
	  "cat /sys/kernel/tracing/uprobe_events; readelf -n PATH has the semaphores.",
	  "End the other probe at that place." },
	{ "probe/refused", "the kernel refused the probe, for none of the causes that pload knows",
	  "The message has what error_log of tracefs says of it (Linux 5.2).",
	  "cat /sys/kernel/tracing/error_log; dmesg", "What it says." },
	{ NULL, NULL, NULL, NULL, NULL },
};
