// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Arguments of USDT probes written for programs with each struct that there was, found by BTF. */
#include <errno.h>

#include "loader/objects/symbols/usdt_spec.h"
#include "test/unit/common/suite.h"
#include "test/unit/common/btf_builder.h"
#include "test/unit/common/expect.h"

/* As libbpf had it until 1.6, and has without BTF. */
struct old_arg {
	uint64_t val_off;
	uint32_t arg_type;
	int16_t reg_off;
	uint8_t arg_signed;
	int8_t arg_bitshift;
};

struct old_spec {
	struct old_arg args[12];
	uint64_t usdt_cookie;
	int16_t arg_cnt;
};

static const struct sdt_arg args[] = {
	{ .kind = SDT_ARG_CONST, .size = 4, .is_signed = true, .value = -7 },
	{ .kind = SDT_ARG_REGISTER, .size = 1, .base = 80 },
	{ .kind = SDT_ARG_MEMORY, .size = 8, .base = 152, .value = 16 },
	{ .kind = SDT_ARG_MEMORY, .size = 2, .base = 80, .has_index = true, .index = 0x28,
	  .shift = 3, .value = -96 },
	{ .kind = SDT_ARG_OTHER, .size = 8, .why = "somewhere" },
};

#define NR_ARGS (sizeof(args) / sizeof(args[0]))

TEST(without_btf)
{
	struct error err = { 0 };
	struct usdt_layout layout;
	struct old_spec spec;

	memset(&spec, 0xff, sizeof(spec));
	ck_assert_int_eq(usdt_layout(&layout, NULL, 0, sizeof(spec), &err), 0);
	usdt_spec(&layout, args, NR_ARGS, 0x123456789abcdef0, (unsigned char *)&spec);
	ck_assert_uint_eq(spec.usdt_cookie, 0x123456789abcdef0);
	ck_assert_int_eq(spec.arg_cnt, NR_ARGS);
	ck_assert_int_eq((int64_t)spec.args[0].val_off, -7);
	ck_assert_uint_eq(spec.args[0].arg_type, 0);
	ck_assert_uint_eq(spec.args[0].arg_signed, 1);
	ck_assert_int_eq(spec.args[0].arg_bitshift, 32);
	ck_assert_uint_eq(spec.args[1].arg_type, 1);
	ck_assert_int_eq(spec.args[1].reg_off, 80);
	ck_assert_uint_eq(spec.args[1].arg_signed, 0);
	ck_assert_int_eq(spec.args[1].arg_bitshift, 56);
	ck_assert_uint_eq(spec.args[2].arg_type, 2);
	ck_assert_int_eq(spec.args[2].reg_off, 152);
	ck_assert_uint_eq(spec.args[2].val_off, 16);
	ck_assert_int_eq(spec.args[2].arg_bitshift, 0);
	ck_assert_uint_gt(spec.args[3].arg_type, 3);
	ck_assert_uint_gt(spec.args[4].arg_type, 3);
	ck_assert_uint_eq(spec.args[5].arg_type, 0);
	ck_assert_str_eq(usdt_arg_unreadable(&layout, &args[4]), "somewhere");
	ck_assert(strstr(usdt_arg_unreadable(&layout, &args[3]), "two registers"));
	ck_assert_ptr_null(usdt_arg_unreadable(&layout, &args[2]));
}

/* Members of the struct of one argument, in bits. */
struct member {
	const char *name;
	uint32_t bit, bits;	/* bits 0: no bit field */
	uint32_t type;		/* bytes of the integer */
};

static const struct form {
	const char *name;
	uint32_t arg_size, nr_args;
	struct member members[9];
	bool knows_index;
	int code;
} forms[] = {
	{ "libbpf 1.6", 16, 12,
	  { { "val_off", 0, 0, 8 }, { "arg_type", 64, 0, 4 }, { "reg_off", 96, 0, 2 },
	    { "arg_signed", 112, 0, 1 }, { "arg_bitshift", 120, 0, 1 } }, false, 0 },
	{ "libbpf 1.7", 24, 12,
	  { { "val_off", 0, 0, 8 }, { "arg_type", 64, 8, 4 }, { "idx_reg_off", 80, 12, 2 },
	    { "scale_bitshift", 92, 4, 2 }, { "__reserved", 96, 8, 1 }, { "reg_off", 112, 0, 2 },
	    { "arg_signed", 128, 0, 1 }, { "arg_bitshift", 136, 0, 1 } }, true, 0 },
	{ "ours", 16, 12,
	  { { "val_off", 0, 0, 8 }, { "arg_type", 64, 0, 1 }, { "scale_bitshift", 72, 0, 1 },
	    { "idx_reg_off", 80, 0, 2 }, { "reg_off", 96, 0, 2 }, { "arg_signed", 112, 0, 1 },
	    { "arg_bitshift", 120, 0, 1 } }, true, 0 },
	{ "fewer arguments", 16, 2,
	  { { "val_off", 0, 0, 8 }, { "arg_type", 64, 0, 4 }, { "reg_off", 96, 0, 2 },
	    { "arg_signed", 112, 0, 1 }, { "arg_bitshift", 120, 0, 1 } }, false, 0 },
	{ "without a member", 16, 12,
	  { { "val_off", 0, 0, 8 }, { "arg_type", 64, 0, 4 }, { "reg_off", 96, 0, 2 },
	    { "arg_signed", 112, 0, 1 } }, false, EINVAL },
	{ "no arguments", 16, 0,
	  { { "val_off", 0, 0, 8 }, { "arg_type", 64, 0, 4 }, { "reg_off", 96, 0, 2 },
	    { "arg_signed", 112, 0, 1 }, { "arg_bitshift", 120, 0, 1 } }, false, EINVAL },
};

/* The struct of @form; its id. */
static uint32_t build(struct btf_builder *b, const struct form *form)
{
	const uint32_t behind = 8 * form->arg_size * form->nr_args;
	uint32_t types[9] = { 0 }, arg, array, spec;

	for (int size = 1; size <= 8; size *= 2)
		types[size] = bb_int(b, "int", size, 0);
	arg = bb_struct(b, BTF_KIND_STRUCT, "__bpf_usdt_arg_spec", form->arg_size, true);
	for (const struct member *m = form->members; m->name; m++)
		bb_member(b, m->name, types[m->type], m->bit, m->bits);
	array = bb_array(b, arg, types[4], form->nr_args);
	spec = bb_struct(b, BTF_KIND_STRUCT, "__bpf_usdt_spec", behind / 8 + 16, false);
	bb_member(b, "args", array, 0, 0);
	bb_member(b, "usdt_cookie", types[8], behind, 0);
	bb_member(b, "arg_cnt", types[2], behind + 64, 0);
	return spec;
}

/* Returns the value that a program would read from member @name of the bytes at @base. */
static uint64_t get(const struct form *form, const unsigned char *base, const char *name)
{
	const struct member *m = form->members;
	uint64_t value = 0;
	uint32_t bits;

	while (strcmp(m->name, name))
		m++;
	bits = m->bits ? m->bits : 8 * m->type;
	for (uint32_t i = 0; i < bits; i++) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
		const uint32_t bit = m->bit + i;

		value = value << 1 | (base[bit / 8] >> (7 - bit % 8) & 1);
#else
		const uint32_t bit = m->bit + i;

		value |= (uint64_t)(base[bit / 8] >> bit % 8 & 1) << i;
#endif
	}
	return value;
}

TEST_ROWS(with_btf, forms)
{
	const struct form *form = &forms[_i];
	const uint32_t size = form->arg_size * form->nr_args + 16;
	struct btf_builder b = { 0 };
	unsigned char value[512], *at;
	struct usdt_layout layout;
	struct error err = { 0 };
	struct buffer raw;
	struct btf btf;
	uint32_t type = build(&b, form);
	int ret;

	raw = bb_btf(&b);
	ck_assert_msg(!btf_parse(&btf, buffer_bytes(&raw), &err), "%s: %s", err.where, err.what);
	ret = usdt_layout(&layout, &btf, type, size, &err);
	if (form->code) {
		expect_error(form->name, ret, &err,
			     &(struct expect){ form->code, NULL, "usdt.bpf.h", "include",
					       "usdt/layout" });
	} else {
		ck_assert_msg(!ret, "%s: %s", form->name, err.what);
		ck_assert_uint_eq(layout.size, size);
		memset(value, 0xff, sizeof(value));
		usdt_spec(&layout, args, NR_ARGS, 99, value);
		for (unsigned int i = 0; i < NR_ARGS && i < form->nr_args; i++) {
			at = value + i * form->arg_size;
			ck_assert_int_eq(get(form, at, "val_off"), args[i].value);
			ck_assert_int_eq(get(form, at, "reg_off"), args[i].base);
			ck_assert_int_eq(get(form, at, "arg_bitshift"), 64 - 8 * args[i].size);
		}
		ck_assert_uint_eq(get(form, value, "arg_type"), 0);
		ck_assert_uint_eq(get(form, value, "arg_signed"), 1);
		ck_assert_uint_eq(get(form, value + form->arg_size, "arg_type"), 1);
		ck_assert_int_eq(usdt_arg_unreadable(&layout, &args[3]) == NULL, form->knows_index);
		at = value + 3 * form->arg_size;
		if (form->knows_index) {
			ck_assert_uint_eq(get(form, at, "arg_type"), 3);
			ck_assert_uint_eq(get(form, at, "idx_reg_off"), 0x28);
			ck_assert_uint_eq(get(form, at, "scale_bitshift"), 3);
		} else if (form->nr_args > 3) {
			ck_assert_uint_gt(get(form, at, "arg_type"), 3);
		}
		ck_assert_uint_eq(value[size], 0xff);
	}
	ck_assert_int_eq(usdt_layout(&layout, &btf, type, size + 1, NULL), -EINVAL);
	btf_free(&btf);
	buffer_free(&raw);
	bb_free(&b);
}

TEST(another_struct)
{
	struct btf_builder b = { 0 };
	struct usdt_layout layout;
	struct buffer raw;
	struct btf btf;
	uint32_t type = bb_int(&b, "int", 4, 0);

	raw = bb_btf(&b);
	ck_assert_int_eq(btf_parse(&btf, buffer_bytes(&raw), NULL), 0);
	ck_assert_int_eq(usdt_layout(&layout, &btf, type, 4, NULL), -EINVAL);
	ck_assert_int_eq(usdt_layout(&layout, NULL, 0, 4, NULL), -EINVAL);
	btf_free(&btf);
	buffer_free(&raw);
	bb_free(&b);
}
