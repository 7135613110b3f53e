// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The nearest names are those that a whole matrix for each name finds, whatever is left out. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "elf/error.h"
#include "test/unit/common/suite.h"

/* The definition: one letter less in either or both. */
static unsigned int plain(const char *a, const char *b)
{
	static unsigned int cell[DISTANCE_MAX + 1][DISTANCE_MAX + 1];
	const size_t a_len = strlen(a), b_len = strlen(b);

	for (size_t i = 0; i <= a_len; i++)
		for (size_t j = 0; j <= b_len; j++) {
			unsigned int least = i &&
				j ? cell[i - 1][j - 1] + (a[i - 1] != b[j - 1]) : i + j;

			if (i && cell[i - 1][j] + 1 < least)
				least = cell[i - 1][j] + 1;
			if (j && cell[i][j - 1] + 1 < least)
				least = cell[i][j - 1] + 1;
			cell[i][j] = least;
		}
	return cell[a_len][b_len];
}

/* Repeatable. */
static unsigned int next(void)
{
	static uint32_t state = 1;

	state = state * 1664525 + 1013904223;
	return state >> 16;
}

static void make_word(char *word, unsigned int letters, unsigned int len)
{
	unsigned int i;

	for (i = 0; i < len; i++)
		word[i] = 'a' + next() % letters;
	word[i] = '\0';
}

TEST(distances)
{
	char a[DISTANCE_MAX], b[DISTANCE_MAX];

	for (int i = 0; i < 20000; i++) {
		make_word(a, 1 + next() % 4, next() % (i % 10 ? 12 : DISTANCE_MAX));
		make_word(b, 1 + next() % 4, next() % (i % 10 ? 12 : DISTANCE_MAX));
		ck_assert_msg(edit_distance(a, b) == plain(a, b), "'%s' '%s': %u", a, b,
			      edit_distance(a, b));
	}
	/* One that is too long has no distance, even if it is one letter away. */
	memset(a, 'x', sizeof(a));
	memset(b, 'x', sizeof(b));
	a[sizeof(a) - 1] = '\0';
	ck_assert_uint_eq(edit_distance(a, b), DISTANCE_MAX);
	ck_assert_uint_eq(edit_distance(b, a), DISTANCE_MAX);
}

/* Keeps three names, nearest first, else in order; a distance above 1 + len / 3 is too far. */
static void offer_plainly(struct nearest *near, const char *name)
{
	const size_t len = strlen(near->wanted);
	const unsigned int distance = plain(near->wanted, name);
	unsigned int at = 0;

	if (strncmp(near->wanted, name, len) && distance > 1 + len / 3)
		return;
	for (unsigned int i = 0; i < near->nr; i++)
		if (!strcmp(near->name[i], name))
			return;
	while (at < near->nr && near->distance[at] <= distance)
		at++;
	if (at == NEAREST_MAX)
		return;
	near->nr += near->nr < NEAREST_MAX;
	for (unsigned int i = near->nr - 1; i > at; i--) {
		near->distance[i] = near->distance[i - 1];
		strcpy(near->name[i], near->name[i - 1]);
	}
	near->distance[at] = distance;
	strcpy(near->name[at], name);
}

TEST(nearest)
{
	for (int round = 0; round < 2000; round++) {
		char wanted[DISTANCE_MAX], name[DISTANCE_MAX];
		struct nearest near, plainly;

		make_word(wanted, 1 + next() % 3, next() % 16);
		nearest_init(&near, wanted);
		nearest_init(&plainly, wanted);
		for (int i = 0; i < 40; i++) {
			/* One of three is like it, or goes on where it ends. */
			make_word(name, 1 + next() % 3, next() % 16);
			if (next() % 3 == 0)
				snprintf(name, sizeof(name), "%.20s%.*s", wanted,
					 (int)(next() % 4), "bca");
			if (name[0] && next() % 2)
				name[next() % strlen(name)] = 'a' + next() % 3;
			nearest_offer(&near, name);
			offer_plainly(&plainly, name);
		}
		ck_assert_uint_eq(near.nr, plainly.nr);
		for (unsigned int i = 0; i < near.nr; i++) {
			ck_assert_str_eq(near.name[i], plainly.name[i]);
			ck_assert_uint_eq(near.distance[i], plainly.distance[i]);
		}
	}
}

TEST(names_that_are_too_long)
{
	const char *const wanted = "cycles";
	struct nearest near;
	char name[200];

	nearest_init(&near, wanted);
	memset(name, 'x', sizeof(name) - 1);
	memcpy(name, wanted, strlen(wanted));
	name[sizeof(name) - 1] = '\0';
	nearest_offer(&near, name);
	ck_assert_uint_eq(near.nr, 0);
	name[NEAREST_NAME] = '\0';	/* and one that is longer by its end */
	nearest_offer(&near, name);
	ck_assert_uint_eq(near.nr, 0);
	near.wanted = name;
	nearest_offer(&near, wanted);
	ck_assert_uint_eq(near.nr, 0);
}
