/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The call stacks and addresses of rows and records. Implemented by profile/stacks. */
#ifndef PLOAD_PRINT_ROW_STACKS_H
#define PLOAD_PRINT_ROW_STACKS_H

#include <stdio.h>

#include "loader/core/value/json_object.h"

#include "elf/bytes.h"
#include "elf/error.h"
#include "loader/objects/analysis/stack_fields.h"

/* Those of an object. */
struct stacks;

/* An element of a map, or a record. */
struct stack_row {
	uint32_t map;
	struct bytes part[3];	/* by enum stack_field_part; empty: it does not have this part */
	uint64_t weight;	/* how often its stacks were seen */
};

/*
 * stacks_has() - Return true if the rows or records of @map have stacks; @stacks may be NULL.
 * stacks_has_addresses() - The same for instruction addresses.
 */
bool stacks_has(const struct stacks *stacks, uint32_t map);
bool stacks_has_addresses(const struct stacks *stacks, uint32_t map);

/**
 * stacks_begin() - Call before the rows of @map: name its fields, and find those with the process
 * and its command by name.
 * @types: the BTF type of each part; 0: the rows do not have it, or its type is not known
 *
 * stacks_describe() - Create the message "stack-fields": which fields of @map are stacks, and how
 * that is known. NULL if out of memory.
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
 * stacks_drop_buffers() - Remove the members of @record that are address buffers, for readers who
 * get names instead.
 */
void stacks_drop_buffers(const struct stacks *stacks, uint32_t map, struct json_object *record);

/*
 * stacks_lost() - Return how many stacks of rows are missing from stack map @map because of a hash
 * collision (EEXIST) or a full map (ENOMEM).
 */
uint64_t stacks_lost(const struct stacks *stacks, uint32_t map);

/*
 * stacks_incomplete() - Return the weight of the rows passed to stacks->count with a lost stack,
 * which a frame without address replaces: "[user stack lost]".
 */
uint64_t stacks_incomplete(const struct stacks *stacks);

/*
 * stacks_are_of_rows() - Return true if rows contain ids of stack map @map, which is then not
 * printed.
 */
bool stacks_are_of_rows(const struct stacks *stacks, uint32_t map);

/* stacks_is_in_row() - Return true if a row contained id @id of stack map @map. */
bool stacks_is_in_row(const struct stacks *stacks, uint32_t map, uint32_t id);

/* For out->of_records. (profile/stacks/stacks_text.c) */
extern const struct record_stacks stacks_of_records;

/*
 * stacks_print_fields() - Print the message "stack-fields" as text.
 * stacks_print() - Print the "stacks" of @msg, if it has any, a line for each frame.
 * stacks_print_record() - Print the message of a record, and these below it.
 * stacks_print_addresses() - Print the names of its "addresses", if it has any, in its line.
 */
void stacks_print_fields(FILE *file, struct json_object *msg);
void stacks_print(FILE *file, struct json_object *msg);
void stacks_print_record(FILE *file, struct json_object *msg);
void stacks_print_addresses(FILE *file, struct json_object *msg);

#endif
