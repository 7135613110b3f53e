// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A small object with one of everything, which tests of the object room read, link, and break. */
#include "test/unit/common/object_builder.h"

#define INSN sizeof(struct bpf_insn)

static const uint32_t defs[2][5] = {
	{ BPF_MAP_TYPE_HASH, 8, 16, 32, 0 },
	{ BPF_MAP_TYPE_ARRAY, 4, 8, 1, 0 },
};

static void add_sections(struct sample *s)
{
	struct elf_builder *e = &s->elf;

	s->text = eb_prog(e, ".text");
	s->prog = eb_prog(e, "perf_event");
	s->maps = eb_data(e, "maps", NULL, 0);
	for (int i = 0; i < 10; i++)
		buffer_put(&e->sections[s->maps].data, 4, defs[i / 5][i % 5], eb_big_endian(e));
	s->data = eb_data(e, ".data", NULL, 0);
	buffer_put(&e->sections[s->data].data, 4, 0, eb_big_endian(e));
	buffer_put(&e->sections[s->data].data, 4, 5, eb_big_endian(e));
	s->license = eb_data(e, "license", "GPL", 4);
}

static void add_symbols(struct sample *s)
{
	struct elf_builder *e = &s->elf;

	s->in_text = eb_symbol(e, "", s->text, 0, 0, STB_LOCAL, STT_SECTION);
	s->in_maps = eb_symbol(e, "", s->maps, 0, 0, STB_LOCAL, STT_SECTION);
	s->in_data = eb_symbol(e, "", s->data, 0, 0, STB_LOCAL, STT_SECTION);
	s->leaf = eb_symbol(e, "leaf", s->text, 0, 2 * INSN, STB_LOCAL, STT_FUNC);
	s->cb = eb_symbol(e, "cb", s->text, 4 * INSN, 2 * INSN, STB_LOCAL, STT_FUNC);
	s->fixed = eb_symbol(e, "fixed", s->data, 4, 4, STB_LOCAL, STT_OBJECT);
	s->quiet = eb_symbol(e, "quiet", s->maps, 20, 20, STB_LOCAL, STT_OBJECT);
	s->mid = eb_symbol(e, "mid", s->text, 2 * INSN, 2 * INSN, STB_GLOBAL, STT_FUNC);
	s->one = eb_symbol(e, "one", s->prog, 0, 9 * INSN, STB_GLOBAL, STT_FUNC);
	s->two = eb_symbol(e, "two", s->prog, 9 * INSN, 3 * INSN, STB_GLOBAL, STT_FUNC);
	s->hits = eb_symbol(e, "hits", s->maps, 0, 20, STB_GLOBAL, STT_OBJECT);
	s->value = eb_symbol(e, "value", s->data, 0, 4, STB_GLOBAL, STT_OBJECT);
}

/* An addend stands in the relocation, or in the instruction. */
static void load(struct sample *s, uint8_t reg, uint32_t symbol, int64_t addend)
{
	struct elf_builder *e = &s->elf;
	size_t at = eb_ld_imm64(e, s->prog, reg, 0, e->rela ? 0 : (uint64_t)addend);

	eb_reloc(e, s->prog, at, R_BPF_64_64, symbol, e->rela ? addend : 0);
}

static void add_code(struct sample *s)
{
	struct elf_builder *e = &s->elf;

	eb_insn(e, s->text, BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 7);
	eb_exit(e, s->text);
	eb_call(e, s->text, BPF_PSEUDO_CALL, -3);
	eb_exit(e, s->text);
	eb_insn(e, s->text, BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 0);
	eb_exit(e, s->text);

	load(s, 1, s->hits, 0);
	load(s, 2, s->in_data, 4);
	eb_reloc(e, s->prog, eb_call(e, s->prog, BPF_PSEUDO_CALL, -1), R_BPF_64_32, s->mid, 0);
	eb_reloc(e, s->prog, eb_call(e, s->prog, BPF_PSEUDO_CALL, -1), R_BPF_64_32, s->in_text, 0);
	load(s, 3, s->in_text, 4 * INSN);
	eb_exit(e, s->prog);
	load(s, 1, s->in_maps, 20);
	eb_exit(e, s->prog);
}

static uint32_t add_func(struct sample *s, const char *section, const char *name, uint32_t insn,
			 uint32_t proto, enum btf_func_linkage linkage)
{
	uint32_t id = bb_func(&s->btf, name, proto, linkage);

	bb_func_info(&s->btf, section, insn * INSN, id);
	bb_line_info(&s->btf, section, insn * INSN, "sample.c", name, 10 + insn, 1);
	return id;
}

static void add_btf(struct sample *s)
{
	struct btf_builder *b = &s->btf;
	uint32_t proto, vars[2];

	s->type_int = bb_int(b, "int", 4, BTF_INT_SIGNED);
	proto = bb_proto(b, s->type_int);
	add_func(s, ".text", "leaf", 0, proto, BTF_FUNC_STATIC);
	add_func(s, ".text", "mid", 2, proto, BTF_FUNC_GLOBAL);
	add_func(s, ".text", "cb", 4, proto, BTF_FUNC_STATIC);
	s->type_one = add_func(s, "perf_event", "one", 0, proto, BTF_FUNC_GLOBAL);
	bb_line_info(b, "perf_event", 5 * INSN, "sample.c", "inside", 99, 2);
	add_func(s, "perf_event", "two", 9, proto, BTF_FUNC_GLOBAL);
	vars[0] = bb_var(b, "fixed", s->type_int, BTF_VAR_STATIC);
	vars[1] = bb_var(b, "value", s->type_int, BTF_VAR_GLOBAL_ALLOCATED);
	s->datasec = bb_datasec(b, ".data", 0);
	bb_datasec_var(b, vars[0], 0, 4);
	bb_datasec_var(b, vars[1], 0, 4);
	sample_place(s, s->datasec, 0, s->fixed);
}

void sample_place(struct sample *s, uint32_t datasec, uint32_t var, uint32_t symbol)
{
	s->placed[s->nr_placed].datasec = datasec;
	s->placed[s->nr_placed].var = var;
	s->placed[s->nr_placed++].symbol = symbol;
}

void sample_build(struct sample *s, bool foreign, bool rela)
{
	memset(s, 0, sizeof(*s));
	s->elf.foreign = s->btf.foreign = foreign;
	s->elf.rela = rela;
	add_sections(s);
	add_symbols(s);
	add_code(s);
	add_btf(s);
}

void sample_reloc(struct sample *s, uint32_t i, uint64_t offset, uint32_t type, uint32_t symbol)
{
	struct buffer *relocs = &s->elf.sections[s->elf.sections[s->prog].relocs].data;

	buffer_poke(relocs, i * sizeof(struct elf64_rel), 8, offset, eb_big_endian(&s->elf));
	buffer_poke(relocs, i * sizeof(struct elf64_rel) + 8, 8, ELF64_R_INFO(symbol, type),
		    eb_big_endian(&s->elf));
}

void sample_imm(struct sample *s, uint32_t section, uint32_t insn, int32_t imm)
{
	buffer_poke(&s->elf.sections[section].data, insn * INSN + 4, 4, (uint32_t)imm,
		    eb_big_endian(&s->elf));
}

int sample_parse(struct sample *s, struct error *err)
{
	struct buffer btf = bb_btf(&s->btf), ext = bb_ext(&s->btf);
	uint32_t section;

	if (s->btf.nr_types) {
		section = eb_section(&s->elf, ".BTF", SHT_PROGBITS, 0, btf.data, btf.size);
		for (uint32_t i = 0; i < s->nr_placed; i++)
			eb_reloc(&s->elf, section,
				 bb_type_at(&s->btf, s->placed[i].datasec) +
				 sizeof(struct btf_type) + s->placed[i].var * 12 + 4,
				 R_BPF_64_NODYLD32, s->placed[i].symbol, 0);
		eb_section(&s->elf, ".BTF.ext", SHT_PROGBITS, 0, ext.data, ext.size);
	}
	buffer_free(&btf);
	buffer_free(&ext);
	s->file = eb_finish(&s->elf);
	return bpf_object_parse(&s->obj, "sample.o", buffer_bytes(&s->file), err);
}

void sample_free(struct sample *s)
{
	bpf_object_free(&s->obj);
	buffer_free(&s->file);
	bb_free(&s->btf);
}
