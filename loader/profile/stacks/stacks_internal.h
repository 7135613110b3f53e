/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The task and a stack of a row, shared by the files of this folder. */
#ifndef PLOAD_PROFILE_STACKS_STACKS_INTERNAL_H
#define PLOAD_PROFILE_STACKS_STACKS_INTERNAL_H

#include "loader/profile/stacks/stacks.h"

/* The task of a row, as far as its fields identify it. */
struct row_task {
	uint32_t pid;		/* of the process; 0: unknown */
	const char *comm;	/* NULL: not known */
	char comm_text[64];
};

/* One stack of a row. */
struct row_stack {
	const struct stack_field *field;
	bool has_id;
	int32_t id;
	uint32_t code;		/* positive errno: there is no stack; 0: there is one */
	const char *why;	/* ... and what this means; or NULL */
	bool user;
	size_t first, nr;	/* its frames in stacks->frames, innermost first */
	char doubt[48];		/* a frame may refer to it */
};

/* read_stack() - Read the stack of stack->field, which is in @part. Return: 0 or -errno. */
int read_stack(struct stacks *s, const struct row_task *task, struct bytes part,
	       struct row_stack *stack, struct error *err);

/*
 * read_address() - Read the address of @field in @part, and name it. Return false if it has no
 * name.
 */
bool read_address(const struct stacks *s, const struct row_task *task, struct bytes part,
		  const struct stack_field *field, struct frame *frame);

#endif
