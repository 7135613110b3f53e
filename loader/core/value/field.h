/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Load the value of a field from its bytes. */
#ifndef PLOAD_CORE_VALUE_FIELD_H
#define PLOAD_CORE_VALUE_FIELD_H

#include "loader/core/value/layout.h"

#define LOAD(type, from) ({ type value_; memcpy(&value_, from, sizeof(value_)); value_; })

/*
 * Return @bits (1 to 64) bits starting at bit @start of @from. Bits are numbered as by the
 * compiler: from the lowest bit of the first byte on little-endian machines, from the highest on
 * big-endian ones.
 */
static inline uint64_t load_bits(const unsigned char *from, uint64_t start, unsigned int bits)
{
	const size_t first = start / 8, n = (start + bits + 7) / 8 - first;
	unsigned int shift = start % 8;
	unsigned __int128 v = 0;

	for (size_t i = 0; i < n; i++) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
		v |= (unsigned __int128)from[first + i] << 8 * i;
#else
		v = v << 8 | from[first + i];
#endif
	}
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
	shift = n * 8 - shift - bits;
#endif
	v >>= shift;
	return bits < 64 ? (uint64_t)v & ((1ULL << bits) - 1) : (uint64_t)v;
}

/* Return the number in field @f, sign-extended to 64 bits if signed. */
static inline uint64_t load_number(const struct field *f, const unsigned char *from)
{
	uint64_t v = load_bits(from, f->first_bit, f->bits);

	if (f->is_signed && f->bits < 64 && v >> (f->bits - 1))
		v |= ~0ULL << f->bits;
	return v;
}

static inline const struct field_name *find_name(const struct layout *l, const struct field *f,
						 uint64_t v)
{
	const struct field_name *names = l->names + f->names;
	uint32_t first = 0, end = f->nr_names;

	while (first < end) {
		const uint32_t middle = first + (end - first) / 2;

		if (names[middle].value == v)
			return &names[middle];
		if (names[middle].value < v)
			first = middle + 1;
		else
			end = middle;
	}
	return NULL;
}

/*
 * A char array is text up to its first NUL; the bytes after that are usually stale. An array that
 * starts with NUL and has other bytes is not text.
 */
static inline bool are_text(const unsigned char *s, size_t size)
{
	if (size && !s[0])
		for (size_t i = 1; i < size; i++)
			if (s[i])
				return false;
	return true;
}

#endif
