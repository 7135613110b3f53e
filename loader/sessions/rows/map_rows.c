// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The elements of one map, copied so that they can be sorted before they are printed. */
#include <errno.h>
#include <stdlib.h>

#include "loader/sessions/rows/map_rows.h"

struct number_type number_type_of(const struct btf *btf, uint32_t id)
{
	struct number_type none = { 0 };
	struct btf_member_view first;
	struct btf_type_view t;

	if (!btf || !id || id >= btf->nr_types)
		return none;
	t = btf_skip(btf, id);
	for (int depth = 0; t.kind == BTF_KIND_STRUCT && t.vlen && depth < 8; depth++) {
		first = btf_member(btf, &t, 0);
		if (first.bit_offset || first.bitfield_size)
			return none;
		t = btf_skip(btf, first.type);
	}
	if (t.kind != BTF_KIND_INT || BTF_INT_BITS(t.extra) != 8 * t.size || t.size > 8 ||
	    t.size & (t.size - 1))
		return none;
	return (struct number_type){ t.size, BTF_INT_ENCODING(t.extra) & BTF_INT_SIGNED };
}

uint64_t number_read(struct number_type type, const unsigned char *bytes)
{
	struct bytes b = { bytes, type.size };

	switch (type.size) {
	case 1:
		return type.is_signed ? (uint64_t)(int8_t)bytes_u8(b, 0) : bytes_u8(b, 0);
	case 2:
		return type.is_signed ? (uint64_t)(int16_t)bytes_u16(b, 0, false) :
					bytes_u16(b, 0, false);
	case 4:
		return type.is_signed ? (uint64_t)(int32_t)bytes_u32(b, 0, false) :
					bytes_u32(b, 0, false);
	case 8:
		return bytes_u64(b, 0, false);
	}
	return 0;
}

uint64_t number_rank(struct number_type type, uint64_t number)
{
	return type.is_signed ? number ^ 1ULL << 63 : number;
}

static int make_room(struct map_rows *rows, struct error *err)
{
	size_t room = rows->room ? 2 * rows->room : 64;
	struct map_row *more = reallocarray(rows->rows, room, sizeof(*more));
	unsigned char *bytes;

	if (more)
		rows->rows = more;
	bytes = more ? reallocarray(rows->bytes, room, rows->key_size + rows->value_size) : NULL;
	if (!bytes)
		return error_set(err, ENOMEM, "no memory to sort more than %zu elements", rows->nr);
	rows->bytes = bytes;
	rows->room = room;
	return 0;
}

int map_rows_add(struct map_rows *rows, const unsigned char *key, const unsigned char *value,
		 uint64_t rank, uint64_t key_rank, struct error *err)
{
	size_t at = rows->nr * (rows->key_size + rows->value_size);

	if (rows->nr == rows->room && make_room(rows, err))
		return -ENOMEM;
	memcpy(rows->bytes + at, key, rows->key_size);
	memcpy(rows->bytes + at + rows->key_size, value, rows->value_size);
	rows->rows[rows->nr++] = (struct map_row){ .rank = rank, .key_rank = key_rank, .at = at };
	return 0;
}

static int compare(const void *x, const void *y, void *ctx)
{
	const struct map_row *a = x, *b = y;
	const struct map_rows *rows = ctx;

	if (a->rank != b->rank)
		return a->rank > b->rank ? -1 : 1;
	if (a->key_rank != b->key_rank)
		return a->key_rank < b->key_rank ? -1 : 1;
	return memcmp(rows->bytes + a->at, rows->bytes + b->at, rows->key_size);
}

void map_rows_sort(struct map_rows *rows)
{
	if (rows->nr)
		qsort_r(rows->rows, rows->nr, sizeof(*rows->rows), compare, rows);
}

void map_rows_free(struct map_rows *rows)
{
	free(rows->rows);
	free(rows->bytes);
	rows->rows = NULL;
	rows->bytes = NULL;
	rows->nr = rows->room = 0;
}
