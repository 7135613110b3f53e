// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Programs for targets, some of which do not exist: test/cli/targets.sh. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
SEC("?fentry") int no_name(void *ctx) { return 0; }
SEC("?fexit/vfs_raed") int misspelt(void *ctx) { return 0; }
SEC("?fentry/pload_no_such_module:init") int no_module(void *ctx) { return 0; }
SEC("?tp_btf/sched/sched_switch") int category(void *ctx) { return 0; }
SEC("?lsm/file_opne") int hook(void *ctx) { return 0; }
SEC("?iter/tsak") int iterator(void *ctx) { return 0; }
SEC("?freplace/scalde") int replacement(void *ctx) { return 0; }
SEC("?tp_btf/sched_switch") int switched(void *ctx) { return 0; }
SEC("?iter/task") int tasks(void *ctx) { return 0; }
SEC("?fentry/vfs_read") int entry(void *ctx) { return 0; }
SEC("?fentry/vmlinux:vfs_read") int entry_vmlinux(void *ctx) { return 0; }
SEC("?fmod_ret/vfs_read") int instead(void *ctx) { return 0; }
SEC("?lsm/file_open") int opened(void *ctx) { return 0; }
SEC("?xdp1") int numbered(void *ctx) { return 0; }
__attribute__((noinline)) int scaled(struct xdp_md *ctx) { volatile int x = 2; return x; }
SEC("?xdp") int base(struct xdp_md *ctx) { return scaled(ctx); }
char LICENSE[] SEC("license") = "GPL";
