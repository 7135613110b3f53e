// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A program that writes RECORDS records to a ring, and discards each third. */
typedef unsigned int u32;
typedef unsigned long long u64;

#define SEC(name) __attribute__((section(name), used))
#define __uint(name, value) int (*name)[value]

static void *(*const ring_reserve)(void *ring, u64 size, u64 flags) = (void *)131;
static void (*const ring_submit)(void *data, u64 flags) = (void *)132;
static void (*const ring_discard)(void *data, u64 flags) = (void *)133;

struct {
	__uint(type, 27);
	__uint(max_entries, 65536);
} ARRAY SEC(".maps");

struct record {
	u32 nr, step, inverse;
};

u64 sent;

SEC("perf_event") int PROGRAM(void *ctx)
{
	struct record *record;
	u64 nr;

	if (sent >= RECORDS)
		return 0;
	nr = __sync_fetch_and_add(&sent, 1);
	if (nr >= RECORDS)
		return 0;
	record = ring_reserve(&ARRAY, sizeof(*record), 0);
	if (!record)
		return 0;
	record->nr = nr;
	record->step = STEP;
	record->inverse = ~nr;
	if (nr % 3 == 2)
		ring_discard(record, 0);
	else
		ring_submit(record, 0);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
