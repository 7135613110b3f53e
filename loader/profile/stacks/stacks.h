/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The call stacks and addresses of rows and records; for users, see row_stacks.h. */
#ifndef PLOAD_PROFILE_STACKS_STACKS_H
#define PLOAD_PROFILE_STACKS_STACKS_H

#include "loader/profile/stacks/frame.h"
#include "loader/core/kernel/kernel.h"
#include "loader/profile/stacks/row_stacks.h"

/* Called with the stack of each row, outermost frame first, preceded by the command, if known. */
typedef int (*stack_counter)(void *arg, const struct frame *frames, unsigned int nr,
			     uint64_t weight, struct error *err);

/* The stacks of an object; created by the session. The pointers of the first part are borrowed. */
struct stacks {
	struct sys *sys;
	const struct kernel_object *kernel;
	struct stack_fields *fields;
	struct frame_namer *namer;	/* NULL: addresses get no names */
	stack_counter count;	/* NULL: rows are only printed */
	void *count_arg;

	struct {
		unsigned char *ids;	/* owned; a bit for each id found in a row */
		uint64_t rows;	/* with an id of the map, or with -errno */
		uint64_t lost;	/* stacks of the rows that were counted: see stacks_lost() */
	} *of_map;		/* owned; by map */
	uint64_t incomplete;	/* see stacks_incomplete() */
	unsigned char *value;	/* owned; of a stack map */
	size_t value_room;
	struct frame *frames;	/* owned; of the current row */
	size_t nr_frames, room;
};

/**
 * stacks_init() - Initialize @stacks for the stacks of @kernel.
 * stacks_free() - Free what the rows needed; @stacks may be NULL.
 * @fields, @namer: borrowed
 *
 * Return: 0 or -ENOMEM.
 */
int stacks_init(struct stacks *stacks, struct sys *sys, const struct kernel_object *kernel,
		struct stack_fields *fields, struct frame_namer *namer, struct error *err);
void stacks_free(struct stacks *stacks);

#endif
