// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Our headers of the ABI against the system's: every size, offset and constant that those have. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/unit/common/suite.h"

struct row {
	const char *name;
	unsigned long long value;
};

struct table {
	struct row *rows;
	size_t nr;
};

/*
 * Returns one number (FNV-1a) for the positions of the bits that are set in a struct. Zeros do not
 * count, because structs grow.
 */
unsigned long long abi_hash(const void *bytes, size_t size);

/* Written and compiled by the build, once with our headers and once without. */
typedef void row_fn(void *to, const char *name, unsigned long long value);
void abi_ours(row_fn *row, void *to);
void abi_system(row_fn *row, void *to);

unsigned long long abi_hash(const void *bytes, size_t size)
{
	const unsigned char *p = bytes;
	unsigned long long hash = 0xcbf29ce484222325ULL;

	for (size_t i = 0; i < size; i++)
		if (p[i])
			hash = (hash ^ (i << 8 | p[i])) * 0x100000001b3ULL;
	return hash;
}

static void add_row(void *to, const char *name, unsigned long long value)
{
	struct table *table = to;

	if ((table->nr & (table->nr - 1)) == 0) {
		size_t room = table->nr ? 2 * table->nr : 1;

		table->rows = realloc(table->rows, room * sizeof(*table->rows));
		ck_assert_ptr_nonnull(table->rows);
	}
	table->rows[table->nr++] = (struct row){ .name = name, .value = value };
}

/* The system's rows are ours less some, in the same order. */
TEST(same_as_system)
{
	struct table ours = {}, theirs = {};
	size_t i, j = 0, missing = 0, compared = 0;

	abi_ours(add_row, &ours);
	abi_system(add_row, &theirs);
	for (i = 0; i < ours.nr; i++) {
		const struct row *a = &ours.rows[i], *b = &theirs.rows[j];

		if (j == theirs.nr || strcmp(a->name, b->name) != 0) {
			missing++;
			continue;
		}
		j++;
		if (!strncmp(a->name, "grows(", 6) || !strncmp(a->name, "expect(", 7))
			continue;
		compared++;
		ck_assert_msg(a->value == b->value, "%s: ours is %#llx, the system's %#llx",
			      a->name, a->value, b->value);
	}
	ck_assert_msg(j == theirs.nr, "%zu rows of the system's have no place in ours",
		      theirs.nr - j);
	printf("# %zu sizes, offsets and constants are the system's, whose headers lack %zu more\n",
	       compared, missing);
	fflush(stdout);
	/* Fewer than this, and it is the comparison that is broken. */
	ck_assert_uint_gt(compared, 500);
	free(ours.rows);
	free(theirs.rows);
}

/* Sizes that the definitions state, for types that grow and for those the system does not have. */
TEST(stated_sizes)
{
	struct table ours = {};
	size_t i, checked = 0;

	abi_ours(add_row, &ours);
	for (i = 1; i < ours.nr; i++) {
		if (strncmp(ours.rows[i].name, "expect(", 7) != 0)
			continue;
		checked++;
		ck_assert_msg(ours.rows[i].value == ours.rows[i - 1].value,
			      "%s: stated %llu, is %llu", ours.rows[i - 1].name,
			      ours.rows[i].value, ours.rows[i - 1].value);
	}
	ck_assert_uint_gt(checked, 50);
	free(ours.rows);
}
