// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Read /etc/ld.so.cache, which ldconfig writes: the old format, the new one, or the old one
 * followed by the new one (sysdeps/generic/dl-cache.h in glibc).
 *
 *	old  +-------------------+     new  +-------------------------+
 *	  0  | "ld.so-1.7.0\0"   |       0  | "glibc-ld.so.cache1.1"  |
 *	 12  | number of entries |      20  | number of entries       |
 *	 16  | flags, name, path |      24  | size of the strings     |
 *	 28  | ...               |      28  | byte order              |
 *	     | strings           |      32  | offset of the extension |
 *	     | new format, at a  |      48  | flags, name, path,      |
 *	     | multiple of 8     |          |   unused, hwcap (u64)   |
 *	     +-------------------+      72  | ...                     |
 *	                                    | strings                 |
 *	                                    | extension               |
 *	                                    +-------------------------+
 *
 * String offsets are relative to the end of the entries in the old format, and to the start of the
 * format in the new one.
 */
#include <errno.h>

#include "elf/elf_internal.h"
#include "elf/exec/ld_cache.h"

#define OLD_MAGIC "ld.so-1.7.0"
#define OLD_HEADER 16
#define OLD_ENTRY 12
#define NEW_MAGIC "glibc-ld.so.cache1.1"
#define NEW_HEADER 48
#define NEW_NR 20
#define NEW_FLAGS 28
#define NEW_EXTENSION 32 /* offset in the file; 0: none */
#define NEW_ENTRY 24
#define ENTRY_HWCAP 16

/* The byte order, as bits of NEW_FLAGS; 0: an older glibc wrote it. */
#define ENDIAN_MASK 3
#define ENDIAN_LITTLE 2
#define ENDIAN_BIG 3

#define EXTENSION_MAGIC 0xeaa42174 /* followed by the number of sections, and the sections */
#define SECTION_SIZE 16 /* tag, flags, offset in the file, size */
#define TAG_HWCAPS 1

#define FLAG_TYPE 0x00ff
#define FLAG_ELF_LIBC6 0x0003
#define HWCAP_EXTENSION (1ull << 62) /* the lower half is an index into section TAG_HWCAPS */

static int damaged(const char *what, struct error *err)
{
	error_set(err, EBADMSG, "%s", what);
	return error_hint(err, "run ldconfig to regenerate it");
}

/*
 * Return the section with the offsets of the hwcap names that entries refer to. A damaged section
 * is ignored.
 */
static struct bytes find_hwcaps(const struct ld_cache *cache, uint32_t extension)
{
	const struct bytes file = cache->file;
	const bool swap = cache->swap;
	uint32_t nr;

	if (!extension || !bytes_hold(file.size, extension, 8) ||
	    bytes_u32(file, extension, swap) != EXTENSION_MAGIC)
		return (struct bytes){ 0 };
	nr = bytes_u32(file, extension + 4, swap);
	for (uint64_t at = (uint64_t)extension + 8; nr && bytes_hold(file.size, at, SECTION_SIZE);
	     nr--, at += SECTION_SIZE) {
		const uint32_t off = bytes_u32(file, at + 8, swap);
		const uint32_t size = bytes_u32(file, at + 12, swap);

		if (bytes_u32(file, at, swap) == TAG_HWCAPS && bytes_hold(file.size, off, size))
			return bytes_slice(file, off, size);
	}
	return (struct bytes){ 0 };
}

/* Read the new format, which starts at @at. */
static int parse_new(struct ld_cache *cache, uint64_t at, struct error *err)
{
	const struct bytes all = bytes_slice(cache->file, at, cache->file.size - at);
	uint8_t endian;

	if (all.size < NEW_HEADER)
		return damaged("is truncated in its header", err);
	endian = bytes_u8(all, NEW_FLAGS) & ENDIAN_MASK;
	cache->swap =
		endian == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ENDIAN_BIG : ENDIAN_LITTLE);
	cache->nr = bytes_u32(all, NEW_NR, cache->swap);
	cache->entry_size = NEW_ENTRY;
	if (!bytes_hold(all.size, NEW_HEADER, (uint64_t)cache->nr * NEW_ENTRY))
		return damaged("is truncated in its entries", err);
	cache->entries = bytes_slice(all, NEW_HEADER, (uint64_t)cache->nr * NEW_ENTRY);
	cache->strings = all;
	cache->hwcaps = find_hwcaps(cache, bytes_u32(all, NEW_EXTENSION, cache->swap));
	return 0;
}

int ld_cache_parse(struct ld_cache *cache, struct bytes file, struct error *err)
{
	uint64_t size, behind;

	*cache = (struct ld_cache){ .file = file };
	if (bytes_hold(file.size, 0, strlen(NEW_MAGIC)) &&
	    !memcmp(file.data, NEW_MAGIC, strlen(NEW_MAGIC)))
		return parse_new(cache, 0, err);
	if (!bytes_hold(file.size, 0, OLD_HEADER) ||
	    memcmp(file.data, OLD_MAGIC, strlen(OLD_MAGIC)))
		return damaged("is not a cache of the dynamic linker: wrong magic", err);
	cache->nr = bytes_u32(file, OLD_HEADER - 4, false);
	cache->entry_size = OLD_ENTRY;
	size = (uint64_t)cache->nr * OLD_ENTRY;
	if (!bytes_hold(file.size, OLD_HEADER, size))
		return damaged("is truncated in its entries", err);
	behind = (OLD_HEADER + size + 7) & ~7ull;
	if (bytes_hold(file.size, behind, strlen(NEW_MAGIC)) &&
	    !memcmp(file.data + behind, NEW_MAGIC, strlen(NEW_MAGIC)))
		return parse_new(cache, behind, err);
	cache->entries = bytes_slice(file, OLD_HEADER, size);
	cache->strings = bytes_slice(file, OLD_HEADER + size, file.size - OLD_HEADER - size);
	return 0;
}

static const char *hwcaps_name(const struct ld_cache *cache, uint64_t hwcap)
{
	const uint64_t at = (hwcap & 0xffffffff) * 4;

	if (!bytes_hold(cache->hwcaps.size, at, 4))
		return NULL;
	return elf_string(cache->file, bytes_u32(cache->hwcaps, at, cache->swap));
}

bool ld_cache_library(const struct ld_cache *cache, uint32_t i, struct ld_library *lib)
{
	const uint64_t at = (uint64_t)i * cache->entry_size;
	const uint32_t flags = bytes_u32(cache->entries, at, cache->swap);
	uint64_t hwcap = 0;

	if ((flags & FLAG_TYPE) != FLAG_ELF_LIBC6)
		return false;
	*lib = (struct ld_library){
		.name = elf_string(cache->strings, bytes_u32(cache->entries, at + 4, cache->swap)),
		.path = elf_string(cache->strings, bytes_u32(cache->entries, at + 8, cache->swap)),
		.machine = flags & LD_CACHE_MACHINE,
	};
	if (cache->entry_size == NEW_ENTRY)
		hwcap = bytes_u64(cache->entries, at + ENTRY_HWCAP, cache->swap);
	if (hwcap & HWCAP_EXTENSION) {
		lib->hwcaps = hwcaps_name(cache, hwcap);
		if (!lib->hwcaps)
			return false;
	}
	lib->old_hwcaps = hwcap && !lib->hwcaps;
	return lib->name && lib->path && lib->path[0] == '/';
}
