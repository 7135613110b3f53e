// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Light-weight tunnels.
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

PROGRAM(in, "lwt_in", struct __sk_buff, 0)
PROGRAM(out, "lwt_out", struct __sk_buff, 0)
PROGRAM(transmit, "lwt_xmit", struct __sk_buff, 0)
PROGRAM(segment, "lwt_seg6local", struct __sk_buff, 0)

char LICENSE[] SEC("license") = "GPL";
