// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The hash of names: SipHash-1-3; names that another hash took for equal; each table has its key. */
#include <stdio.h>

#include "loader/core/object/name_index.h"
#include "loader/core/value/hash.h"
#include "loader/core/value/json_internal.h"
#include "test/unit/common/suite.h"

/* Computed by another implementation; the second half of the key is 0. */
static const struct {
	uint64_t key;
	const char *name;
	uint64_t hash;
} hashes[] = {
	{ 0x0000000000000000, "", 0xd1fba762150c532c },
	{ 0x0000000000000000, "a", 0x407448d2b89b1813 },
	{ 0x0000000000000000, "seven77", 0xa6db6108ea1ca0c6 },
	{ 0x0000000000000000, "eight888", 0xde3012c86e77952f },
	{ 0x0000000000000000, "nine99999", 0xc277005464d2dae5 },
	{ 0x0000000000000001, "eight888", 0x2543a8fd0e44be4d },
	{ 0x0706050403020100, "bpf_map_lookup_elem", 0xe3a6a3ac317dde7b },
};

TEST_ROWS(siphash, hashes)
{
	ck_assert_uint_eq(hash_name(hashes[_i].key, hashes[_i].name, strlen(hashes[_i].name)),
			  hashes[_i].hash);
}

/*
 * A multiplication by an odd number keeps a difference in the highest bit, whatever the key: hashes
 * made of it have names that collide for each.
 */
TEST_EACH(names_that_collided_for_each_key, 64)
{
	static const char one[] = "abcdefghabcdefgh", two[] = "abcdefg\xe8" "abc\xe4" "efg\xe8";

	ck_assert_uint_ne(hash_name(_i * 0x10ull, one, 16), hash_name(_i * 0x10ull, two, 16));
}

#define NR_NAMES 64

static const char *name_of(unsigned int i)
{
	static char name[16];

	snprintf(name, sizeof(name), "name_%u", i);
	return name;
}

/* With one key for all, names that collide in one table would do so in each. */
TEST(each_index_of_names_has_a_key)
{
	struct name_index one = { 0 }, two = { 0 };
	unsigned int nr_same = 0;

	ck_assert_int_eq(name_index_init(&one, 1), 0);
	ck_assert_int_eq(name_index_init(&two, 1), 0);
	name_index_add(&one, "name", 0);
	name_index_add(&two, "name", 0);
	for (uint32_t i = 0; i <= one.mask; i++)
		for (uint32_t k = 0; k <= two.mask; k++)
			nr_same += one.entries[i].name && two.entries[k].name &&
				   one.entries[i].hash == two.entries[k].hash;
	ck_assert_uint_eq(nr_same, 0);
	name_index_free(&one);
	name_index_free(&two);
}

/* Two objects with the same members, which are in other slots. */
TEST(each_object_of_json_has_a_key)
{
	struct json_object *objects[2];
	unsigned int nr_same = 0, nr = 0;

	for (int i = 0; i < 2; i++) {
		objects[i] = json_object_new_object();
		for (unsigned int k = 0; k < NR_NAMES; k++)
			json_object_object_add(objects[i], name_of(k), NULL);
		ck_assert_ptr_nonnull(objects[i]->index);
	}
	for (uint32_t i = 0; i < objects[0]->room * 2; i++) {
		nr += objects[0]->index[i] != 0;
		nr_same += objects[0]->index[i] && objects[0]->index[i] == objects[1]->index[i];
	}
	ck_assert_uint_eq(nr, NR_NAMES);
	ck_assert_uint_lt(nr_same, NR_NAMES / 2);
	for (int i = 0; i < 2; i++)
		json_object_put(objects[i]);
}
