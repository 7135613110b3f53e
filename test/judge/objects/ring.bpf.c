// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A program that writes RECORDS records of two sizes to a ring that has no room for all, and discards each third. */
typedef unsigned int u32;
typedef unsigned long long u64;

#define SEC(name) __attribute__((section(name), used))
#define __uint(name, value) int (*name)[value]

static void *(*const ring_reserve)(void *ring, u64 size, u64 flags) = (void *)131;
static void (*const ring_submit)(void *data, u64 flags) = (void *)132;
static void (*const ring_discard)(void *data, u64 flags) = (void *)133;

struct {
	__uint(type, 27);
	__uint(max_entries, RING_SIZE);
} ARRAY SEC(".maps");

struct record {
	u32 nr, mark, inverse;
	u32 more[ROWS];	/* only in a long record, whose mark is STEP + 1 */
};

#define SHORT_SIZE __builtin_offsetof(struct record, more)
/* A run writes several, so that a ring of larger pages is full in a few seconds, too. */
#define RECORDS_OF_RUN 4

u64 sent;

static inline void finish(struct record *record, u32 nr)
{
	record->nr = nr;
	record->inverse = ~nr;
	/* Two CPUs may have taken the last number: what is beyond is none of the records. */
	if (nr % 3 == 2 || nr >= RECORDS)
		ring_discard(record, 0);
	else
		ring_submit(record, 0);
}

SEC("perf_event") int PROGRAM(void *ctx)
{
	for (int i = 0; i < RECORDS_OF_RUN && sent < RECORDS; i++) {
		/* A number is taken only when there is room: no record is lost. */
		if (i & 1) {
			struct record *record = ring_reserve(&ARRAY, sizeof(*record), 0);

			if (!record)
				return 0;
			record->mark = STEP + 1;
			for (int word = 0; word < ROWS; word++)
				record->more[word] = STEP;
			finish(record, __sync_fetch_and_add(&sent, 1));
		} else {
			struct record *record = ring_reserve(&ARRAY, SHORT_SIZE, 0);

			if (!record)
				return 0;
			record->mark = STEP;
			finish(record, __sync_fetch_and_add(&sent, 1));
		}
	}
	return 0;
}

char LICENSE[] SEC("license") = LICENSE_TEXT;
