/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The BPF Type Format (BTF), as the kernel's Documentation/bpf/btf.rst describes it. */
#ifndef __LINUX_BTF_H__
#define __LINUX_BTF_H__

#include <linux/types.h>

#define BTF_MAGIC	0xeB9F
#define BTF_VERSION	1

/*
 * The length of the types of one kind. The layout part, since Linux 7.1, has one of these for each
 * kind that the writer of the BTF knew. A reader skips the types of newer kinds by it.
 */
struct btf_layout {
	__u8 info_sz;	/* bytes after struct btf_type */
	__u8 elem_sz;	/* bytes of each of the vlen entries that follow */
	__u16 flags;
};

/* Offsets are relative to the end of the header. Until Linux 7.0 it ended after str_len. */
struct btf_header {
	__u16 magic;
	__u8 version;
	__u8 flags;
	__u32 hdr_len;
	__u32 type_off;
	__u32 type_len;
	__u32 str_off;
	__u32 str_len;
	__u32 layout_off;
	__u32 layout_len;
};

#define BTF_MAX_TYPE		0x000fffff
#define BTF_MAX_NAME_OFFSET	0x00ffffff
#define BTF_MAX_VLEN		0x00ffffff

/*
 * Each type begins with this record. Its info field has three parts:
 *
 *	bit 31		30 - 24		23 - 0
 *	kind_flag	kind		vlen
 *
 * Until Linux 7.0 kind had 5 bits and vlen 16. The bits between them were 0.
 *
 * size is valid for INT, ENUM, ENUM64, STRUCT, UNION, DATASEC and FLOAT. type is valid for kinds
 * that refer to another type.
 */
struct btf_type {
	__u32 name_off;
	__u32 info;
	union {
		__u32 size;
		__u32 type;
	};
};

#define BTF_INFO_KIND(info)	(((info) >> 24) & 0x7f)
#define BTF_INFO_VLEN(info)	((info) & 0xffffff)
#define BTF_INFO_KFLAG(info)	((info) >> 31)

/* The comments show the records that follow struct btf_type; vlen is their number. */
enum {
	BTF_KIND_UNKN = 0,
	BTF_KIND_INT = 1,		/* __u32, see BTF_INT_* */
	BTF_KIND_PTR = 2,
	BTF_KIND_ARRAY = 3,		/* struct btf_array */
	BTF_KIND_STRUCT = 4,		/* struct btf_member[vlen] */
	BTF_KIND_UNION = 5,		/* struct btf_member[vlen] */
	BTF_KIND_ENUM = 6,		/* struct btf_enum[vlen] */
	BTF_KIND_FWD = 7,
	BTF_KIND_TYPEDEF = 8,
	BTF_KIND_VOLATILE = 9,
	BTF_KIND_CONST = 10,
	BTF_KIND_RESTRICT = 11,
	BTF_KIND_FUNC = 12,		/* none: vlen is an enum btf_func_linkage */
	BTF_KIND_FUNC_PROTO = 13,	/* struct btf_param[vlen] */
	BTF_KIND_VAR = 14,		/* struct btf_var */
	BTF_KIND_DATASEC = 15,		/* struct btf_var_secinfo[vlen] */
	BTF_KIND_FLOAT = 16,
	BTF_KIND_DECL_TAG = 17,		/* struct btf_decl_tag */
	BTF_KIND_TYPE_TAG = 18,
	BTF_KIND_ENUM64 = 19,		/* struct btf_enum64[vlen] */
	NR_BTF_KINDS,
	BTF_KIND_MAX = NR_BTF_KINDS - 1,
};

#define BTF_INT_ENCODING(VAL)	(((VAL) & 0x0f000000) >> 24)
#define BTF_INT_OFFSET(VAL)	(((VAL) & 0x00ff0000) >> 16)
#define BTF_INT_BITS(VAL)	((VAL) & 0x000000ff)

#define BTF_INT_SIGNED	(1 << 0)
#define BTF_INT_CHAR	(1 << 1)
#define BTF_INT_BOOL	(1 << 2)

struct btf_enum {
	__u32 name_off;
	__s32 val;
};

struct btf_enum64 {
	__u32 name_off;
	__u32 val_lo32;
	__u32 val_hi32;
};

struct btf_array {
	__u32 type;
	__u32 index_type;
	__u32 nelems;
};

/* offset is in bits. With kind_flag, its upper byte is the size of a bitfield in bits, or 0. */
struct btf_member {
	__u32 name_off;
	__u32 type;
	__u32 offset;
};

#define BTF_MEMBER_BITFIELD_SIZE(val)	((val) >> 24)
#define BTF_MEMBER_BIT_OFFSET(val)	((val) & 0xffffff)

struct btf_param {
	__u32 name_off;
	__u32 type;
};

enum {
	BTF_VAR_STATIC = 0,
	BTF_VAR_GLOBAL_ALLOCATED = 1,
	BTF_VAR_GLOBAL_EXTERN = 2,
};

enum btf_func_linkage {
	BTF_FUNC_STATIC = 0,
	BTF_FUNC_GLOBAL = 1,
	BTF_FUNC_EXTERN = 2,
};

struct btf_var {
	__u32 linkage;
};

struct btf_var_secinfo {
	__u32 type;
	__u32 offset;
	__u32 size;
};

/* component_idx is the index of the tagged member or argument, or -1 for the type itself. */
struct btf_decl_tag {
	__s32 component_idx;
};

#endif
