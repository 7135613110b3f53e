/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The elements of one map, copied so that they can be sorted before they are printed. */
#ifndef PLOAD_SESSIONS_ROWS_MAP_ROWS_H
#define PLOAD_SESSIONS_ROWS_MAP_ROWS_H

#include "elf/btf.h"

/* The integer type of a key or value, or of its first member; size 0: none. */
struct number_type {
	unsigned int size;
	bool is_signed;
};

struct number_type number_type_of(const struct btf *btf, uint32_t id);

/* number_read() - Read a number and sign-extend it. number_rank() - Map it to an unsigned rank. */
uint64_t number_read(struct number_type type, const unsigned char *bytes);
uint64_t number_rank(struct number_type type, uint64_t number);

struct map_row {
	uint64_t rank;		/* rank of the value: larger ones come first */
	uint64_t key_rank;	/* smaller ones come first; ties are broken by the key's bytes */
	size_t at;		/* offset of the key in bytes; the value follows it */
};

struct map_rows {
	size_t key_size, value_size;
	struct map_row *rows;	/* owned */
	unsigned char *bytes;	/* owned */
	size_t nr, room;
};

/* map_rows_add() - Add a copy of @key and @value. Fails with ENOMEM. */
int map_rows_add(struct map_rows *rows, const unsigned char *key, const unsigned char *value,
		 uint64_t rank, uint64_t key_rank, struct error *err);
void map_rows_sort(struct map_rows *rows);
void map_rows_free(struct map_rows *rows);

/* --- row_count.c --- */

struct row_count {
	struct number_type number;	/* size 0: the value contains no number */
	uint32_t offset;	/* offset in the value, in bytes */
	const char *name;	/* borrowed from the BTF; "": the value itself is the count */
};

/*
 * row_count_find() - Find the count in values of type @id: the value itself, if it is an integer;
 * otherwise its first member with a count-like name, such as "samples", otherwise its first integer
 * of 4 or 8 bytes.
 */
struct row_count row_count_find(const struct btf *btf, uint32_t id);

#endif
