/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A view of bytes that somebody else owns, and the only ways to take something out of it. */
#ifndef PLOAD_ELF_BYTES_H
#define PLOAD_ELF_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct bytes {
	const unsigned char *data;	/* borrowed; may be NULL when size is 0 */
	size_t size;
};

/* bytes_hold() - whether [@off, @off + @len) lies inside a view of @size bytes. Cannot overflow. */
static inline bool bytes_hold(uint64_t size, uint64_t off, uint64_t len)
{
	return off <= size && len <= size - off;
}

/* bytes_slice() - the part [@off, @off + @len) of @b. The caller has checked bytes_hold(). */
static inline struct bytes bytes_slice(struct bytes b, uint64_t off, uint64_t len)
{
	return (struct bytes){ .data = b.data ? b.data + off : NULL, .size = len };
}

/*
 * bytes_u8(), _u16(), _u32(), _u64() - copy one number out at @off; @swap when the bytes are of the
 * other byte order than this machine. The caller has checked the bounds.
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
 * bytes_string() - the NUL-terminated string at @off of a string table, or NULL when @off lies
 * outside or no NUL follows. The string is borrowed from @b.
 */
static inline const char *bytes_string(struct bytes b, uint64_t off)
{
	if (off >= b.size || !memchr(b.data + off, '\0', b.size - off))
		return NULL;
	return (const char *)b.data + off;
}

#endif
