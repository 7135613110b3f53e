// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Caches of the dynamic linker: each format, and files that are not caches. */
#include <errno.h>

#include "elf/exec/ld_cache.h"
#include "test/unit/common/suite.h"
#include "test/unit/common/expect.h"
#include "test/unit/common/ld_cache_builder.h"

static const struct cache_library libraries[] = {
	{ "libfast.so.1", "/lib/glibc-hwcaps/x86-64-v3/libfast.so.1", 0x303, "x86-64-v3", 0 },
	{ "libfast.so.1", "/lib/libfast.so.1", 0x303, NULL, 0 },
	{ "libc.so.6", "/lib/tls/libc.so.6", 0x303, NULL, 1ull << 63 },
	{ "libc.so.6", "/lib/libc.so.6", 0x303, NULL, 0 },
	{ "libc.so.6", "/lib32/libc.so.6", 0x003, NULL, 0 },
	{ "libc.so.5", "/lib/libc.so.5", 0x002, NULL, 0 },	/* of libc 5 */
	{ "librelative.so", "lib/librelative.so", 0x303, NULL, 0 },
	{ NULL, NULL, 0, NULL, 0 },
};

TEST_EACH(every_format, NR_CACHE_FORMS)
{
	struct buffer b = ld_cache_make(libraries, _i);
	struct error err = { 0 };
	struct ld_library lib;
	struct ld_cache c;

	ck_assert_msg(!ld_cache_parse(&c, buffer_bytes(&b), &err), "%s", err.what);
	ck_assert_uint_eq(c.nr, 7);
	ck_assert(ld_cache_library(&c, 0, &lib));
	ck_assert_str_eq(lib.name, "libfast.so.1");
	ck_assert_str_eq(lib.path, libraries[0].path);
	ck_assert_uint_eq(lib.machine, LD_CACHE_X86_64);
	if (_i != CACHE_OLD)
		ck_assert_str_eq(lib.hwcaps, "x86-64-v3");
	ck_assert(ld_cache_library(&c, 1, &lib));
	ck_assert_ptr_null(lib.hwcaps);
	ck_assert(ld_cache_library(&c, 2, &lib));
	ck_assert_int_eq(lib.old_hwcaps, _i != CACHE_OLD);
	ck_assert(ld_cache_library(&c, 4, &lib));
	ck_assert_uint_eq(lib.machine, LD_CACHE_I386);
	ck_assert(!lib.old_hwcaps);
	ck_assert(!ld_cache_library(&c, 5, &lib));
	ck_assert(!ld_cache_library(&c, 6, &lib));
	buffer_free(&b);
}

TEST_EACH(cut_short, NR_CACHE_FORMS)
{
	struct buffer b = ld_cache_make(libraries, _i);

	for (size_t size = 0; size < b.size; size++) {
		struct buffer cut = { 0 };
		struct error err = { 0 };
		struct ld_library lib;
		struct ld_cache c;

		buffer_add(&cut, b.data, size);
		if (ld_cache_parse(&c, (struct bytes){ cut.data, size }, &err))
			ck_assert_int_eq(err.code, -EBADMSG);
		else
			for (uint32_t i = 0; i < c.nr; i++)
				ld_cache_library(&c, i, &lib);
		error_clear(&err);
		buffer_free(&cut);
	}
	buffer_free(&b);
}

static const struct {
	const char *name;
	size_t at;
	unsigned int width;
	uint64_t value;
	struct expect expect;
	bool first_is_lost;
} damages[] = {
	{ "magic", 0, 1, 'x', { EBADMSG, NULL, "wrong magic", "ldconfig" }, false },
	{ "number", 20, 4, 0xffffffff, { EBADMSG, NULL, "truncated in its entries", NULL }, false },
	{ "name", 52, 4, 0xffffffff, { 0 }, true },
	{ "path", 56, 4, 0x7fffffff, { 0 }, true },
	{ "hwcaps", HOST_BIG_ENDIAN ? 68 : 64, 4, 0x7fffffff, { 0 }, true },
	{ "extension", 32, 4, 0xfffffff0, { 0 }, true },
	{ "extension at 1", 32, 4, 1, { 0 }, true },
};

TEST_ROWS(damaged, damages)
{
	struct buffer b = ld_cache_make(libraries, CACHE_NEW);
	struct error err = { 0 };
	struct ld_library lib;
	struct ld_cache c;
	int ret;

	buffer_poke(&b, damages[_i].at, damages[_i].width, damages[_i].value,
		    __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	ret = ld_cache_parse(&c, buffer_bytes(&b), &err);
	if (damages[_i].expect.code) {
		expect_error(damages[_i].name, ret, &err, &damages[_i].expect);
	} else {
		ck_assert_int_eq(ret, 0);
		ck_assert_int_eq(ld_cache_library(&c, 0, &lib), !damages[_i].first_is_lost);
		ck_assert(ld_cache_library(&c, 1, &lib));
	}
	buffer_free(&b);
}
