/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the steps of bpf_object_parse() and relocate() share with each other, and with nobody else.
 */
#ifndef PLOAD_OBJECT_OBJECT_INTERNAL_H
#define PLOAD_OBJECT_OBJECT_INTERNAL_H

#include "loader/object/name_index.h"
#include "loader/object/relocate.h"

enum section_use {
	SECTION_UNUSED,		/* nothing that a program could refer to */
	SECTION_CODE,
	SECTION_BTF_MAPS,	/* .maps */
	SECTION_LEGACY_MAPS,	/* maps, maps/... */
	SECTION_DATA,		/* .data, .rodata, .bss and those named after them */
	SECTION_ARENA,		/* .addr_space.1: variables in an arena */
	SECTION_STRUCT_OPS,	/* .struct_ops, .struct_ops.link, and with '?' in front */
};

struct section_info {
	enum section_use use;
	uint32_t relocs;	/* the section that relocates this one, 0: none */
	uint32_t datasec;	/* type id of the DATASEC of that name, 0: none */
	uint32_t index;		/* CODE: in code; DATA and ARENA with something in it: in maps */
};

struct parse {
	struct bpf_object *obj;
	struct section_info *sections;	/* owned; one for each section of the image */
	struct name_index by_name;	/* the sections */
	struct name_index undefined;	/* the undefined symbols */
	uint32_t *extern_of;		/* owned; by symbol: 1 + index into externs, 0: none */
};

/* The steps, in the order in which they are taken. */
int parse_sections(struct parse *p, struct error *err);
int parse_btf(struct parse *p, struct error *err);
int parse_externs(struct parse *p, struct error *err);
int fix_btf(struct parse *p, struct error *err);
int parse_btf_maps(struct parse *p, struct error *err);
int parse_legacy_maps(struct parse *p, struct error *err);
int parse_data_maps(struct parse *p, struct error *err);
int parse_funcs(struct parse *p, struct error *err);
int resolve_code(struct parse *p, struct error *err);
int find_ranges(struct parse *p, struct error *err);
int parse_progs(struct parse *p, struct error *err);
int parse_exceptions(struct parse *p, struct error *err);
int parse_slots(struct parse *p, struct error *err);
int parse_struct_ops(struct parse *p, struct error *err);

/*
 * progs_by_func() - for each function of the object 1 + the index of its program, 0: it is none.
 * free() the array; NULL: no memory.
 */
uint32_t *progs_by_func(const struct bpf_object *obj);

/* slots_sort() - bring the slots of @map into the order of their indexes. */
void slots_sort(struct object_map *map);

/*
 * reloc_prog() - the index of the program that @reloc points to, which relocates section @section
 * of data. @prog_of is progs_by_func()'s. Fails with EBADMSG; the caller adds place and hint.
 */
int reloc_prog(const struct parse *p, const uint32_t *prog_of, uint32_t section,
	       struct elf_reloc reloc, uint32_t *prog, struct error *err);

/*
 * object_add_map() - append an empty map (no inner one); NULL: no memory. The pointer holds until
 * the next one.
 */
struct object_map *object_add_map(struct bpf_object *obj);

/* Where a map is declared. Maps of data, and templates of inner maps, are not among them. */
struct map_location {
	uint32_t section;
	uint64_t offset;
	uint32_t map;
};

struct map_index {
	struct map_location *list;	/* owned; ascending by section and offset */
	uint32_t nr;
};

/* map_index_init() - index the maps of @obj. Fails with ENOMEM. free(index->list). */
int map_index_init(struct map_index *index, const struct bpf_object *obj, struct error *err);

/*
 * map_index_before(), map_index_at() - the map of @section that begins at @offset or nearest before it;
 * the one that begins there. -1: none.
 */
int64_t map_index_before(const struct map_index *index, uint32_t section, uint64_t offset);
int64_t map_index_at(const struct map_index *index, const struct bpf_object *obj, uint32_t section,
		  uint64_t offset);

/*
 * data_relocate() - apply the relocations of section @section to @content, a copy of its bytes: S +
 * A in the object's byte order. With @undefined_is_zero a symbol that is nowhere leaves the place
 * alone (BTF says of an extern that it is one).
 */
int data_relocate(const struct parse *p, uint32_t section, unsigned char *content,
		  bool undefined_is_zero, struct error *err);

/* btf_put_u32() - write @v at @off of type @id in the object's own copy of its BTF. */
void btf_put_u32(struct bpf_object *obj, uint32_t id, size_t off, uint32_t v);

/*
 * btf_fix_ksyms() - make the DATASEC @id of kernel symbols one that the kernel takes: each becomes
 * a variable of a pointer's size, functions one that stands for all of them. Types are appended,
 * and strings move.
 */
int btf_fix_ksyms(struct bpf_object *obj, uint32_t id, struct error *err);

/*
 * btf_fix_extern_func() - the function @id, which is declared and not here, becomes a static one
 * whose parameters have names: the kernel takes no other.
 */
void btf_fix_extern_func(struct bpf_object *obj, uint32_t id);

/*
 * extern_for() - the extern that symbol @symbol is, as 1 + its index; 0: none. Where there is no
 * BTF to declare them an undefined symbol is one by its use: called (@call) a function.
 */
int64_t extern_for(struct parse *p, uint32_t symbol, bool call, struct error *err);

/*
 * insn_get() - instruction @i of a section, in this machine's form. The caller has checked that it
 * is there.
 */
struct bpf_insn insn_get(const struct elf_image *image, uint32_t section, uint32_t i);

/* insn_opcode() - its code alone, for those who look for a few among many. */
static inline uint8_t insn_opcode(const struct elf_image *image, uint32_t section, uint32_t i)
{
	return bytes_u8(image->sections[section].data, (size_t)i * sizeof(struct bpf_insn));
}

/* insn_src() - its source register, which says what a call or a 64-bit load is the address of. */
static inline uint8_t insn_src(const struct elf_image *image, uint32_t section, uint32_t i)
{
	uint8_t regs = bytes_u8(image->sections[section].data,
				(size_t)i * sizeof(struct bpf_insn) + 1);

	return image->big_endian ? regs & 0xf : regs >> 4;
}

static inline bool insn_is_ldimm64(struct bpf_insn insn)
{
	return insn.code == (BPF_LD | BPF_IMM | BPF_DW);
}

static inline bool insn_is_call(struct bpf_insn insn)
{
	return insn.code == (BPF_JMP | BPF_CALL);
}

/* func_find() - index of the function that begins at instruction @insn of @section, or -1. */
int64_t func_find(const struct bpf_object *obj, uint32_t section, uint64_t insn);

/*
 * where_reloc() - the place of an error: entry @i of relocation section @section, "SECTION[i] at
 * 0x658".
 */
int where_reloc(struct error *err, const struct elf_image *image, uint32_t section, uint32_t i);

/* where_insn() - the same, of the relocation that is about instruction @insn of @code. */
int where_insn(struct error *err, const struct elf_image *image,
	       const struct object_code_section *code, uint32_t insn);

/*
 * error_unresolved(), error_extern(), error_co_re() - refuse by its name what is nowhere, and what
 * nobody was given to resolve.
 */
int error_unresolved(struct error *err, const struct bpf_object *obj,
		     const struct object_code_section *code, const struct object_reloc *reloc);
int error_extern(struct error *err, const struct bpf_object *obj,
		 const struct object_code_section *code, const struct object_reloc *reloc);
int error_co_re(struct error *err, const struct bpf_object *obj, const struct object_func *func,
	       struct btf_core_relo relo);
/* where_co_re() - the place of an error: the instruction of @func that @relo is about. */
int where_co_re(struct error *err, const struct bpf_object *obj, const struct object_func *func,
	       struct btf_core_relo relo);

#endif
