// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Linking: what is in the instructions, func_info and line_info afterwards; and real objects, given
 * as arguments.
 */
#include <errno.h>
#include <glob.h>
#include <stdio.h>

#include "loader/objects/co_re/co_re.h"
#include "test/unit/common/expect.h"
#include "test/unit/common/map_builder.h"
#include "test/unit/common/object_builder.h"
#include "test/unit/common/suite.h"

static const int fds[] = { 100, 101, 102, 103 };

/* They belong to the test that runs. */
static struct sample s;
static struct prog_code code;
static struct error err;

static void end(void)
{
	prog_code_free(&code);
	sample_free(&s);
	memset(&code, 0, sizeof(code));
	error_clear(&err);
}

TEST_FIXTURE(NULL, end)

static uint32_t find_map(const struct bpf_object *obj, const char *name)
{
	for (uint32_t i = 0; i < obj->nr_maps; i++)
		if (!strcmp(obj->maps[i].name, name))
			return i;
	ck_abort_msg("no map '%s'", name);
}

static uint32_t find_prog(const struct bpf_object *obj, const char *name)
{
	for (uint32_t i = 0; i < obj->nr_progs; i++)
		if (!strcmp(obj->progs[i].name, name))
			return i;
	ck_abort_msg("no program '%s'", name);
}

static void parse(void)
{
	ck_assert_msg(!sample_parse(&s, &err), "%s: %s", err.where, err.what);
}

static void link_prog(const char *name)
{
	int ret = relocate(&s.obj, find_prog(&s.obj, name), fds, &code, &err);

	ck_assert_msg(!ret, "%s: %s", err.where, err.what);
}

static void check_insn(uint32_t i, uint8_t code_byte, uint8_t src, int32_t imm)
{
	ck_assert_uint_lt(i, code.nr_insns);
	ck_assert_msg(code.insns[i].code == code_byte, "insn %u: code %#x", i,
		      code.insns[i].code);
	ck_assert_msg(code.insns[i].src_reg == src, "insn %u: src_reg %u", i,
		      code.insns[i].src_reg);
	ck_assert_msg(code.insns[i].imm == imm, "insn %u: imm %d, not %d", i, code.insns[i].imm,
		      imm);
}

#define LDIMM64 (BPF_LD | BPF_IMM | BPF_DW)
#define CALL (BPF_JMP | BPF_CALL)
#define EXIT (BPF_JMP | BPF_EXIT)
#define MOV (BPF_ALU64 | BPF_MOV | BPF_K)

/* one @ 0, then in the order they are met: mid @ 9, leaf @ 11, cb @ 13. _i: REL and RELA. */
TEST_EACH(all_kinds_are_patched, 2)
{
	sample_build(&s, false, _i);
	/* Linking overwrites the second half of an ldimm64 that refers to a map or a function. */
	sample_imm(&s, s.prog, 1, 5);
	sample_imm(&s, s.prog, 7, 5);
	parse();
	/* As in an arena, whose variables do not begin at 0. */
	s.obj.maps[find_map(&s.obj, ".data")].data_at = 4;
	link_prog("one");
	ck_assert_uint_eq(code.nr_insns, 15);
	check_insn(0, LDIMM64, BPF_PSEUDO_MAP_FD, fds[find_map(&s.obj, "hits")]);
	check_insn(1, 0, 0, 0);
	check_insn(2, LDIMM64, BPF_PSEUDO_MAP_VALUE, fds[find_map(&s.obj, ".data")]);
	check_insn(3, 0, 0, 4 + 4);
	check_insn(4, CALL, BPF_PSEUDO_CALL, 9 - 4 - 1);
	check_insn(5, CALL, BPF_PSEUDO_CALL, 11 - 5 - 1);
	check_insn(6, LDIMM64, BPF_PSEUDO_FUNC, 13 - 6 - 1);
	check_insn(7, 0, 0, 0);
	check_insn(8, EXIT, 0, 0);
	check_insn(9, CALL, BPF_PSEUDO_CALL, 11 - 9 - 1);
	check_insn(11, MOV, 0, 7);
	check_insn(13, MOV, 0, 0);
	ck_assert_uint_eq(code.insns[2].dst_reg, 2);
	ck_assert_uint_eq(code.insns[6].dst_reg, 3);
	ck_assert_uint_eq(code.nr_map_refs, 2);
	ck_assert_uint_eq(code.map_refs[0].insn, 0);
	ck_assert_uint_eq(code.map_refs[0].map, find_map(&s.obj, "hits"));
	ck_assert_uint_eq(code.map_refs[1].insn, 2);
	ck_assert_uint_eq(code.map_refs[1].map, find_map(&s.obj, ".data"));
}

/* A program that begins inside its section, and a static map by its section and offset. */
TEST_EACH(second_program_is_alone, 2)
{
	sample_build(&s, false, _i);
	parse();
	link_prog("two");
	ck_assert_uint_eq(code.nr_insns, 3);
	check_insn(0, LDIMM64, BPF_PSEUDO_MAP_FD, fds[find_map(&s.obj, "quiet")]);
	ck_assert_uint_eq(code.nr_map_refs, 1);
	ck_assert_uint_eq(code.nr_func_info, 1);
	ck_assert_uint_eq(code.nr_line_info, 1);
	ck_assert_uint_eq(code.line_info[0].insn_off, 0);
	ck_assert_uint_eq(BPF_LINE_INFO_LINE_NUM(code.line_info[0].line_col), 10 + 9);
}

TEST(info_moves_along)
{
	static const uint32_t func_offs[] = { 0, 9, 11, 13 }, line_offs[] = { 0, 5, 9, 11, 13 };
	static const char *const names[] = { "one", "mid", "leaf", "cb" };
	static const uint32_t lines[] = { 10, 99, 12, 10, 14 };

	sample_build(&s, false, false);
	parse();
	link_prog("one");
	ck_assert_uint_eq(code.nr_func_info, 4);
	for (int i = 0; i < 4; i++) {
		ck_assert_uint_eq(code.func_info[i].insn_off, func_offs[i]);
		ck_assert_str_eq(btf_type(&s.obj.btf, code.func_info[i].type_id).name, names[i]);
	}
	ck_assert_uint_eq(code.nr_line_info, 5);
	for (int i = 0; i < 5; i++) {
		ck_assert_uint_eq(code.line_info[i].insn_off, line_offs[i]);
		ck_assert_uint_eq(BPF_LINE_INFO_LINE_NUM(code.line_info[i].line_col), lines[i]);
	}
	ck_assert_str_eq(btf_string(&s.obj.btf, code.line_info[1].line_off), "inside");
}

/* The kernel accepts one line for each instruction: of two lines the first is kept. */
TEST(lines_ascend_strictly)
{
	sample_build(&s, false, false);
	s.btf.nr_records = 0;
	for (int i = 0; i < 5; i++)
		bb_line_info(&s.btf, "perf_event", 8 * (9 + i / 2), "sample.c", "x", 20 + i, 1);
	parse();
	link_prog("two");
	ck_assert_uint_eq(code.nr_line_info, 3);
	for (uint32_t i = 0; i < 3; i++) {
		ck_assert_uint_eq(code.line_info[i].insn_off, i);
		ck_assert_uint_eq(BPF_LINE_INFO_LINE_NUM(code.line_info[i].line_col), 20 + 2 * i);
	}
}

/*
 * The kernel refuses func_info and line_info that leave a function out: then there is none at all.
 */
TEST(info_of_some_functions_is_none)
{
	sample_build(&s, false, false);
	s.btf.nr_records = 0;
	bb_func_info(&s.btf, "perf_event", 0, s.type_one);
	bb_line_info(&s.btf, "perf_event", 0, "sample.c", "x", 1, 1);
	parse();
	link_prog("one");
	ck_assert_uint_eq(code.nr_func_info, 0);
	ck_assert_uint_eq(code.nr_line_info, 0);
}

/* An object may have one of the two alone. */
TEST_EACH(info_of_one_kind, 2)
{
	sample_build(&s, false, false);
	s.btf.nr_records = 0;
	for (uint32_t i = 0; i < 4; i++) {
		const char *section = i ? ".text" : "perf_event";
		const uint32_t at = i ? 16 * (i - 1) : 0;

		if (_i)
			bb_line_info(&s.btf, section, at, "sample.c", "x", 1 + i, 1);
		else
			bb_func_info(&s.btf, section, at, s.type_one);
	}
	parse();
	link_prog("one");
	ck_assert_uint_eq(code.nr_func_info, _i ? 0 : 4);
	ck_assert_uint_eq(code.nr_line_info, _i ? 4 : 0);
}

TEST(without_btf)
{
	sample_build(&s, false, false);
	s.btf.nr_types = 0;
	parse();
	ck_assert(!s.obj.has_btf);
	link_prog("one");
	ck_assert_uint_eq(code.nr_insns, 15);
	ck_assert_uint_eq(code.nr_func_info, 0);
	ck_assert_uint_eq(code.nr_line_info, 0);
}

TEST(no_fds_leaves_zero)
{
	sample_build(&s, false, false);
	parse();
	ck_assert_int_eq(relocate(&s.obj, 0, NULL, &code, &err), 0);
	check_insn(0, LDIMM64, BPF_PSEUDO_MAP_FD, 0);
	check_insn(2, LDIMM64, BPF_PSEUDO_MAP_VALUE, 0);
	check_insn(3, 0, 0, 4);
}

/* leaf calls itself and mid: each is linked once all the same. */
TEST(recursion_links_once)
{
	sample_build(&s, false, false);
	buffer_poke(&s.elf.sections[s.text].data, 0, 1, CALL, false);
	buffer_poke(&s.elf.sections[s.text].data, 1, 1,
		    HOST_BIG_ENDIAN ? BPF_PSEUDO_CALL : BPF_PSEUDO_CALL << 4, false);
	sample_imm(&s, s.text, 0, -1);
	buffer_poke(&s.elf.sections[s.text].data, 8, 1, CALL, false);
	buffer_poke(&s.elf.sections[s.text].data, 9, 1,
		    HOST_BIG_ENDIAN ? BPF_PSEUDO_CALL : BPF_PSEUDO_CALL << 4, false);
	sample_imm(&s, s.text, 1, 0);
	parse();
	link_prog("one");
	ck_assert_uint_eq(code.nr_insns, 15);
	check_insn(11, CALL, BPF_PSEUDO_CALL, -1);
	check_insn(12, CALL, BPF_PSEUDO_CALL, 9 - 12 - 1);
}

TEST(foreign_byte_order_is_refused)
{
	static const struct expect expect = {
		ENOEXEC, "sample.o", HOST_BIG_ENDIAN ? "little-endian" : "big-endian",
		HOST_BIG_ENDIAN ? "bpfeb" : "bpfel"
	};

	sample_build(&s, true, false);
	parse();
	expect_error("other order", relocate(&s.obj, 0, fds, &code, &err), &err, &expect);
	ck_assert_ptr_null(code.insns);
}

TEST(too_large_is_refused)
{
	static const struct expect expect = { E2BIG, "sample.o: function 'leaf'",
					      "exceeds 1000000", NULL };

	sample_build(&s, false, false);
	s.btf.nr_types = 0;
	buffer_add(&s.elf.sections[s.text].data, NULL, 8 * 1000000);
	s.elf.symbols[s.leaf].sym.st_value = 6 * 8;
	s.elf.symbols[s.leaf].sym.st_size = 8 * 1000000;
	sample_imm(&s, s.text, 2, 6 - 2 - 1);
	sample_reloc(&s, RELOC_LEAF, 5 * 8, R_BPF_64_32, s.leaf);
	parse();
	expect_error("a million and more", relocate(&s.obj, 0, fds, &code, &err), &err, &expect);
}

/* --- relocations that are not supported, in code that is linked --- */

static void call_undefined(void) { s.elf.symbols[s.mid].section = SHN_UNDEF; }

static void load_from(uint32_t section)
{
	uint32_t symbol = eb_symbol(&s.elf, "there", section, 0, 0, STB_GLOBAL, STT_NOTYPE);

	sample_reloc(&s, RELOC_HITS, 0, R_BPF_64_64, symbol);
}

static void load_undefined(void) { load_from(SHN_UNDEF); }
static void load_absolute(void) { load_from(SHN_ABS); }
static void load_elsewhere(void) { load_from(s.license); }

static void declare(const char *datasec, const char *name)
{
	uint32_t var = bb_var(&s.btf, name, s.type_int, BTF_VAR_GLOBAL_EXTERN);

	bb_datasec(&s.btf, datasec, 0);
	bb_datasec_var(&s.btf, var, 0, 4);
}

static void call_kfunc(void)
{
	uint32_t func = bb_func(&s.btf, "mid", bb_proto(&s.btf, s.type_int), BTF_FUNC_EXTERN);

	call_undefined();
	bb_datasec(&s.btf, ".ksyms", 0);
	bb_datasec_var(&s.btf, func, 0, 0);
}

static void load_ksym(void)
{
	load_undefined();
	declare(".ksyms", "there");
}

static void load_kconfig(void)
{
	load_undefined();
	declare(".kconfig", "there");
}

/* The only map of its object, and one beside a map that lies at the offset that it has in BTF. */
static void load_extern_map(void)
{
	load_undefined();
	declare(".maps", "there");
}

static void load_second_extern_map(void)
{
	const struct mb_field type = { "type", mb_uint(&s, BPF_MAP_TYPE_ARRAY) };
	const uint32_t var = bb_var(&s.btf, "there", s.type_int, BTF_VAR_GLOBAL_EXTERN);

	load_undefined();
	mb_map(&s, &type, 1);
	bb_datasec_var(&s.btf, var, 0, 8);
}

static void core(void) { bb_core_relo(&s.btf, "perf_event", 5 * 8, s.type_int, "0:1", 0); }
static void core_in_called(void) { bb_core_relo(&s.btf, ".text", 3 * 8, s.type_int, "0", 12); }

static const struct {
	const char *name;
	void (*change)(void);
	struct expect expect;
} unresolved[] = {
	{ "call undefined", call_undefined,
	  { ENOTSUP, "sample.o: .relperf_event[2] at 0x20", "symbol 'mid' is undefined",
	    "define it" } },
	{ "load undefined", load_undefined,
	  { ENOTSUP, "sample.o: .relperf_event[0] at 0x0", "symbol 'there' is undefined",
	    "define it" } },
	{ "load absolute", load_absolute,
	  { ENOTSUP, ".relperf_event[0]", "'there' has an absolute value", "constant",
	    "object/relocation" } },
	{ "load from elsewhere", load_elsewhere,
	  { ENOTSUP, ".relperf_event[0]", "'there' is in section 'license'", ".rodata" } },
	{ "kfunc", call_kfunc,
	  { ENOTSUP, ".relperf_event[2]", "'mid' is a kernel function (kfunc)", NULL } },
	{ "ksym", load_ksym,
	  { ENOTSUP, ".relperf_event[0]", "'there' is a kernel variable (ksym)", NULL } },
	{ "kconfig", load_kconfig,
	  { ENOTSUP, ".relperf_event[0]", "'there' is a value of the kernel's config", NULL } },
	{ "extern map", load_extern_map,
	  { ENOTSUP, ".relperf_event[0]", "map 'there' is extern", "bpftool gen object" } },
	{ "second extern map", load_second_extern_map,
	  { ENOTSUP, ".relperf_event[0]", "map 'there' is extern", "bpftool gen object" } },
	{ "CO-RE", core,
	  { ENOTSUP, "sample.o: function 'one', section 'perf_event' at 0x28",
	    "field_byte_offset of 'int int', access '0:1'", "preserve_access_index" } },
	{ "CO-RE in a called function", core_in_called,
	  { ENOTSUP, "function 'mid', section '.text' at 0x18",
	    "type_matches of 'int int', access '0'", NULL } },
};

TEST_ROWS(unresolved_is_named, unresolved)
{
	sample_build(&s, false, false);
	unresolved[_i].change();
	parse();
	/* The other program does not have it. */
	link_prog("two");
	prog_code_free(&code);
	expect_error(unresolved[_i].name,
		     relocate(&s.obj, find_prog(&s.obj, "one"), fds, &code, &err), &err,
		     &unresolved[_i].expect);
	ck_assert_ptr_null(code.insns);
}

/* --- real objects: arguments, and the directory that $PROGS names --- */

static glob_t objects;

static struct buffer read_file(const char *path)
{
	struct buffer b = { 0 };
	char chunk[4096];
	size_t n;
	FILE *f = fopen(path, "rb");

	ck_assert_msg(f, "%s: %s", path, strerror(errno));
	while ((n = fread(chunk, 1, sizeof(chunk), f)) > 0)
		buffer_add(&b, chunk, n);
	fclose(f);
	return b;
}

/*
 * The number of relocations of instructions in [@first, @end) of the section, by the ELF file's own
 * table.
 */
static uint32_t count_relocs(const struct bpf_object *obj, uint32_t section, uint32_t first,
			     uint32_t end)
{
	uint32_t nr = 0;

	for (uint32_t i = 1; i < obj->image.nr_sections; i++) {
		if (!elf_section_is_reloc(&obj->image, i) || obj->image.sections[i].info != section)
			continue;
		for (uint32_t k = 0; k < elf_reloc_count(&obj->image, i); k++) {
			uint64_t insn = elf_reloc_get(&obj->image, i, k).offset / 8;

			nr += insn >= first && insn < end;
		}
	}
	return nr;
}

/*
 * Each instruction that the file marks for a relocation has the value that its kind leaves there.
 */
static void check_patched(const char *path, const struct bpf_object *obj,
			  const struct object_func *f, const struct bpf_insn *insns,
			  uint32_t nr_insns, const int *map_fds)
{
	const struct object_code_section *c = obj->code;
	uint32_t patched = 0;

	while (c->section != f->section)
		c++;
	for (uint32_t i = 0; i < c->nr_relocs; i++) {
		const struct object_reloc *r = &c->relocs[i];
		uint32_t at = r->insn - f->first_insn;
		bool data = r->kind == OBJECT_RELOC_DATA;

		if (r->insn < f->first_insn || at >= f->insn_cnt)
			continue;
		patched++;
		if (data || r->kind == OBJECT_RELOC_MAP) {
			ck_assert_int_eq(insns[at].src_reg,
					 data ? BPF_PSEUDO_MAP_VALUE : BPF_PSEUDO_MAP_FD);
			ck_assert_int_eq(insns[at].imm, map_fds[r->index]);
			ck_assert_int_eq(insns[at + 1].imm, data ? (int)r->offset : 0);
		} else {
			int64_t to = (int64_t)at + 1 + insns[at].imm;
			struct bpf_insn first = insns[to];

			ck_assert_int_eq(insns[at].src_reg, r->kind == OBJECT_RELOC_CALL ?
								    BPF_PSEUDO_CALL :
								    BPF_PSEUDO_FUNC);
			ck_assert_msg(to > 0 && to < nr_insns, "%s: call of %s leads to %lld", path,
				      obj->funcs[r->index].name, (long long)to);
			ck_assert_int_eq(first.code,
					 obj->image.sections[obj->funcs[r->index].section]
						 .data.data[obj->funcs[r->index].first_insn * 8]);
		}
	}
	ck_assert_uint_ge(patched,
			  count_relocs(obj, f->section, f->first_insn, f->first_insn + f->insn_cnt));
}

TEST(real_objects_link)
{
	if (!objects.gl_pathc)
		suite_skip("no objects given, neither as arguments nor in $PROGS");
	for (size_t i = 0; i < objects.gl_pathc; i++) {
		struct buffer file = read_file(objects.gl_pathv[i]);
		struct bpf_object obj;
		struct co_re core;
		int *map_fds;

		ck_assert_msg(
			!bpf_object_parse(&obj, objects.gl_pathv[i], buffer_bytes(&file), &err),
			"%s: %s", err.where, err.what);
		co_re_init(&core, NULL, &obj, true); /* CO-RE is looked at elsewhere */
		map_fds = calloc(obj.nr_maps + 1, sizeof(*map_fds));
		for (uint32_t m = 0; m < obj.nr_maps; m++)
			map_fds[m] = 1000 + m;
		/* Objects with externs depend on the running kernel; other tests link them. */
		for (uint32_t p = 0; p < obj.nr_progs && !obj.nr_externs; p++) {
			ck_assert_msg(!relocate(&obj, p, map_fds, &code, &err), "%s: %s", err.where,
				      err.what);
			check_patched(objects.gl_pathv[i], &obj, &obj.funcs[obj.progs[p].func],
				      code.insns, code.nr_insns, map_fds);
			ck_assert_uint_gt(code.nr_func_info, 0);
			ck_assert_uint_gt(code.nr_line_info, 0);
			prog_code_free(&code);
			memset(&code, 0, sizeof(code));
		}
		free(map_fds);
		bpf_object_free(&obj);
		buffer_free(&file);
	}
}

static void find_objects(int argc, char **argv)
{
	char pattern[4096];

	for (int i = 1; i < argc; i++)
		glob(argv[i], objects.gl_pathc ? GLOB_APPEND : 0, NULL, &objects);
	if (!getenv("PROGS"))
		return;
	snprintf(pattern, sizeof(pattern), "%s/*.bpf.o", getenv("PROGS"));
	glob(pattern, objects.gl_pathc ? GLOB_APPEND : 0, NULL, &objects);
}

int main(int argc, char **argv)
{
	int status;

	find_objects(argc, argv);
	status = suite_main(suite_registered());
	globfree(&objects);
	return status;
}
