// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Levenshtein's distance, one row of his matrix at a time. */
#include <string.h>

#include "elf/distance.h"

static unsigned int min3(unsigned int a, unsigned int b, unsigned int c)
{
	if (b < a)
		a = b;
	return c < a ? c : a;
}

unsigned int edit_distance(const char *a, const char *b)
{
	const size_t a_len = strnlen(a, DISTANCE_MAX), b_len = strnlen(b, DISTANCE_MAX);
	unsigned int row[DISTANCE_MAX];

	if (a_len == DISTANCE_MAX || b_len == DISTANCE_MAX)
		return DISTANCE_MAX;
	for (size_t j = 0; j <= b_len; j++)
		row[j] = j;
	for (size_t i = 1; i <= a_len; i++) {
		unsigned int diagonal = row[0];

		row[0] = i;
		for (size_t j = 1; j <= b_len; j++) {
			unsigned int above = row[j];

			row[j] = min3(above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1]));
			diagonal = above;
		}
	}
	return row[b_len];
}
