/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Borrowed views of bytes, functions that read from them, and growing arrays. */
#ifndef PLOAD_ELF_BYTES_H
#define PLOAD_ELF_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct error;

struct bytes {
	const unsigned char *data;	/* borrowed; may be NULL when size is 0 */
	size_t size;
};

/* bytes_hold() - Return true if [@off, @off + @len) is inside @size bytes. Does not overflow. */
static inline bool bytes_hold(uint64_t size, uint64_t off, uint64_t len)
{
	return off <= size && len <= size - off;
}

/* bytes_slice() - Return the part [@off, @off + @len). bytes_hold() must be true for it. */
static inline struct bytes bytes_slice(struct bytes b, uint64_t off, uint64_t len)
{
	return (struct bytes){ .data = b.data ? b.data + off : NULL, .size = len };
}

/*
 * bytes_u8(), _u16(), _u32(), _u64() - Copy the number at @off, which need not be aligned, and
 * byte-swap it if @swap. The caller has checked the bounds.
 */
static inline uint8_t bytes_u8(struct bytes b, size_t off)
{
	return b.data[off];
}

static inline uint16_t bytes_u16(struct bytes b, size_t off, bool swap)
{
	uint16_t v;

	memcpy(&v, b.data + off, sizeof(v));
	return swap ? __builtin_bswap16(v) : v;
}

static inline uint32_t bytes_u32(struct bytes b, size_t off, bool swap)
{
	uint32_t v;

	memcpy(&v, b.data + off, sizeof(v));
	return swap ? __builtin_bswap32(v) : v;
}

static inline uint64_t bytes_u64(struct bytes b, size_t off, bool swap)
{
	uint64_t v;

	memcpy(&v, b.data + off, sizeof(v));
	return swap ? __builtin_bswap64(v) : v;
}

/*
 * bytes_string() - Return the string at @off of a string table, borrowed from @b, or NULL if @off
 * is out of range or the string is not terminated.
 */
static inline const char *bytes_string(struct bytes b, uint64_t off)
{
	if (off >= b.size || !memchr(b.data + off, '\0', b.size - off))
		return NULL;
	return (const char *)b.data + off;
}

/**
 * struct source - Reads a file piece by piece, so that large files need not be read completely.
 * @size: the size of the file in bytes
 * @get: return in @out the @len bytes at offset @off, which are inside the file. They do not change
 * until the source is closed: what is used is what was checked.
 * Return: 0, or -errno.
 */
struct source {
	uint64_t size;
	int (*get)(void *arg, uint64_t off, uint64_t len, struct bytes *out, struct error *err);
	void *arg;
};

/* source_memory() - Return a source that reads *@file, a file in memory; both are borrowed. */
struct source source_memory(struct bytes *file);

/**
 * array_grow() - Make room for one more element in an array that never shrinks.
 * @array: owned; NULL when @nr is 0
 * @nr: the number of elements in use
 * @size: the size of an element in bytes
 *
 * The capacity is the next power of two and is not stored; it doubles whenever @nr reaches it.
 * Return: the array, or NULL if out of memory, which leaves @array unchanged.
 */
static inline void *array_grow(void *array, size_t nr, size_t size)
{
	size_t bytes;

	if (nr & (nr - 1))
		return array;
	if (__builtin_mul_overflow(nr ? 2 * nr : 1, size, &bytes))
		return NULL;
	return realloc(array, bytes);
}

/*
 * array_sort() - Like qsort(), but fast if the elements are already in order, as in most objects.
 */
static inline void array_sort(void *array, size_t nr, size_t size,
			      int (*compare)(const void *a, const void *b))
{
	const char *element = array;

	for (size_t i = 1; i < nr; i++, element += size) {
		if (compare(element, element + size) > 0) {
			qsort(array, nr, size, compare);
			return;
		}
	}
}

/* array_new() - Allocate an array with room for @nr elements, which array_grow() can grow later. */
static inline void *array_new(size_t nr, size_t size)
{
	size_t room = 1, bytes;

	while (room < nr)
		room *= 2;
	return __builtin_mul_overflow(room, size, &bytes) ? NULL : malloc(bytes);
}

#endif
