/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * .BTF.ext after validation: which function, source line and CO-RE relocation an instruction has.
 *
 *	+--------------------+ 0
 *	| magic, version,    |
 *	| flags, hdr_len     |
 *	| func_info off, len |  from the end of the header
 *	| line_info off, len |
 *	| core_relo off, len |  missing if hdr_len is 24
 *	+--------------------+ hdr_len
 *	| func_info          |  rec_size, then for each section of code:
 *	| line_info          |    sec_name_off, num_info    offset into the strings of .BTF
 *	| core_relo          |    num_info records of rec_size bytes, ascending by insn_off
 *	+--------------------+
 */
#ifndef PLOAD_ELF_BTF_EXT_H
#define PLOAD_ELF_BTF_EXT_H

#include "elf/btf.h"

/* Records of one kind for one section of the object. */
struct btf_ext_sec {
	const char *section;	/* name of the code section; borrowed from the BTF */
	struct bytes records;	/* borrowed; num * rec_size bytes */
	uint32_t num;
	uint32_t rec_size;	/* at least the size of the struct below */
	unsigned char *sorted;	/* owned; records by ascending offset, if the file has them in
				 * another order; or NULL */
};

struct btf_ext_info {
	struct btf_ext_sec *secs;	/* owned */
	uint32_t nr_secs;
};

struct btf_ext {
	bool swap;
	struct btf_ext_info func_info, line_info;
	struct btf_ext_info core_relo;	/* empty if the header has no core_relo_off */
};

struct btf_func_info {
	uint32_t insn_off;	/* bytes, into the section */
	uint32_t type_id;
};

struct btf_line_info {
	uint32_t insn_off;	/* bytes, into the section */
	uint32_t file_name_off, line_off;	/* offsets into the strings of the BTF */
	uint32_t line_col;	/* line << 10 | column */
};

struct btf_core_relo {
	uint32_t insn_off;	/* bytes, into the section */
	uint32_t type_id;
	uint32_t access_str_off;
	uint32_t kind;		/* enum bpf_core_relo_kind */
};

/**
 * btf_ext_parse() - Validate .BTF.ext against the BTF of the same object.
 *
 * Establishes: a known header; parts inside the data; record sizes; unique section names; offsets
 * that ascend in multiples of 8; type ids and string offsets in range. See
 * Documentation/bpf/btf.rst, section 3.
 * Return: 0, -EBADMSG (with the context ".BTF.ext func_info of section 'x'[3]") or -ENOMEM.
 */
int btf_ext_parse(struct btf_ext *ext, struct bytes raw, const struct btf *btf, struct error *err);
void btf_ext_free(struct btf_ext *ext);

/* btf_ext_has_core() - Return false if the header of @raw rules out CO-RE records. */
bool btf_ext_has_core(struct bytes raw);

/* btf_ext_find() - Return the records of section @section, or NULL. */
const struct btf_ext_sec *btf_ext_find(const struct btf_ext_info *info, const char *section);

/* btf_ext_insn_off() - Return the offset in bytes of the instruction that record @i describes. */
static inline uint32_t btf_ext_insn_off(const struct btf_ext *ext, const struct btf_ext_sec *sec,
					uint32_t i)
{
	return bytes_u32(sec->records, (size_t)i * sec->rec_size, ext->swap);
}

/*
 * btf_ext_func(), btf_ext_line(), btf_ext_core() - Return a copy of record @i < num in native byte
 * order. Inline: there are about as many lines as instructions.
 */
static inline struct btf_func_info btf_ext_func(const struct btf_ext *ext,
						const struct btf_ext_sec *sec, uint32_t i)
{
	size_t at = (size_t)i * sec->rec_size;

	return (struct btf_func_info){
		.insn_off = bytes_u32(sec->records, at + offsetof(struct btf_func_info, insn_off),
				      ext->swap),
		.type_id = bytes_u32(sec->records, at + offsetof(struct btf_func_info, type_id),
				     ext->swap),
	};
}

static inline struct btf_line_info btf_ext_line(const struct btf_ext *ext,
						const struct btf_ext_sec *sec, uint32_t i)
{
	size_t at = (size_t)i * sec->rec_size;

	return (struct btf_line_info){
		.insn_off = bytes_u32(sec->records, at + offsetof(struct btf_line_info, insn_off),
				      ext->swap),
		.file_name_off =
			bytes_u32(sec->records, at + offsetof(struct btf_line_info, file_name_off),
				  ext->swap),
		.line_off = bytes_u32(sec->records, at + offsetof(struct btf_line_info, line_off),
				      ext->swap),
		.line_col = bytes_u32(sec->records, at + offsetof(struct btf_line_info, line_col),
				      ext->swap),
	};
}

static inline struct btf_core_relo btf_ext_core(const struct btf_ext *ext,
						const struct btf_ext_sec *sec, uint32_t i)
{
	size_t at = (size_t)i * sec->rec_size;

	return (struct btf_core_relo){
		.insn_off = bytes_u32(sec->records, at + offsetof(struct btf_core_relo, insn_off),
				      ext->swap),
		.type_id = bytes_u32(sec->records, at + offsetof(struct btf_core_relo, type_id),
				     ext->swap),
		.access_str_off =
			bytes_u32(sec->records, at + offsetof(struct btf_core_relo, access_str_off),
				  ext->swap),
		.kind = bytes_u32(sec->records, at + offsetof(struct btf_core_relo, kind),
				  ext->swap),
	};
}

#endif
