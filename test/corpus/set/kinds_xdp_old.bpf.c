// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Names of sections that were free once: libbpf 1.0 refuses what follows.
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

PROGRAM(numbered, "xdp1", struct xdp_md, XDP_PASS)
PROGRAM(on_device, "xdp_devmap/some_map", struct xdp_md, XDP_PASS)
PROGRAM(named, "xdp_drop_some", struct xdp_md, XDP_PASS)
PROGRAM(slashed, "xdp/some_name", struct xdp_md, XDP_PASS)

char LICENSE[] SEC("license") = "GPL";
