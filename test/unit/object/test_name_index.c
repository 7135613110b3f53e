// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Things found by their names: all of them, the first of several, and none that does not exist. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/object/name_index.h"
#include "test/unit/common/suite.h"

TEST(empty)
{
	struct name_index names = { 0 };

	ck_assert_int_eq(name_index_find(&names, "x"), -1);
	ck_assert_int_eq(name_index_find(&names, ""), -1);
	ck_assert_int_eq(name_index_init(&names, 0), 0);
	ck_assert_int_eq(name_index_find(&names, "x"), -1);
	name_index_free(&names);
	ck_assert_int_eq(name_index_find(&names, "x"), -1);
}

TEST(all_are_found)
{
	enum { NR = 5000 };
	char (*text)[32] = calloc(NR, sizeof(*text));
	struct name_index names;

	ck_assert_int_eq(name_index_init(&names, NR), 0);
	for (int i = 0; i < NR; i++) {
		snprintf(text[i], sizeof(text[i]), "%.*sname_%d", i % 9, "aaaaaaaaa", i);
		name_index_add(&names, text[i], i);
	}
	for (int i = 0; i < NR; i++) {
		char copy[33];

		ck_assert_int_eq(name_index_find(&names, text[i]), i);
		snprintf(copy, sizeof(copy), "%sx", text[i]);
		ck_assert_int_eq(name_index_find(&names, copy), -1);
		copy[strlen(text[i]) - 1] = '\0';
		copy[0] = 'b';
		ck_assert_int_eq(name_index_find(&names, copy), -1);
	}
	name_index_free(&names);
	free(text);
}

TEST(the_first_of_one_name)
{
	const char one[] = "twice", two[] = "twice";
	struct name_index names;

	ck_assert_int_eq(name_index_init(&names, 3), 0);
	name_index_add(&names, one, 7);
	name_index_add(&names, two, 3);
	name_index_add(&names, "", 9);
	ck_assert_int_eq(name_index_find(&names, "twice"), 7);
	ck_assert_int_eq(name_index_find(&names, ""), 9);
	name_index_free(&names);
}

/* Every length around the steps of the hash; and what is longer than it looks at differs, too. */
TEST(of_every_length)
{
	enum { NR = 40, LONG = 6000 };
	char text[NR][NR + 1] = { 0 }, *longs[2];
	struct name_index names;

	ck_assert_int_eq(name_index_init(&names, NR + 2), 0);
	for (int i = 0; i < NR; i++)
		name_index_add(&names, memset(text[i], 'x', i), i);
	for (int i = 0; i < 2; i++) {
		longs[i] = calloc(LONG + 1, 1);
		memset(longs[i], 'x', LONG);
		longs[i][LONG - 1] = '0' + i;
		name_index_add(&names, longs[i], NR + i);
	}
	for (int i = 0; i < NR; i++)
		ck_assert_int_eq(name_index_find(&names, text[i]), i);
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(name_index_find(&names, longs[i]), NR + i);
		longs[i][LONG - 1] = 'x';
	}
	name_index_free(&names);
	free(longs[0]);
	free(longs[1]);
}
