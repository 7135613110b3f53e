/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A checked view of .BTF.ext: functions and source lines by instruction, and CO-RE records. */
#ifndef PLOAD_ELF_BTF_EXT_H
#define PLOAD_ELF_BTF_EXT_H

#include "elf/btf.h"

/* The records of one kind for one section of the object. */
struct btf_ext_sec {
	const char *section;	/* whose instructions they are about; borrowed from the BTF */
	struct bytes records;	/* num * rec_size bytes, borrowed */
	uint32_t num;
	uint32_t rec_size;	/* may be larger than the struct we know; never smaller */
};

struct btf_ext_info {
	struct btf_ext_sec *secs;	/* owned */
	uint32_t nr_secs;
};

struct btf_ext {
	bool swap;
	struct btf_ext_info func_info, line_info,
		core_relo; /* core_relo is empty in an old, short header */
};

struct btf_func_info {
	uint32_t insn_off;	/* bytes, into the section */
	uint32_t type_id;
};

struct btf_line_info {
	uint32_t insn_off;	/* bytes, into the section */
	uint32_t file_name_off, line_off;	/* into the BTF's strings */
	uint32_t line_col;	/* line << 10 | column */
};

struct btf_core_relo {
	uint32_t insn_off;	/* bytes, into the section */
	uint32_t type_id;
	uint32_t access_str_off;
	uint32_t kind;		/* enum bpf_core_relo_kind */
};

/*
 * btf_ext_parse() - check @raw against @btf: header, extents, record sizes, names, that offsets are
 * multiples of 8 and ascend, type ids and string offsets in range. Fails with EBADMSG, place
 * ".BTF.ext func_info of section 'x'[3]". Source: Documentation/bpf/btf.rst, section 3.
 */
int btf_ext_parse(struct btf_ext *ext, struct bytes raw, const struct btf *btf, struct error *err);
void btf_ext_free(struct btf_ext *ext);

/* btf_ext_find() - the records of @info about @section, or NULL. */
const struct btf_ext_sec *btf_ext_find(const struct btf_ext_info *info, const char *section);

/* btf_ext_insn_off() - bytes into the section: which instruction record @i of @sec is about. */
static inline uint32_t btf_ext_insn_off(const struct btf_ext *ext, const struct btf_ext_sec *sec,
					uint32_t i)
{
	return bytes_u32(sec->records, (size_t)i * sec->rec_size, ext->swap);
}

/*
 * btf_ext_func(), btf_ext_line(), btf_ext_core() - record @i of @sec (below num), in this machine's
 * byte order. Inline: lines there are as many as instructions.
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
