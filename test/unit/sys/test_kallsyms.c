// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The kernel's symbols: read once, found with all who share their name, whatever the lines are. */
#include <errno.h>
#include <stdlib.h>

#include "loader/base/text/kallsyms.h"
#include "test/unit/common/suite.h"
#include "test/unit/common/files_builder.h"

#define LINES "ffffffff81000000 T _text\n" \
	      "ffffffff81000010 t twice\n" \
	      "ffffffffc0000020 t of_module\t[mod]\n" \
	      "ffffffffc0000030 t twice\t[other]\n" \
	      "nonsense\n\n 1 T space_in_front\n12\n12 T\n12 T \n12TT x\n" \
	      "0 d data_at_zero\n" \
	      "1 T bracket\t[never_closed\n" \
	      "ff w last"

static struct fixture {
	struct files files;
	struct fake_file table[2];
	struct kernel_symbols k;
	struct error err;
} f;

static void begin(const char *text, int error)
{
	memset(&f, 0, sizeof(f));
	f.table[0] = (struct fake_file){ KALLSYMS, text, error };
	files_init(&f.files, f.table);
	kernel_symbols_init(&f.k, &f.files.sys);
}

static void end(void)
{
	ck_assert_uint_eq(f.files.open, 0);
	kernel_symbols_free(&f.k);
	error_clear(&f.err);
}

TEST_FIXTURE(NULL, end)

static void has(const char *name, uint64_t address, char type, const char *module)
{
	struct kernel_symbol s;

	ck_assert_int_eq(kernel_symbols_find(&f.k, name, &s, &f.err), 1);
	ck_assert_str_eq(s.name, name);
	ck_assert_str_eq(s.module, module);
	ck_assert_uint_eq(s.address, address);
	ck_assert_int_eq(s.type, type);
}

TEST(symbols_by_name)
{
	struct kernel_symbol s;

	begin(LINES, 0);
	has("_text", 0xffffffff81000000, 'T', "");
	has("of_module", 0xffffffffc0000020, 't', "mod");
	has("data_at_zero", 0, 'd', "");
	has("bracket", 1, 'T', "never_closed");
	has("last", 0xff, 'w', "");
	ck_assert_uint_eq(f.k.nr, 7);
	ck_assert(!f.k.hidden);
	ck_assert_int_eq(kernel_symbols_find(&f.k, "none", &s, &f.err), 0);
	ck_assert_int_eq(kernel_symbols_find(&f.k, "", &s, &f.err), 0);
	ck_assert_int_eq(kernel_symbols_find(&f.k, "space_in_front", &s, &f.err), 0);
}

/*
 * Symbols between _sdata and _edata are data (D), even if kallsyms has them as code (T) or weak
 * (W).
 */
TEST(code_in_data)
{
	begin("ff00 T _text\nff20 T _sdata\nff20 T first\nff28 W weak\nff2f b bss\nff30 T _edata\n"
	      "ff30 T behind\n", 0);
	has("_text", 0xff00, 'T', "");
	has("first", 0xff20, 'D', "");
	has("weak", 0xff28, 'D', "");
	has("bss", 0xff2f, 'b', "");
	has("behind", 0xff30, 'T', "");
	end();
	begin("0 T _sdata\n0 T function\n0 T _edata\n", 0);
	has("function", 0, 'T', "");
}

TEST(symbols_of_one_name)
{
	struct kernel_symbol s;

	begin(LINES, 0);
	ck_assert_int_eq(kernel_symbols_find(&f.k, "twice", &s, &f.err), 1);
	ck_assert_uint_eq(s.address, 0xffffffff81000010);
	ck_assert(kernel_symbols_same(&f.k, &s));
	ck_assert_uint_eq(s.address, 0xffffffffc0000030);
	ck_assert_str_eq(s.module, "other");
	ck_assert(!kernel_symbols_same(&f.k, &s));
}

TEST(symbols_in_their_order)
{
	static const char *const names[] = {
		"_text", "twice", "of_module", "twice", "data_at_zero", "bracket", "last",
	};
	struct kernel_symbol s;
	uint32_t at = 0, n = 0;

	begin(LINES, 0);
	ck_assert_int_eq(kernel_symbols_read(&f.k, &f.err), 0);
	for (; kernel_symbols_each(&f.k, &at, &s); n++) {
		ck_assert_uint_lt(n, sizeof(names) / sizeof(names[0]));
		ck_assert_str_eq(s.name, names[n]);
	}
	ck_assert_uint_eq(n, sizeof(names) / sizeof(names[0]));
}

TEST(symbols_are_read_once)
{
	struct kernel_symbol s;
	unsigned int calls;

	begin(LINES, 0);
	ck_assert_int_eq(kernel_symbols_read(&f.k, &f.err), 0);
	calls = f.files.calls;
	for (unsigned int i = 0; i < 50; i++)
		ck_assert_int_eq(kernel_symbols_find(&f.k, "last", &s, &f.err), 1);
	ck_assert_uint_eq(f.files.calls, calls);
}

static const struct {
	const char *text;
	int error;
	bool hidden;
	uint32_t nr;
} odd[] = {
	{ "", 0, true, 0 },
	{ "\n\n\n", 0, true, 0 },
	{ "0000000000000000 T a\n0000000000000000 T b\n", 0, true, 2 },
	{ "0000000000000000 A percpu\nffffffff81000000 T b\n", 0, false, 2 },
	{ "no line of it is one", 0, true, 0 },
	{ "", ENOENT, false, 0 },
	{ "", EACCES, false, 0 },
};

TEST_ROWS(odd_files, odd)
{
	struct kernel_symbol s;

	begin(odd[_i].text, odd[_i].error);
	ck_assert_int_eq(kernel_symbols_find(&f.k, "none", &s, &f.err), -odd[_i].error);
	ck_assert_uint_eq(f.k.nr, odd[_i].nr);
	ck_assert_int_eq(f.k.hidden, odd[_i].hidden);
	ck_assert_int_eq(f.k.is_read, !odd[_i].error);
	if (odd[_i].error)
		ck_assert_str_eq(f.err.where, KALLSYMS);
}

/* Enough of them that the text and the table grow. */
TEST(many_symbols)
{
	enum { NR = 50000, LINE = 40 };
	char *text = malloc(NR * LINE), name[16], *p = text;

	for (unsigned int i = 0; i < NR; i++)
		p += sprintf(p, "ffffffff%08x t f%u%s\n", i + 1, i, i % 3 ? "" : "\t[mod]");
	begin(text, 0);
	for (unsigned int i = 0; i < NR; i += 7) {
		snprintf(name, sizeof(name), "f%u", i);
		has(name, 0xffffffff00000000 + i + 1, 't', i % 3 ? "" : "mod");
	}
	ck_assert_uint_eq(f.k.nr, NR);
	end();
	free(text);
}

TEST(nearest_names)
{
	struct nearest near;

	begin(LINES, 0);
	nearest_init(&near, "data_at_zer");
	ck_assert_int_eq(kernel_symbols_nearest(&f.k, &near, true, &f.err), 0);
	ck_assert_uint_eq(near.nr, 0);
	ck_assert_int_eq(kernel_symbols_nearest(&f.k, &near, false, &f.err), 0);
	ck_assert_uint_eq(near.nr, 1);
	ck_assert_str_eq(near.name[0], "data_at_zero");
}
