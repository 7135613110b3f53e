// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Tests of the initial contents of maps: program arrays and maps of maps by the relocations of
 * .maps, and an arena by the section of its variables.
 */
#include <errno.h>
#include <unistd.h>

#include "test/unit/common/expect.h"
#include "test/unit/common/map_builder.h"
#include "test/unit/common/suite.h"

struct maps {
	struct sample s;
	uint32_t section;
	uint32_t array, outer;	/* symbols */
	uint32_t undefined, weak;
};

/*
 *	0	array	ARRAY, no .values
 *	24	calls	PROG_ARRAY, 3 slots at 48
 *	72	outer	of @outer_type, key of @key_size bytes, 3 slots at 96
 */
static void build(struct maps *m, uint32_t outer_type, uint32_t key_size)
{
	struct sample *s = &m->s;
	uint32_t inner, calls, outer;

	sample_build(s, false, false);
	const struct mb_field array_fields[] = {
		{ "type", mb_uint(s, BPF_MAP_TYPE_ARRAY) },
		{ "max_entries", mb_uint(s, 1) },
		{ "value_size", mb_uint(s, 8) },
	};
	const struct mb_field calls_fields[] = {
		{ "type", mb_uint(s, BPF_MAP_TYPE_PROG_ARRAY) },
		{ "max_entries", mb_uint(s, 3) },
		{ "key_size", mb_uint(s, 4) },
		{ "values", mb_values(s, bb_proto(&s->btf, s->type_int)) },
	};
	inner = mb_struct(s, array_fields, 3);
	calls = mb_struct(s, calls_fields, 4);
	const struct mb_field outer_fields[] = {
		{ "type", mb_uint(s, outer_type) },
		{ "max_entries", mb_uint(s, 3) },
		{ "key_size", mb_uint(s, key_size) },
		{ "values", mb_values(s, inner) },
	};
	outer = mb_struct(s, outer_fields, 4);
	m->section = mb_maps(s, (struct mb_map[]){ { "array", inner, 24 }, { "calls", calls, 48 },
						   { "outer", outer, 48 } }, 3);
	m->array = s->elf.nr_symbols - 3;
	m->outer = s->elf.nr_symbols - 1;
	m->undefined = eb_symbol(&s->elf, "nowhere", SHN_UNDEF, 0, 0, STB_GLOBAL, STT_NOTYPE);
	m->weak = eb_symbol(&s->elf, "maybe", SHN_UNDEF, 0, 0, STB_WEAK, STT_NOTYPE);
}

static void slot(struct maps *m, uint64_t at, uint32_t symbol)
{
	eb_reloc(&m->s.elf, m->section, at, R_BPF_64_ABS64, symbol, 0);
}

static const struct object_map *map(const struct maps *m, const char *name)
{
	const struct bpf_object *obj = &m->s.obj;

	for (uint32_t i = 0; i < obj->nr_maps; i++)
		if (obj->maps[i].section && !strcmp(obj->maps[i].name, name))
			return &obj->maps[i];
	ck_abort_msg("no map %s", name);
}

/* The map of maps is an array, or a hash with a key of 4 bytes. Slots come in any order. */
TEST_EACH(slots_are_read, 2)
{
	const uint32_t type = _i ? BPF_MAP_TYPE_HASH_OF_MAPS : BPF_MAP_TYPE_ARRAY_OF_MAPS;
	struct error err = { 0 };
	const struct object_map *calls, *outer;
	struct maps m;

	build(&m, type, 4);
	slot(&m, 24 + 24 + 16, m.s.one);
	slot(&m, 24 + 24, m.s.two);
	slot(&m, 72 + 24 + 8, m.array);
	slot(&m, 72 + 24 + 16, m.weak);
	ck_assert_msg(!sample_parse(&m.s, &err), "%s: %s", err.where, err.what);
	calls = map(&m, "calls");
	outer = map(&m, "outer");
	ck_assert_uint_eq(calls->nr_slots, 2);
	ck_assert_uint_eq(calls->slots[0].index, 0);
	ck_assert_str_eq(m.s.obj.progs[calls->slots[0].target].name, "two");
	ck_assert_uint_eq(calls->slots[1].index, 2);
	ck_assert_str_eq(m.s.obj.progs[calls->slots[1].target].name, "one");
	ck_assert_uint_eq(outer->nr_slots, 1);
	ck_assert_uint_eq(outer->slots[0].index, 1);
	ck_assert_str_eq(m.s.obj.maps[outer->slots[0].target].name, "array");
	ck_assert_uint_eq(map(&m, "array")->nr_slots, 0);
	sample_free(&m.s);
}

/* A static map or program is named by its section, and how far in stands in the slot itself. */
TEST(addend_stands_in_the_slot)
{
	struct error err = { 0 };
	const struct object_map *calls;
	struct maps m;

	build(&m, BPF_MAP_TYPE_ARRAY_OF_MAPS, 4);
	slot(&m, 24 + 24, eb_symbol(&m.s.elf, "", m.s.prog, 0, 0, STB_GLOBAL, STT_SECTION));
	buffer_poke(&m.s.elf.sections[m.section].data, 24 + 24, 8, 9 * sizeof(struct bpf_insn),
		    HOST_BIG_ENDIAN);
	ck_assert_msg(!sample_parse(&m.s, &err), "%s: %s", err.where, err.what);
	calls = map(&m, "calls");
	ck_assert_uint_eq(calls->nr_slots, 1);
	ck_assert_str_eq(m.s.obj.progs[calls->slots[0].target].name, "two");
	sample_free(&m.s);
}

static void other_field(struct maps *m) { slot(m, 24 + 16, m->s.one); }
static void no_values(struct maps *m) { slot(m, 8, m->s.one); }
static void half_a_slot(struct maps *m) { slot(m, 24 + 24 + 4, m->s.one); }
static void subprogram(struct maps *m) { slot(m, 24 + 24, m->s.mid); }
static void data_as_prog(struct maps *m) { slot(m, 24 + 24, m->s.value); }
static void map_as_prog(struct maps *m) { slot(m, 24 + 24, m->array); }
static void prog_as_map(struct maps *m) { slot(m, 72 + 24, m->s.one); }
static void map_of_maps(struct maps *m) { slot(m, 72 + 24, m->outer); }
static void undefined(struct maps *m) { slot(m, 72 + 24, m->undefined); }

static void behind_the_map(struct maps *m)
{
	buffer_add(&m->s.elf.sections[m->section].data, NULL, 8);
	slot(m, 120, m->s.one);
}

static void filled_twice(struct maps *m)
{
	slot(m, 24 + 32, m->s.one);
	slot(m, 24 + 32, m->s.two);
}

static void last_twice(struct maps *m)
{
	slot(m, 24 + 24, m->s.one);
	slot(m, 24 + 32, m->s.one);
	slot(m, 24 + 40, m->s.two);
	slot(m, 24 + 40, m->s.one);
}

static void amid_a_map(struct maps *m)
{
	slot(m, 72 + 24, m->array);
	buffer_poke(&m->s.elf.sections[m->section].data, 72 + 24, 8, 8, HOST_BIG_ENDIAN);
}

static void amid_an_insn(struct maps *m)
{
	slot(m, 24 + 24, m->s.one);
	buffer_poke(&m->s.elf.sections[m->section].data, 24 + 24, 8, 3, HOST_BIG_ENDIAN);
}

static void of_32_bits(struct maps *m)
{
	eb_reloc(&m->s.elf, m->section, 24 + 24, R_BPF_64_ABS32, m->s.one, 0);
}

static const struct {
	const char *name;
	void (*change)(struct maps *m);
	struct expect expect;
} broken[] = {
	{ "another field", other_field,
	  { EBADMSG, ".rel.maps[0] at 0x28", "'calls': byte 16", "only .values" } },
	{ "a map without", no_values,
	  { EBADMSG, ".rel.maps[0] at 0x8", "'array'", "only .values" } },
	{ "half a slot", half_a_slot, { EBADMSG, ".rel.maps[0]", "not the start of a .values slot", NULL } },
	{ "behind the map", behind_the_map,
	  { EBADMSG, ".rel.maps[0] at 0x78", "not inside a map", NULL } },
	{ "twice", filled_twice,
	  { EBADMSG, "map 'calls'", "slot 1 is filled twice", NULL, "object/slot" } },
	{ "the last twice", last_twice,
	  { EBADMSG, "map 'calls'", "slot 2 is filled twice", NULL, "object/slot" } },
	{ "a subprogram", subprogram,
	  { EBADMSG, "map 'calls', slot 0", "'mid' is a subprogram", "PROGRAM" } },
	{ "data", data_as_prog,
	  { EBADMSG, "map 'calls', slot 0", "'value' is not a program", "PROGRAM" } },
	{ "a map for a program", map_as_prog, { EBADMSG, "map 'calls'", "is not a program", NULL } },
	{ "a program for a map", prog_as_map,
	  { EBADMSG, "map 'outer', slot 0", "'one' is not a map", "&MAP" } },
	{ "a map of maps", map_of_maps, { EBADMSG, "map 'outer'", "one level", NULL } },
	{ "undefined", undefined, { ENOTSUP, ".rel.maps[0]", "'nowhere'", "declare it weak" } },
	{ "amid a map", amid_a_map, { EBADMSG, "map 'outer'", "0x8 of section '.maps'", NULL } },
	{ "amid an instruction", amid_an_insn, { EBADMSG, "map 'calls'", "0x3 of section", NULL } },
	{ "of 32 bits", of_32_bits, { EBADMSG, ".rel.maps[0]", "relocation type 3", NULL } },
};

TEST_ROWS(broken_slots, broken)
{
	struct error err = { 0 };
	struct maps m;
	int ret;

	build(&m, BPF_MAP_TYPE_ARRAY_OF_MAPS, 4);
	broken[_i].change(&m);
	ret = sample_parse(&m.s, &err);
	expect_error(broken[_i].name, ret, &err, &broken[_i].expect);
	sample_free(&m.s);
}

/* The description of the inner maps is that of the outer one, and so on without an end. */
TEST(describes_itself)
{
	const struct expect expect = { EBADMSG, "map 'm': inner map", "one level", NULL };
	struct error err = { 0 };
	struct sample s;
	struct mb_field fields[2];
	uint32_t itself;

	sample_build(&s, false, false);
	fields[0] = (struct mb_field){ "type", mb_uint(&s, BPF_MAP_TYPE_ARRAY_OF_MAPS) };
	itself = s.btf.nr_types + 3;	/* behind the pointer and the array, which come now */
	fields[1] = (struct mb_field){ "values", mb_values(&s, itself) };
	ck_assert_uint_eq(mb_map(&s, fields, 2), s.elf.nr_sections - 1);
	expect_error("itself", sample_parse(&s, &err), &err, &expect);
	sample_free(&s);
}

TEST(long_key)
{
	const struct expect expect = { EBADMSG, "map 'outer'", "key has 8 bytes", NULL };
	struct error err = { 0 };
	struct maps m;

	build(&m, BPF_MAP_TYPE_HASH_OF_MAPS, 8);
	slot(&m, 72 + 24, m.array);
	expect_error("a key of 8 bytes", sample_parse(&m.s, &err), &err, &expect);
	sample_free(&m.s);
}

/* @nr arenas, and the section of variables with @size bytes that end in a 7. */
static uint32_t arenas(struct sample *s, uint32_t nr, uint32_t size)
{
	const char *const names[] = { "first", "second" };
	struct mb_map maps[2];
	uint32_t section;

	sample_build(s, false, false);
	const struct mb_field fields[] = {
		{ "type", mb_uint(s, BPF_MAP_TYPE_ARENA) },
		{ "max_entries", mb_uint(s, 10) },
	};
	for (uint32_t i = 0; i < nr; i++)
		maps[i] = (struct mb_map){ names[i], mb_struct(s, fields, 2), 16 };
	if (nr)
		mb_maps(s, maps, nr);
	section = eb_data(&s->elf, ".addr_space.1", NULL, size);
	buffer_poke(&s->elf.sections[section].data, size - 1, 1, 7, false);
	return section;
}

TEST(arena_begins_with_its_section)
{
	struct error err = { 0 };
	struct object_map *arena;
	struct prog_code code;
	struct sample s;
	uint32_t section = arenas(&s, 1, 24), prog = 0;

	/* hits is a map no more: its load becomes that of a variable, 16 bytes in. */
	sample_reloc(&s, RELOC_HITS, 0, R_BPF_64_64,
		     eb_symbol(&s.elf, "x", section, 16, 8, STB_GLOBAL, STT_OBJECT));
	ck_assert_msg(!sample_parse(&s, &err), "%s: %s", err.where, err.what);
	ck_assert_int_eq(s.obj.code[1].relocs[0].kind, OBJECT_RELOC_DATA);
	arena = &s.obj.maps[s.obj.code[1].relocs[0].index];
	ck_assert_str_eq(arena->name, "first");
	ck_assert_uint_eq(s.obj.code[1].relocs[0].offset, 16);
	ck_assert_uint_eq(arena->data_size, 24);
	ck_assert_uint_eq(arena->content[23], 7);
	/* Its last page has them. */
	arena->data_at = object_arena_end(arena);
	ck_assert_uint_eq(arena->data_at,
			  (arena->max_entries - UINT64_C(1)) * sysconf(_SC_PAGESIZE));
	while (strcmp(s.obj.progs[prog].name, "one"))
		prog++;
	ck_assert_int_eq(relocate(&s.obj, prog, NULL, &code, &err), 0);
	ck_assert_uint_eq(code.insns[0].src_reg, BPF_PSEUDO_MAP_VALUE);
	ck_assert_uint_eq((uint32_t)code.insns[1].imm, arena->data_at + 16);
	prog_code_free(&code);
	ck_assert_int_eq(object_set_variable(&s.obj, "x", "258", &err), 0);
	ck_assert_uint_eq(arena->content[HOST_BIG_ENDIAN ? 22 : 17], 1);
	sample_free(&s);
}

TEST_EACH(arena_is_refused, 4)
{
	static const struct expect expects[] = {
		{ EBADMSG, "'.addr_space.1'", "0 maps of type BPF_MAP_TYPE_ARENA", "define one" },
		{ ENOTSUP, "'.addr_space.1'", "initialized with an address", NULL },
		{ EBADMSG, "'.addr_space.1'", "2 maps of type BPF_MAP_TYPE_ARENA", "one arena" },
		{ EBADMSG, "'.addr_space.1'", "also has arena variables", NULL },
	};
	struct error err = { 0 };
	struct sample s;
	uint32_t section = arenas(&s, _i == 3 ? 1 : _i, 24);

	if (_i == 1)
		eb_reloc(&s.elf, section, 0, R_BPF_64_ABS64, s.value, 0);
	if (_i == 3)
		eb_data(&s.elf, ".addr_space.1", NULL, 8);
	expect_error("arena", sample_parse(&s, &err), &err, &expects[_i]);
	sample_free(&s);
}
