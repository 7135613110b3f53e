// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Pages of one program on many functions. */
#include <stddef.h>

#include "loader/tools/reasons/reasons.h"

const struct reason reasons_multi[] = {
	{ "multi/no-function", "no function of the kernel matches, or the pattern makes no sense",
	  "pload matches against available_filter_functions of tracefs, and where there is none "
	  "against /proc/kallsyms; for fentry.multi also against the types of vmlinux.",
	  "grep NAME /sys/kernel/tracing/available_filter_functions.",
	  "Another pattern; a module's functions are there once it is loaded." },
	{ "multi/not-traceable", "a function is there and cannot be traced by this link",
	  "ftrace_set_filter_ips() in kernel/trace/ftrace.c: EINVAL or ENOENT for what is notrace; "
	  "bpf_check_attach_target() in kernel/bpf/verifier.c for trampolines.",
	  "grep NAME /sys/kernel/tracing/available_filter_functions.",
	  "--functions='PATTERN,!NAME' leaves it out." },
	{ "multi/too-many", "more functions match than one link takes",
	  "bpf_kprobe_multi_link_attach() and its kin in kernel/trace/bpf_trace.c: E2BIG above "
	  "2^20.",
	  "grep -c PATTERN /sys/kernel/tracing/available_filter_functions.",
	  "A pattern that matches fewer." },
	{ NULL, NULL, NULL, NULL, NULL },
};
