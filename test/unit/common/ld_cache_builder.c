// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Makes caches of the dynamic linker, of each format that ldconfig has written. */
#include "test/unit/common/ld_cache_builder.h"

#define NEW_HEADER 48
#define NEW_ENTRY 24

static const bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

static uint32_t count(const struct cache_library *l)
{
	uint32_t nr = 0;

	while (l[nr].name)
		nr++;
	return nr;
}

static size_t put_string(struct buffer *out, const char *text)
{
	return buffer_add(out, text, strlen(text) + 1);
}

static void make_old(struct buffer *out, const struct cache_library *l)
{
	const uint32_t nr = count(l);
	const size_t strings = 16 + 12 * nr;

	buffer_add(out, "ld.so-1.7.0", 12);
	buffer_put(out, 4, nr, big);
	buffer_add(out, NULL, 12 * nr);
	for (uint32_t i = 0; i < nr; i++) {
		buffer_poke(out, 16 + 12 * i, 4, l[i].flags, big);
		buffer_poke(out, 20 + 12 * i, 4, put_string(out, l[i].name) - strings, big);
		buffer_poke(out, 24 + 12 * i, 4, put_string(out, l[i].path) - strings, big);
	}
}

/* Each entry that has hwcaps has a name of its own in the extension. */
static void make_extension(struct buffer *out, size_t begin, const struct cache_library *l,
			   bool order)
{
	const uint32_t nr = count(l);
	size_t names, at;
	uint32_t used = 0;

	for (uint32_t i = 0; i < nr; i++)
		used += l[i].hwcaps != NULL;
	buffer_align(out, 4);
	at = out->size;
	names = at + 8 + 16;
	buffer_poke(out, begin + 32, 4, at, order);
	buffer_put(out, 4, 0xeaa42174, order);
	buffer_put(out, 4, 1, order);
	buffer_put(out, 4, 1, order);
	buffer_put(out, 4, 0, order);
	buffer_put(out, 4, names, order);
	buffer_put(out, 4, 4 * used, order);
	buffer_add(out, NULL, 4 * used);
	for (uint32_t i = 0, n = 0; i < nr; i++) {
		if (!l[i].hwcaps)
			continue;
		buffer_poke(out, begin + NEW_HEADER + NEW_ENTRY * i + 16, 8, 1ull << 62 | n, order);
		buffer_poke(out, names + 4 * n++, 4, put_string(out, l[i].hwcaps), order);
	}
}

static void make_new(struct buffer *out, const struct cache_library *l, bool order)
{
	const uint32_t nr = count(l);
	size_t begin, entry;

	buffer_align(out, 8);
	begin = buffer_add(out, "glibc-ld.so.cache1.1", 20);
	buffer_put(out, 4, nr, order);
	buffer_put(out, 4, 0, order);
	buffer_put(out, 1, order ? 3 : 2, order);
	buffer_add(out, NULL, NEW_HEADER - 29 + NEW_ENTRY * nr);
	for (uint32_t i = 0; i < nr; i++) {
		entry = begin + NEW_HEADER + NEW_ENTRY * i;
		buffer_poke(out, entry, 4, l[i].flags, order);
		buffer_poke(out, entry + 4, 4, put_string(out, l[i].name) - begin, order);
		buffer_poke(out, entry + 8, 4, put_string(out, l[i].path) - begin, order);
		buffer_poke(out, entry + 16, 8, l[i].old_hwcap, order);
	}
	make_extension(out, begin, l, order);
}

struct buffer ld_cache_make(const struct cache_library *libraries, enum cache_form form)
{
	struct buffer out = { 0 };

	if (form == CACHE_OLD)
		make_old(&out, libraries);
	if (form == CACHE_BOTH) {	/* nobody reads the old entries, which stand in front */
		const uint32_t nr = count(libraries);

		buffer_add(&out, "ld.so-1.7.0", 12);
		buffer_put(&out, 4, nr, big);
		buffer_add(&out, NULL, 12 * nr);
	}
	if (form != CACHE_OLD)
		make_new(&out, libraries, form == CACHE_OTHER_ENDIAN ? !big : big);
	return out;
}
