/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Makes valid BTF and .BTF.ext of either byte order, for tests to read, load, and break. */
#ifndef PLOAD_TEST_UNIT_BTF_BUILDER_H
#define PLOAD_TEST_UNIT_BTF_BUILDER_H

#include "elf/btf.h"
#include "test/unit/common/buffer.h"

enum { FUNC_INFO, LINE_INFO, CORE_RELO, NR_RECORD_KINDS };

/* Set the flag before the first call. Types get ids 1, 2, ... in the order of the calls. */
struct btf_builder {
	bool foreign;	/* of the byte order that this machine has not */
	bool layouts;	/* of the form since Linux 7.1, with the lengths of all kinds */
	uint32_t header, ext_header;	/* their sizes, or 0; without layouts */
	struct buffer types, strings;
	uint32_t *offsets;	/* of each id, in types */
	uint32_t nr_types;	/* ids given out, without those of the base */
	uint32_t base_types, base_strings;	/* ids and bytes that come before, of bb_split() */
	struct bb_record {	/* of .BTF.ext */
		uint32_t kind;
		uint32_t section;	/* offset of the name */
		uint32_t words[4];
	} *records;
	uint32_t nr_records;
	uint32_t record_words[NR_RECORD_KINDS];	/* of each kind if more than known; zeroes */
};

static inline bool bb_big_endian(const struct btf_builder *b)
{
	return b->foreign != HOST_BIG_ENDIAN;
}

/* bb_split() - make @b, which is still empty, split BTF on top of @base, which is complete. */
void bb_split(struct btf_builder *b, const struct btf_builder *base);

/* bb_string() - add a string, even one that is there. Gives its offset; 0 for "". */
uint32_t bb_string(struct btf_builder *b, const char *s);

/* Each of these adds a type and gives its id. @name may be "". */
uint32_t bb_int(struct btf_builder *b, const char *name, uint32_t size, uint32_t encoding);
uint32_t bb_float(struct btf_builder *b, const char *name, uint32_t size);
uint32_t bb_array(struct btf_builder *b, uint32_t type, uint32_t index_type, uint32_t nelems);
uint32_t bb_fwd(struct btf_builder *b, const char *name, bool is_union);
uint32_t bb_func(struct btf_builder *b, const char *name, uint32_t proto,
		 enum btf_func_linkage linkage);
uint32_t bb_var(struct btf_builder *b, const char *name, uint32_t type, uint32_t linkage);
uint32_t bb_decl_tag(struct btf_builder *b, const char *name, uint32_t type, int32_t component);

/* bb_ref() - PTR, TYPEDEF, VOLATILE, CONST, RESTRICT or TYPE_TAG, of @type. */
uint32_t bb_ref(struct btf_builder *b, uint32_t kind, const char *name, uint32_t type);

/*
 * bb_struct() - STRUCT or UNION, whose bb_member()s follow. Without @bitfields all @bitfield_size
 * are 0.
 */
uint32_t bb_struct(struct btf_builder *b, uint32_t kind, const char *name, uint32_t size,
		   bool bitfields);
void bb_member(struct btf_builder *b, const char *name, uint32_t type, uint32_t bit_offset,
	       uint32_t bitfield_size);

/* bb_enum() - ENUM or ENUM64, whose bb_enumerator()s follow. */
uint32_t bb_enum(struct btf_builder *b, uint32_t kind, const char *name, uint32_t size,
		 bool is_signed);
void bb_enumerator(struct btf_builder *b, const char *name, uint64_t value);

/* bb_proto() - FUNC_PROTO that returns @type, whose bb_param()s follow. */
uint32_t bb_proto(struct btf_builder *b, uint32_t type);
void bb_param(struct btf_builder *b, const char *name, uint32_t type);

/* bb_datasec() - DATASEC, whose bb_datasec_var()s follow. */
uint32_t bb_datasec(struct btf_builder *b, const char *name, uint32_t size);
void bb_datasec_var(struct btf_builder *b, uint32_t var, uint32_t offset, uint32_t size);

/* The records of .BTF.ext, in ascending order of @insn_off within each section. */
void bb_func_info(struct btf_builder *b, const char *section, uint32_t insn_off, uint32_t type_id);
void bb_line_info(struct btf_builder *b, const char *section, uint32_t insn_off, const char *file,
		  const char *text, uint32_t line, uint32_t column);
void bb_core_relo(struct btf_builder *b, const char *section, uint32_t insn_off, uint32_t type_id,
		  const char *access, uint32_t kind);

/*
 * bb_newer() - A type of a kind that no reader knows, with @vlen entries: only its layout gives its
 * length. Its kind and that of a struct are congruent modulo 32.
 */
#define BB_NEWER (BTF_KIND_STRUCT + 32)
uint32_t bb_newer(struct btf_builder *b, const char *name, uint32_t vlen);

/* bb_words() - A type of any kind: its size or type, and @nr words after struct btf_type. */
uint32_t bb_words(struct btf_builder *b, uint32_t kind, const char *name, uint32_t size,
		  uint32_t vlen, const uint32_t *words, uint32_t nr);

/* btf_with_layouts() - BTF of the older form, in the form that @layouts of the builder gives. */
struct buffer btf_with_layouts(struct bytes plain, bool big_endian);

/* bb_type_at() - where in the finished BTF type @id is. */
size_t bb_type_at(const struct btf_builder *b, uint32_t id);

/*
 * bb_ext(), bb_btf() - the finished .BTF.ext and .BTF, which the caller frees. bb_free() gives back
 * the rest.
 */
struct buffer bb_ext(const struct btf_builder *b);
struct buffer bb_btf(const struct btf_builder *b);
void bb_free(struct btf_builder *b);

#endif
