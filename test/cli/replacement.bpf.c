// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Programs that replace a function in targets.bpf.c: test/cli/targets.sh. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
SEC("?freplace/scaled") int replacement(struct xdp_md *ctx) { return 1; }
SEC("?freplace/scalde") int misspelt(struct xdp_md *ctx) { return 1; }
char LICENSE[] SEC("license") = "GPL";
