/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What a program knows the arguments of its USDT probe by: a value of map __bpf_usdt_specs, whose
 * struct the program's usdt.bpf.h has, ours or a libbpf's.
 */
#ifndef PLOAD_FEATURES_SYMBOLS_USDT_SPEC_H
#define PLOAD_FEATURES_SYMBOLS_USDT_SPEC_H

#include "elf/btf.h"
#include "loader/features/symbols/symbols.h"

#define USDT_SPECS_MAP "__bpf_usdt_specs"
#define USDT_ADDRESSES_MAP "__bpf_usdt_ip_to_spec_id"

/* A member, which may be a bit field: as BTF counts bits. */
struct usdt_member {
	uint32_t bit, bits;	/* bits 0: there is none */
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

/* Where the members of struct __bpf_usdt_spec are. */
struct usdt_layout {
	uint32_t size;	/* of it */
	uint32_t nr_args, arg_size;	/* of the array in it, and of each */
	struct usdt_member args, cookie, arg_cnt;
	struct usdt_member arg[NR_USDT_MEMBERS];	/* in each */
};

/*
 * usdt_layout() - the members of type @type of @btf, by their names, which stayed the same while
 * the struct did not (libbpf 1.7). Without BTF (NULL) as libbpf before 1.7 has it. EINVAL: it is
 * some other struct, or not of @size bytes.
 */
int usdt_layout(struct usdt_layout *layout, const struct btf *btf, uint32_t type, uint32_t size,
		struct error *err);

/* usdt_spec() - write arguments and @cookie to @value, of layout->size bytes. */
void usdt_spec(const struct usdt_layout *layout, const struct sdt_arg *args, uint32_t nr_args,
	       uint64_t cookie, unsigned char *value);

/* usdt_arg_unreadable() - why a program with that layout cannot read @arg, or NULL: it can. */
const char *usdt_arg_unreadable(const struct usdt_layout *layout, const struct sdt_arg *arg);

#endif
