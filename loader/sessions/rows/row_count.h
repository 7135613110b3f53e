/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The field of a value that counts how often its row was seen: rows are sorted by it. */
#ifndef PLOAD_SESSIONS_ROWS_ROW_COUNT_H
#define PLOAD_SESSIONS_ROWS_ROW_COUNT_H

#include "loader/sessions/rows/map_rows.h"

struct row_count {
	struct number_type number;	/* size 0: the value has no number */
	uint32_t offset;	/* in bytes of the value */
	const char *name;	/* borrowed from the BTF; "": the value itself is the count */
};

/*
 * row_count_find() - Find the count in values of type @id: the value itself, if it is an integer;
 * else its first member with a name for a count, such as "samples", or else its first integer of 4
 * or 8 bytes.
 */
struct row_count row_count_find(const struct btf *btf, uint32_t id);

#endif
