// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reading objects: maps of each kind, functions, programs, data and BTF; and each error in one. */
#include <errno.h>

#include "loader/core/object/relocate.h"
#include "test/unit/common/expect.h"
#include "test/unit/common/map_builder.h"
#include "test/unit/common/object_builder.h"
#include "test/unit/common/suite.h"

#define INSN sizeof(struct bpf_insn)

static struct sample s;	/* of the test that runs */
static struct error err;

static void end(void)
{
	sample_free(&s);
	error_clear(&err);
}

TEST_FIXTURE(NULL, end)

static void parse(void)
{
	ck_assert_msg(!sample_parse(&s, &err), "%s: %s", err.where, err.what);
}

static const struct object_map *find_map(const struct bpf_object *obj, const char *name)
{
	for (uint32_t i = 0; i < obj->nr_maps; i++)
		if (!strcmp(obj->maps[i].name, name))
			return &obj->maps[i];
	return NULL;
}

static const struct object_func *find_func(const struct bpf_object *obj, const char *name)
{
	for (uint32_t i = 0; i < obj->nr_funcs; i++)
		if (!strcmp(obj->funcs[i].name, name))
			return &obj->funcs[i];
	return NULL;
}

/* --- the sample, in both byte orders, with REL and RELA: _i has two bits for them --- */

TEST_EACH(maps_functions_and_programs, 4)
{
	const struct object_map *hits, *quiet, *data;

	sample_build(&s, _i & 1, _i & 2);
	parse();
	ck_assert_uint_eq(s.obj.nr_maps, 3);
	hits = find_map(&s.obj, "hits");
	ck_assert_int_eq(hits->kind, OBJECT_MAP_LEGACY);
	ck_assert_uint_eq(hits->type, BPF_MAP_TYPE_HASH);
	ck_assert_uint_eq(hits->key_size, 8);
	ck_assert_uint_eq(hits->value_size, 16);
	ck_assert_uint_eq(hits->max_entries, 32);
	ck_assert_int_eq(hits->inner, -1);
	quiet = find_map(&s.obj, "quiet");
	ck_assert_uint_eq(quiet->type, BPF_MAP_TYPE_ARRAY);
	ck_assert_uint_eq(quiet->offset, 20);
	data = find_map(&s.obj, ".data");
	ck_assert_int_eq(data->kind, OBJECT_MAP_DATA);
	ck_assert_uint_eq(data->value_size, 8);
	ck_assert_uint_eq(data->max_entries, 1);
	ck_assert_uint_eq(data->map_flags, BPF_F_MMAPABLE);
	ck_assert_uint_eq(data->value_type, s.datasec);
	ck_assert(!data->read_only);

	ck_assert_uint_eq(s.obj.nr_funcs, 5);
	ck_assert_uint_eq(find_func(&s.obj, "mid")->first_insn, 2);
	ck_assert_uint_eq(find_func(&s.obj, "two")->first_insn, 9);
	ck_assert_uint_eq(find_func(&s.obj, "two")->insn_cnt, 3);
	ck_assert(find_func(&s.obj, "leaf")->called && find_func(&s.obj, "cb")->called);
	ck_assert(!find_func(&s.obj, "leaf")->global && find_func(&s.obj, "mid")->global);
	ck_assert(!find_func(&s.obj, "one")->called);

	ck_assert_uint_eq(s.obj.nr_progs, 2);
	ck_assert_str_eq(s.obj.progs[0].name, "one");
	ck_assert_str_eq(s.obj.progs[1].section, "perf_event");
	ck_assert_uint_eq(s.obj.progs[1].kind->prog_type, BPF_PROG_TYPE_PERF_EVENT);
	ck_assert_str_eq(s.obj.license, "GPL");
	ck_assert_uint_eq(s.obj.version, 0);
}

static void check_meaning(void)
{
	static const struct {
		uint32_t insn;
		enum object_reloc_kind kind;
		const char *name;
		uint32_t offset;
	} expect[] = {
		{ 0, OBJECT_RELOC_MAP, "hits", 0 },  { 2, OBJECT_RELOC_DATA, ".data", 4 },
		{ 4, OBJECT_RELOC_CALL, "mid", 0 },  { 5, OBJECT_RELOC_CALL, "leaf", 0 },
		{ 6, OBJECT_RELOC_FUNC, "cb", 0 },   { 9, OBJECT_RELOC_MAP, "quiet", 0 },
	};
	const struct object_code_section *code = &s.obj.code[0];

	ck_assert_uint_eq(s.obj.nr_code, 2);
	ck_assert_uint_eq(code->section, s.text);
	ck_assert_uint_eq(code->nr_relocs, 1);
	ck_assert_uint_eq(code->relocs[0].insn, 2);
	ck_assert_str_eq(s.obj.funcs[code->relocs[0].index].name, "leaf");
	code = &s.obj.code[1];
	ck_assert_uint_eq(code->nr_relocs, 6);
	for (uint32_t i = 0; i < 6; i++) {
		const struct object_reloc *r = &code->relocs[i];
		bool func = r->kind == OBJECT_RELOC_CALL || r->kind == OBJECT_RELOC_FUNC;

		ck_assert_uint_eq(r->insn, expect[i].insn);
		ck_assert_int_eq(r->kind, expect[i].kind);
		ck_assert_str_eq(func ? s.obj.funcs[r->index].name : s.obj.maps[r->index].name,
				 expect[i].name);
		ck_assert_uint_eq(r->offset, expect[i].offset);
	}
}

TEST_EACH(meaning_of_relocations, 4)
{
	sample_build(&s, _i & 1, _i & 2);
	parse();
	check_meaning();
}

/* Relocation @i of RELA gets the symbol and the addend. */
static void with_addend(uint32_t i, uint32_t symbol, int64_t addend)
{
	struct buffer *relocs = &s.elf.sections[s.elf.sections[s.prog].relocs].data;
	const size_t at = i * sizeof(Elf64_Rela);

	buffer_poke(relocs, at + offsetof(Elf64_Rela, r_info), 8, ELF64_R_INFO(symbol, R_BPF_64_64), false);
	buffer_poke(relocs, at + offsetof(Elf64_Rela, r_addend), 8, addend, false);
}

/* An addend has a sign, and that of RELA 64 bits: what refers to 4 bytes before 'fixed' is 'value'. */
TEST_EACH(addends_are_signed, 4)
{
	static const char *const names[] = { "imm -4 of a load", "-4 of RELA", "imm -3 of a call",
					     "2^32 of RELA" };
	const struct object_reloc *data, *call;

	sample_build(&s, false, _i & 1);
	if (_i == 0) {
		sample_reloc(&s, RELOC_DATA, 2 * INSN, R_BPF_64_64, s.fixed);
		sample_imm(&s, s.prog, 2, -4);
	} else if (_i == 2) {	/* leaf is 2 instructions before mid */
		sample_reloc(&s, RELOC_MID, 4 * INSN, R_BPF_64_32, s.mid);
		sample_imm(&s, s.prog, 4, -3);
	} else {
		with_addend(RELOC_DATA, s.fixed, _i == 1 ? -4 : 1LL << 32);
	}
	parse();
	data = &s.obj.code[1].relocs[1];
	call = &s.obj.code[1].relocs[2];
	ck_assert_msg(data->kind == (_i == 3 ? OBJECT_RELOC_REFUSED : OBJECT_RELOC_DATA),
		      "%s: it refers to nothing in '.data', or should not", names[_i]);
	ck_assert_msg(_i == 3 || data->offset == (_i == 2 ? 4 : 0), "%s: it refers to offset %u of '.data'",
		      names[_i], data->offset);
	ck_assert_msg(call->kind == OBJECT_RELOC_CALL, "%s: it refers to no function", names[_i]);
	ck_assert_msg(!strcmp(s.obj.funcs[call->index].name, _i == 2 ? "leaf" : "mid"),
		      "%s: it calls '%s'", names[_i], s.obj.funcs[call->index].name);
}

/*
 * Change the sample to what older binutils writes: relocations against symbols that are not those
 * of sections, with S + A in the fields; calls have S - 1.
 */
static void with_values(bool proof)
{
	eb_section(&s.elf, ".comment", SHT_PROGBITS, 0, "\0GCC: (12.2.0) 12.2.0", 21);
	sample_reloc(&s, RELOC_DATA, 2 * INSN, R_BPF_64_64, s.fixed);
	sample_reloc(&s, RELOC_MID, 4 * INSN, R_BPF_64_32, s.mid);
	sample_imm(&s, s.prog, 4, 2 * INSN - 1);
	if (proof)	/* imm is 4 * INSN: more than the size of cb */
		sample_reloc(&s, RELOC_CB, 6 * INSN, R_BPF_64_64, s.cb);
	sample_reloc(&s, RELOC_QUIET, 9 * INSN, R_BPF_64_64, s.quiet);
	eb_reloc(&s.elf, s.data, 0, R_BPF_DATA_64, s.fixed, 0);
	buffer_poke(&s.elf.sections[s.data].data, 0, 8, 4, eb_big_endian(&s.elf));
}

/* Parse it with other e_flags. */
static void parse_again(uint32_t flags)
{
	bpf_object_free(&s.obj);
	buffer_poke(&s.file, offsetof(Elf64_Ehdr, e_flags), 4, flags, s.obj.image.big_endian);
	ck_assert_int_eq(bpf_object_parse(&s.obj, "sample.o", buffer_bytes(&s.file), &err), 0);
}

TEST_EACH(values_in_fields, 4)
{
	sample_build(&s, _i & 1, false);
	with_values(_i & 2);
	parse();
	ck_assert(s.obj.image.value_in_field);
	check_meaning();
	ck_assert_mem_eq(find_map(&s.obj, ".data")->content,
			 _i & 1 ? "\0\0\0\0\0\0\0\4" : "\4\0\0\0\0\0\0\0", 8);
	/* The e_flags do not matter in a file whose immediates show the convention. */
	parse_again(4);
	ck_assert_int_eq(s.obj.image.value_in_field, !!(_i & 2));
}

/* Other files have A in their fields. Neither way is the imm of a map added to its symbol. */
TEST_EACH(values_not_in_fields, 3)
{
	sample_build(&s, false, false);
	with_values(false);
	if (_i == 0)	/* clang, or a file that does not say what it is from */
		buffer_poke(&s.elf.sections[s.elf.nr_sections - 2].data, 1, 1, 'g', false);
	if (_i == 1)	/* newer binutils: A is 0, and S is 4 */
		sample_imm(&s, s.prog, 2, 0);
	parse();
	if (_i == 2)	/* newer binutils, and nothing else that shows it */
		parse_again(4);
	ck_assert(!s.obj.image.value_in_field);
	ck_assert_int_eq(s.obj.code[1].relocs[1].kind,
			 _i == 1 ? OBJECT_RELOC_DATA : OBJECT_RELOC_REFUSED);
	ck_assert_int_eq(s.obj.code[1].relocs[5].kind, OBJECT_RELOC_MAP);
	ck_assert_str_eq(s.obj.maps[s.obj.code[1].relocs[5].index].name, "quiet");
	ck_assert_uint_eq(find_map(&s.obj, ".data")->content[HOST_BIG_ENDIAN ? 7 : 0], 8);
}

/*
 * The BTF gets what the kernel demands: the size of the section, the offset of each variable in
 * ascending order, and hidden functions as static ones.
 */
TEST_EACH(btf_is_completed, 4)
{
	struct btf_type_view t;

	sample_build(&s, _i & 1, _i & 2);
	s.elf.symbols[s.one].sym.st_other = STV_HIDDEN;
	parse();
	t = btf_type(&s.obj.btf, s.datasec);
	ck_assert_uint_eq(t.size, 8);
	ck_assert_uint_eq(btf_datasec_var(&s.obj.btf, &t, 0).offset, 0);
	ck_assert_str_eq(btf_type(&s.obj.btf, btf_datasec_var(&s.obj.btf, &t, 0).type).name,
			 "value");
	ck_assert_uint_eq(btf_datasec_var(&s.obj.btf, &t, 1).offset, 4);
	ck_assert_str_eq(btf_type(&s.obj.btf, btf_datasec_var(&s.obj.btf, &t, 1).type).name,
			 "fixed");
	t = btf_type(&s.obj.btf, s.type_one);
	ck_assert_str_eq(t.name, "one");
	ck_assert_uint_eq(t.extra, BTF_FUNC_STATIC);
	ck_assert_uint_eq(btf_type(&s.obj.btf, btf_find(&s.obj.btf, BTF_KIND_FUNC, "two")).extra,
			  BTF_FUNC_GLOBAL);
}

TEST_EACH(declared_enums_get_a_size, 4)
{
	const uint32_t kind = _i & 2 ? BTF_KIND_ENUM64 : BTF_KIND_ENUM;
	uint32_t id;

	sample_build(&s, _i & 1, false);
	id = bb_enum(&s.btf, kind, "declared", 0, false);
	parse();
	ck_assert_uint_eq(btf_type(&s.obj.btf, id).size, _i & 2 ? 8 : 4);
}

TEST_EACH(externs_get_places, 2)
{
	struct btf_type_view t;
	uint32_t vars[2], id;

	sample_build(&s, _i & 1, false);
	vars[0] = bb_var(&s.btf, "CONFIG_HZ", s.type_int, BTF_VAR_GLOBAL_EXTERN);
	vars[1] = bb_var(&s.btf, "CONFIG_NR_CPUS", s.type_int, BTF_VAR_GLOBAL_EXTERN);
	id = bb_datasec(&s.btf, ".kconfig", 0);
	for (int i = 0; i < 2; i++)
		bb_datasec_var(&s.btf, vars[i], 0, 4);
	parse();
	t = btf_type(&s.obj.btf, id);
	ck_assert_uint_eq(t.size, 8);
	for (uint32_t i = 0; i < 2; i++) {
		ck_assert_uint_eq(btf_datasec_var(&s.obj.btf, &t, i).offset, 4 * i);
		ck_assert_uint_eq(btf_type(&s.obj.btf, vars[i]).extra, BTF_VAR_GLOBAL_ALLOCATED);
	}
}

TEST_EACH(constants_in_a_section_of_their_own, 2)
{
	struct btf_type_view t;
	uint32_t vars[2], id;

	sample_build(&s, _i & 1, false);
	vars[0] = bb_var(&s.btf, "table", s.type_int, BTF_VAR_STATIC);
	vars[1] = bb_var(&s.btf, "other", s.type_int, BTF_VAR_STATIC);
	id = bb_datasec(&s.btf, ".rodata.moved", 0);
	for (int i = 0; i < 2; i++)
		bb_datasec_var(&s.btf, vars[i], 0, 4);
	eb_section(&s.elf, ".rodata.cst16", SHT_PROGBITS, SHF_ALLOC | SHF_MERGE, "0123456789abcdef",
		   16);
	parse();
	t = btf_type(&s.obj.btf, id);
	ck_assert_uint_eq(t.size, 8);
	for (uint32_t i = 0; i < 2; i++)
		ck_assert_uint_eq(btf_datasec_var(&s.obj.btf, &t, i).offset, 4 * i);
	ck_assert_uint_eq(find_map(&s.obj, ".rodata.cst16")->value_type, 0);
}

/*
 * "count" is in .rodata, and three tables, of which one precedes it, in .rodata.cst16. A table has
 * no offset in .rodata, and no bytes there; types that follow keep their ids. With @_i & 2 nothing
 * else is in .rodata, and its DATASEC describes no map.
 */
TEST_EACH(a_table_in_another_section_leaves_its_datasec, 4)
{
	const bool alone = _i & 2;
	static const char *const names[] = { "first", "count", "second", "third" };
	struct btf_type_view t;
	uint32_t vars[4], rodata, tables, count, in_tables, in_more, datasec, more, after;

	sample_build(&s, _i & 1, false);
	rodata = eb_section(&s.elf, ".rodata", SHT_PROGBITS, SHF_ALLOC, "countXY", 8);
	tables = eb_section(&s.elf, ".rodata.cst16", SHT_PROGBITS, SHF_ALLOC | SHF_MERGE, NULL, 48);
	in_tables = eb_symbol(&s.elf, "tables", tables, 0, 0, STB_GLOBAL, STT_OBJECT);
	count = eb_symbol(&s.elf, "count", rodata, 4, 4, STB_GLOBAL, STT_OBJECT);
	in_more = eb_symbol(&s.elf, "more",
			    eb_section(&s.elf, ".rodata.more", SHT_PROGBITS, SHF_ALLOC, "more", 4),
			    0, 4, STB_GLOBAL, STT_OBJECT);
	for (int i = 0; i < 4; i++)
		vars[i] = bb_var(&s.btf, names[i], s.type_int, BTF_VAR_STATIC);
	datasec = bb_datasec(&s.btf, ".rodata", 0);
	for (uint32_t i = alone ? 2 : 0, n = 0; i < 4; i++) {
		bb_datasec_var(&s.btf, vars[i], 0, 4);
		sample_place(&s, datasec, n++, i == 1 ? count : in_tables);
	}
	more = bb_datasec(&s.btf, ".rodata.more", 0);
	for (uint32_t n = 0; n < 2; n++) {	/* another one, whose relocations are further on */
		bb_datasec_var(&s.btf, vars[n], 0, 4);
		sample_place(&s, more, n, n ? in_more : in_tables);
	}
	after = bb_struct(&s.btf, BTF_KIND_STRUCT, "after", 4, false);
	bb_member(&s.btf, "m", s.type_int, 0, 0);
	parse();
	t = btf_type(&s.obj.btf, datasec);
	ck_assert_uint_eq(t.size, 8);
	ck_assert_str_eq(btf_type(&s.obj.btf, after).name, "after");
	ck_assert_uint_eq(find_map(&s.obj, ".rodata")->value_type, alone ? 0 : datasec);
	ck_assert_uint_eq(t.vlen, alone ? 2 : 1);
	ck_assert_uint_eq(btf_datasec_var(&s.obj.btf, &t, 0).type, vars[alone ? 2 : 1]);
	ck_assert_uint_eq(btf_datasec_var(&s.obj.btf, &t, 0).offset, alone ? 0 : 4);
	t = btf_type(&s.obj.btf, more);
	ck_assert_uint_eq(t.vlen, 1);
	ck_assert_uint_eq(btf_datasec_var(&s.obj.btf, &t, 0).type, vars[1]);
	ck_assert_uint_eq(find_map(&s.obj, ".rodata.more")->value_type, more);
}

/* --- data --- */

static void add_sections_of_nothing(void)
{
	/* Neither PROGBITS nor NOBITS: a name and flags do not make it data or code. */
	eb_section(&s.elf, ".data.note", SHT_NOTE, SHF_ALLOC, NULL, 8);
	eb_section(&s.elf, "xdp", SHT_NOTE, SHF_ALLOC | SHF_EXECINSTR, NULL, 8);
	/* Code without bytes. */
	eb_section(&s.elf, "tc", SHT_NOBITS, SHF_ALLOC | SHF_EXECINSTR, NULL, 8);
	eb_section(&s.elf, "tc/empty", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, NULL, 0);
}

TEST_EACH(data_sections, 4)
{
	static const char text[] = "abc";
	const struct object_map *map;

	sample_build(&s, _i & 1, _i & 2);
	eb_section(&s.elf, ".rodata.str1.1", SHT_PROGBITS, SHF_ALLOC | SHF_MERGE | SHF_STRINGS,
		   text, sizeof(text));
	eb_section(&s.elf, ".bss.big", SHT_NOBITS, SHF_ALLOC | SHF_WRITE, NULL, 4096);
	eb_data(&s.elf, ".data.rel.ro", NULL, 8);
	eb_data(&s.elf, ".data.empty", NULL, 0);
	eb_data(&s.elf, ".database", NULL, 8);
	add_sections_of_nothing();
	eb_reloc(&s.elf, eb_data(&s.elf, ".data.none", NULL, 8), 0, R_BPF_NONE, 0, 0);
	parse();
	ck_assert_uint_eq(s.obj.nr_maps, 3 + 4);
	ck_assert_uint_eq(s.obj.nr_code, 2);
	ck_assert_ptr_null(find_map(&s.obj, ".data.none")->content);
	map = find_map(&s.obj, ".rodata.str1.1");
	ck_assert(map->read_only);
	ck_assert_uint_eq(map->map_flags, BPF_F_MMAPABLE | BPF_F_RDONLY_PROG);
	ck_assert_mem_eq(map->content, text, sizeof(text));
	ck_assert_uint_eq(map->value_type, 0);
	map = find_map(&s.obj, ".bss.big");
	ck_assert_uint_eq(map->value_size, 4096);
	ck_assert_ptr_null(map->content);
	ck_assert_ptr_null(find_map(&s.obj, ".data.rel.ro")->content);
}

/*
 * S + A: the symbol's offset is 4, the addend 0x10; 64 and 32 bits, and 32 that loaders leave
 * alone.
 */
TEST_EACH(data_is_relocated, 4)
{
	static const uint32_t types[] = { R_BPF_64_ABS64, R_BPF_64_ABS32, R_BPF_64_NODYLD32,
					  R_BPF_NONE };
	bool foreign = _i & 1, big = foreign != HOST_BIG_ENDIAN, rela = _i & 2;
	struct buffer expect = { 0 };
	uint32_t data;

	sample_build(&s, foreign, rela);
	data = eb_data(&s.elf, ".data.ptr", NULL, 0);
	for (int i = 0; i < 4; i++) {
		unsigned int width = i ? 4 : 8;
		size_t at = s.elf.sections[data].data.size;

		buffer_put(&s.elf.sections[data].data, width, rela ? 0 : 0x10, big);
		eb_reloc(&s.elf, data, at, types[i], s.fixed, rela ? 0x10 : 0);
		buffer_put(&expect, width, types[i] ? 0x14 : rela ? 0 : 0x10, big);
	}
	s.elf.sections[data].hdr.sh_size = s.elf.sections[data].data.size;
	parse();
	ck_assert_mem_eq(find_map(&s.obj, ".data.ptr")->content, expect.data, expect.size);
	buffer_free(&expect);
}

TEST(weak_in_data_is_zero)
{
	uint32_t weak;

	sample_build(&s, false, false);
	weak = eb_symbol(&s.elf, "maybe", SHN_UNDEF, 0, 0, STB_WEAK, STT_NOTYPE);
	eb_reloc(&s.elf, s.data, 0, R_BPF_64_ABS32, weak, 0);
	parse();
}

/* --- legacy maps --- */

/* A section of two maps whose definitions have @words words each, of which the last is @last. */
static void legacy(const char *section, uint32_t type, unsigned int words, uint32_t inner,
		   uint32_t last)
{
	uint32_t def[16] = { 0 }, sec = eb_data(&s.elf, section, NULL, 0);
	struct buffer *data = &s.elf.sections[sec].data;

	def[3] = 1;
	for (int i = 0; i < 2; i++) {
		def[0] = i ? type : BPF_MAP_TYPE_ARRAY;
		def[1] = def[2] = 4;
		def[5] = i ? inner : 0;
		for (unsigned int w = 0; w < words; w++)
			buffer_put(data, 4, i && w == words - 1 && last ? last : def[w],
				   eb_big_endian(&s.elf));
	}
	eb_symbol(&s.elf, "first", sec, 0, 0, STB_GLOBAL, STT_NOTYPE);
	eb_symbol(&s.elf, "second", sec, words * 4, 4 * words, STB_GLOBAL, STT_OBJECT);
	eb_symbol(&s.elf, "alias", sec, words * 4, 4 * words, STB_WEAK, STT_OBJECT);
}

TEST_EACH(legacy_definitions_of_any_length, 2)
{
	const struct object_map *first, *second;

	/* Beside all maps, or beside the programs of one kind, as ir-keytable has them. */
	sample_build(&s, _i & 1, false);
	legacy(_i & 1 ? "maps/long" : "lirc_mode2/maps", BPF_MAP_TYPE_ARRAY_OF_MAPS, 9, 0, 0);
	parse();
	ck_assert_uint_eq(s.obj.nr_maps, 5);
	first = find_map(&s.obj, "first");
	second = find_map(&s.obj, "second");
	ck_assert_uint_eq(first->size, 36);
	ck_assert_uint_eq(second->offset, 36);
	ck_assert_int_eq(second->inner, first - s.obj.maps);
	ck_assert_ptr_null(find_map(&s.obj, "alias"));
}

/* Numbers of inner maps count from the first map of their section. */
TEST(legacy_inner_map_that_follows)
{
	struct buffer *data;

	sample_build(&s, false, false);
	legacy("maps/long", BPF_MAP_TYPE_ARRAY, 9, 0, 0);
	data = &s.elf.sections[s.elf.nr_sections - 1].data;
	buffer_poke(data, 0, 4, BPF_MAP_TYPE_ARRAY_OF_MAPS, false);
	buffer_poke(data, 20, 4, 1, false);
	parse();
	ck_assert_int_eq(find_map(&s.obj, "first")->inner,
			 find_map(&s.obj, "second") - s.obj.maps);
}

TEST(legacy_numa_node)
{
	sample_build(&s, false, false);
	legacy("maps/numa", BPF_MAP_TYPE_HASH, 7, 0, 3);
	parse();
	ck_assert_uint_eq(find_map(&s.obj, "second")->numa_node, 3);
	ck_assert_int_eq(find_map(&s.obj, "second")->inner, -1);
}

/* --- maps described by BTF --- */

TEST_EACH(btf_map_with_all_fields, 2)
{
	const struct object_map *map;
	struct mb_field fields[8];
	uint32_t key;

	sample_build(&s, _i & 1, false);
	key = bb_ref(&s.btf, BTF_KIND_TYPEDEF, "key_t", s.type_int);
	fields[0] = (struct mb_field){ "type", mb_uint(&s, BPF_MAP_TYPE_HASH) };
	fields[1] = (struct mb_field){ "max_entries", mb_uint(&s, 100) };
	fields[2] = (struct mb_field){ "map_flags", mb_uint(&s, BPF_F_NO_PREALLOC) };
	fields[3] = (struct mb_field){ "key", mb_type(&s, key) };
	fields[4] = (struct mb_field){ "value_size", mb_uint(&s, 12) };
	fields[5] = (struct mb_field){ "map_extra", mb_ulong(&s, 0x123456789abcULL) };
	fields[6] = (struct mb_field){ "pinning", mb_uint(&s, 1) };
	fields[7] = (struct mb_field){ "numa_node", mb_uint(&s, 2) };
	mb_map(&s, fields, 8);
	parse();
	map = find_map(&s.obj, "m");
	ck_assert_int_eq(map->kind, OBJECT_MAP_BTF);
	ck_assert_uint_eq(map->offset, 8);
	ck_assert_uint_eq(map->size, 64);
	ck_assert_uint_eq(map->type, BPF_MAP_TYPE_HASH);
	ck_assert_uint_eq(map->max_entries, 100);
	ck_assert_uint_eq(map->map_flags, BPF_F_NO_PREALLOC | BPF_F_NUMA_NODE);
	ck_assert_uint_eq(map->key_size, 4);
	ck_assert_uint_eq(map->key_type, key);
	ck_assert_uint_eq(map->value_size, 12);
	ck_assert_uint_eq(map->value_type, 0);
	ck_assert_uint_eq(map->map_extra, 0x123456789abcULL);
	ck_assert(map->pin_by_name);
	ck_assert_uint_eq(map->numa_node, 2);
}

/* The key is an index where the map is an array of descriptors, and has to be declared where it is a hash. */
TEST_EACH(keys_of_maps_of_descriptors, 3)
{
	static const uint32_t types[] = { BPF_MAP_TYPE_ARRAY_OF_MAPS, BPF_MAP_TYPE_HASH_OF_MAPS,
					  BPF_MAP_TYPE_PROG_ARRAY };
	struct mb_field fields[4];

	sample_build(&s, false, false);
	fields[0] = (struct mb_field){ "type", mb_uint(&s, BPF_MAP_TYPE_ARRAY) };
	fields[1] = (struct mb_field){ "key", mb_type(&s, s.type_int) };
	fields[2] = (struct mb_field){ "value", mb_type(&s, s.type_int) };
	fields[3] = (struct mb_field){ "max_entries", mb_uint(&s, 3) };
	fields[2] = (struct mb_field){ "values", mb_values(&s, mb_struct(&s, fields, 4)) };
	fields[0] = (struct mb_field){ "type", mb_uint(&s, types[_i]) };
	fields[1] = (struct mb_field){ "max_entries", mb_uint(&s, 7) };
	mb_map(&s, fields, _i == 2 ? 2 : 3);
	parse();
	ck_assert_uint_eq(find_map(&s.obj, "m")->key_size, _i == 1 ? 0 : 4);
	ck_assert_uint_eq(find_map(&s.obj, "m")->value_size, 4);
}

/* A ring has neither keys nor values: types that it declares have no size that the kernel gets. */
TEST_EACH(types_of_a_ring, 3)
{
	static const uint32_t types[] = { BPF_MAP_TYPE_RINGBUF, BPF_MAP_TYPE_USER_RINGBUF,
					  BPF_MAP_TYPE_QUEUE };
	const uint32_t size = types[_i] == BPF_MAP_TYPE_QUEUE ? 4 : 0;
	struct mb_field fields[4];

	sample_build(&s, false, false);
	fields[0] = (struct mb_field){ "type", mb_uint(&s, types[_i]) };
	fields[1] = (struct mb_field){ "key", mb_type(&s, s.type_int) };
	fields[2] = (struct mb_field){ "value", mb_type(&s, s.type_int) };
	fields[3] = (struct mb_field){ "max_entries", mb_uint(&s, 4096) };
	mb_map(&s, fields, 4);
	parse();
	ck_assert_uint_eq(find_map(&s.obj, "m")->key_size, size);
	ck_assert_uint_eq(find_map(&s.obj, "m")->value_size, size);
	ck_assert_uint_eq(find_map(&s.obj, "m")->value_type, s.type_int);
	sample_free(&s);
	/* A size without a type is not the type of a record: it remains, for the kernel to refuse. */
	memset(&s, 0, sizeof(s));
	sample_build(&s, false, false);
	fields[0] = (struct mb_field){ "type", mb_uint(&s, types[_i]) };
	fields[1] = (struct mb_field){ "key_size", mb_uint(&s, 4) };
	fields[2] = (struct mb_field){ "value_size", mb_uint(&s, 4) };
	fields[3] = (struct mb_field){ "max_entries", mb_uint(&s, 4096) };
	mb_map(&s, fields, 4);
	parse();
	ck_assert_uint_eq(find_map(&s.obj, "m")->key_size, 4);
	ck_assert_uint_eq(find_map(&s.obj, "m")->value_size, 4);
}

TEST(btf_map_of_maps)
{
	const struct object_map *map, *inner;
	struct mb_field fields[4];

	sample_build(&s, false, false);
	fields[0] = (struct mb_field){ "type", mb_uint(&s, BPF_MAP_TYPE_ARRAY) };
	fields[1] = (struct mb_field){ "key", mb_type(&s, s.type_int) };
	fields[2] = (struct mb_field){ "value", mb_type(&s, s.type_int) };
	fields[3] = (struct mb_field){ "max_entries", mb_uint(&s, 3) };
	fields[3] = (struct mb_field){ "values", mb_values(&s, mb_struct(&s, fields, 4)) };
	fields[0] = (struct mb_field){ "type", mb_uint(&s, BPF_MAP_TYPE_HASH_OF_MAPS) };
	fields[1] = (struct mb_field){ "map_flags", mb_uint(&s, 0) };
	fields[2] = (struct mb_field){ "max_entries", mb_uint(&s, 7) };
	mb_map(&s, fields, 4);
	parse();
	map = find_map(&s.obj, "m");
	ck_assert_uint_eq(map->key_size, 0);	/* that of an array would be 4 */
	ck_assert_uint_eq(map->type, BPF_MAP_TYPE_HASH_OF_MAPS);
	ck_assert_uint_eq(map->value_size, 4);
	ck_assert_uint_eq(map->max_entries, 7);
	ck_assert_int_ge(map->inner, 0);
	inner = &s.obj.maps[map->inner];
	ck_assert_uint_eq(inner->type, BPF_MAP_TYPE_ARRAY);
	ck_assert_uint_eq(inner->max_entries, 3);
	ck_assert_uint_eq(inner->value_type, s.type_int);
	ck_assert_uint_eq(inner->section, 0);
	ck_assert_int_eq(inner->inner, -1);
}

TEST(btf_prog_array)
{
	struct mb_field fields[3];

	sample_build(&s, false, false);
	fields[0] = (struct mb_field){ "type", mb_uint(&s, BPF_MAP_TYPE_PROG_ARRAY) };
	fields[1] = (struct mb_field){ "max_entries", mb_uint(&s, 4) };
	fields[2] = (struct mb_field){ "values", mb_values(&s, bb_proto(&s.btf, s.type_int)) };
	mb_map(&s, fields, 3);
	parse();
	ck_assert_uint_eq(find_map(&s.obj, "m")->key_size, 4);
	ck_assert_uint_eq(find_map(&s.obj, "m")->value_size, 4);
}

/* --- functions and programs --- */

TEST(untyped_functions_of_old_compilers)
{
	sample_build(&s, false, false);
	for (uint32_t i = s.leaf; i <= s.two; i++)
		if (s.elf.symbols[i].section == s.prog) {
			s.elf.symbols[i].sym.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE);
			s.elf.symbols[i].sym.st_size = 0;
		}
	s.elf.symbols[s.fixed].sym = (struct elf64_sym){	/* a label */
		.st_name = s.elf.symbols[s.fixed].sym.st_name,
		.st_info = ELF64_ST_INFO(STB_LOCAL, STT_NOTYPE), .st_value = INSN,
	};
	s.elf.symbols[s.fixed].section = s.prog;
	parse();
	ck_assert_uint_eq(find_func(&s.obj, "one")->insn_cnt, 9);
	ck_assert_uint_eq(find_func(&s.obj, "two")->insn_cnt, 3);
	ck_assert_ptr_null(find_func(&s.obj, "fixed"));
}

/*
 * If the section has a symbol of type STT_FUNC, an untyped symbol is a label, also one before it.
 */
TEST(untyped_label_before_a_function)
{
	sample_build(&s, false, false);
	s.elf.symbols[s.one].sym.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE);
	parse();
	ck_assert_ptr_null(find_func(&s.obj, "one"));
}

TEST(second_name_of_a_function)
{
	sample_build(&s, false, false);
	eb_symbol(&s.elf, "also_leaf", s.text, 0, 2 * INSN, STB_WEAK, STT_FUNC);
	parse();
	ck_assert_uint_eq(s.obj.nr_funcs, 5);
	ck_assert_ptr_null(find_func(&s.obj, "leaf"));
	ck_assert(find_func(&s.obj, "also_leaf")->called);
}

/* A program keeps its global name, even if only the local one has a size. */
TEST_EACH(second_name_of_a_program, 2)
{
	sample_build(&s, false, false);
	eb_symbol(&s.elf, "alias", s.prog, 0, 9 * INSN, STB_LOCAL, STT_FUNC);
	if (_i)
		s.elf.symbols[s.one].sym.st_size = 0;
	parse();
	ck_assert_ptr_nonnull(find_func(&s.obj, "one"));
	ck_assert_ptr_null(find_func(&s.obj, "alias"));
}

/*
 * A section with a program, a static function it calls, one that nobody calls; and an optional
 * program.
 */
TEST(which_functions_are_programs)
{
	uint32_t tp, optional;

	sample_build(&s, false, false);
	s.btf.nr_types = 0;
	tp = eb_prog(&s.elf, "tp/sched/sched_switch");
	eb_exit(&s.elf, tp);
	eb_call(&s.elf, tp, BPF_PSEUDO_CALL, -2);
	eb_exit(&s.elf, tp);
	eb_exit(&s.elf, tp);
	optional = eb_prog(&s.elf, "?xdp");
	eb_exit(&s.elf, optional);
	/*
	 * Locals come first in a symbol table: these take the place of symbols that no test needs
	 * here.
	 */
	s.elf.symbols[s.fixed] =
		(struct eb_symbol){ "called", { .st_size = INSN, .st_info = STT_FUNC }, tp };
	eb_symbol(&s.elf, "caller", tp, INSN, 2 * INSN, STB_GLOBAL, STT_FUNC);
	eb_symbol(&s.elf, "maybe", optional, 0, INSN, STB_GLOBAL, STT_FUNC);
	parse();
	ck_assert_uint_eq(s.obj.nr_progs, 4);
	ck_assert_str_eq(s.obj.progs[2].name, "caller");
	ck_assert_str_eq(s.obj.progs[2].target, "sched/sched_switch");
	ck_assert(!s.obj.progs[2].optional);
	ck_assert_str_eq(s.obj.progs[3].name, "maybe");
	ck_assert_str_eq(s.obj.progs[3].kind->prefix, "xdp");
	ck_assert(s.obj.progs[3].optional);
}

static const struct {
	const char *section;
	struct expect expect;
} unknown_kinds[] = {
	{ "pref_event",
	  { EINVAL, "prog 'one'", "'pref_event' has an unknown kind",
	    "did you mean SEC(\"perf_event\")" } },
	{ "?pref_event", { EINVAL, "prog 'one'", "section '?pref_event' has an unknown kind", "SEC(\"perf_event\")" } },
	{ "tracepoint_sched_switch",
	  { EINVAL, "'one'", "unknown kind", "SEC(\"tracepoint/...\")" } },
	{ "my\033programs", { EINVAL, "'one'", "'my\\x1bprograms'", "use libbpf's names, such as SEC(\"perf_event\")" } },
	{ "cgroup/sock_relase", { EINVAL, "'one'", "unknown kind", "\"cgroup/sock_release\"" } },
	{ "cgroup/sock_relase/x/y", { EINVAL, "'one'", "unknown", "\"cgroup/sock_release\"" } },
	{ "fentrty.s/x", { EINVAL, "'one'", "unknown", "\"fentry.s\"" } },
	{ "usd/x", { EINVAL, "'one'", "unknown kind", "did you mean SEC(\"usdt\")" } },
	{ "us/x", { EINVAL, "'one'", "unknown kind", "use libbpf's names, such as SEC(\"perf_event\")" } },
	{ "tp:sched", { EINVAL, "'one'", "unknown kind", "after 'tp' comes a '/'" } },
	{ "filter", { EINVAL, "'one'", "unknown kind", "use libbpf's names, such as SEC(\"perf_event\")" } },
	{ "tcpdump", { EINVAL, "'one'", "unknown kind", "use libbpf's names, such as SEC(\"perf_event\")" } },
};

/* An object is understood, and its other programs can be loaded, when a section is of no kind. */
TEST_ROWS(unknown_kind, unknown_kinds)
{
	sample_build(&s, false, false);
	s.elf.sections[s.prog].name = unknown_kinds[_i].section;
	parse();
	ck_assert_uint_eq(s.obj.nr_progs, 2);
	ck_assert_ptr_eq(s.obj.progs[0].kind, &prog_kind_unknown);
	ck_assert_int_eq(s.obj.progs[0].optional, unknown_kinds[_i].section[0] == '?');
	expect_error(unknown_kinds[_i].section, object_check_kind(&s.obj.progs[0], &err), &err,
		     &unknown_kinds[_i].expect);
}

TEST(uncalled_static_program)
{
	sample_build(&s, false, false);
	s.elf.symbols[s.fixed] = (struct eb_symbol){
		"two", { .st_value = 9 * INSN, .st_size = 3 * INSN, .st_info = STT_FUNC }, s.prog,
	};
	s.elf.symbols[s.two].section = SHN_UNDEF;
	parse();
	ck_assert_uint_eq(s.obj.nr_progs, 2);
	ck_assert(!s.obj.funcs[s.obj.progs[1].func].global);
}

TEST_EACH(license_and_version, 2)
{
	uint32_t version;

	sample_build(&s, _i & 1, false);
	version = eb_data(&s.elf, "version", NULL, 0);
	buffer_put(&s.elf.sections[version].data, 4, 0x60c02, eb_big_endian(&s.elf));
	s.elf.sections[s.license].name = "licence";
	parse();
	ck_assert_str_eq(s.obj.license, "");
	ck_assert_uint_eq(s.obj.version, 0x60c02);
}

/* The section is of the string's size and not one larger; that of the version is. */
TEST(license_without_end)
{
	sample_build(&s, false, false);
	buffer_poke(&s.elf.sections[s.license].data, 3, 1, 'x', false);
	eb_data(&s.elf, "version", HOST_BIG_ENDIAN ? "\0\6\14\2more" : "\2\14\6\0more", 8);
	parse();
	ck_assert_str_eq(s.obj.license, "GPLx");
	ck_assert_uint_eq(s.obj.version, 0x60c02);
}

TEST(license_of_no_bytes)
{
	sample_build(&s, false, false);
	s.elf.sections[s.license].data.size = 0;
	parse();
	ck_assert_str_eq(s.obj.license, "");
}

/* An object may have maps and nothing else. */
TEST(no_program)
{
	sample_build(&s, false, false);
	s.elf.sections[s.prog].name = ".text";
	parse();
	ck_assert_uint_eq(s.obj.nr_progs, 0);
	ck_assert_uint_gt(s.obj.nr_maps, 0);
}

TEST(reloc_none_is_nothing)
{
	sample_build(&s, false, false);
	sample_reloc(&s, RELOC_QUIET, 0, R_BPF_NONE, 0);
	parse();
	ck_assert_uint_eq(s.obj.code[1].nr_relocs, 5);
}

/* --- one thing wrong with it --- */

static void version_of_two_bytes(void) { eb_data(&s.elf, "version", "xx", 2); }
static void code_of_odd_size(void) { buffer_add(&s.elf.sections[s.prog].data, NULL, 4); }

static void common_variable(void)
{
	eb_symbol(&s.elf, "shared", SHN_COMMON, 4, 4, STB_GLOBAL, STT_OBJECT);
}

static void relocated_by_two(void)
{
	uint32_t again;

	eb_reloc(&s.elf, s.text, 0, R_BPF_NONE, 0, 0);
	again = s.elf.sections[s.text].relocs;
	s.elf.sections[again].hdr.sh_info = s.prog;
}

static void func_ends_amid_load(void) { s.elf.symbols[s.two].sym.st_size = INSN; }

static void load_within_a_load(void)
{
	buffer_poke(&s.elf.sections[s.text].data, 0, 1, BPF_LD | BPF_IMM | BPF_DW, false);
}

static void func_misaligned(void) { s.elf.symbols[s.mid].sym.st_value += 4; }
static void func_of_odd_size(void) { s.elf.symbols[s.mid].sym.st_size = 12; }

static void func_at_end(void)
{
	s.elf.symbols[s.two].sym.st_value = 12 * INSN;
	s.elf.symbols[s.two].sym.st_size = 0;
}

static void funcs_overlap(void) { s.elf.symbols[s.one].sym.st_size = 10 * INSN; }
static void call_of_data(void) { sample_reloc(&s, RELOC_MID, 4 * INSN, R_BPF_64_32, s.value); }
static void call_amid_function(void) { sample_imm(&s, s.prog, 5, 0); }
static void near_call_amid_function(void) { sample_imm(&s, s.text, 2, -2); }
static void near_call_before_section(void) { sample_imm(&s, s.text, 2, -100); }
static void address_amid_function(void) { sample_imm(&s, s.prog, 6, 12); }
static void load_type_on_call(void) { sample_reloc(&s, RELOC_MID, 4 * INSN, R_BPF_64_64, s.hits); }
static void call_type_on_load(void) { sample_reloc(&s, RELOC_HITS, 0, R_BPF_64_32, s.mid); }
static void data_type_on_insn(void) { sample_reloc(&s, RELOC_HITS, 0, R_BPF_64_ABS32, s.hits); }

static void reloc_misaligned(void)
{
	sample_reloc(&s, RELOC_MID, 4 * INSN - 4, R_BPF_64_32, s.mid);
}

static void reloc_twice(void) { sample_reloc(&s, RELOC_LEAF, 4 * INSN, R_BPF_64_32, s.mid); }

static void half_a_load(void)
{
	buffer_poke(&s.elf.sections[s.prog].data, INSN, 1, BPF_JMP | BPF_EXIT, false);
}

static void map_amid(void) { sample_imm(&s, s.prog, 9, 24); }
static void data_after_end(void) { sample_imm(&s, s.prog, 2, 8); }
static void data_before_start(void) { sample_imm(&s, s.prog, 2, -4); }

static void data_undefined(void)
{
	eb_reloc(&s.elf, s.data, 4, R_BPF_64_ABS32,
		 eb_symbol(&s.elf, "gone", SHN_UNDEF, 0, 0, STB_GLOBAL, 0), 0);
}

static void legacy_unknown_rest(void) { legacy("maps/x", BPF_MAP_TYPE_HASH, 8, 0, 1); }
static void legacy_short(void) { legacy("maps/x", BPF_MAP_TYPE_HASH, 4, 0, 0); }
static void legacy_uneven(void) { buffer_add(&s.elf.sections[s.maps].data, NULL, 4); }

static void legacy_amid(void)
{
	s.elf.symbols[s.quiet].sym.st_value = 16;
	s.elf.symbols[s.quiet].sym.st_size = 0;
}

static void legacy_no_type(void) { buffer_poke(&s.elf.sections[s.maps].data, 20, 4, 0, false); }
static void legacy_inner_itself(void) { legacy("maps/x", BPF_MAP_TYPE_ARRAY_OF_MAPS, 6, 1, 0); }
static void legacy_inner_absent(void) { legacy("maps/x", BPF_MAP_TYPE_ARRAY_OF_MAPS, 6, 2, 0); }
static void legacy_inner_untold(void) { legacy("maps/x", BPF_MAP_TYPE_ARRAY_OF_MAPS, 5, 0, 0); }
static void no_btf_for_maps(void) { eb_data(&s.elf, ".maps", NULL, 8); }

/* A HASH map with one more field, or one field changed. */
static void hash_with(const char *name, uint32_t type)
{
	struct mb_field fields[4] = {
		{ "type", mb_uint(&s, BPF_MAP_TYPE_HASH) },
		{ "key", mb_type(&s, s.type_int) },
		{ "value", mb_type(&s, s.type_int) },
		{ name, type },
	};

	if (strcmp(name, "value")) {
		mb_map(&s, fields, 4);
		return;
	}
	fields[2].type = type;
	mb_map(&s, fields, 3);
}

static void field_unknown(void) { hash_with("max_entires", mb_uint(&s, 1)); }
static void field_no_number(void) { hash_with("max_entries", s.type_int); }
static void field_too_wide(void) { hash_with("max_entries", mb_ulong(&s, 1ULL << 32)); }
static void key_size_differs(void) { hash_with("key_size", mb_uint(&s, 8)); }
static void value_is_void(void) { hash_with("value", mb_type(&s, 0)); }
static void value_is_no_pointer(void) { hash_with("value", s.type_int); }
static void pinning_unknown(void) { hash_with("pinning", mb_uint(&s, 2)); }

static void values_of_a_hash(void)
{
	hash_with("values", mb_values(&s, bb_proto(&s.btf, s.type_int)));
}

static void values_of_int(void) { hash_with("values", mb_values(&s, s.type_int)); }

static void type_missing(void)
{
	struct mb_field field = { "max_entries", mb_uint(&s, 1) };

	mb_map(&s, &field, 1);
}

/* Only an enum with one enumerator stands for a number. */
static void number_of_two(uint32_t kind)
{
	struct mb_field field = { "type", bb_enum(&s.btf, kind, "", 4, false) };

	bb_enumerator(&s.btf, "one", BPF_MAP_TYPE_HASH);
	bb_enumerator(&s.btf, "two", BPF_MAP_TYPE_HASH);
	mb_map(&s, &field, 1);
}

static void enum_of_two(void) { number_of_two(BTF_KIND_ENUM); }
static void enum64_of_two(void) { number_of_two(BTF_KIND_ENUM64); }

static void inner_missing(void)
{
	struct mb_field field = { "type", mb_uint(&s, BPF_MAP_TYPE_ARRAY_OF_MAPS) };

	mb_map(&s, &field, 1);
}

static void inner_broken(void)
{
	struct mb_field bad = { "type", s.type_int };
	struct mb_field fields[2] = { { "type", mb_uint(&s, BPF_MAP_TYPE_ARRAY_OF_MAPS) } };

	fields[1] = (struct mb_field){ "values", mb_values(&s, mb_struct(&s, &bad, 1)) };
	mb_map(&s, fields, 2);
}

static void inner_of_inner(void)
{
	struct mb_field fields[2] = { { "type", mb_uint(&s, BPF_MAP_TYPE_ARRAY_OF_MAPS) } };

	fields[1] = (struct mb_field){ "values", mb_values(&s, mb_struct(&s, fields, 1)) };
	fields[1] = (struct mb_field){ "values", mb_values(&s, mb_struct(&s, fields, 2)) };
	mb_map(&s, fields, 2);
}

/* Two fields, and those of the template of an array of maps. */
static void two_fields(const char *name, uint32_t id, const char *second, uint32_t second_id)
{
	struct mb_field fields[] = { { name, id }, { second, second_id } };

	mb_map(&s, fields, 2);
}

static void of_template(uint32_t type, const char *name, uint32_t id)
{
	struct mb_field fields[] = { { "type", mb_uint(&s, type) }, { name, id } };
	const uint32_t values = mb_values(&s, mb_struct(&s, fields, name ? 2 : 1));

	two_fields("type", mb_uint(&s, BPF_MAP_TYPE_ARRAY_OF_MAPS), "values", values);
}

static void type_differs(void)
{
	two_fields("key_size", mb_uint(&s, 8), "key", mb_type(&s, s.type_int));
}

static void field_twice(void) { two_fields("type", mb_uint(&s, 1), "type", mb_uint(&s, 1)); }

static void slots_of_8_bytes(void)
{
	two_fields("type", mb_uint(&s, BPF_MAP_TYPE_PROG_ARRAY), "value_size", mb_uint(&s, 8));
}

static void inner_pinned(void) { of_template(BPF_MAP_TYPE_ARRAY, "pinning", mb_uint(&s, 1)); }
static void inner_of_maps(void) { of_template(BPF_MAP_TYPE_HASH_OF_MAPS, NULL, 0); }

static void not_a_struct(void)
{
	uint32_t var = bb_var(&s.btf, "m", s.type_int, BTF_VAR_GLOBAL_ALLOCATED);

	eb_data(&s.elf, ".maps", NULL, 8);
	bb_datasec(&s.btf, ".maps", 0);
	bb_datasec_var(&s.btf, var, 0, 4);
}

static void map_outside(void)
{
	field_unknown();
	s.elf.sections[s.elf.nr_sections - 1].data.size = 16;
	s.elf.symbols[s.elf.nr_symbols - 1].sym.st_size = 0;
}

static void btf_of_three_bytes(void)
{
	s.btf.nr_types = 0;
	eb_data(&s.elf, ".BTF", "\x9f\xeb\x01", 3);
}

static void bad_btf_and_maps(void)
{
	btf_of_three_bytes();
	eb_data(&s.elf, ".maps", NULL, 8);
}

static void bad_btf_and_core(void)
{
	struct buffer ext;

	bb_core_relo(&s.btf, "perf_event", 0, s.type_int, "0", 0);
	ext = bb_ext(&s.btf);
	btf_of_three_bytes();
	eb_data(&s.elf, ".BTF.ext", ext.data, ext.size);
	buffer_free(&ext);
}

static void bad_btf_and_ext(void)
{
	btf_of_three_bytes();
	eb_data(&s.elf, ".BTF.ext", "\x9f\xeb\x01", 3);
}

static const struct {
	const char *name;
	void (*change)(void);
	struct expect expect;
} broken[] = {
	{ "BTF of three bytes, and maps by BTF", bad_btf_and_maps,
	  { EBADMSG, "BTF header", NULL, NULL, "object/btf" } },
	{ "BTF of three bytes, and CO-RE", bad_btf_and_core,
	  { EBADMSG, "BTF header", NULL, NULL, "object/btf" } },
	{ "BTF of three bytes, and .BTF.ext as well", bad_btf_and_ext,
	  { EBADMSG, "BTF header", NULL, NULL, "object/btf" } },
	{ "version of two bytes", version_of_two_bytes,
	  { EBADMSG, "'version'", "4 bytes long, not 2", "SEC(\"version\")", "object/version" } },
	{ "code of odd size", code_of_odd_size,
	  { EBADMSG, "section 2 'perf_event'", "100 bytes", NULL, "object/elf" } },
	{ "common variable", common_variable,
	  { EBADMSG, "'shared'", "variable 'shared' is a common", "-fno-common", "object/elf" } },
	{ "relocated by two", relocated_by_two,
	  { EBADMSG, "'.rel.text'", "'perf_event' is relocated by section 6", NULL } },
	{ "function misaligned", func_misaligned,
	  { EBADMSG, "function 'mid' in section '.text'", "at 0x14", NULL } },
	{ "function of odd size", func_of_odd_size,
	  { EBADMSG, "function 'mid' in section '.text'", "12 bytes", NULL } },
	{ "function at the end", func_at_end,
	  { EBADMSG, "function 'two'", "are outside the section of 96 bytes", NULL } },
	{ "functions overlap", funcs_overlap,
	  { EBADMSG, "function 'one'", "overlap function 'two' at 9", NULL, "object/program" } },
	{ "relocation misaligned", reloc_misaligned,
	  { EBADMSG, ".relperf_event[2] at 0x1c", "instruction", NULL } },
	{ "undefined in data", data_undefined,
	  { ENOTSUP, ".rel.data[0] at 0x4", "symbol 'gone' is undefined", "weak" } },
	{ "legacy: unknown rest", legacy_unknown_rest,
	  { ENOTSUP, "map 'second'", HOST_BIG_ENDIAN ? "byte 31 is not 0" : "byte 28 is not 0",
	    ".maps" } },
	{ "legacy: short", legacy_short,
	  { EBADMSG, "'maps/x'", "2 maps in 32 bytes", NULL, "object/map" } },
	{ "legacy: uneven", legacy_uneven, { EBADMSG, "'maps'", "2 maps in 44 bytes", NULL } },
	{ "legacy: amid", legacy_amid, { EBADMSG, "map 'quiet'", "it starts at 0x10, inside a definition of 20 bytes", NULL } },
	{ "legacy: no type", legacy_no_type, { EBADMSG, "map 'quiet'", "no type", NULL } },
	{ "legacy: inner is itself", legacy_inner_itself,
	  { EBADMSG, "map 'second'", "its inner map index 1 is not below 2", NULL } },
	{ "legacy: inner is absent", legacy_inner_absent,
	  { EBADMSG, "map 'second'", "its inner map index 2 is not below 2", NULL } },
	{ "legacy: inner untold", legacy_inner_untold,
	  { EBADMSG, "map 'second'", "a description of the inner maps", ".maps" } },
	{ "no BTF for .maps", no_btf_for_maps, { EBADMSG, "'.maps'", "no BTF", "-g" } },
	{ "field unknown", field_unknown,
	  { EBADMSG, "sample.o: map 'm'", "unknown field 'max_entires'", "max_entries",
	    "object/map" } },
	{ "field no number", field_no_number,
	  { EBADMSG, "map 'm'", "'max_entries' is a int", "__uint(max_entries" } },
	{ "field too wide", field_too_wide,
	  { EBADMSG, "map 'm'", "'max_entries' is 0x100000000", NULL } },
	{ "key_size differs", key_size_differs,
	  { EBADMSG, "map 'm'", "key_size is 8, but its type has 4 bytes", NULL } },
	{ "value is void", value_is_void, { EBADMSG, "map 'm'", "'value' has no known size", NULL } },
	{ "value is no pointer", value_is_no_pointer,
	  { EBADMSG, "map 'm'", "'value' is a int", "__type(value" } },
	{ "pinning unknown", pinning_unknown,
	  { EBADMSG, "map 'm'", "pinning is 2", "LIBBPF_PIN_BY_NAME" } },
	{ "values of a hash", values_of_a_hash,
	  { EBADMSG, "map 'm'", "is not allowed in maps of type 1", NULL } },
	{ "values of int", values_of_int,
	  { EBADMSG, "map 'm'", "neither a map nor a program", "__array(values" } },
	{ "type missing", type_missing, { EBADMSG, "map 'm'", "no type", "__uint(type" } },
	{ "enum of two", enum_of_two,
	  { EBADMSG, "map 'm'", "'type' is a enum, not a number", "__uint(type" } },
	{ "enum64 of two", enum64_of_two,
	  { EBADMSG, "map 'm'", "'type' is a enum64, not a number", "__uint(type" } },
	{ "inner missing", inner_missing,
	  { EBADMSG, "map 'm'", "a description of the inner maps", "__array(values" } },
	{ "inner broken", inner_broken,
	  { EBADMSG, "map 'm': inner map", "'type' is a int", "__uint(type" } },
	{ "inner of inner", inner_of_inner, { EBADMSG, "map 'm': inner map", "one level", NULL } },
	{ "key of another size", type_differs,
	  { EBADMSG, "map 'm'", "key_size is 8, but its type has 4 bytes", NULL } },
	{ "field twice", field_twice, { EBADMSG, "map 'm'", "'type' occurs twice", NULL } },
	{ "slots of 8 bytes", slots_of_8_bytes,
	  { EBADMSG, "map 'm'", "value_size is 8, but must be 4", NULL } },
	{ "inner pinned", inner_pinned,
	  { EBADMSG, "map 'm': inner map", "no name to pin it by", NULL } },
	{ "inner of maps", inner_of_maps, { EBADMSG, "map 'm': inner map", "one level", NULL } },
	{ "not a struct", not_a_struct, { EBADMSG, "map 'm'", "of kind int", NULL } },
	{ "map outside", map_outside, { EBADMSG, "map 'm'", "outside section '.maps'", NULL } },
};

TEST_ROWS(broken_objects, broken)
{
	int ret;

	sample_build(&s, false, false);
	broken[_i].change();
	ret = sample_parse(&s, &err);
	expect_error(broken[_i].name, ret, &err, &broken[_i].expect);
	ck_assert_ptr_null(s.obj.maps);
	ck_assert_ptr_null(s.obj.image.sections);
}

/* An object that loses nothing but descriptions is loaded without them. */
TEST(bad_btf_is_left_out)
{
	struct prog_code code;
	struct buffer ext;

	sample_build(&s, false, false);
	ext = bb_ext(&s.btf);
	btf_of_three_bytes();
	eb_data(&s.elf, ".BTF.ext", ext.data, ext.size);
	parse();
	ck_assert(!s.obj.has_btf);
	ck_assert_int_eq(s.obj.btf_error->code, -EBADMSG);
	ck_assert_int_eq(relocate(&s.obj, 0, NULL, &code, NULL), 0);
	ck_assert_uint_eq(code.nr_insns, 15);
	ck_assert_uint_eq(code.nr_func_info, 0);
	prog_code_free(&code);
	buffer_free(&ext);
}

/* A fault of one function refuses the program that has it, and no other. */
static const struct {
	const char *name, *prog;
	void (*change)(void);
	struct expect expect;
} refused[] = {
	{ "function ends amid a load", "two", func_ends_amid_load,
	  { EBADMSG, "function 'two' at 0x48", "no second half", NULL } },
	{ "load within a load", "one", load_within_a_load,
	  { EBADMSG, "function 'leaf' at 0x0", "no second half", NULL } },
	{ "call of data", "one", call_of_data,
	  { EBADMSG, ".relperf_event[2] at 0x20", "a call to 'value'", NULL,
	    "object/relocation" } },
	{ "call amid a function", "one", call_amid_function,
	  { EBADMSG, ".relperf_event[3] at 0x28", "no function starts at 0x8 of section '.text'",
	    NULL } },
	{ "near call amid a function", "one", near_call_amid_function,
	  { EBADMSG, "function 'mid' at 0x10", "starts at 0x8", NULL } },
	{ "near call before the section", "one", near_call_before_section,
	  { EBADMSG, "function 'mid'", "no function starts", NULL } },
	{ "address amid a function", "one", address_amid_function,
	  { EBADMSG, ".relperf_event[4] at 0x30", "starts at 0xc", NULL } },
	{ "R_BPF_64_64 on a call", "one", load_type_on_call,
	  { EBADMSG, ".relperf_event[2] at 0x20", "applies to a 64-bit load", NULL } },
	{ "R_BPF_64_32 on a load", "one", call_type_on_load,
	  { EBADMSG, ".relperf_event[0] at 0x0", "applies to a call", NULL } },
	{ "R_BPF_64_ABS32 in code", "one", data_type_on_insn,
	  { EBADMSG, ".relperf_event[0]", "R_BPF_64_ABS32", NULL } },
	{ "relocated twice", "one", reloc_twice,
	  { EBADMSG, "'.relperf_event'", "instruction 4 is relocated twice", NULL } },
	{ "half a load", "one", half_a_load,
	  { EBADMSG, ".relperf_event[0]", "no second half", NULL } },
	{ "amid a map", "two", map_amid,
	  { EBADMSG, ".relperf_event[5] at 0x48", "no map starts at 0x18 of section 'maps'",
	    NULL } },
	{ "after the data", "one", data_after_end,
	  { EBADMSG, ".relperf_event[1]", "offset 8 is outside section '.data'",
	    "not even that of an array" } },
	{ "before the data", "one", data_before_start,
	  { EBADMSG, ".relperf_event[1]", "offset -4 is outside", NULL } },
};

TEST_ROWS(refused_programs, refused)
{
	struct prog_code code;

	sample_build(&s, false, false);
	refused[_i].change();
	parse();
	ck_assert_uint_eq(s.obj.nr_progs, 2);
	for (uint32_t i = 0; i < s.obj.nr_progs; i++) {
		int ret = relocate(&s.obj, i, NULL, &code, &err);

		if (!strcmp(s.obj.progs[i].name, refused[_i].prog))
			expect_error(refused[_i].name, ret, &err, &refused[_i].expect);
		else
			ck_assert_msg(!ret, "%s: %s", err.where, err.what);
		prog_code_free(&code);
	}
}

/* No program has the instruction, so that it is the object that is damaged. */
TEST_EACH(relocation_outside_of_functions, 2)
{
	static const struct expect before = { EBADMSG, ".relperf_event[0]", "applies to a call", NULL,
					      "object/relocation" };
	static const struct expect between = { EBADMSG, ".relperf_event[1]", "is outside",
					       NULL, "object/relocation" };

	sample_build(&s, false, false);
	if (_i)
		data_after_end();
	else
		call_type_on_load();
	s.elf.symbols[s.one].sym.st_value = _i ? 0 : 2 * INSN;
	s.elf.symbols[s.one].sym.st_size = _i ? 2 * INSN : 7 * INSN;
	expect_error("outside", sample_parse(&s, &err), &err, _i ? &between : &before);
}

static void add_refused(uint32_t section)
{
	const size_t at = eb_ld_imm64(&s.elf, section, 1, 0, 0);

	eb_exit(&s.elf, section);
	eb_reloc(&s.elf, section, at, R_BPF_64_32, s.hits, 0);
	eb_symbol(&s.elf, "many", section, at, 3 * INSN, STB_GLOBAL, STT_FUNC);
}

/* Each of the many functions is refused with its own words; more are too many. */
TEST(many_are_refused)
{
	enum { MANY = 1024 };
	struct prog_code code;

	for (uint32_t nr = MANY; nr <= MANY + 1; nr++) {
		uint32_t section;

		sample_build(&s, false, false);
		s.btf.nr_types = 0;
		section = eb_prog(&s.elf, "xdp");
		for (uint32_t i = 0; i < nr; i++)
			add_refused(section);
		if (nr > MANY) {
			ck_assert_int_eq(sample_parse(&s, &err), -EBADMSG);
		} else {
			parse();
			ck_assert_uint_eq(s.obj.nr_progs, 2 + MANY);
			ck_assert_int_eq(relocate(&s.obj, 2, NULL, &code, &err), -EBADMSG);
			ck_assert_ptr_nonnull(strstr(err.where, ".relxdp[0] at 0x0"));
			ck_assert_int_eq(relocate(&s.obj, 1 + MANY, NULL, &code, &err), -EBADMSG);
			ck_assert_ptr_nonnull(strstr(err.where, ".relxdp[1023] at 0x5fe8"));
		}
		sample_free(&s);
	}
}

TEST(every_bit_flipped)
{
	struct buffer file;

	sample_build(&s, false, false);
	parse();
	bpf_object_free(&s.obj);
	file = s.file;
	for (size_t bit = 0; bit < 8 * file.size; bit++) {
		struct prog_code code;
		struct bpf_object obj;

		file.data[bit / 8] ^= 1 << bit % 8;
		if (!bpf_object_parse(&obj, "flipped.o", buffer_bytes(&file), &err)) {
			for (uint32_t i = 0; i < obj.nr_progs; i++)
				if (!relocate(&obj, i, NULL, &code, &err))
					prog_code_free(&code);
			bpf_object_free(&obj);
		}
		file.data[bit / 8] ^= 1 << bit % 8;
	}
}
