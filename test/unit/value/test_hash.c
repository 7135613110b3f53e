// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The hash of names: SipHash-1-3, and that names which another hash took for equal differ. */
#include "loader/core/value/hash.h"
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
