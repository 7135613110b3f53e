/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the files of this folder share and nobody else needs. */
#ifndef PLOAD_TOOLS_COMPARE_COMPARE_INTERNAL_H
#define PLOAD_TOOLS_COMPARE_COMPARE_INTERNAL_H

#include "loader/tools/compare/compare.h"
#include "loader/output/value.h"

/* A member that is a string (null for NULL and ""), or a number. false: no memory. */
bool compare_add_text(struct json_object *object, const char *key, const char *text);
bool compare_add_number(struct json_object *object, const char *key, uint64_t number);

/* compare_list() - the array @key of @object, borrowed; made where there is none. NULL: ENOMEM. */
struct json_object *compare_list(struct json_object *object, const char *key);

/* What a cell took once: the kernel's nanoseconds for each step, of which @reached were taken. */
struct compare_taken {
	unsigned int reached;
	uint64_t ns[4];		/* as many as there are steps (recorder.h) */
};

/*
 * The parts of "cells"; false: no memory. compare_times(): "times" of each, and to @event how many
 * "rounds" it were, of which @first has been taken. compare_costs(): "cost", compare_records():
 * "records" of those that @fire.
 */
bool compare_times(const struct compare_subject *s, struct json_object *event,
		   struct json_object *cells, const struct compare_taken first[COMPARE_NR_CELLS]);
bool compare_costs(const struct compare_subject *s, struct json_object *cells,
		   const bool fire[COMPARE_NR_CELLS]);
bool compare_records(const struct compare_subject *s, struct json_object *cells,
		     const bool fire[COMPARE_NR_CELLS]);

#endif
