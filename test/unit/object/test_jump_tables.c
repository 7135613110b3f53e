// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Jump tables of switch statements as clang 22 writes them, linked into programs. */
#include <errno.h>

#include "test/unit/common/elf_builder.h"
#include "test/unit/common/expect.h"
#include "test/unit/common/suite.h"

#include "loader/core/object/relocate.h"

#define INSN sizeof(struct bpf_insn)
#define GOTOX (BPF_JMP | BPF_JA | BPF_X)

/*
 *	.text		 0 first: mov, exit
 *			 2 choose: load CASES; read; gotox; mov 1; exit; mov 2; exit
 *	perf_event	 0 caller: call choose; exit
 *			 2 direct: load ONE; read; gotox; exit
 *	.jumptables	 CASES: choose + 4, choose + 6, choose + 4; ONE: direct + 3
 */
struct sample {
	struct elf_builder elf;
	struct buffer file;
	uint32_t text, prog, tables, cases, one;
	struct bpf_object obj;
};

static void add_switch(struct elf_builder *e, uint32_t section, uint32_t symbol)
{
	eb_reloc(e, section, eb_ld_imm64(e, section, 3, 0, 0), R_BPF_64_64, symbol, 0);
	eb_insn(e, section, BPF_LDX | BPF_MEM | BPF_DW, 2, 3, 0, 0);
	eb_insn(e, section, GOTOX, 2, 0, 0, 0);
}

static void add_return(struct elf_builder *e, uint32_t section, int32_t value)
{
	eb_insn(e, section, BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, value);
	eb_exit(e, section);
}

static void build(struct sample *s, bool foreign, uint64_t size)
{
	static const uint64_t entries[] = { 6 * INSN, 8 * INSN, 6 * INSN, 5 * INSN };
	struct elf_builder *e = &s->elf;
	uint32_t choose;

	memset(s, 0, sizeof(*s));
	e->foreign = foreign;
	s->text = eb_prog(e, ".text");
	s->prog = eb_prog(e, "perf_event");
	s->tables = eb_section(e, ".jumptables", SHT_PROGBITS, 0, NULL, 0);
	for (int i = 0; i < NR(entries); i++)
		buffer_put(&e->sections[s->tables].data, 8, entries[i], eb_big_endian(e));
	eb_data(e, "license", "GPL", 4);
	eb_symbol(e, "first", s->text, 0, 2 * INSN, STB_LOCAL, STT_FUNC);
	choose = eb_symbol(e, "choose", s->text, 2 * INSN, 8 * INSN, STB_GLOBAL, STT_FUNC);
	eb_symbol(e, "caller", s->prog, 0, 2 * INSN, STB_GLOBAL, STT_FUNC);
	eb_symbol(e, "direct", s->prog, 2 * INSN, 5 * INSN, STB_GLOBAL, STT_FUNC);
	s->cases = eb_symbol(e, "BPF.JT.0.0", s->tables, 0, size, STB_GLOBAL, STT_OBJECT);
	s->one = eb_symbol(e, "BPF.JT.1.0", s->tables, 24, 8, STB_GLOBAL, STT_OBJECT);
	add_return(e, s->text, 0);
	add_switch(e, s->text, s->cases);
	add_return(e, s->text, 1);
	add_return(e, s->text, 2);
	eb_reloc(e, s->prog, eb_call(e, s->prog, BPF_PSEUDO_CALL, -1), R_BPF_64_32, choose, 0);
	eb_exit(e, s->prog);
	add_switch(e, s->prog, s->one);
	eb_exit(e, s->prog);
}

static int parse(struct sample *s, struct error *err)
{
	s->file = eb_finish(&s->elf);
	return bpf_object_parse(&s->obj, "prog.o", buffer_bytes(&s->file), err);
}

static int link_prog(struct sample *s, const char *name, struct prog_code *code, struct error *err)
{
	uint32_t i = 0;

	while (strcmp(s->obj.progs[i].name, name))
		ck_assert_uint_lt(++i, s->obj.nr_progs);
	return relocate(&s->obj, i, NULL, code, err);
}

static void end(struct sample *s)
{
	bpf_object_free(&s->obj);
	buffer_free(&s->file);
}

/* A table counts from the start of the program, whatever precedes its function in both. */
TEST(entries_move_with_their_function)
{
	struct prog_code code;
	struct error err = { 0 };
	struct sample s;

	build(&s, false, 24);
	ck_assert_msg(!parse(&s, &err), "%s: %s", err.where, err.what);
	ck_assert_msg(!link_prog(&s, "caller", &code, &err), "%s: %s", err.where, err.what);
	ck_assert_uint_eq(code.nr_insns, 10);
	ck_assert_uint_eq(code.nr_jump_tables, 1);
	ck_assert_uint_eq(code.jump_tables[0].insn, 2);
	ck_assert_uint_eq(code.jump_tables[0].nr, 3);
	ck_assert_int_eq(code.jump_tables[0].map_fd, -1);
	ck_assert_uint_eq(code.jump_tables[0].targets[0], 6);
	ck_assert_uint_eq(code.jump_tables[0].targets[1], 8);
	ck_assert_uint_eq(code.jump_tables[0].targets[2], 6);
	ck_assert_int_eq(code.insns[code.jump_tables[0].targets[0]].imm, 1);
	ck_assert_int_eq(code.insns[code.jump_tables[0].targets[1]].imm, 2);
	ck_assert_uint_eq(code.insns[2].src_reg, BPF_PSEUDO_MAP_VALUE);
	ck_assert_int_eq(code.insns[3].imm, 0);
	ck_assert_uint_eq(code.insns[5].code, GOTOX);
	ck_assert_uint_eq(code.nr_map_refs, 0);
	prog_code_free(&code);
	ck_assert_msg(!link_prog(&s, "direct", &code, &err), "%s: %s", err.where, err.what);
	ck_assert_uint_eq(code.nr_jump_tables, 1);
	ck_assert_uint_eq(code.jump_tables[0].insn, 0);
	ck_assert_uint_eq(code.jump_tables[0].nr, 1);
	ck_assert_uint_eq(code.jump_tables[0].targets[0], 3);
	prog_code_free(&code);
	end(&s);
}

/* An object of the other byte order is read, for pload show and the like. */
TEST(foreign)
{
	struct sample s;

	build(&s, true, 24);
	ck_assert_int_eq(parse(&s, NULL), 0);
	ck_assert_int_eq(s.obj.code[0].relocs[0].kind, OBJECT_RELOC_JUMP_TABLE);
	ck_assert_uint_eq(s.obj.code[0].relocs[0].index, s.cases);
	end(&s);
}

/* An entry of CASES, and what is wrong with it: refused when a program with it is linked. */
static const struct {
	uint64_t entry;
	struct expect e;
} entries[] = {
	{ 6 * INSN + 4, { EBADMSG, "prog.o", "entry 1 of jump table 'BPF.JT.0.0', 0x34", NULL } },
	{ 1 * INSN, { EBADMSG, "prog.o", "0x8, is not an instruction of function 'choose'", NULL } },
	{ 10 * INSN, { EBADMSG, "prog.o", "0x50, is not an instruction of function", NULL } },
	{ UINT64_MAX - 7, { EBADMSG, "prog.o", "0xfffffffffffffff8, is not an instruction", NULL } },
	{ UINT64_C(6) << 35 | 6 * INSN, { EBADMSG, "prog.o", "is not an instruction", NULL } },
};

TEST_ROWS(entry_outside, entries)
{
	struct prog_code code;
	struct error err = { 0 };
	struct sample s;

	build(&s, false, 24);
	buffer_poke(&s.elf.sections[s.tables].data, 8, 8, entries[_i].entry,
		    eb_big_endian(&s.elf));
	ck_assert_int_eq(parse(&s, NULL), 0);
	expect_error("entry", link_prog(&s, "caller", &code, &err), &err, &entries[_i].e);
	ck_assert_ptr_null(code.jump_tables);
	ck_assert_int_eq(link_prog(&s, "direct", &code, NULL), 0);
	prog_code_free(&code);
	end(&s);
}

/* One table could be used by each instruction of a hostile object: there is a limit for all. */
TEST(too_many_entries)
{
	const struct expect e = { E2BIG, "prog.o", "more than 1000000 entries", NULL };
	const uint32_t many = 1000001;
	struct prog_code code;
	struct error err = { 0 };
	struct sample s;

	build(&s, false, many * sizeof(uint64_t));
	buffer_add(&s.elf.sections[s.tables].data, NULL, many * sizeof(uint64_t));
	ck_assert_int_eq(parse(&s, NULL), 0);
	expect_error("entries", link_prog(&s, "caller", &code, &err), &err, &e);
	end(&s);
}

/* Three tables of one function: the limit is for their sum. */
TEST_EACH(too_many_entries_in_sum, 2)
{
	const uint32_t each = _i ? 333334 : 333333;
	const struct expect e = { E2BIG, "prog.o", "more than 1000000 entries", NULL };
	struct elf_builder elf = { 0 };
	const uint32_t prog = eb_prog(&elf, "perf_event");
	const uint32_t tables = eb_section(&elf, ".jumptables", SHT_PROGBITS, 0, NULL, 0);
	struct sample s = { 0 };
	struct error err = { 0 };
	struct prog_code code;
	uint32_t table;

	buffer_add(&elf.sections[tables].data, NULL, each * sizeof(uint64_t));
	eb_data(&elf, "license", "GPL", 4);
	eb_symbol(&elf, "many", prog, 0, 7 * INSN, STB_GLOBAL, STT_FUNC);
	table = eb_symbol(&elf, "BPF.JT.0.0", tables, 0, each * sizeof(uint64_t), STB_GLOBAL,
			  STT_OBJECT);
	for (int i = 0; i < 3; i++)
		eb_reloc(&elf, prog, eb_ld_imm64(&elf, prog, 3, 0, 0), R_BPF_64_64, table, 0);
	eb_exit(&elf, prog);
	s.file = eb_finish(&elf);
	ck_assert_int_eq(bpf_object_parse(&s.obj, "prog.o", buffer_bytes(&s.file), &err), 0);
	if (_i) {
		expect_error("sum", link_prog(&s, "many", &code, &err), &err, &e);
	} else {
		ck_assert_msg(!link_prog(&s, "many", &code, &err), "%s", err.what);
		ck_assert_uint_eq(code.nr_targets, 3 * each);
		prog_code_free(&code);
	}
	end(&s);
}

/* Only a program that uses the table is refused. */
static void expect_refused(struct sample *s, const struct expect *e)
{
	struct error err = { 0 };
	struct prog_code code;

	ck_assert_msg(!parse(s, &err), "%s: %s", err.where, err.what);
	expect_error("table", link_prog(s, "caller", &code, &err), &err, e);
	error_clear(&err);
	end(s);
}

/* A size that reaches out of the section is refused for any symbol. */
static const uint64_t sizes[] = { 0, 12 };

TEST_ROWS(no_table, sizes)
{
	const struct expect e = { EBADMSG, ".rel.text[0]", "jump table 'BPF.JT.0.0' of ", NULL };
	struct sample s;

	build(&s, false, sizes[_i]);
	expect_refused(&s, &e);
}

TEST(inside_a_table)
{
	const struct expect e = { EBADMSG, ".rel.text[0]", "0x8 is not the start of a jump table", NULL };
	struct sample s;

	build(&s, false, 24);
	buffer_poke(&s.elf.sections[s.text].data, 2 * INSN + 4, 4, 8, eb_big_endian(&s.elf));
	expect_refused(&s, &e);
}

TEST(relocated_entries)
{
	const struct expect e = { ENOTSUP, ".rel.text[0]", "'.jumptables' are relocated", NULL };
	struct sample s;

	build(&s, false, 24);
	eb_reloc(&s.elf, s.tables, 0, R_BPF_64_ABS64, s.one, 0);
	expect_refused(&s, &e);
}
