/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Buffers that grow, with numbers of either byte order in them: the builders write into these. */
#ifndef PLOAD_TEST_UNIT_BUFFER_H
#define PLOAD_TEST_UNIT_BUFFER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "elf/bytes.h"

#define HOST_BIG_ENDIAN (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

struct buffer {
	unsigned char *data;	/* owned */
	size_t size, capacity;
};

/*
 * buffer_add() - append @size bytes, zeroes when @data is NULL. Gives where they are. Aborts
 * without memory.
 */
static inline size_t buffer_add(struct buffer *b, const void *data, size_t size)
{
	size_t at = b->size;

	if (size > b->capacity - b->size) {
		b->capacity = 2 * b->capacity + size;
		b->data = realloc(b->data, b->capacity);
		if (!b->data)
			abort();
	}
	if (data && size)
		memcpy(b->data + at, data, size);
	else if (size)
		memset(b->data + at, 0, size);
	b->size += size;
	return at;
}

/* buffer_poke() - overwrite the number of @width (1, 2, 4, 8) bytes at @at. */
static inline void buffer_poke(struct buffer *b, size_t at, unsigned int width, uint64_t value,
			       bool big_endian)
{
	if (at > b->size || width > b->size - at)
		abort();
	for (unsigned int i = 0; i < width; i++)
		b->data[at + (big_endian ? width - 1 - i : i)] = value >> (8 * i);
}

/* buffer_peek() - the number of @width bytes at @at. */
static inline uint64_t buffer_peek(const struct buffer *b, size_t at, unsigned int width,
				   bool big_endian)
{
	uint64_t value = 0;

	if (at > b->size || width > b->size - at)
		abort();
	for (unsigned int i = 0; i < width; i++)
		value |= (uint64_t)b->data[at + (big_endian ? width - 1 - i : i)] << (8 * i);
	return value;
}

/* buffer_put() - append a number. */
static inline void buffer_put(struct buffer *b, unsigned int width, uint64_t value, bool big_endian)
{
	buffer_poke(b, buffer_add(b, NULL, width), width, value, big_endian);
}

/* buffer_align() - append zeroes up to a multiple of @align. */
static inline void buffer_align(struct buffer *b, size_t align)
{
	buffer_add(b, NULL, (align - b->size % align) % align);
}

static inline struct bytes buffer_bytes(const struct buffer *b)
{
	return (struct bytes){ .data = b->data, .size = b->size };
}

static inline void buffer_free(struct buffer *b)
{
	free(b->data);
	memset(b, 0, sizeof(*b));
}

#endif
