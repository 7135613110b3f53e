// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A program that reads a field of struct task_struct, of which this file knows nothing but two names. */
typedef unsigned int u32;
typedef unsigned long long u64;

#define SEC(name) __attribute__((section(name), used))
#define __uint(name, value) int (*name)[value]
#define __type(name, value) typeof(value) *name

static u64 (*const current_task)(void) = (void *)35;

struct task_struct {
	u32 FIELD_BEFORE;
	u32 FIELD;
} __attribute__((preserve_access_index));

u64 found, runs;

SEC("perf_event") int PROGRAM(void *ctx)
{
	struct task_struct *task = (void *)current_task();

	/* Kind 0: the byte offset of the field. */
	found = __builtin_preserve_field_info(task->FIELD, 0);
	runs++;
	return 0;
}

char LICENSE[] SEC("license") = LICENSE_TEXT;
