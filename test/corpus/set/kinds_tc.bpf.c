// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Packets at the queues of a device.
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

PROGRAM(plain, "tc", struct __sk_buff, 0)
PROGRAM(classify, "classifier", struct __sk_buff, 0)
PROGRAM(act, "action", struct __sk_buff, 0)
PROGRAM(tc_in, "tc/ingress", struct __sk_buff, 0)
PROGRAM(tc_out, "tc/egress", struct __sk_buff, 0)
PROGRAM(tcx_in, "tcx/ingress", struct __sk_buff, 0)
PROGRAM(tcx_out, "tcx/egress", struct __sk_buff, 0)
PROGRAM(kit, "netkit/primary", struct __sk_buff, 0)
PROGRAM(kit_peer, "netkit/peer", struct __sk_buff, 0)

char LICENSE[] SEC("license") = "GPL";
