/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Functions that only the files of this room use: parts of the document. */
#ifndef PLOAD_COMPARE_MEASURE_COMPARE_INTERNAL_H
#define PLOAD_COMPARE_MEASURE_COMPARE_INTERNAL_H

#include "loader/compare/measure/compare.h"
#include "loader/value/value.h"

/**
 * compare_add_text() - Add a string, or null for NULL and "".
 *
 * Return: false when there is no memory.
 */
bool compare_add_text(struct json_object *object, const char *key, const char *text);

/**
 * compare_list() - Get the array @key of @object, which is created if it does not exist.
 *
 * Return: borrowed; NULL when there is no memory.
 */
struct json_object *compare_list(struct json_object *object, const char *key);

/**
 * compare_section() - Append a section {"id", "title", "rows": []} to "sections" of @event.
 * compare_row() - Append a row {"id", "what", "cells": {}} to a section.
 *
 * Return: borrowed; NULL when there is no memory.
 */
struct json_object *compare_section(struct json_object *event, const char *id, const char *title);
struct json_object *compare_row(struct json_object *section, const char *id, const char *what);

/**
 * compare_answer() - Add the answer of @cell to a row.
 * @answer: a short word.
 * @detail: a sentence, or NULL.
 * @err: a failure, or NULL.
 *
 * Return: false when there is no memory.
 */
bool compare_answer(struct json_object *row, const struct compare_cell *cell, const char *answer,
		    const char *detail, const struct error *err);

/* The steps of a cell in order, to which the calls and their times are attributed. */
enum compare_step {
	COMPARE_OPEN,
	COMPARE_BIND,
	COMPARE_ENABLE,
	COMPARE_DETACH,
	COMPARE_NR_STEPS,
};

/* The time that the kernel took for the first @reached steps of one attachment. */
struct compare_taken {
	unsigned int reached;
	uint64_t ns[COMPARE_NR_STEPS];
};

/**
 * compare_times() - Add "times" to each cell, and the number of "rounds" to @event.
 * @first: the round that is already measured.
 * compare_costs() - Add "cost" to the cells that @fire.
 * compare_records() - Add "records" to the cells that @fire.
 *
 * Return: false when there is no memory.
 */
bool compare_times(const struct compare_subject *s, struct json_object *event,
		   struct json_object *cells, const struct compare_taken first[COMPARE_NR_CELLS]);
bool compare_costs(const struct compare_subject *s, struct json_object *cells,
		   const bool fire[COMPARE_NR_CELLS]);
bool compare_records(const struct compare_subject *s, struct json_object *cells,
		     const bool fire[COMPARE_NR_CELLS]);

#endif
