// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Test which variable, member, map or parameter is named beside a register, and when none is. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/explain/kernel/refused.h"
#include "loader/explain/kernel/diagnosis.h"
#include "test/unit/common/expect.h"
#include "test/unit/common/output_check.h"
#include "test/unit/common/suite.h"

enum { DATA, HITS, NR_MAPS };

#define OP(c, d, s, o)	{ .code = (c), .dst_reg = (d), .src_reg = (s), .off = (o) }
#define CONFIG(d)	{ .code = BPF_LD | BPF_IMM | BPF_DW, .dst_reg = (d), \
			  .src_reg = BPF_PSEUDO_MAP_VALUE }, { .imm = 16 }
#define MAP(d)		{ .code = BPF_LD | BPF_IMM | BPF_DW, .dst_reg = (d), \
			  .src_reg = BPF_PSEUDO_MAP_FD }, { 0 }
#define LOOKUP		{ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_map_lookup_elem }
#define RESERVE		{ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_ringbuf_reserve }
#define LOAD(d, s, o)	OP(BPF_LDX | BPF_MEM | BPF_W, d, s, o)
#define LOAD8(d, s, o)	OP(BPF_LDX | BPF_MEM | BPF_DW, d, s, o)
#define MOV(d, s)	OP(BPF_ALU64 | BPF_MOV | BPF_X, d, s, 0)
#define ADD(d, s)	OP(BPF_ALU64 | BPF_ADD | BPF_X, d, s, 0)
#define EXIT		{ .code = BPF_JMP | BPF_EXIT }

/*
 * The texts that are printed for R3 before the last instruction, and for the origin of its value.
 */
static const struct row {
	const char *name;
	struct bpf_insn insns[8];
	const char *register_is, *origin;
	uint32_t first;		/* instruction of the path; 0: that of the function */
	uint32_t without;	/* 1: BTF, 2: func_info */
	uint32_t type;		/* of the map with the variables */
} rows[] = {
	{ "a variable's member", { CONFIG(1), LOAD(3, 1, 4), EXIT },
	  "R3 (variable 'config.b[0]') may be negative", "is read here from variable 'config.b[0]'" },
	{ "the last element", { CONFIG(1), LOAD(3, 1, 8), EXIT },
	  "R3 (variable 'config.b[1]') may be negative", "is read here from variable 'config.b[1]'" },
	{ "a copy", { CONFIG(1), LOAD(2, 1, 0), MOV(3, 2), EXIT },
	  "R3 (variable 'config.a') may be negative", "is read here from variable 'config.a'" },
	{ "one member and half of the next", { CONFIG(1), LOAD8(3, 1, 0), EXIT },
	  "R3 (variable 'config') may be negative", "is read here from variable 'config'" },
	{ "a whole array", { CONFIG(1), LOAD8(3, 1, 4), EXIT },
	  "R3 (variable 'config.b') may be negative", "is read here from variable 'config.b'" },
	{ "members of a union", { CONFIG(1), LOAD(3, 1, 12), EXIT },
	  "R3 (variable 'config.u') may be negative", "is read here from variable 'config.u'" },
	{ "beyond the variable", { CONFIG(1), LOAD(3, 1, 16), EXIT },
	  "R3 may be negative", "is read here" },
	{ "partly beyond it", { CONFIG(1), LOAD8(3, 1, 12), EXIT },
	  "R3 may be negative", "is read here" },
	{ "before the variable", { CONFIG(1), LOAD(3, 1, -4), EXIT },
	  "R3 may be negative", "is read here" },
	{ "an unknown element", { CONFIG(1), ADD(1, 6), LOAD(3, 1, 4), EXIT },
	  "R3 may be negative", "is read here" },
	{ "a sum", { CONFIG(1), LOAD(3, 1, 4), ADD(3, 6), EXIT },
	  "R3 may be negative", "is read here from variable 'config.b[0]'" },
	{ "a move of 32 bits", { CONFIG(1), LOAD(2, 1, 4), OP(BPF_ALU | BPF_MOV | BPF_X, 3, 2, 0), EXIT },
	  "R3 may be negative", "is read here from variable 'config.b[0]'" },
	{ "a move that extends the sign", { CONFIG(1), LOAD(2, 1, 4),
					    OP(BPF_ALU64 | BPF_MOV | BPF_X, 3, 2, 8), EXIT },
	  "R3 may be negative", "is read here from variable 'config.b[0]'" },
	{ "an address", { CONFIG(3), EXIT },
	  "R3 (the address of variable 'config.a') may be negative",
	  "is set here to the address of variable 'config.a'" },
	{ "a variable of an arena", { CONFIG(1), LOAD(3, 1, 4), EXIT },
	  "R3 may be negative", "is read here", .type = BPF_MAP_TYPE_ARENA },
	{ "a map", { MAP(3), EXIT },
	  "R3 (map 'hits') may be negative", "is set here to map 'hits'" },
	{ "a value", { MAP(1), LOOKUP, MOV(3, 0), EXIT },
	  "R3 (a pointer to a value of map 'hits') may be negative", "comes from this call with map 'hits'" },
	{ "a member of a value", { MAP(1), LOOKUP, LOAD(3, 0, 4), EXIT },
	  "R3 ('b[0]' of map 'hits') may be negative", "is read here from 'b[0]' of map 'hits'" },
	{ "what another helper returns", { MAP(1), RESERVE, MOV(3, 0), EXIT },
	  "R3 may be negative", "comes from this call with map 'hits'" },
	{ "a lookup in an unknown map", { MOV(1, 6), LOOKUP, MOV(3, 0), EXIT },
	  "R3 may be negative", "comes from this call" },
	{ "a parameter", { EXIT }, "R3 may be negative", "is argument 3 of the function" },
	{ "a parameter's member", { LOAD(3, 1, 8), EXIT },
	  "R3 (ctx->b[1]) may be negative", "is read here from ctx->b[1]" },
	{ "after a parameter in two registers", { LOAD(3, 2, 0), EXIT },
	  "R3 may be negative", "is read here" },
	{ "a path that begins amid the function", { EXIT, LOAD(3, 1, 8), EXIT },
	  "R3 may be negative", "is read here", .first = 1 },
	{ "no func_info", { LOAD(3, 1, 8), EXIT }, "R3 may be negative", "is read here", .without = 2 },
	{ "no BTF", { CONFIG(1), LOAD(3, 1, 4), EXIT }, "R3 may be negative", "is read here",
	  .without = 1 },
};

/* struct config { u32 a, b[2]; union { u32 x, y; } u; }; int prog(struct config *ctx, pair p, ...) */
static uint32_t build(struct types *t, uint32_t *config, uint32_t *section)
{
	const uint32_t two = bb_array(&t->b, t->u32, t->u32, 2);
	const uint32_t u = bb_struct(&t->b, BTF_KIND_UNION, "", 4, false);
	uint32_t pair, pointer, proto, var, func;

	bb_member(&t->b, "x", t->u32, 0, 0);
	bb_member(&t->b, "y", t->u32, 0, 0);
	*config = bb_struct(&t->b, BTF_KIND_STRUCT, "config", 16, false);
	bb_member(&t->b, "a", t->u32, 0, 0);
	bb_member(&t->b, "b", two, 32, 0);
	bb_member(&t->b, "u", u, 96, 0);
	pair = bb_array(&t->b, t->u64, t->u32, 2);
	pointer = bb_ref(&t->b, BTF_KIND_PTR, "", *config);
	proto = bb_proto(&t->b, t->u32);
	bb_param(&t->b, "ctx", pointer);
	bb_param(&t->b, "pair", pair);
	bb_param(&t->b, "third", pointer);
	func = bb_func(&t->b, "prog", proto, BTF_FUNC_GLOBAL);
	var = bb_var(&t->b, "config", *config, BTF_VAR_GLOBAL_ALLOCATED);
	*section = bb_datasec(&t->b, ".data", 32);
	bb_datasec_var(&t->b, var, 16, 16);
	types_finish(t);
	return func;
}

/* The log of a path: the lines of its instructions, and the verdict on R3. */
static char *log_of(const struct row *row, uint32_t nr)
{
	char *log = calloc(1, 1024), *to = log;

	for (uint32_t i = row->first; i < nr; i++) {
		to += sprintf(to, "%u: (%02x) x\n", i, row->insns[i].code);
		i += row->insns[i].code == (BPF_LD | BPF_IMM | BPF_DW);
	}
	strcpy(to, "R3 min value is negative\n");
	return log;
}

TEST_ROWS(names, rows)
{
	struct types t;
	struct object_map maps[NR_MAPS] = { [DATA] = { .name = ".data" }, [HITS] = { .name = "hits" } };
	struct prog_map_ref ref = { .map = HITS };
	struct bpf_func_info info = { 0 };
	struct bpf_object object = { .name = "prog.o", .maps = maps, .nr_maps = NR_MAPS };
	const struct kernel_object k = { .object = &object };
	struct prog_code code = { .map_refs = &ref, .nr_map_refs = 1, .func_info = &info };
	struct error err = { 0 };
	char origin[128];

	maps[DATA].type = rows[_i].type;
	types_begin(&t);
	info.type_id = build(&t, &maps[HITS].value_type, &maps[DATA].data_type);
	object.btf = t.btf;
	object.has_btf = rows[_i].without != 1;
	code.insns = (struct bpf_insn *)rows[_i].insns;
	if (code.insns[0].src_reg == BPF_PSEUDO_MAP_VALUE)
		ref.map = DATA;
	while (code.insns[code.nr_insns].code != (BPF_JMP | BPF_EXIT) || code.nr_insns < rows[_i].first)
		code.nr_insns++;
	code.nr_insns++;
	code.nr_func_info = rows[_i].without != 2;
	error_set(&err, EACCES, "refused");
	error_log(&err, log_of(&rows[_i], code.nr_insns));
	kernel_diagnose(&k, &code, &err);
	ck_assert_uint_eq(err.nr_notes, 2);
	ck_assert_str_eq(err.notes[0].text, rows[_i].register_is);
	snprintf(origin, sizeof(origin), "R3 %s", rows[_i].origin);
	ck_assert_str_eq(err.notes[1].text, origin);
	error_clear(&err);
	types_end(&t);
}
