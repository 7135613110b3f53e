// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Damage objects in ways that find bugs in readers, reproducibly for each seed. */
#include <linux/elf.h>
#include <stdio.h>
#include <stdlib.h>

#include "test/fuzz/mutate.h"
#include "test/unit/common/buffer.h"

/*
 * xorshift64*: Marsaglia, "Xorshift RNGs", 2003; multiplier from Vigna, "An experimental
 * exploration", 2016.
 */
static uint64_t next(struct mutator *m)
{
	m->state ^= m->state >> 12;
	m->state ^= m->state << 25;
	m->state ^= m->state >> 27;
	return m->state * UINT64_C(0x2545f4914f6cdd1d);
}

uint64_t mutate_below(struct mutator *m, uint64_t limit)
{
	return (next(m) >> 11) % limit;
}

struct bytes mutate_copy(struct bytes original, size_t size)
{
	unsigned char *data = malloc(size ? size : 1);

	if (!data)
		abort();
	if (size)
		memcpy(data, original.data, size);
	return (struct bytes){ .data = data, .size = size };
}

struct bytes mutate_file(const char *path)
{
	struct buffer b = { 0 };
	struct bytes exact;
	FILE *f = fopen(path, "r");
	size_t n = 1;

	while (f && n) {
		size_t at = buffer_add(&b, NULL, 1 << 16);

		n = fread(b.data + at, 1, 1 << 16, f);
		b.size = at + n;
	}
	if (f)
		fclose(f);
	exact = mutate_copy(buffer_bytes(&b), b.size);
	buffer_free(&b);
	return exact;
}

struct range {
	uint64_t offset, size;
};

static bool is_elf(struct bytes b)
{
	return b.size >= sizeof(struct elf64_hdr) && !memcmp(b.data, ELFMAG, SELFMAG);
}

/*
 * Return the range of the section header table according to the ELF header, or the whole input if
 * the header is invalid.
 */
static struct range section_headers(struct bytes b, bool swap)
{
	struct range r = { .offset = bytes_u64(b, offsetof(struct elf64_hdr, e_shoff), swap) };

	if (r.offset >= b.size)
		return (struct range){ .size = b.size };
	r.size =
		bytes_u16(b, offsetof(struct elf64_hdr, e_shnum), swap) * sizeof(struct elf64_shdr);
	if (!r.size || r.size > b.size - r.offset)
		r.size = b.size - r.offset;
	return r;
}

static struct range some_section(struct mutator *m, struct bytes b, bool swap)
{
	struct range table = section_headers(b, swap), r;
	uint64_t count = table.size / sizeof(struct elf64_shdr), at;

	if (!count)
		return table;
	at = table.offset + mutate_below(m, count) * sizeof(struct elf64_shdr);
	r.offset = bytes_u64(b, at + offsetof(struct elf64_shdr, sh_offset), swap);
	r.size = bytes_u64(b, at + offsetof(struct elf64_shdr, sh_size), swap);
	return r.size && bytes_hold(b.size, r.offset, r.size) ? r : table;
}

static uint64_t some_place(struct mutator *m, struct bytes b)
{
	struct range r = { .size = b.size };
	bool swap;

	if (is_elf(b)) {
		swap = (b.data[EI_DATA] == ELFDATA2MSB) != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
		switch (mutate_below(m, 6)) {
		case 0:
			r.size = sizeof(struct elf64_hdr);
			break;
		case 1:
			r = section_headers(b, swap);
			break;
		case 2:
		case 3:
			r = some_section(m, b, swap);
			break;
		}
	} else if (b.size > 32 && mutate_below(m, 4) == 0) {
		r.size = 32;	/* a header, in any format */
	}
	return r.offset + mutate_below(m, r.size);
}

static uint64_t some_number(struct mutator *m, struct bytes b, uint64_t old)
{
	static const uint64_t interesting[] = {
		0, 1, 2, 3, 4, 5, 7, 8, 10, 15, 16, 24, 31, 32, 64, 127, 128, 255, 256, 0x7fff,
		0x8000, 0xfeff, 0xff00, 0xfff1, 0xfff2, 0xffff, 0x10000, 0x7fffffff, 0x80000000,
		0xfffffff0, 0xfffffff8, 0xffffffff, UINT64_C(0x7fffffffffffffff),
		UINT64_C(0x8000000000000000), UINT64_C(0xfffffffffffffff0), UINT64_MAX,
	};

	switch (mutate_below(m, 5)) {
	case 0:
		return b.size - mutate_below(m, b.size < 64 ? b.size : 64);
	case 1:
		return old + mutate_below(m, 17) - 8;
	case 2:
		return next(m);
	default:
		return interesting[mutate_below(m, sizeof(interesting) / sizeof(interesting[0]))];
	}
}

/*
 * Overwrite a number of 2, 4 or 8 bytes, aligned like the fields of all our formats, in either byte
 * order.
 */
static void overwrite(struct mutator *m, unsigned char *data, struct bytes b, uint64_t at)
{
	size_t width = (size_t)2 << mutate_below(m, 3);
	bool big = mutate_below(m, 2);
	uint64_t old = 0, value;

	at -= at % (width > 4 ? 4 : width);
	if (b.size < width || at > b.size - width)
		return;
	for (size_t i = 0; i < width; i++)
		old |= (uint64_t)data[at + (big ? width - 1 - i : i)] << (8 * i);
	value = some_number(m, b, old);
	for (size_t i = 0; i < width; i++)
		data[at + (big ? width - 1 - i : i)] = value >> (8 * i);
}

struct bytes mutate(struct mutator *m, struct bytes original)
{
	size_t size = mutate_below(m, 32) || !original.size ? original.size
							    : mutate_below(m, original.size);
	struct bytes b = mutate_copy(original, size);
	unsigned char *data = (unsigned char *)b.data;
	unsigned int count = 1 + mutate_below(m, 4);

	for (unsigned int i = 0; size && i < count; i++) {
		/* Located in the original, in which no earlier change has moved the tables. */
		uint64_t at = some_place(m, original);

		if (at >= size)
			continue;
		switch (mutate_below(m, 4)) {
		case 0:
			data[at] ^= 1 << mutate_below(m, 8);
			break;
		case 1:
			data[at] = next(m);
			break;
		default:
			overwrite(m, data, b, at);
		}
	}
	return b;
}
