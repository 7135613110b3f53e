// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Operations that the instruction sets v1 to v4 express differently: sizes, signs, 32-bit jumps,
// atomics, swaps.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

volatile __s8 s8 = -3;
volatile __s16 s16 = -300;
volatile __s32 s32 = -70000;
volatile __s64 s64 = -5000000000LL;
volatile __u32 u32 = 12;
__u64 atomics;
__u64 out[8];

static __noinline __s64 pick(__s32 a, __u32 b)
{
	barrier_var(a);
	barrier_var(b);
	if (a < -5)
		return b > 7 ? a : b;
	return a > (__s32)b ? 1 : 2;
}

SEC("raw_tp/sys_enter")
int compute(void *ctx)
{
	(void)ctx;
	out[0] = (__s64)s8 + s16;
#ifdef __BPF_FEATURE_SDIV_SMOD
	out[1] = s32 / (__s32)sizeof(s64) * s64;
#endif
	out[2] = pick(s32, u32);
	out[3] = __builtin_bswap32(u32) + __builtin_bswap64(s64) + __builtin_bswap16(s16);
	__sync_fetch_and_add(&atomics, u32);
	for (__u32 i = 0; i < u32 && i < 64; i++)
		out[4] += i * i;
	out[5] = u32 / (s32 > 0 ? 3u : 7u) % 5;
	return 0;
}

/* Atomics that return a value came with v3. */
#ifdef WITH_ATOMICS
SEC("raw_tp/sys_exit")
int atomic(void *ctx)
{
	(void)ctx;
	out[6] = __sync_fetch_and_or(&atomics, 1);
	out[7] = __sync_val_compare_and_swap(&atomics, 1, 2);
	__sync_lock_test_and_set(&atomics, 3);
	return 0;
}
#endif

char LICENSE[] SEC("license") = "GPL";
