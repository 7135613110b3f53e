// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Programs that may fault user memory in.
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

static __always_inline int copy(void)
{
	char word[8];

	return bpf_copy_from_user(word, sizeof(word), NULL);
}

PROGRAM(user, "uprobe.s/libc.so.6:getppid", void, copy() & 1)
PROGRAM(user_leave, "uretprobe.s/libc.so.6:getppid", void, copy() & 1)
PROGRAM(marker, "usdt.s/libc.so.6:libc:setjmp", void, copy() & 1)
PROGRAM(asked, "syscall", void, copy() & 1)

char LICENSE[] SEC("license") = "GPL";
