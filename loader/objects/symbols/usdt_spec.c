// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Write the arguments of a USDT probe as the struct that programs read. */
#include <errno.h>
#include <string.h>

#include "loader/objects/symbols/usdt_spec.h"

/* enum __bpf_usdt_arg_type */
enum { ARG_CONST, ARG_REG, ARG_REG_DEREF, ARG_SIB, ARG_UNREAD = 0x7f };

static const char *const names[NR_USDT_MEMBERS] = {
	[USDT_VAL_OFF] = "val_off",
	[USDT_ARG_TYPE] = "arg_type",
	[USDT_REG_OFF] = "reg_off",
	[USDT_ARG_SIGNED] = "arg_signed",
	[USDT_ARG_BITSHIFT] = "arg_bitshift",
	[USDT_IDX_REG_OFF] = "idx_reg_off",
	[USDT_SCALE_BITSHIFT] = "scale_bitshift",
};

/* libbpf 1.0 to 1.6: 12 of { u64, enum, short, bool, char }, u64, short. */
static const struct usdt_layout compat = {
	.size = 208, .nr_args = 12, .arg_size = 16,
	.args = { 0, 12 * 128 }, .cookie = { 12 * 128, 64 }, .arg_cnt = { 12 * 128 + 64, 16 },
	.arg = {
		[USDT_VAL_OFF] = { 0, 64 }, [USDT_ARG_TYPE] = { 64, 32 },
		[USDT_REG_OFF] = { 96, 16 }, [USDT_ARG_SIGNED] = { 112, 8 },
		[USDT_ARG_BITSHIFT] = { 120, 8 },
	},
};

static struct usdt_member find(const struct btf *btf, const struct btf_type_view *t,
			       const char *name, uint32_t *type)
{
	for (uint32_t i = 0; i < t->vlen; i++) {
		const struct btf_member_view m = btf_member(btf, t, i);
		const int64_t size = btf_size(btf, m.type);
		const uint64_t bits = m.bitfield_size ? m.bitfield_size : 8 * (uint64_t)size;

		if (strcmp(m.name, name) || size <= 0 || m.bit_offset / 8 >= t->size ||
		    bits > 8ull * t->size - m.bit_offset)
			continue;
		*type = m.type;
		return (struct usdt_member){ m.bit_offset, bits };
	}
	*type = 0;
	return (struct usdt_member){ 0, 0 };
}

static bool read_arg(struct usdt_layout *l, const struct btf *btf, uint32_t type)
{
	const struct btf_type_view t = btf_skip(btf, type);
	uint32_t unused;

	if (t.kind != BTF_KIND_STRUCT || t.size != l->arg_size)
		return false;
	for (unsigned int i = 0; i < NR_USDT_MEMBERS; i++) {
		l->arg[i] = find(btf, &t, names[i], &unused);
		if (l->arg[i].bits > 64 || (!l->arg[i].bits && i < USDT_IDX_REG_OFF))
			return false;
	}
	return true;
}

static bool read_layout(struct usdt_layout *l, const struct btf *btf, uint32_t type)
{
	const struct btf_type_view t = btf_skip(btf, type);
	struct btf_type_view args;
	struct btf_array_view array;
	uint32_t args_type, unused;

	if (t.kind != BTF_KIND_STRUCT)
		return false;
	l->size = t.size;
	l->args = find(btf, &t, "args", &args_type);
	l->cookie = find(btf, &t, "usdt_cookie", &unused);
	l->arg_cnt = find(btf, &t, "arg_cnt", &unused);
	if (!l->args.bits || !l->cookie.bits || !l->arg_cnt.bits || l->cookie.bits > 64 ||
	    l->arg_cnt.bits > 64)
		return false;
	args = btf_skip(btf, args_type);
	if (args.kind != BTF_KIND_ARRAY)
		return false;
	array = btf_array(btf, &args);
	l->nr_args = array.nelems;
	l->arg_size = array.nelems ? l->args.bits / 8 / array.nelems : 0;
	return read_arg(l, btf, array.type);
}

int usdt_layout(struct usdt_layout *layout, const struct btf *btf, uint32_t type, uint32_t size,
		struct error *err)
{
	*layout = compat;
	if (btf && type) {
		memset(layout, 0, sizeof(*layout));
		if (!read_layout(layout, btf, type))
			layout->size = 0;
	}
	if (layout->size && layout->size == size)
		return 0;
	error_set(err, EINVAL, "its values are not struct __bpf_usdt_spec from usdt.bpf.h");
	error_reason(err, "usdt/layout");
	return error_hint(err, "include bpf/usdt.bpf.h, pload's or libbpf's, and compile with -g");
}

/*
 * BTF numbers bits from the least significant bit of byte 0, on big-endian machines from the most
 * significant.
 */
static void put(unsigned char *base, struct usdt_member m, uint64_t value)
{
	for (uint32_t i = 0; i < m.bits; i++) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
		const uint32_t bit = m.bit + m.bits - 1 - i, in_byte = 7 - bit % 8;
#else
		const uint32_t bit = m.bit + i, in_byte = bit % 8;
#endif
		const unsigned char mask = 1u << in_byte;

		if (value >> i & 1)
			base[bit / 8] |= mask;
		else
			base[bit / 8] &= ~mask;
	}
}

const char *usdt_arg_unreadable(const struct usdt_layout *layout, const struct sdt_arg *arg)
{
	if (arg->kind == SDT_ARG_OTHER)
		return arg->why;
	if (arg->has_index && !layout->arg[USDT_IDX_REG_OFF].bits)
		return "its address uses two registers, which the program's usdt.bpf.h does not "
		       "support: use that of libbpf 1.7 or pload";
	return NULL;
}

static uint64_t type_of(const struct usdt_layout *layout, const struct sdt_arg *arg)
{
	if (usdt_arg_unreadable(layout, arg))
		return ARG_UNREAD;
	switch (arg->kind) {
	case SDT_ARG_CONST:
		return ARG_CONST;
	case SDT_ARG_REGISTER:
		return ARG_REG;
	default:
		return arg->has_index ? ARG_SIB : ARG_REG_DEREF;
	}
}

void usdt_spec(const struct usdt_layout *layout, const struct sdt_arg *args, uint32_t nr_args,
	       uint64_t cookie, unsigned char *value)
{
	memset(value, 0, layout->size);
	put(value, layout->cookie, cookie);
	put(value, layout->arg_cnt, nr_args < layout->nr_args ? nr_args : layout->nr_args);
	for (uint32_t i = 0; i < nr_args && i < layout->nr_args; i++) {
		unsigned char *to = value + layout->args.bit / 8 + i * layout->arg_size;
		const struct sdt_arg *arg = &args[i];

		put(to, layout->arg[USDT_VAL_OFF], arg->value);
		put(to, layout->arg[USDT_ARG_TYPE], type_of(layout, arg));
		put(to, layout->arg[USDT_REG_OFF], arg->base);
		put(to, layout->arg[USDT_ARG_SIGNED], arg->is_signed);
		put(to, layout->arg[USDT_ARG_BITSHIFT], 64 - 8 * arg->size);
		put(to, layout->arg[USDT_IDX_REG_OFF], arg->index);
		put(to, layout->arg[USDT_SCALE_BITSHIFT], arg->shift);
	}
}
