// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Programs on hooks other than perf events; each collects the cookies of its runs. */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#include "test/regress/bpf/system_call.h"

volatile __u64 runs, cookies;

static __always_inline void collect(void *ctx)
{
	cookies |= bpf_get_attach_cookie(ctx);
	runs++;
}

SEC("?raw_tp/sys_enter")
int raw_tp(struct bpf_raw_tracepoint_args *ctx)
{
	collect(ctx);
	return 0;
}

SEC("?tp_btf/sys_enter")
int tp_btf(unsigned long long *ctx)
{
	collect(ctx);
	return 0;
}

SEC("?fentry/" SYSTEM_CALL "getsockopt")
int fentry(unsigned long long *ctx)
{
	collect(ctx);
	return 0;
}

SEC("?fexit/" SYSTEM_CALL "getsockopt")
int fexit(unsigned long long *ctx)
{
	collect(ctx);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
