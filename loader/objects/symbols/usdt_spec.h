/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Describe the arguments of a USDT probe to the program: a value of map __bpf_usdt_specs, whose
 * struct is in the usdt.bpf.h that the program includes, pload's or libbpf's.
 *
 *	struct __bpf_usdt_spec {		struct __bpf_usdt_arg_spec {
 *		args[12];	----------->		val_off		constant, or offset
 *		usdt_cookie;				arg_type	CONST, REG, REG_DEREF, SIB
 *		arg_cnt;				reg_off		register, in struct pt_regs
 *	};						arg_signed, arg_bitshift
 *							idx_reg_off, scale_bitshift  (libbpf 1.7)
 *						};
 *
 * "-4@8(%rdi)" is a signed int in memory: REG_DEREF, val_off 8, reg_off of rdi, arg_signed 1,
 * arg_bitshift 64 - 32.
 */
#ifndef PLOAD_OBJECTS_SYMBOLS_USDT_SPEC_H
#define PLOAD_OBJECTS_SYMBOLS_USDT_SPEC_H

#include "elf/btf.h"
#include "loader/objects/symbols/symbols.h"

#define USDT_SPECS_MAP "__bpf_usdt_specs"
#define USDT_ADDRESSES_MAP "__bpf_usdt_ip_to_spec_id"

/* A member, which may be a bit field, in BTF's bit numbering. */
struct usdt_member {
	uint32_t bit, bits;	/* bits 0: the struct does not have it */
};

enum usdt_member_name {
	USDT_VAL_OFF,
	USDT_ARG_TYPE,
	USDT_REG_OFF,
	USDT_ARG_SIGNED,
	USDT_ARG_BITSHIFT,
	USDT_IDX_REG_OFF,
	USDT_SCALE_BITSHIFT,
	NR_USDT_MEMBERS
};

/* The layout of struct __bpf_usdt_spec. */
struct usdt_layout {
	uint32_t size;		/* bytes */
	uint32_t nr_args, arg_size;	/* number of elements in args, bytes per element */
	struct usdt_member args, cookie, arg_cnt;
	struct usdt_member arg[NR_USDT_MEMBERS];	/* within an element */
};

/**
 * usdt_layout() - Find the members of the struct by name in the object's BTF.
 * @btf: NULL: use the layout of libbpf 1.0 to 1.6
 * @size: the map's value size
 *
 * Return: 0; -EINVAL if it is a different struct or not @size bytes long.
 */
int usdt_layout(struct usdt_layout *layout, const struct btf *btf, uint32_t type, uint32_t size,
		struct error *err);

/* usdt_spec() - Write the arguments and @cookie to @value, of layout->size bytes. */
void usdt_spec(const struct usdt_layout *layout, const struct sdt_arg *args, uint32_t nr_args,
	       uint64_t cookie, unsigned char *value);

/* usdt_arg_unreadable() - Return why a program with this layout cannot read @arg, or NULL. */
const char *usdt_arg_unreadable(const struct usdt_layout *layout, const struct sdt_arg *arg);

#endif
