// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Raw trace points whose buffer a program may write.
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

PROGRAM(writable, "raw_tp.w/nbd_send_request", void, 0)
PROGRAM(writable_whole, "raw_tracepoint.w/nbd_send_request", void, 0)

char LICENSE[] SEC("license") = "GPL";
