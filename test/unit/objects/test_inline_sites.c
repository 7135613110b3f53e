// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Functions into which another one was inlined, from the split BTF that no released kernel has yet. */
#include <errno.h>

#include "loader/objects/kernel_types/inline_sites.h"
#include "test/fault/fake_kernel.h"
#include "test/unit/common/btf_builder.h"
#include "test/unit/common/suite.h"

#define INLINE "/sys/kernel/btf/vmlinux.inline"

enum { INT = 1, PROTO, LOC_PARAM = 20, LOC_PROTO, LOCSEC };

/* .text begins at _stext; what comes before is no code. */
static const char symbols[] =
	"0000000000000000 A fixed_percpu_data\n"
	"ffffffff81000000 T _stext\n"
	"ffffffff81000000 T first\n"
	"ffffffff81000100 t tcp_ack\n"
	"ffffffff81000180 d data\n"
	"ffffffff81000200 T tcp_push\n"
	"ffffffff81000300 T a\nffffffff81000400 T b\nffffffff81000500 T c\n"
	"ffffffff81000600 T _etext\n"
	"ffffffffc0000000 t in_module\t[mod]\n";
static const char hidden[] = "0000000000000000 T _stext\n0000000000000000 t tcp_ack\n";

/* Function 3 is "before", 4 "once", 5 "often". The last entries have no function. */
static const uint32_t text_sites[] = {
	4, 0, 0x1ff, 5, 0, 0x10, 5, 0, 0x200, 5, 0, 0x100, 5, 0, 0x104, 5, 0, 0x300, 5, 0, 0x4ff,
	5, 0, 0x5ff, 3, 0, 0x400, 0, 0, 0x100, 77, 0, 0x100, INT, 0, 0x100,
};
static const uint32_t init_sites[] = { 3, 0, 0x100, 5, 0, 0 };

static struct buffer inline_btf(const struct btf_builder *vmlinux, bool layouts)
{
	struct btf_builder b = { .layouts = layouts };
	struct buffer raw;

	bb_split(&b, vmlinux);
	ck_assert_uint_eq(bb_func(&b, "before", PROTO, BTF_FUNC_STATIC), 3);
	bb_func(&b, "once", PROTO, BTF_FUNC_STATIC);
	bb_func(&b, "often", PROTO, BTF_FUNC_STATIC);
	bb_words(&b, LOCSEC, "inline.init.text", 0, layouts ? 0 : 2, init_sites, layouts ? 0 : 6);
	/* The builder's layouts give an entry no bytes. */
	bb_words(&b, LOCSEC, "inline.text", 0, layouts ? 4096 : 12, text_sites, layouts ? 0 : 36);
	raw = bb_btf(&b);
	bb_free(&b);
	return raw;
}

static const struct {
	const char *function, *expected;	/* NULL: nothing is known */
	bool layouts, hidden, no_file, broken;
} rows[] = {
	{ .function = "once", .expected = "tcp_ack" },
	{ .function = "often", .expected = "first, tcp_ack, tcp_push, a and 2 more" },
	{ .function = "before", .expected = "b" },	/* not what is in .init.text */
	{ .function = "never" },
	{ .function = "once", .layouts = true },
	{ .function = "once", .hidden = true },
	{ .function = "once", .no_file = true },
	{ .function = "once", .broken = true },
};

TEST_ROWS(sites_are_named, rows)
{
	char text[INLINE_SITES_TEXT] = "before";
	struct kernel_symbols k;
	struct btf_builder vmlinux = { 0 };
	struct fake_kernel *kernel;
	struct buffer raw[2];

	bb_int(&vmlinux, "int", 4, BTF_INT_SIGNED);
	bb_proto(&vmlinux, INT);
	raw[0] = bb_btf(&vmlinux);
	raw[1] = inline_btf(&vmlinux, rows[_i].layouts);
	kernel = fake_kernel_new((const struct fake_path[]){
		{ "/sys/kernel/btf/vmlinux", raw[0].data, raw[0].size, 0 },
		{ INLINE, raw[1].data, raw[1].size - (rows[_i].broken ? 8 : 0),
		  rows[_i].no_file ? ENOENT : 0 },
		{ KALLSYMS, rows[_i].hidden ? hidden : symbols, 0, 0 },
		{ NULL, NULL, 0, 0 },
	});
	kernel_symbols_init(&k, fake_kernel_sys(kernel));
	ck_assert_int_eq(inline_sites_text(fake_kernel_sys(kernel), &k, rows[_i].function, text),
			 rows[_i].expected != NULL);
	ck_assert_str_eq(text, rows[_i].expected ? rows[_i].expected : "");
	kernel_symbols_free(&k);
	ck_assert_int_eq(fake_kernel_leaks(kernel, stderr), 0);
	ck_assert_int_eq(fake_kernel_violations(kernel, stderr), 0);
	fake_kernel_free(kernel);
	buffer_free(&raw[0]);
	buffer_free(&raw[1]);
	bb_free(&vmlinux);
}
