// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Global data of every kind: constants, zeroes, custom sections, statics, strings, pointers.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

struct settings {
	__u32 rate;
	char name[12];
	__u8 flags;
};

const volatile __u32 threshold = 5;
const volatile struct settings settings = { 100, "default", 3 };
static const int table[8] = { 1, 1, 2, 3, 5, 8, 13, 21 };
const __u64 wide SEC(".rodata.wide") = 0x1122334455667788;
const char greeting[] SEC(".rodata.text") = "hello";

__u64 zeroed[16];
static __u32 hidden_zero;
__u32 in_order SEC(".bss.order");

__u32 counter = 7;
static __u64 static_data = 9;
struct settings mine SEC(".data.mine") = { 5, "mine", 1 };
__u64 lock_of_data SEC(".data.locks") __attribute__((aligned(64))) = 1;

/* A program cannot use this pointer, but the compiler still writes a relocation for it. */
__u64 *const volatile pointer = &zeroed[3];

SEC("perf_event")
int touch(void *ctx)
{
	__u32 i = bpf_get_smp_processor_id() & 7;
	volatile const int *entry = &table[i];

	(void)ctx;
	if (threshold > settings.rate)
		return 0;
	zeroed[i] += *entry + wide + greeting[i & 3];
	hidden_zero += counter++;
	in_order = hidden_zero;
	static_data += mine.rate++;
	__sync_fetch_and_add(&lock_of_data, 1);
	if (pointer)
		zeroed[15]++;
	bpf_printk("%s: %d of %d", "touch", i, counter);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
