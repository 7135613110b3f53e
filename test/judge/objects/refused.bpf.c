// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* An object whose program the verifier refuses: it reads from an address that may be 0. */
typedef unsigned int u32;
typedef unsigned long long u64;

#define SEC(name) __attribute__((section(name), used))
#define __uint(name, value) int (*name)[value]
#define __type(name, value) typeof(value) *name

static void *(*const map_lookup)(void *map, const void *key) = (void *)1;

struct {
	__uint(type, 2);
	__uint(max_entries, ARRAY_ENTRIES);
	__type(key, u32);
	__type(value, u64);
} ARRAY SEC(".maps");

SEC("perf_event") int PROGRAM(void *ctx)
{
	u32 index = STEP;
	u64 *value = map_lookup(&ARRAY, &index);

	return *value > LIMIT;
}

char LICENSE[] SEC("license") = LICENSE_TEXT;
