/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A small object with one of everything, which tests of the object room read, link, and break. */
#ifndef PLOAD_TEST_UNIT_OBJECT_BUILDER_H
#define PLOAD_TEST_UNIT_OBJECT_BUILDER_H

#include "loader/core/object/relocate.h"
#include "test/unit/common/btf_builder.h"
#include "test/unit/common/elf_builder.h"

/*
 *	.text		 0 leaf (static): mov, exit
 *			 2 mid: call leaf, without relocation; exit
 *			 4 cb (static): mov, exit
 *	perf_event	 0 one: load hits; load .data + 4; call mid; call leaf; load cb; exit
 *			 9 two: load quiet; exit
 *	maps		 hits (HASH, 8, 16, 32), quiet (static; ARRAY, 4, 8, 1)
 *	.data		 value, fixed (static): 0, 5
 *
 * and BTF, func_info and line_info for all of it. Static things are referred to by section and
 * offset, as compilers do.
 */
struct sample {
	struct elf_builder elf;
	struct btf_builder btf;
	uint32_t text, prog, maps, data, license;	/* sections */
	uint32_t in_text, in_maps, in_data;		/* symbols of sections */
	uint32_t leaf, cb, fixed, quiet, mid, one, two, hits, value;	/* symbols */
	uint32_t type_int, type_one, datasec;		/* BTF */
	struct { uint32_t datasec, var, symbol; } placed[8];	/* sample_place() */
	uint32_t nr_placed;
	struct buffer file;
	struct bpf_object obj;
};

/* Relocation entries of perf_event, in their order. */
enum { RELOC_HITS, RELOC_DATA, RELOC_MID, RELOC_LEAF, RELOC_CB, RELOC_QUIET, NR_SAMPLE_RELOCS };

void sample_build(struct sample *s, bool foreign, bool rela);

/* sample_reloc() - overwrite relocation @i of the section of programs; REL only. */
void sample_reloc(struct sample *s, uint32_t i, uint64_t offset, uint32_t type, uint32_t symbol);

/* sample_imm() - overwrite the immediate of instruction @insn of @section. */
void sample_imm(struct sample *s, uint32_t section, uint32_t insn, int32_t imm);

/*
 * sample_place() - Let a relocation of .BTF set the offset of entry @var of @datasec to the value
 * of @symbol, as compilers do; in the order of the entries.
 */
void sample_place(struct sample *s, uint32_t datasec, uint32_t var, uint32_t symbol);

/*
 * sample_parse() - finish the file and parse it. sample_free() gives back all, whatever came of
 * that.
 */
int sample_parse(struct sample *s, struct error *err);
void sample_free(struct sample *s);

#endif
