// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// One program on many functions.
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

PROGRAM(entries, "kprobe.multi/do_nano*", void, 0)
PROGRAM(leaves, "kretprobe.multi/do_nano*", void, 0)
PROGRAM(both, "kprobe.session/do_nano*", void, 0)
PROGRAM(user_entries, "uprobe.multi/libc.so.6:get*", void, 0)
PROGRAM(user_leaves, "uretprobe.multi/libc.so.6:get*", void, 0)
PROGRAM(user_entries_slow, "uprobe.multi.s/libc.so.6:get*", void, 0)
PROGRAM(user_leaves_slow, "uretprobe.multi.s/libc.so.6:get*", void, 0)
PROGRAM(user_both, "uprobe.session/libc.so.6:get*", void, 0)
PROGRAM(user_both_slow, "uprobe.session.s/libc.so.6:get*", void, 0)

char LICENSE[] SEC("license") = "GPL";
