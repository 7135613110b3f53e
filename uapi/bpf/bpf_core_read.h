/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* CO-RE: field accesses and type queries that the loader resolves with the running kernel's BTF. */
#ifndef __BPF_CORE_READ_H__
#define __BPF_CORE_READ_H__

#include <bpf/bpf_helpers.h>

/* The second argument of clang's builtins, which selects the kind of CO-RE relocation. */
enum bpf_field_info_kind {
	BPF_FIELD_BYTE_OFFSET = 0,
	BPF_FIELD_BYTE_SIZE = 1,
	BPF_FIELD_EXISTS = 2,
	BPF_FIELD_SIGNED = 3,
	BPF_FIELD_LSHIFT_U64 = 4,
	BPF_FIELD_RSHIFT_U64 = 5,
};

enum bpf_type_id_kind {
	BPF_TYPE_ID_LOCAL = 0,
	BPF_TYPE_ID_TARGET = 1,
};

enum bpf_type_info_kind {
	BPF_TYPE_EXISTS = 0,
	BPF_TYPE_SIZE = 1,
	BPF_TYPE_MATCHES = 2,
};

enum bpf_enum_value_kind {
	BPF_ENUMVAL_EXISTS = 0,
	BPF_ENUMVAL_VALUE = 1,
};

/* The following macros accept a field as p->a.b[1].c or as two arguments: struct type, a.b[1].c. */
#define ___bpf_field1(field)		(field)
#define ___bpf_field2(type, field)	(((typeof(type) *)0)->field)
#define ___bpf_field(args...)		___bpf_apply(___bpf_field, ___bpf_narg(args))(args)

#define bpf_core_field_offset(field...) \
	__builtin_preserve_field_info(___bpf_field(field), BPF_FIELD_BYTE_OFFSET)
#define bpf_core_field_size(field...) \
	__builtin_preserve_field_info(___bpf_field(field), BPF_FIELD_BYTE_SIZE)
#define bpf_core_field_exists(field...) \
	__builtin_preserve_field_info(___bpf_field(field), BPF_FIELD_EXISTS)

/*
 * ___bpf_some() is an expression of the given type for a builtin that uses only the type. clang
 * accepts any expression, and expects an enumerator cast to a pointer and dereferenced. gcc only
 * accepts an expression that names a variable, and takes the enumerator as an argument of its own.
 */
#ifdef __clang__
#define ___bpf_some(type)		(*(typeof(type) *)0)
#define ___bpf_enumerator(type, value)	*(typeof(type) *)value
#else
#define ___bpf_some(type)		(*___bpf_pointer(type))
#define ___bpf_enumerator(type, value)	___bpf_pointer(type), value
#define ___bpf_pointer(type)		___bpf_pointer_as(type, ___bpf_apply(___bpf_p, __COUNTER__))
#define ___bpf_pointer_as(type, name)	({ extern typeof(type) *name; name; })
#endif

/*
 * These are 0 if the kernel has no such type, except for bpf_core_type_id_local(), which is the id
 * of the type in this object's own BTF.
 */
#define bpf_core_type_id_local(type) \
	__builtin_btf_type_id(___bpf_some(type), BPF_TYPE_ID_LOCAL)
#define bpf_core_type_id_kernel(type) \
	__builtin_btf_type_id(___bpf_some(type), BPF_TYPE_ID_TARGET)
#define bpf_core_type_exists(type) \
	__builtin_preserve_type_info(___bpf_some(type), BPF_TYPE_EXISTS)
#define bpf_core_type_size(type) \
	__builtin_preserve_type_info(___bpf_some(type), BPF_TYPE_SIZE)
#define bpf_core_type_matches(type) \
	__builtin_preserve_type_info(___bpf_some(type), BPF_TYPE_MATCHES)

#define bpf_core_enum_value_exists(enum_type, enum_value) \
	__builtin_preserve_enum_value(___bpf_enumerator(enum_type, enum_value), BPF_ENUMVAL_EXISTS)
#define bpf_core_enum_value(enum_type, enum_value) \
	__builtin_preserve_enum_value(___bpf_enumerator(enum_type, enum_value), BPF_ENUMVAL_VALUE)

/* Cast a pointer to a kernel type. A read through the result may fault, and then yields 0. */
extern void *bpf_rdonly_cast(const void *obj, unsigned int btf_id) __ksym __weak;
#define bpf_core_cast(ptr, type) \
	((typeof(type) *)bpf_rdonly_cast((ptr), bpf_core_type_id_kernel(type)))

/* These are the bpf_probe_read helpers with a CO-RE relocation for the accesses within @src. */
#define bpf_core_read(dst, sz, src) \
	bpf_probe_read_kernel(dst, sz, (const void *)__builtin_preserve_access_index(src))
#define bpf_core_read_user(dst, sz, src) \
	bpf_probe_read_user(dst, sz, (const void *)__builtin_preserve_access_index(src))
#define bpf_core_read_str(dst, sz, src) \
	bpf_probe_read_kernel_str(dst, sz, (const void *)__builtin_preserve_access_index(src))
#define bpf_core_read_user_str(dst, sz, src) \
	bpf_probe_read_user_str(dst, sz, (const void *)__builtin_preserve_access_index(src))

/*
 * src->a->b->c takes one read per arrow. ___bpf_step() reads one arrow and is an expression with
 * the value read; ___val has bytes, since clang 21 warns of a const variable without a value.
 * ___bpf_getN() and ___bpf_intoN() read the first of N accessors and pass on the others;
 * ___bpf_into1() reads the last one into *dst with `last`. Each macro expands src once, so the
 * length of the expansion is linear in the number of arrows.
 */
#define ___bpf_step(read, src, a) ({ \
	__auto_type ___src = (src); \
	char ___val[sizeof(___src->a)] __attribute__((aligned(__alignof__(typeof(___src->a))))); \
	\
	read((void *)___val, sizeof(___val), &___src->a); \
	*(typeof(___src->a) *)___val; \
})

#define ___bpf_get1(read, src, a)		___bpf_step(read, src, a)
#define ___bpf_get2(read, src, a, args...)	___bpf_get1(read, ___bpf_step(read, src, a), args)
#define ___bpf_get3(read, src, a, args...)	___bpf_get2(read, ___bpf_step(read, src, a), args)
#define ___bpf_get4(read, src, a, args...)	___bpf_get3(read, ___bpf_step(read, src, a), args)
#define ___bpf_get5(read, src, a, args...)	___bpf_get4(read, ___bpf_step(read, src, a), args)
#define ___bpf_get6(read, src, a, args...)	___bpf_get5(read, ___bpf_step(read, src, a), args)
#define ___bpf_get7(read, src, a, args...)	___bpf_get6(read, ___bpf_step(read, src, a), args)
#define ___bpf_get8(read, src, a, args...)	___bpf_get7(read, ___bpf_step(read, src, a), args)
#define ___bpf_get9(read, src, a, args...)	___bpf_get8(read, ___bpf_step(read, src, a), args)
#define ___bpf_get(read, src, args...) \
	___bpf_apply(___bpf_get, ___bpf_narg(args))(read, src, args)

#define ___bpf_into1(last, read, dst, src, a) ({ \
	__auto_type ___src = (src); \
	\
	last((void *)(dst), sizeof(*(dst)), &___src->a); \
})
#define ___bpf_into2(last, read, dst, src, a, args...) \
	___bpf_into1(last, read, dst, ___bpf_step(read, src, a), args)
#define ___bpf_into3(last, read, dst, src, a, args...) \
	___bpf_into2(last, read, dst, ___bpf_step(read, src, a), args)
#define ___bpf_into4(last, read, dst, src, a, args...) \
	___bpf_into3(last, read, dst, ___bpf_step(read, src, a), args)
#define ___bpf_into5(last, read, dst, src, a, args...) \
	___bpf_into4(last, read, dst, ___bpf_step(read, src, a), args)
#define ___bpf_into6(last, read, dst, src, a, args...) \
	___bpf_into5(last, read, dst, ___bpf_step(read, src, a), args)
#define ___bpf_into7(last, read, dst, src, a, args...) \
	___bpf_into6(last, read, dst, ___bpf_step(read, src, a), args)
#define ___bpf_into8(last, read, dst, src, a, args...) \
	___bpf_into7(last, read, dst, ___bpf_step(read, src, a), args)
#define ___bpf_into9(last, read, dst, src, a, args...) \
	___bpf_into8(last, read, dst, ___bpf_step(read, src, a), args)
#define ___bpf_into(last, read, dst, src, args...) \
	___bpf_apply(___bpf_into, ___bpf_narg(args))(last, read, dst, src, args)

/* With CO-RE: read kernel memory, or (_USER) kernel types that lie in user memory. */
#define BPF_CORE_READ(src, a, args...) \
	___bpf_get(bpf_core_read, src, a, ##args)
#define BPF_CORE_READ_USER(src, a, args...) \
	___bpf_get(bpf_core_read_user, src, a, ##args)
#define BPF_CORE_READ_INTO(dst, src, a, args...) \
	___bpf_into(bpf_core_read, bpf_core_read, dst, src, a, ##args)
#define BPF_CORE_READ_USER_INTO(dst, src, a, args...) \
	___bpf_into(bpf_core_read_user, bpf_core_read_user, dst, src, a, ##args)
#define BPF_CORE_READ_STR_INTO(dst, src, a, args...) \
	___bpf_into(bpf_core_read_str, bpf_core_read, dst, src, a, ##args)
#define BPF_CORE_READ_USER_STR_INTO(dst, src, a, args...) \
	___bpf_into(bpf_core_read_user_str, bpf_core_read_user, dst, src, a, ##args)

/* Without CO-RE: the offsets are those of the types as the program declares them. */
#define BPF_PROBE_READ(src, a, args...) \
	___bpf_get(bpf_probe_read_kernel, src, a, ##args)
#define BPF_PROBE_READ_USER(src, a, args...) \
	___bpf_get(bpf_probe_read_user, src, a, ##args)
#define BPF_PROBE_READ_INTO(dst, src, a, args...) \
	___bpf_into(bpf_probe_read_kernel, bpf_probe_read_kernel, dst, src, a, ##args)
#define BPF_PROBE_READ_USER_INTO(dst, src, a, args...) \
	___bpf_into(bpf_probe_read_user, bpf_probe_read_user, dst, src, a, ##args)
#define BPF_PROBE_READ_STR_INTO(dst, src, a, args...) \
	___bpf_into(bpf_probe_read_kernel_str, bpf_probe_read_kernel, dst, src, a, ##args)
#define BPF_PROBE_READ_USER_STR_INTO(dst, src, a, args...) \
	___bpf_into(bpf_probe_read_user_str, bpf_probe_read_user, dst, src, a, ##args)

/*
 * Bitfields: the storage unit (BYTE_OFFSET, BYTE_SIZE) is widened to 64 bits. A shift to the left
 * by LSHIFT_U64 removes the bits above the field. A shift to the right by RSHIFT_U64 then removes
 * those below it, and extends the sign of a signed field.
 */
#define ___bpf_info(src, field, what) \
	__builtin_preserve_field_info((src)->field, BPF_FIELD_##what)

#define ___bpf_bits(src, field, val) ({ \
	unsigned long long ___bits = (val) << ___bpf_info(src, field, LSHIFT_U64); \
	\
	___bpf_info(src, field, SIGNED) ? \
		(unsigned long long)((long long)___bits >> ___bpf_info(src, field, RSHIFT_U64)) : \
		___bits >> ___bpf_info(src, field, RSHIFT_U64); \
})

/* The address at which to store @size bytes so that they are the low bytes of the 64-bit @val. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define ___bpf_low_end(val, size)	((void *)&(val))
#else
#define ___bpf_low_end(val, size)	((void *)&(val) + (8 - (size)))
#endif

#define BPF_CORE_READ_BITFIELD_PROBED(src, field) ({ \
	unsigned long long ___unit = 0; \
	\
	bpf_probe_read_kernel(___bpf_low_end(___unit, ___bpf_info(src, field, BYTE_SIZE)), \
			      ___bpf_info(src, field, BYTE_SIZE), \
			      (const void *)(src) + ___bpf_info(src, field, BYTE_OFFSET)); \
	___bpf_bits(src, field, ___unit); \
})

/*
 * For programs that may dereference kernel pointers. barrier_var() prevents the compiler from
 * emitting the offset's relocation once in each case of the switch.
 */
#define BPF_CORE_READ_BITFIELD(src, field) ({ \
	const void *___at = (const void *)(src) + ___bpf_info(src, field, BYTE_OFFSET); \
	unsigned long long ___unit = 0; \
	\
	barrier_var(___at); \
	switch (___bpf_info(src, field, BYTE_SIZE)) { \
	case 1: ___unit = *(const unsigned char *)___at; break; \
	case 2: ___unit = *(const unsigned short *)___at; break; \
	case 4: ___unit = *(const unsigned int *)___at; break; \
	case 8: ___unit = *(const unsigned long long *)___at; break; \
	} \
	___bpf_bits(src, field, ___unit); \
})

/* The field is 64 - rshift bits wide and begins at bit rshift - lshift of its storage unit. */
#define BPF_CORE_WRITE_BITFIELD(src, field, new_val) ({ \
	void *___at = (void *)(src) + ___bpf_info(src, field, BYTE_OFFSET); \
	unsigned int ___lshift = ___bpf_info(src, field, LSHIFT_U64); \
	unsigned int ___rshift = ___bpf_info(src, field, RSHIFT_U64); \
	unsigned long long ___mask = (~0ULL << ___rshift) >> ___lshift; \
	unsigned long long ___new = \
		(((unsigned long long)(new_val) << ___rshift) >> ___lshift) & ___mask; \
	\
	barrier_var(___at); \
	switch (___bpf_info(src, field, BYTE_SIZE)) { \
	case 1: ___bpf_merge(unsigned char, ___at, ___mask, ___new); break; \
	case 2: ___bpf_merge(unsigned short, ___at, ___mask, ___new); break; \
	case 4: ___bpf_merge(unsigned int, ___at, ___mask, ___new); break; \
	case 8: ___bpf_merge(unsigned long long, ___at, ___mask, ___new); break; \
	} \
})

#define ___bpf_merge(type, at, mask, bits) \
	(*(type *)(at) = (*(type *)(at) & ~(mask)) | (bits))

#endif
