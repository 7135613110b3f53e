// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The hash table of wanted type names, and the pass over the types that looks them up. */
#include <errno.h>
#include <stdlib.h>

#include "loader/objects/kernel_types/type_names.h"

/* A flavour starts at the last "___" between two characters other than underscores. */
size_t type_name_essential(const char *name)
{
	size_t len = strnlen(name, TYPE_NAME_MAX);

	for (size_t i = len; i >= 5; i--) {
		const char *p = name + i - 5;

		if (p[0] != '_' && p[1] == '_' && p[2] == '_' && p[3] == '_' && p[4] != '_')
			return i - 4;
	}
	return len;
}

bool type_names_equal(const char *a, const char *b)
{
	size_t len = type_name_essential(a);

	return len == type_name_essential(b) && !memcmp(a, b, len);
}

int type_names_init(struct type_names *names, uint64_t nr, bool flavours)
{
	uint64_t size = 2;

	while (size <= 2 * nr)
		size *= 2;
	*names = (struct type_names){ .mask = size - 1, .flavours = flavours };
	names->names = calloc(size, sizeof(*names->names));
	return names->names ? 0 : -ENOMEM;
}

void type_names_free(struct type_names *names)
{
	free(names->names);
	memset(names, 0, sizeof(*names));
}

static size_t length(const struct type_names *names, const char *name)
{
	return names->flavours ? type_name_essential(name) : strnlen(name, TYPE_NAME_MAX);
}

/*
 * FNV-1a, seeded with the table's address, so that an object cannot be built to make all names
 * collide.
 */
static uint32_t hash(const struct type_names *names, const char *name, size_t len)
{
	uint32_t h = 2166136261u ^ (uint32_t)((uintptr_t)names->names >> 4);

	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)name[i]) * 16777619u;
	return h;
}

/* Return the slot of @name, used or free. The table is at most half full. */
struct type_name *type_names_get(const struct type_names *names, const char *name)
{
	size_t len = length(names, name);

	for (uint32_t i = hash(names, name, len);; i++) {
		struct type_name *n = &names->names[i & names->mask];

		if (!n->name || (!strncmp(n->name, name, len) && length(names, n->name) == len))
			return n;
	}
}

/*
 * Return the first two characters of @name, which suffice to reject most kernel names. The second
 * one of a one-character name is 0, even before a flavour.
 */
static uint32_t begin_of(const struct type_names *names, const char *name)
{
	unsigned char second = name[1] == '_' && length(names, name) == 1 ? 0 : name[1];

	return (unsigned char)name[0] << 8 | second;
}

static bool may_be_wanted(const struct type_names *names, const char *name)
{
	uint32_t begin = name[0] ? begin_of(names, name) : 0;

	return begin && names->begins[begin / 8] >> begin % 8 & 1;
}

struct type_name *type_names_add(struct type_names *names, const char *name, uint32_t kinds)
{
	struct type_name *n = type_names_get(names, name);
	uint32_t begin = name[0] ? begin_of(names, name) : 0;

	n->name = name;
	names->kinds |= kinds;
	if (begin)
		names->begins[begin / 8] |= 1 << begin % 8;
	return n;
}

/*
 * Find types of certain kinds without finding all types before them.
 *
 * A record can start at any multiple of 4, and its second word contains the kind:
 *
 *	... | name_off | info | size/type | name_off | info | size/type | ...
 *	               +------+                      +------+
 *	                 kind?                         kind?
 *
 * Walking the records has to wait for each length. Comparing every word takes four times as many
 * comparisons, but they are independent, and compilers do four or more per instruction. A few other
 * words happen to look like an info word.
 */
#define BLOCK 32
#define KIND_BITS (UINT32_C(0x7f) << 24)

_Static_assert(BTF_INFO_KIND(KIND_BITS) << 24 == KIND_BITS, "the bits of info that hold the kind");

/*
 * Return a word with bit i set if word i of the block at @words, masked with @mask, equals @info.
 * If inlined into its loops, it would not have enough vector registers.
 */
static __attribute__((noinline)) uint32_t find_info(const unsigned char *words, uint32_t mask,
						    uint32_t info)
{
#define BITS(n) UINT32_C(1) << (n), UINT32_C(2) << (n), UINT32_C(4) << (n), UINT32_C(8) << (n)
	/* A table, because many processors have no variable vector shifts. */
	static const uint32_t bits[BLOCK] = { BITS(0),	BITS(4),  BITS(8),  BITS(12),
					      BITS(16), BITS(20), BITS(24), BITS(28) };
	uint32_t found = 0;

#ifndef __clang__	/* clang does this by itself, and does not vectorize if told to */
#pragma GCC unroll 8
#endif
	for (int i = 0; i < BLOCK; i++) {
		uint32_t word;

		memcpy(&word, words + i * sizeof(word), sizeof(word));
		found |= (word & mask) == info ? bits[i] : 0;
	}
	return found;
}

static uint32_t find_infos(const struct btf *btf, const unsigned char *words, uint32_t kinds)
{
	uint32_t found = 0;

	for (kinds &= ~(1u << BTF_KIND_UNKN); kinds; kinds &= kinds - 1) {
		const uint32_t info = (uint32_t)__builtin_ctz(kinds) << 24;

		if (btf->swap)
			found |= find_info(words, __builtin_bswap32(KIND_BITS),
					   __builtin_bswap32(info));
		else
			found |= find_info(words, KIND_BITS, info);
	}
	return found;
}

/* Offsets collected before they are examined, to avoid a branch that is hard to predict. */
#define OFFSETS_MAX 256

/* Append the offsets of the types in a block, given by @infos. Most blocks have at most two. */
static uint32_t add_offsets(uint32_t *offsets, uint32_t nr, size_t block, uint32_t infos)
{
	for (int i = 0; i < 2; i++) {
		offsets[nr] = block + __builtin_ctz(infos | 1u << (BLOCK - 1)) * sizeof(uint32_t);
		nr += infos != 0;
		infos &= infos - 1;
	}
	for (; infos; infos &= infos - 1)
		offsets[nr++] = block + __builtin_ctz(infos) * sizeof(uint32_t);
	return nr;
}

/* Find offsets, from *@block on, where a type of @kinds may start. Return their number. */
static uint32_t find_offsets(const struct btf *btf, uint32_t kinds, size_t *block,
			     uint32_t offsets[OFFSETS_MAX])
{
	const size_t to_info = offsetof(struct btf_type, info);
	unsigned char last[BLOCK * sizeof(uint32_t)] = { 0 };
	const struct bytes types = btf->types;
	uint32_t nr = 0;

	for (; nr <= OFFSETS_MAX - BLOCK && *block + sizeof(struct btf_type) <= types.size;
	     *block += sizeof(last)) {
		const unsigned char *words = types.data + *block + to_info;
		const size_t room = types.size - *block - to_info;

		if (room < sizeof(last))
			words = memcpy(last, words, room);
		nr = add_offsets(offsets, nr, *block, find_infos(btf, words, kinds));
	}
	return nr;
}

/*
 * Return the entry of @name if a type with that name is wanted, perhaps of another kind; or NULL.
 * @name may be NULL.
 */
static struct type_name *wanted(const struct type_names *names, const char *name)
{
	struct type_name *n;

	if (!name || !may_be_wanted(names, name))
		return NULL;
	n = type_names_get(names, name);
	return n->name ? n : NULL;
}

int type_names_visit(const struct type_names *names, const struct btf *btf,
		     int (*found)(void *arg, struct type_name *name, uint32_t kind, uint32_t id),
		     void *arg)
{
	uint32_t offsets[OFFSETS_MAX], nr;
	const char *name[OFFSETS_MAX];
	size_t block = 0;

	while ((nr = find_offsets(btf, names->kinds, &block, offsets))) {
		/*
		 * Names are scattered over the strings: prefetch them together to overlap the cache
		 * misses.
		 */
		for (uint32_t i = 0; i < nr; i++) {
			name[i] = btf_string(btf, bytes_u32(btf->types, offsets[i], btf->swap));
			__builtin_prefetch(name[i]);
		}
		for (uint32_t i = 0; i < nr; i++) {
			struct type_name *n = wanted(names, name[i]);
			const uint32_t id = n ? btf_id_at(btf, offsets[i]) : 0;
			int ret = 0;

			if (id)
				ret = found(arg, n, btf_kind_of(btf, id), id);
			if (ret)
				return ret;
		}
	}
	return 0;
}
