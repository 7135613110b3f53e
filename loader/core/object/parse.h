/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The steps of bpf_object_read(), and functions shared with relocate(). */
#ifndef PLOAD_CORE_OBJECT_PARSE_H
#define PLOAD_CORE_OBJECT_PARSE_H

#include "elf/flow/insn.h"
#include "loader/core/object/name_index.h"
#include "loader/core/object/relocate.h"

enum section_use {
	SECTION_UNUSED,		/* no program can refer to it */
	SECTION_CODE,
	SECTION_BTF_MAPS,	/* .maps */
	SECTION_LEGACY_MAPS,	/* maps, maps/... */
	SECTION_DATA,		/* .data, .rodata, .bss and .data.NAME, ... */
	SECTION_ARENA,		/* .addr_space.1: variables of an arena */
	SECTION_JUMP_TABLES,	/* .jumptables */
	SECTION_STRUCT_OPS,	/* .struct_ops, .struct_ops.link, ?.struct_ops, ... */
};

struct section_info {
	enum section_use use;
	uint32_t relocs;	/* index of the section that relocates it; 0: none */
	uint32_t datasec;	/* type id of the DATASEC with its name; 0: none */
	uint32_t index;		/* CODE: index into code; nonempty DATA and ARENA: into maps */
};

struct parse {
	struct bpf_object *obj;
	struct section_info *sections;	/* owned; one per section of the image */
	struct name_index by_name;	/* the sections */
	uint32_t *symbols;		/* owned; indexes of all symbols except local labels, of
					 * which debug information has ten times as many */
	uint32_t nr_symbols;
	struct name_index undefined;	/* the undefined symbols */
	uint32_t *extern_of;		/* owned; by symbol: 1 + index into externs; 0: none */
};

/* The steps in order; the features' steps come in between (object.c). */
int parse_sections(struct parse *p, struct error *err);
int parse_btf(struct parse *p, struct error *err);
int fix_btf(struct parse *p, struct error *err);
int parse_btf_maps(struct parse *p, struct error *err);
int parse_data_maps(struct parse *p, struct error *err);
int parse_funcs(struct parse *p, struct error *err);
int resolve_code(struct parse *p, struct error *err);
int find_ranges(struct parse *p, struct error *err);
int parse_progs(struct parse *p, struct error *err);

/*
 * progs_by_func() - Return an array with, for each function, 1 + the index of its program, or 0.
 * The caller frees it; NULL: no memory.
 */
uint32_t *progs_by_func(const struct bpf_object *obj);

/* slots_sort() - Sort the slots of @map by index. */
void slots_sort(struct object_map *map);

/*
 * reloc_prog() - Find the program that @reloc in data section @section points to. @prog_of comes
 * from progs_by_func(). Return: 0 or -EBADMSG.
 */
int reloc_prog(const struct parse *p, const uint32_t *prog_of, uint32_t section,
	       struct elf_reloc reloc, uint32_t *prog, struct error *err);

/*
 * object_add_map() - Append an empty map; NULL: no memory. The pointer is valid until the next
 * call.
 */
struct object_map *object_add_map(struct bpf_object *obj);

/*
 * The location of a map declaration. Maps of data sections and inner map templates are not listed.
 */
struct map_location {
	uint32_t section;
	uint64_t offset;
	uint32_t map;
};

struct map_index {
	struct map_location *list;	/* owned; ascending by section and offset */
	uint32_t nr;
};

/* map_index_init() - Index the maps of @obj. Return: 0 or -ENOMEM. The caller frees index->list. */
int map_index_init(struct map_index *index, const struct bpf_object *obj, struct error *err);

/*
 * map_index_before() - Return the map of @section that starts at @offset or closest before it; -1:
 * none.
 * map_index_at() - Return the map that starts exactly there; -1: none.
 */
int64_t map_index_before(const struct map_index *index, uint32_t section, uint64_t offset);
int64_t map_index_at(const struct map_index *index, const struct bpf_object *obj, uint32_t section,
		  uint64_t offset);

/* data_width() - Return the number of bytes that a relocation patches in data; 0: unknown. */
unsigned int data_width(uint32_t type);

/*
 * data_relocate() - Write S + A (the symbol's value plus the addend) into each relocated field of
 * @content, a copy of @section. With @undefined_is_zero, fields with an undefined symbol are left
 * alone: BTF has such fields for externs.
 */
int data_relocate(const struct parse *p, uint32_t section, unsigned char *content,
		  bool undefined_is_zero, struct error *err);

/*
 * data_content() - Copy the initial bytes of @section to *@content and relocate them. It stays NULL
 * if all are zero, like any new map.
 */
int data_content(const struct parse *p, uint32_t section, unsigned char **content,
		 struct error *err);

/* btf_put_u32() - Write @v at offset @off of type @id in the object's copy of its BTF. */
void btf_put_u32(struct bpf_object *obj, uint32_t id, size_t off, uint32_t v);

/*
 * btf_splice() - Replace @removed bytes at offset @at of the types with @nr words, and reparse the
 * BTF. Its strings move. Return: 0, -EBADMSG or -ENOMEM.
 */
int btf_splice(struct bpf_object *obj, size_t at, size_t removed, const uint32_t *words, size_t nr,
	       struct error *err);

/*
 * btf_fix_ksyms() - Rewrite the DATASEC @id of kernel symbols for the kernel: each becomes a
 * pointer-sized variable, and a single variable replaces all functions. Appends types, which moves
 * the strings.
 */
int btf_fix_ksyms(struct bpf_object *obj, uint32_t id, struct error *err);

/*
 * btf_fix_extern_func() - Make the extern function @id static and name its parameters: the kernel
 * does not accept extern functions.
 */
void btf_fix_extern_func(struct bpf_object *obj, uint32_t id);

/*
 * insn_get() - Return instruction @i of a section; the caller has checked @i. The byte order
 * decides which half of the second byte is which register. Inline: there are tens of thousands.
 */
static inline struct bpf_insn insn_get(const struct elf_image *image, uint32_t section, uint32_t i)
{
	const struct bytes b = image->sections[section].data;
	const size_t off = (size_t)i * sizeof(struct bpf_insn);
	const uint8_t regs = bytes_u8(b, off + 1);

	return (struct bpf_insn){
		.code = bytes_u8(b, off),
		.dst_reg = image->big_endian ? regs >> 4 : regs & 0xf,
		.src_reg = image->big_endian ? regs & 0xf : regs >> 4,
		.off = (int16_t)bytes_u16(b, off + 2, image->swap),
		.imm = (int32_t)bytes_u32(b, off + 4, image->swap),
	};
}

/* insn_opcode() - Return only its opcode, for searching. */
static inline uint8_t insn_opcode(const struct elf_image *image, uint32_t section, uint32_t i)
{
	return bytes_u8(image->sections[section].data, (size_t)i * sizeof(struct bpf_insn));
}

/* insn_src() - Return its source register, which in calls and ldimm64 is BPF_PSEUDO_*. */
static inline uint8_t insn_src(const struct elf_image *image, uint32_t section, uint32_t i)
{
	uint8_t regs = bytes_u8(image->sections[section].data,
				(size_t)i * sizeof(struct bpf_insn) + 1);

	return image->big_endian ? regs & 0xf : regs >> 4;
}

struct flow;
struct flow_call;
struct flow_client;

/*
 * object_refuse() - Append @why to obj->refused. Return: 0; @why if there are too many or it is
 * -ENOMEM; or -ENOMEM. (resolve.c)
 */
int object_refuse(struct bpf_object *obj, struct error *why, struct error *err);

/*
 * prog_code_follow() - Follow linked code for a client. Sets *@gave_up if results were lost.
 * Return: 0, -ENOMEM, or what the client returned. (map_usage.c)
 */
int prog_code_follow(const struct prog_code *code, const struct flow_client *client, void *arg,
		     bool *gave_up, struct error *err);

/*
 * func_find() - Return the index of the function that starts at instruction @insn of @section, or
 * -1.
 */
int64_t func_find(const struct bpf_object *obj, uint32_t section, uint64_t insn);

/* func_around() - Return the index of the function that contains the instruction, or -1. */
int64_t func_around(const struct bpf_object *obj, uint32_t section, uint64_t insn);

/*
 * where_reloc() - Add the context "SECTION[i] at 0x658": entry @i of relocation section @section.
 */
int where_reloc(struct error *err, const struct elf_image *image, uint32_t section, uint32_t i);

/* where_insn() - Add the same context, for the relocation of instruction @insn of @code. */
int where_insn(struct error *err, const struct elf_image *image,
	       const struct object_code_section *code, uint32_t insn);

/* is_extern_var() - Return true for "extern T NAME", a variable that is defined elsewhere. */
static inline bool is_extern_var(const struct btf_type_view *t)
{
	return t->kind == BTF_KIND_VAR && t->extra == BTF_VAR_GLOBAL_EXTERN;
}

/* where_co_re() - Add the instruction of @func that @relo applies to as context. */
int where_co_re(struct error *err, const struct bpf_object *obj, const struct object_func *func,
	       struct btf_core_relo relo);

/* The arguments of map_usage_scan(). */
struct usage_scan {
	const struct prog_code *code;
	struct map_usage *usage;
	struct failure_counts *failures;	/* NULL: not needed */
	const struct object_map *maps;
	struct error *err;
};

/*
 * failure_counts_add() - Find the variable that counts failures of @call, whose map is known, and
 * add it to @s->failures. Return: 0 or -ENOMEM. (failure_counts.c)
 */
int failure_counts_add(const struct usage_scan *s, struct flow *f, const struct flow_call *call);

#endif
