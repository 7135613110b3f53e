/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The elements of one map, kept as bytes so that they can be sorted before any is shown. */
#ifndef PLOAD_OUTPUT_MAP_MAP_ROWS_H
#define PLOAD_OUTPUT_MAP_MAP_ROWS_H

#include "elf/btf.h"

/* The integer that keys or values are, or that their struct begins with; size 0: none. */
struct number_type {
	unsigned int size;
	bool is_signed;
};

struct number_type number_type_of(const struct btf *btf, uint32_t id);

/* number_read() - sign-extended; number_rank() - unsigned, and in the order of the numbers. */
uint64_t number_read(struct number_type type, const unsigned char *bytes);
uint64_t number_rank(struct number_type type, uint64_t number);

struct map_row {
	uint64_t rank;		/* of the value: larger ones come first */
	uint64_t key_rank;	/* smaller ones come first; among equals the key's bytes decide */
	size_t at;		/* the key, and behind it the value, in bytes */
};

struct map_rows {
	size_t key_size, value_size;
	struct map_row *rows;	/* owned */
	unsigned char *bytes;	/* owned */
	size_t nr, room;
};

/* map_rows_add() - a copy of @key and @value. Fails with ENOMEM. */
int map_rows_add(struct map_rows *rows, const unsigned char *key, const unsigned char *value,
		 uint64_t rank, uint64_t key_rank, struct error *err);
void map_rows_sort(struct map_rows *rows);
void map_rows_free(struct map_rows *rows);

#endif
