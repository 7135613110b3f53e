// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* BTF since Linux 7.1 has the length of each kind, by which types of newer kinds are skipped. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "elf/btf.h"
#include "test/unit/common/btf_builder.h"
#include "test/unit/common/expect.h"
#include "test/unit/common/suite.h"

enum { INT = 1, PAIR, NEWER, TO_NEWER, PROTO, FUNC, EMPTY_NEWER, LAST, NR_IDS };

static void build(struct btf_builder *b, bool big_endian)
{
	*b = (struct btf_builder){ .foreign = big_endian != HOST_BIG_ENDIAN, .layouts = true };
	bb_int(b, "int", 4, BTF_INT_SIGNED);
	bb_struct(b, BTF_KIND_STRUCT, "pair", 8, false);
	bb_member(b, "a", INT, 0, 0);
	bb_member(b, "b", INT, 32, 0);
	bb_newer(b, "novel", 3);
	bb_ref(b, BTF_KIND_PTR, "", NEWER);
	bb_proto(b, INT);
	bb_param(b, "x", TO_NEWER);
	bb_func(b, "work", PROTO, BTF_FUNC_GLOBAL);
	bb_newer(b, "novelty", 0);
	ck_assert_uint_eq(bb_float(b, "double", 8), LAST);
}

static struct buffer built(bool big_endian)
{
	struct btf_builder b;
	struct buffer raw;

	build(&b, big_endian);
	raw = bb_btf(&b);
	bb_free(&b);
	return raw;
}

TEST_EACH(newer_kinds_are_skipped, 2)
{
	struct buffer raw = built(_i);
	struct error err = { 0 };
	struct btf_type_view t;
	struct btf btf;

	ck_assert_msg(!btf_parse(&btf, buffer_bytes(&raw), &err), "%s: %s", err.where, err.what);
	ck_assert_uint_eq(btf.nr_types, NR_IDS);
	ck_assert_uint_eq(btf_find(&btf, BTF_KIND_FUNC, "work"), FUNC);
	ck_assert_uint_eq(btf_find(&btf, BTF_KIND_FLOAT, "double"), LAST);
	ck_assert_uint_eq(btf_size(&btf, PAIR), 8);
	t = btf_type(&btf, NEWER);
	ck_assert_str_eq(t.name, "novel");
	ck_assert_uint_eq(t.id, NEWER);
	ck_assert_uint_eq(t.kind, BTF_KIND_UNKN);
	ck_assert(!t.vlen && !t.kind_flag && !t.size && !t.type && !t.extra);
	ck_assert_uint_eq(btf_kind_of(&btf, NEWER), BTF_KIND_UNKN);
	ck_assert_str_eq(btf_type(&btf, EMPTY_NEWER).name, "novelty");
	ck_assert_int_eq(btf_size(&btf, NEWER), -EINVAL);
	ck_assert_uint_eq(btf_skip(&btf, NEWER).id, NEWER);
	ck_assert_int_eq(btf_size(&btf, TO_NEWER), 8);
	btf_free(&btf);
	buffer_free(&raw);
}

/* A field of the header, or with @layout a byte of that kind's layout. */
static const struct {
	size_t at;
	bool layout;
	uint32_t value;
	struct expect e;
} broken[] = {
	{ offsetof(struct btf_header, hdr_len), false, 31,
	  { ENOTSUP, "BTF header", "is not zero", "newer compiler" } },
	{ offsetof(struct btf_header, layout_off), false, UINT32_MAX - 3,
	  { EBADMSG, "BTF header", "layouts at 0xfffffffc", NULL } },
	{ offsetof(struct btf_header, layout_len), false, 4096,
	  { EBADMSG, "BTF header", "0x1000 bytes, do not fit", NULL } },
	{ offsetof(struct btf_header, layout_off), false, 0,
	  { EBADMSG, "BTF header", "overlap layouts at 0x0", NULL } },
	{ offsetof(struct btf_header, str_off), false, 180,
	  { EBADMSG, "BTF header", "overlap strings at 0xb4", NULL } },
	{ offsetof(struct btf_header, str_off), false, 200,
	  { EBADMSG, "BTF header", "0x94 bytes, overlap strings at 0xc8", NULL } },
	{ offsetof(struct btf_header, layout_off), false, 181,
	  { EBADMSG, "BTF header", "layouts at 0xb5 do not begin", NULL } },
	{ offsetof(struct btf_header, layout_len), false, BB_NEWER * sizeof(struct btf_layout),
	  { ENOTSUP, "BTF type 3", "kind 36 is unknown: the last known one is 19, and the BTF has no layout",
	    "newer compiler" } },
	{ offsetof(struct btf_header, layout_len), false, 0,
	  { ENOTSUP, "BTF type 3", "kind 36 is unknown", "newer compiler" } },
	{ 0, true, 21, { ENOTSUP, "BTF type 3", "kind 36 is unknown", "newer compiler" } },
	{ 1, true, 3, { ENOTSUP, "BTF type 3", "kind 36 is unknown", "newer compiler" } },
	{ 1, true, 252, { EBADMSG, "BTF type 3", "with 3 entries", NULL } },
	{ 0, true, 248, { EBADMSG, "BTF type 3", "it is truncated", NULL } },
};

TEST_ROWS(refused, broken)
{
	for (int big_endian = 0; big_endian < 2; big_endian++) {
		struct buffer raw = built(big_endian);
		struct error err = { 0 };
		struct btf btf;
		char name[32];

		if (broken[_i].layout)
			buffer_poke(&raw,
				    sizeof(struct btf_header) +
					    buffer_peek(&raw,
							offsetof(struct btf_header, layout_off), 4,
							big_endian) +
					    BB_NEWER * sizeof(struct btf_layout) + broken[_i].at,
				    1, broken[_i].value, big_endian);
		else
			buffer_poke(&raw, broken[_i].at, 4, broken[_i].value, big_endian);
		snprintf(name, sizeof(name), "row %d", _i);
		expect_error(name, btf_parse(&btf, buffer_bytes(&raw), &err), &err, &broken[_i].e);
		ck_assert_ptr_null(btf.offsets);
		buffer_free(&raw);
	}
}

/* A kind that is known here is read as it is known, whatever length the file gives. */
TEST(layouts_of_known_kinds_are_not_needed)
{
	struct buffer raw = built(false);
	struct btf btf;
	size_t at = sizeof(struct btf_header) +
		    buffer_peek(&raw, offsetof(struct btf_header, layout_off), 4, false);

	for (uint32_t kind = 0; kind < NR_BTF_KINDS; kind++)
		buffer_poke(&raw, at + kind * sizeof(struct btf_layout), 2, 0xffff, false);
	ck_assert_int_eq(btf_parse(&btf, buffer_bytes(&raw), NULL), 0);
	ck_assert_uint_eq(btf.nr_types, NR_IDS);
	btf_free(&btf);
	buffer_free(&raw);
}

/*
 * LOC_PARAM, LOC_PROTO and LOCSEC have no layout in a file of the older form, and are skipped by the
 * lengths that bpf-next gives them.
 */
enum { LOC_PARAM = 20, LOC_PROTO, LOCSEC };

TEST(locations_are_skipped_without_a_layout)
{
	static const uint32_t param[] = { 0x28, 7, 16 }, proto[] = { 2, 0 },
			      sites[] = { 5, 3, 0x40, 5, 3, 0x80 };
	struct btf_builder b = { 0 };
	struct error err = { 0 };
	struct buffer raw;
	struct btf btf;

	bb_int(&b, "int", 4, BTF_INT_SIGNED);
	bb_words(&b, LOC_PARAM, "", 8, 2, param, 3);
	bb_words(&b, LOC_PROTO, "", 0, 2, proto, 2);
	bb_proto(&b, INT);
	bb_func(&b, "inlined", 4, BTF_FUNC_STATIC);
	bb_words(&b, LOCSEC, "inline.text", 0, 2, sites, 6);
	ck_assert_uint_eq(bb_float(&b, "double", 8), 7);
	raw = bb_btf(&b);
	ck_assert_msg(!btf_parse(&btf, buffer_bytes(&raw), &err), "%s: %s", err.where, err.what);
	ck_assert_uint_eq(btf.nr_types, 8);
	ck_assert_uint_eq(btf_find(&btf, BTF_KIND_FUNC, "inlined"), 5);
	ck_assert_uint_eq(btf_find(&btf, BTF_KIND_FLOAT, "double"), 7);
	ck_assert_uint_eq(btf_kind_of(&btf, 6), BTF_KIND_UNKN);
	ck_assert_str_eq(btf_type(&btf, 6).name, "inline.text");
	btf_free(&btf);
	buffer_free(&raw);
	bb_free(&b);
}

/* The builder's layouts give these kinds no bytes: whatever a release will have, its layout wins. */
TEST(a_layout_of_locations_wins)
{
	struct btf_builder b = { .layouts = true };
	struct buffer raw;
	struct btf btf;

	for (uint32_t kind = LOC_PARAM; kind <= LOCSEC; kind++)
		bb_words(&b, kind, "", 0, 2, NULL, 0);
	bb_float(&b, "double", 8);
	raw = bb_btf(&b);
	ck_assert_int_eq(btf_parse(&btf, buffer_bytes(&raw), NULL), 0);
	ck_assert_uint_eq(btf_find(&btf, BTF_KIND_FLOAT, "double"), 4);
	btf_free(&btf);
	buffer_free(&raw);
	bb_free(&b);
}

TEST_EACH(split_has_those_of_its_base, 2)
{
	struct btf_builder base_builder, b = { 0 };
	struct buffer base_raw, raw;
	struct btf base, btf;

	build(&base_builder, false);
	base_raw = bb_btf(&base_builder);
	bb_split(&b, &base_builder);
	b.layouts = _i;
	ck_assert_uint_eq(bb_newer(&b, "of a module", 1), NR_IDS);
	ck_assert_uint_eq(bb_ref(&b, BTF_KIND_PTR, "", NR_IDS), NR_IDS + 1);
	raw = bb_btf(&b);
	ck_assert_int_eq(btf_index(&base, buffer_bytes(&base_raw), NULL), 0);
	ck_assert_int_eq(btf_index_split(&btf, buffer_bytes(&raw), &base, NULL), 0);
	ck_assert_uint_eq(btf.nr_types, NR_IDS + 2);
	ck_assert_str_eq(btf_type(&btf, NR_IDS).name, "of a module");
	ck_assert_uint_eq(btf_type(&btf, NR_IDS + 1).type, NR_IDS);
	btf_free(&btf);
	btf_free(&base);
	buffer_free(&raw);
	buffer_free(&base_raw);
	bb_free(&b);
	bb_free(&base_builder);
}

/* vlen has 24 bits in either form. */
TEST_EACH(many_entries, 2)
{
	const uint32_t nr = 70000;
	struct btf_builder b = { .layouts = _i };
	struct btf_type_view t;
	struct buffer raw;
	struct btf btf;

	bb_enum(&b, BTF_KIND_ENUM, "many", 4, false);
	for (uint32_t i = 0; i < nr; i++)
		bb_enumerator(&b, "", i);
	bb_int(&b, "int", 4, 0);
	raw = bb_btf(&b);
	ck_assert_int_eq(btf_parse(&btf, buffer_bytes(&raw), NULL), 0);
	t = btf_type(&btf, 1);
	ck_assert_uint_eq(t.vlen, nr);
	ck_assert_uint_eq(btf_enumerator(&btf, &t, nr - 1).value, nr - 1);
	ck_assert_str_eq(btf_type(&btf, 2).name, "int");
	btf_free(&btf);
	buffer_free(&raw);
	bb_free(&b);
}

static struct buffer kernel_btf(void)
{
	struct buffer raw = { 0 };
	struct stat st;
	int fd = open("/sys/kernel/btf/vmlinux", O_RDONLY);
	ssize_t n;

	if (fd < 0 || fstat(fd, &st))
		suite_skip("this kernel shows no BTF");
	buffer_add(&raw, NULL, st.st_size);
	for (size_t at = 0; at < raw.size; at += n) {
		n = read(fd, raw.data + at, raw.size - at);
		ck_assert_int_gt(n, 0);
	}
	close(fd);
	return raw;
}

/* Newer pahole writes the types of the same kernel with layouts. */
TEST(of_this_kernel)
{
	struct buffer plain = kernel_btf();
	struct buffer newer = btf_with_layouts(buffer_bytes(&plain), HOST_BIG_ENDIAN);
	struct btf a, b;

	ck_assert_int_eq(btf_index(&a, buffer_bytes(&plain), NULL), 0);
	ck_assert_int_eq(btf_index(&b, buffer_bytes(&newer), NULL), 0);
	ck_assert_uint_gt(a.nr_types, 10000);
	ck_assert_uint_eq(a.nr_types, b.nr_types);
	for (uint32_t id = 1; id < a.nr_types; id++)
		ck_assert_uint_eq(btf_offset(&a, id), btf_offset(&b, id));
	ck_assert_uint_eq(btf_find(&b, BTF_KIND_STRUCT, "task_struct"),
			  btf_find(&a, BTF_KIND_STRUCT, "task_struct"));
	btf_free(&a);
	btf_free(&b);
	buffer_free(&plain);
	buffer_free(&newer);
}
