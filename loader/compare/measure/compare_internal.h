/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The steps of a cell, and the parts of its measurement. */
#ifndef PLOAD_COMPARE_MEASURE_COMPARE_INTERNAL_H
#define PLOAD_COMPARE_MEASURE_COMPARE_INTERNAL_H

#include "loader/compare/document/document.h"
#include "loader/compare/measure/compare.h"

/* The steps of a cell, in order; calls and their times are attributed to them. */
enum compare_step {
	COMPARE_OPEN,
	COMPARE_BIND,
	COMPARE_ENABLE,
	COMPARE_DETACH,
	COMPARE_NR_STEPS,
};

/* The kernel time of the first @reached steps of one attachment. */
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

/*
 * compare_percentile() - Return the smallest of @nr ascending values that is not less than @percent
 * percent of them. @nr, @percent: at least 1
 */
uint64_t compare_percentile(const uint64_t *sorted, unsigned int nr, unsigned int percent);

#endif
