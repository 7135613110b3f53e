// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Levenshtein distance, computed row by row, and the nearest names. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "elf/error.h"

static unsigned int min3(unsigned int a, unsigned int b, unsigned int c)
{
	if (b < a)
		a = b;
	return c < a ? c : a;
}

/*
 * Return the distance if it is at most @bound, otherwise some larger number. A cell of the matrix
 * is at least as large as its distance from the diagonal, so only a band is computed. No cell is
 * smaller than the minimum of any row above it.
 */
static unsigned int distance_within(const char *a, size_t a_len, const char *b, size_t b_len,
				    unsigned int bound)
{
	unsigned int row[DISTANCE_MAX];

	for (size_t j = 0; j <= b_len; j++)
		row[j] = j;
	for (size_t i = 1; i <= a_len; i++) {
		const size_t first = i > bound ? i - bound : 1;
		const size_t last = i + bound < b_len ? i + bound : b_len;
		unsigned int diagonal = row[first - 1], least;

		least = row[first - 1] = first == 1 ? i : bound + 1;
		for (size_t j = first; j <= last; j++) {
			/*
			 * Outside the band of the preceding row, every cell is larger than @bound.
			 */
			unsigned int above = j == i + bound ? bound + 1 : row[j];

			row[j] = min3(above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1]));
			diagonal = above;
			if (row[j] < least)
				least = row[j];
		}
		if (least > bound)
			return bound + 1;
	}
	return row[b_len];
}

unsigned int edit_distance(const char *a, const char *b)
{
	const size_t a_len = strnlen(a, DISTANCE_MAX), b_len = strnlen(b, DISTANCE_MAX);

	if (a_len == DISTANCE_MAX || b_len == DISTANCE_MAX)
		return DISTANCE_MAX;
	return distance_within(a, a_len, b, b_len, DISTANCE_MAX);
}

/*
 * Return distance_within() after stripping the common prefix and suffix, which do not affect it.
 */
static unsigned int distance_of(const char *a, size_t a_len, const char *b, size_t b_len,
				unsigned int bound)
{
	while (a_len && b_len && *a == *b)
		a++, b++, a_len--, b_len--;
	while (a_len && b_len && a[a_len - 1] == b[b_len - 1])
		a_len--, b_len--;
	if (a_len > b_len + bound || b_len > a_len + bound)
		return bound + 1;
	return distance_within(a, a_len, b, b_len, bound);
}

void nearest_init(struct nearest *near, const char *wanted)
{
	memset(near, 0, sizeof(*near));
	near->wanted = wanted;
}

/*
 * Return the largest acceptable distance, or -1. A name must be similar, and nearer than the last
 * one of a full list.
 */
static int farthest(const struct nearest *near, size_t wanted_len, bool is_prefix)
{
	const int limit = is_prefix ? DISTANCE_MAX : 1 + wanted_len / 3;

	if (near->nr < NEAREST_MAX || (int)near->distance[NEAREST_MAX - 1] > limit)
		return limit;
	return (int)near->distance[NEAREST_MAX - 1] - 1;
}

void nearest_offer(struct nearest *near, const char *name)
{
	const size_t wanted_len = strlen(near->wanted), len = strlen(name);
	const bool is_prefix = strncmp(near->wanted, name, wanted_len) == 0;
	const int bound = farthest(near, wanted_len, is_prefix);
	unsigned int distance, i;

	if (len >= NEAREST_NAME || wanted_len >= NEAREST_NAME || bound < 0)
		return;
	/*
	 * "cyclse" means "cycles". Names that differ by more than a third are not suggested, unless
	 * they start with the wanted name.
	 */
	distance = distance_of(near->wanted, wanted_len, name, len, bound);
	if (distance > (unsigned int)bound)
		return;
	for (i = 0; i < near->nr; i++)	/* Several directories may contain the same name. */
		if (!strcmp(near->name[i], name))
			return;
	for (i = near->nr; i > 0 && near->distance[i - 1] > distance; i--)
		;
	if (near->nr < NEAREST_MAX)
		near->nr++;
	for (unsigned int k = near->nr - 1; k > i; k--) {
		near->distance[k] = near->distance[k - 1];
		memcpy(near->name[k], near->name[k - 1], NEAREST_NAME);
	}
	near->distance[i] = distance;
	memcpy(near->name[i], name, len + 1);
}

const char *nearest_text(const struct nearest *near, char *buf, size_t size)
{
	size_t len = 0;

	buf[0] = '\0';
	for (unsigned int i = 0; i < near->nr && len < size; i++)
		len += snprintf(buf + len, size - len, "%s%s", i ? ", " : "", near->name[i]);
	return buf;
}
