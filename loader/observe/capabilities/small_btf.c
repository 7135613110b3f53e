// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Loads small hand-written BTF, to find out which kinds of types the kernel knows. */
#include <errno.h>
#include <string.h>

#include "loader/core/kernel/attr.h"
#include "loader/observe/capabilities/capabilities_internal.h"

#define DATA_MAX 256

/*
 * BTF as BPF_BTF_LOAD takes it (Documentation/bpf/btf.rst):
 *
 *	+-------------------+--------+--------+-----+---------------------------+
 *	| struct btf_header | type 1 | type 2 | ... | names, each ended by NUL  |
 *	+-------------------+--------+--------+-----+---------------------------+
 *	                    ^ type_off = 0          ^ str_off = type_len
 *
 *	a type:  name_off | kind << 24 | vlen | size, or a type id | words that depend on the kind
 */
int small_btf_load(struct sys *sys, const uint32_t *types, uint32_t types_size, const char *names,
		   uint32_t names_size)
{
	const struct btf_header header = {
		.magic = BTF_MAGIC, .version = BTF_VERSION, .hdr_len = BTF_HEADER_PLAIN,
		.type_len = types_size, .str_off = types_size, .str_len = names_size,
	};
	unsigned char btf[BTF_HEADER_PLAIN + DATA_MAX];
	union bpf_attr attr;

	if (types_size > DATA_MAX || names_size > DATA_MAX - types_size)
		return -E2BIG;
	memcpy(btf, &header, BTF_HEADER_PLAIN);
	memcpy(btf + BTF_HEADER_PLAIN, types, types_size);
	memcpy(btf + BTF_HEADER_PLAIN + types_size, names, names_size);
	memset(&attr, 0, sizeof(attr));
	attr.btf = attr_pointer(btf);
	attr.btf_size = BTF_HEADER_PLAIN + types_size + names_size;
	return sys_bpf(sys, BPF_BTF_LOAD, &attr, ATTR_SIZE(btf_log_level));
}

#define TYPES_MAX 16

/* The words of the types after type 1, an integer. Name 5 is "x". */
static const struct {
	uint32_t kind, nr;
	uint32_t words[TYPES_MAX];
} rows[] = {
	/* 2: a prototype that returns type 1; 3: a function with it */
	{ BTF_KIND_FUNC, 6, { 0, BTF_KIND_FUNC_PROTO << 24, 1, 5, BTF_KIND_FUNC << 24, 2 } },
	/* 2: a static variable (linkage 0) of type 1 */
	{ BTF_KIND_VAR, 4, { 5, BTF_KIND_VAR << 24, 1, 0 } },
	{ BTF_KIND_FLOAT, 3, { 5, BTF_KIND_FLOAT << 24, 4 } },
	/* 3: a tag on variable 2 as a whole (component -1) */
	{ BTF_KIND_DECL_TAG, 8,
	  { 5, BTF_KIND_VAR << 24, 1, 0, 5, BTF_KIND_DECL_TAG << 24, 2, UINT32_MAX } },
	{ BTF_KIND_TYPE_TAG, 3, { 5, BTF_KIND_TYPE_TAG << 24, 1 } },
	/* 2: of 8 bytes with one value: name, low half, high half */
	{ BTF_KIND_ENUM64, 6, { 5, BTF_KIND_ENUM64 << 24 | 1, 8, 5, 1, 0 } },
};

int small_btf_load_kind(struct sys *sys, uint32_t kind)
{
	static const char names[] = "\0int\0x";
	/* The last word of an integer: 1 << 24 for signed, and its 32 bits. */
	uint32_t types[4 + TYPES_MAX] = { 1, BTF_KIND_INT << 24, 4, 1u << 24 | 32 }, nr = 4;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (rows[i].kind != kind)
			continue;
		memcpy(types + nr, rows[i].words, rows[i].nr * sizeof(types[0]));
		nr += rows[i].nr;
	}
	return small_btf_load(sys, types, nr * sizeof(types[0]), names, sizeof(names));
}
