/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The call stacks and addresses of a row of a map, or of a record: read, named, and printed. */
#ifndef PLOAD_FEATURES_PROFILE_STACKS_H
#define PLOAD_FEATURES_PROFILE_STACKS_H

#include <json-c/json_object.h>

#include "loader/kernel/kernel.h"
#include "loader/object/stack_fields.h"
#include "loader/features/profile/frame.h"

/* Called with the stack of each row, outermost frame first; the first is the command, if known. */
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
	bool is_preview;	/* rows are counted for the moment, and their losses are not */

	struct {
		unsigned char *ids;	/* owned; a bit for each id that a row has */
		uint64_t rows;	/* with an id of the map, or with -errno */
		uint64_t lost;	/* stacks of the rows that were counted: see stacks_lost() */
	} *of_map;		/* owned; by map */
	uint64_t incomplete;	/* see stacks_incomplete() */
	unsigned char *value;	/* owned; of a stack map */
	size_t value_room;
	struct frame *frames;	/* owned; of the row at hand */
	size_t nr_frames, room;
};

/* An element of a map, or a record. */
struct stack_row {
	uint32_t map;
	struct bytes part[3];	/* by enum stack_field_part; empty: it has no such part */
	uint64_t weight;	/* how often its stacks were seen */
};

/**
 * stacks_init() - Begin with the stacks of @kernel.
 * stacks_free() - Release what the rows needed; @stacks may be NULL.
 * @fields, @namer: borrowed
 *
 * Return: 0 or -ENOMEM.
 */
int stacks_init(struct stacks *stacks, struct sys *sys, const struct kernel_object *kernel,
		struct stack_fields *fields, struct frame_namer *namer, struct error *err);
void stacks_free(struct stacks *stacks);

/*
 * stacks_has() - Return true if the rows or records of @map have stacks; @stacks may be NULL.
 * stacks_has_addresses() - The same of addresses of instructions.
 */
bool stacks_has(const struct stacks *stacks, uint32_t map);
bool stacks_has_addresses(const struct stacks *stacks, uint32_t map);

/**
 * stacks_begin() - Before the rows of @map: give its fields their names, and find by names which
 * are the process and its command.
 * @types: the BTF type of each part; 0: the rows do not have it, or its type is not known
 *
 * stacks_describe() - Create the message "stack-fields": which fields of @map are stacks, and how
 * that is known. NULL: no memory.
 */
int stacks_begin(struct stacks *stacks, uint32_t map, const uint32_t types[3], struct error *err);
struct json_object *stacks_describe(const struct stacks *stacks, uint32_t map);

/**
 * stacks_add() - Read and name the stacks of @row, and pass them to stacks->count.
 * @msg: receives the members "stacks" and "addresses"; NULL: the row is not printed
 *
 * Return: 0 or -errno.
 */
int stacks_add(struct stacks *stacks, const struct stack_row *row, struct json_object *msg,
	       struct error *err);

/*
 * stacks_drop_buffers() - Remove the members of @record that are buffers of addresses, for a reader
 * who gets their names.
 */
void stacks_drop_buffers(const struct stacks *stacks, uint32_t map, struct json_object *record);

/*
 * stacks_lost() - Return how many stacks of rows are not in stack map @map: another one has the
 * same hash (EEXIST), or the map had no room (ENOMEM).
 */
uint64_t stacks_lost(const struct stacks *stacks, uint32_t map);

/*
 * stacks_incomplete() - Return the weight of the rows passed to stacks->count of which a stack is
 * lost. They have a frame without address in its place: "[user stack lost]".
 */
uint64_t stacks_incomplete(const struct stacks *stacks);

/* stacks_are_of_rows() - Return true if rows have ids of stack map @map: it is not printed. */
bool stacks_are_of_rows(const struct stacks *stacks, uint32_t map);

/* stacks_is_in_row() - Return true if a row had id @id of stack map @map. */
bool stacks_is_in_row(const struct stacks *stacks, uint32_t map, uint32_t id);

#endif
