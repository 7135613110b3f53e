// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A program that asks for what only the running kernel knows, of which this file has the names alone. */
typedef unsigned int u32;
typedef unsigned long long u64;

#define SEC(name) __attribute__((section(name), used))
#define by_name __attribute__((preserve_access_index))

/* The kinds of a relocation; the numbers of __builtin_preserve_*() are others. */
#define FIELD_OFFSET(field) __builtin_preserve_field_info(field, 0)
#define FIELD_SIZE(field) __builtin_preserve_field_info(field, 1)
#define FIELD_EXISTS(field) __builtin_preserve_field_info(field, 2)
#define TYPE_EXISTS(type) __builtin_preserve_type_info(*(type *)0, 0)
#define TYPE_SIZE(type) __builtin_preserve_type_info(*(type *)0, 1)
#define ENUMERATOR_EXISTS(type, name) __builtin_preserve_enum_value(*(type *)name, 0)
#define ENUMERATOR_VALUE(type, name) __builtin_preserve_enum_value(*(type *)name, 1)

static u64 (*const current_task)(void) = (void *)35;

/* The kernel's name is what is before ___. */
struct task_struct___ours {
	u32 FIELD_BEFORE;
	u32 FIELD;
	char comm[3];
	int no_such_field;
} by_name;

struct no_such_struct {
	int member;
} by_name;

enum pid_type___ours {
	PIDTYPE_TGID___ours = 99,
	PIDTYPE_NONE_SUCH = 2,
};

u64 found, runs;
u64 field_exists, no_field_exists, field_size, type_exists, no_type_exists, type_size;
u64 enumerator_exists, no_enumerator_exists, enumerator_value;

SEC("perf_event") int PROGRAM(void *ctx)
{
	struct task_struct___ours *task = (void *)current_task();

	found = FIELD_OFFSET(task->FIELD);
	field_size = FIELD_SIZE(task->comm);
	field_exists = FIELD_EXISTS(task->FIELD);
	no_field_exists = FIELD_EXISTS(task->no_such_field);
	type_exists = TYPE_EXISTS(struct task_struct___ours);
	no_type_exists = TYPE_EXISTS(struct no_such_struct);
	type_size = TYPE_SIZE(struct task_struct___ours);
	enumerator_exists = ENUMERATOR_EXISTS(enum pid_type___ours, PIDTYPE_TGID___ours);
	no_enumerator_exists = ENUMERATOR_EXISTS(enum pid_type___ours, PIDTYPE_NONE_SUCH);
	enumerator_value = ENUMERATOR_VALUE(enum pid_type___ours, PIDTYPE_TGID___ours);
	runs++;
	return 0;
}

char LICENSE[] SEC("license") = LICENSE_TEXT;
