/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* How far one name is from another: for "did you mean". */
#ifndef PLOAD_ELF_DISTANCE_H
#define PLOAD_ELF_DISTANCE_H

#include <stddef.h>

/* Names of so many letters or more are as far as can be from all others. */
#define DISTANCE_MAX 64

/*
 * edit_distance() - how many letters have to be put in, taken out or changed to make @b of @a
 * (Levenshtein); DISTANCE_MAX when one of them is too long.
 */
unsigned int edit_distance(const char *a, const char *b);

/* The few names that are most like one that is not there. */
#define NEAREST_MAX 3
#define NEAREST_NAME DISTANCE_MAX

struct nearest {
	const char *wanted;	/* borrowed */
	unsigned int nr;
	unsigned int distance[NEAREST_MAX];	/* ascending */
	char name[NEAREST_MAX][NEAREST_NAME];
};

void nearest_init(struct nearest *near, const char *wanted);

/*
 * nearest_offer() - keep @name (copied) if it is among the nearest so far, by edit distance, and
 * not too far to be meant. The same name is kept once.
 */
void nearest_offer(struct nearest *near, const char *name);

/* nearest_text() - "a, b, c" into @buf, empty when nothing was near. Returns @buf. */
const char *nearest_text(const struct nearest *near, char *buf, size_t size);

#endif
