// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Levenshtein's distance, one row of his matrix at a time; and the names nearest to one by it. */
#include <stdbool.h>
#include <stdio.h>
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

void nearest_init(struct nearest *near, const char *wanted)
{
	memset(near, 0, sizeof(*near));
	near->wanted = wanted;
}

void nearest_offer(struct nearest *near, const char *name)
{
	size_t wanted_len = strlen(near->wanted), len = strlen(name);
	const unsigned int limit = 1 + wanted_len / 3;
	const bool goes_on = strncmp(near->wanted, name, wanted_len) == 0;
	unsigned int distance, i;

	if (len >= NEAREST_NAME || wanted_len >= NEAREST_NAME)
		return;
	/*
	 * "cyclse" means cycles. A name half of which is different was not meant; one that goes on
	 * may have been. Names are at least as far apart as one of them is longer.
	 */
	if (!goes_on && (len > wanted_len + limit || wanted_len > len + limit))
		return;
	for (i = 0; i < near->nr; i++)
		if (!strcmp(near->name[i], name))
			return;
	distance = edit_distance(near->wanted, name);
	if (!goes_on && distance > limit)
		return;
	for (i = 0; i < near->nr; i++)	/* several directories may list it */
		if (!strcmp(near->name[i], name))
			return;
	for (i = near->nr; i > 0 && near->distance[i - 1] > distance; i--)
		;
	if (i == NEAREST_MAX)
		return;
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
