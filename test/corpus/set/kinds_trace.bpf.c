// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Kinds that sit on events of perf and on probes.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

__u64 calls;

#define PROGRAM(name, section, context, result) \
	SEC(section) \
	int name(context *ctx) \
	{ \
		(void)ctx; \
		calls++; \
		return result; \
	}

PROGRAM(event, "perf_event", void, 0)
PROGRAM(whole, "tracepoint/syscalls/sys_enter_getppid", void, 0)
PROGRAM(brief, "tp/syscalls/sys_exit_getppid", void, 0)
PROGRAM(entry, "kprobe/do_nanosleep", void, 0)
PROGRAM(entry_later, "kprobe", void, 0)
PROGRAM(entry_inside, "kprobe/do_nanosleep+4", void, 0)
PROGRAM(leave, "kretprobe/do_nanosleep", void, 0)
PROGRAM(system_call, "ksyscall/getppid", void, 0)
PROGRAM(system_return, "kretsyscall/getppid", void, 0)
PROGRAM(user, "uprobe/libc.so.6:getppid", void, 0)
PROGRAM(user_later, "uprobe", void, 0)
PROGRAM(user_leave, "uretprobe//proc/self/exe:main", void, 0)
PROGRAM(marker, "usdt/libc.so.6:libc:setjmp", void, 0)
PROGRAM(raw, "raw_tp/sys_enter", void, 0)
PROGRAM(raw_whole, "raw_tracepoint/sys_exit", void, 0)
PROGRAM(raw_plain, "raw_tracepoint", void, 0)

char LICENSE[] SEC("license") = "GPL";
