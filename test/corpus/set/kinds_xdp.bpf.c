// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Packets before the stack has seen them.
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

PROGRAM(plain, "xdp", struct xdp_md, XDP_PASS)
PROGRAM(devices, "xdp/devmap", struct xdp_md, XDP_PASS)
PROGRAM(cpus, "xdp/cpumap", struct xdp_md, XDP_PASS)
PROGRAM(large, "xdp.frags", struct xdp_md, XDP_PASS)
PROGRAM(large_devices, "xdp.frags/devmap", struct xdp_md, XDP_PASS)
PROGRAM(large_cpus, "xdp.frags/cpumap", struct xdp_md, XDP_PASS)

char LICENSE[] SEC("license") = "GPL";
