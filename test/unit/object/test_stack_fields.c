// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The fields that linked code writes stacks to: paths, stack slots and functions, and code that is
 * hostile. test/cli/stacks.sh has what compilers produce.
 */
#include <linux/bpf.h>

#include <stdlib.h>

#include "loader/object/stack_fields.h"
#include "test/unit/common/suite.h"

#define MOV_REG(to, from) { .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = to, .src_reg = from }
#define MOV_IMM(to, v) { .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = to, .imm = v }
#define ADD_IMM(to, v) { .code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = to, .imm = v }
#define RSH_IMM(to, v) { .code = BPF_ALU64 | BPF_RSH | BPF_K, .dst_reg = to, .imm = v }
#define LD_MAP(to, map) \
	{ .code = BPF_LD | BPF_IMM | BPF_DW, .dst_reg = to, .src_reg = BPF_PSEUDO_MAP_FD, \
	  .imm = map }, { 0 }
#define STORE(size, o, from) \
	{ .code = BPF_STX | BPF_MEM | (size), .dst_reg = 10, .src_reg = from, .off = o }
#define LOAD(size, to, o) \
	{ .code = BPF_LDX | BPF_MEM | (size), .dst_reg = to, .src_reg = 10, .off = o }
#define ZERO(size, o) { .code = BPF_ST | BPF_MEM | (size), .dst_reg = 10, .off = o }
#define CALL(f) { .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_##f }
#define CALL_SUB(d) { .code = BPF_JMP | BPF_CALL, .src_reg = BPF_PSEUDO_CALL, .imm = d }
#define JEQ(reg, d) { .code = BPF_JMP | BPF_JEQ | BPF_K, .dst_reg = reg, .off = d }
#define JA(d) { .code = BPF_JMP | BPF_JA, .off = d }
#define EXIT { .code = BPF_JMP | BPF_EXIT }

/* r0 = an id: of the user's stack (256) or the kernel's (0). Map 0 has the stacks. */
#define STACKID(flags) LD_MAP(2, 0), MOV_IMM(3, flags), CALL(get_stackid)
/* Use the 16 bytes at r10 - 16 as a key of map 1. */
#define LOOKUP MOV_REG(2, 10), ADD_IMM(2, -16), LD_MAP(1, 1), CALL(map_lookup_elem)

#define ID(o, is_user) { .map = 1, .offset = o, .size = 4, .user = is_user }
#define TGID(o) { .map = 1, .role = STACK_FIELD_TGID, .offset = o, .size = 4 }
#define MIXED(o) { .map = 1, .role = STACK_FIELD_MIXED, .offset = o, .size = 4 }

#define NR_INSNS 40

static const struct {
	const char *name;
	struct bpf_insn insns[NR_INSNS];
	struct stack_field expect[3];
	uint32_t nr;
} rows[] = {
	{ "an id in a key",
	  { STACKID(256), STORE(BPF_W, -8, 0), LOOKUP, EXIT },
	  { ID(8, true) }, 1 },
	{ "an id that is overwritten",
	  { STACKID(256), STORE(BPF_W, -8, 0), ZERO(BPF_W, -8), LOOKUP, EXIT },
	  { { 0 } }, 0 },
	{ "a byte of it that is overwritten",
	  { STACKID(256), STORE(BPF_W, -8, 0), ZERO(BPF_B, -6), LOOKUP, EXIT },
	  { { 0 } }, 0 },
	{ "a helper that overwrites it",
	  { STACKID(256), STORE(BPF_W, -8, 0), MOV_REG(1, 10), ADD_IMM(1, -16), MOV_IMM(2, 16),
	    CALL(probe_read_kernel), LOOKUP, EXIT },
	  { { 0 } }, 0 },
	{ "on one of two paths",
	  { ZERO(BPF_W, -8), JEQ(6, 5), STACKID(0), STORE(BPF_W, -8, 0), LOOKUP, EXIT },
	  { ID(8, false) }, 1 },
	{ "another id on each of two paths",
	  { JEQ(6, 6), STACKID(0), STORE(BPF_W, -8, 0), JA(5), STACKID(256),
	    STORE(BPF_W, -8, 0), LOOKUP, EXIT },
	  { MIXED(8) }, 1 },
	{ "in code that no path reaches",
	  { JA(5), STACKID(0), STORE(BPF_W, -8, 0), LOOKUP, EXIT },
	  { { 0 } }, 0 },
	{ "known only after a turn of the loop",
	  { JA(1), STORE(BPF_W, -8, 7), LOOKUP, STACKID(256), MOV_REG(7, 0), JEQ(6, -12), EXIT },
	  { ID(8, true) }, 1 },
	{ "two ids copied at once",
	  { STACKID(0), STORE(BPF_W, -24, 0), STACKID(256), STORE(BPF_W, -20, 0),
	    LOAD(BPF_DW, 1, -24), STORE(BPF_DW, -16, 1), LOOKUP, EXIT },
	  { ID(0, false), ID(4, true) }, 2 },
	{ "spilled with 8 bytes",
	  { STACKID(0), STORE(BPF_DW, -32, 0), LOAD(BPF_DW, 1, -32), STORE(BPF_W, -8, 1), LOOKUP,
	    STACKID(0), EXIT },
	  { ID(8, false) }, 1 },
	{ "a process",
	  { CALL(get_current_pid_tgid), RSH_IMM(0, 32), STORE(BPF_W, -16, 0), STACKID(256),
	    STORE(BPF_W, -4, 0), LOOKUP, EXIT },
	  { TGID(0), ID(12, true) }, 2 },
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	{ "a process in the upper half",
	  { CALL(get_current_pid_tgid), STORE(BPF_DW, -16, 0), STACKID(256),
	    STORE(BPF_W, -4, 0), LOOKUP, EXIT },
	  { TGID(4), ID(12, true) }, 2 },
#endif
	{ "a thread is no process",
	  { CALL(get_current_pid_tgid), STORE(BPF_W, -16, 0), STACKID(256), LOOKUP, EXIT },
	  { { 0 } }, 0 },
	{ "a function that stores through its argument",
	  { STACKID(0), MOV_REG(1, 10), ADD_IMM(1, -8), MOV_REG(2, 0), CALL_SUB(6), LOOKUP, EXIT,
	    { .code = BPF_STX | BPF_MEM | BPF_W, .dst_reg = 1, .src_reg = 2 }, EXIT },
	  { ID(8, false) }, 1 },
	{ "a function that returns it, and a register that survives the call",
	  { MOV_REG(6, 10), CALL_SUB(7),
	    { .code = BPF_STX | BPF_MEM | BPF_W, .dst_reg = 6, .src_reg = 0, .off = -8 },
	    LOOKUP, EXIT, STACKID(0), MOV_IMM(6, 0), EXIT },
	  { ID(8, false) }, 1 },
	{ "a function that calls itself",
	  { STACKID(0), STORE(BPF_W, -8, 0), LOOKUP, CALL_SUB(-11), EXIT },
	  { ID(8, false) }, 1 },
	{ "a map that is no map",
	  { MOV_IMM(2, 0), MOV_IMM(3, 0), CALL(get_stackid), STORE(BPF_W, -8, 0), LOOKUP, EXIT },
	  { { 0 } }, 0 },
	{ "stack slots that do not exist",
	  { STACKID(0), STORE(BPF_W, 4, 0), STORE(BPF_W, -516, 0), STORE(BPF_W, 32767, 0),
	    STORE(BPF_W, -32768, 0), MOV_REG(2, 10), ADD_IMM(2, INT32_MAX), ADD_IMM(2, INT32_MAX),
	    LD_MAP(1, 1), CALL(map_lookup_elem), EXIT },
	  { { 0 } }, 0 },
	{ "registers and jumps that do not exist",
	  { { .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = 15, .src_reg = 14 }, JEQ(6, 1000),
	    JEQ(6, -1000), CALL_SUB(1000), STACKID(0), STORE(BPF_W, -8, 0), LOOKUP },
	  { ID(8, false) }, 1 },
};

static void scan(const struct bpf_insn *insns, uint32_t nr, struct stack_fields *fields)
{
	struct object_map maps[2] = { { .key_size = 4 }, { .key_size = 16, .value_size = 8 } };
	const struct bpf_object obj = { .maps = maps, .nr_maps = 2 };
	struct bpf_insn *copy = calloc(nr, sizeof(*copy));
	struct prog_map_ref *refs = calloc(nr, sizeof(*refs));
	struct prog_code code = { .insns = copy, .nr_insns = nr, .map_refs = refs };

	ck_assert_ptr_nonnull(copy);
	ck_assert_ptr_nonnull(refs);
	memcpy(copy, insns, nr * sizeof(*copy));
	for (uint32_t i = 0; i < nr; i++)
		if (insns[i].code == (BPF_LD | BPF_IMM | BPF_DW))
			refs[code.nr_map_refs++] = (struct prog_map_ref){ i, insns[i].imm };
	ck_assert_int_eq(stack_fields_scan(&obj, &code, fields, NULL), 0);
	free(copy);
	free(refs);
}

TEST_ROWS(flow, rows)
{
	struct stack_fields fields = { 0 };
	uint32_t nr = 0;

	for (uint32_t i = 0; i < NR_INSNS; i++)
		if (rows[_i].insns[i].code)
			nr = i + 1;
	scan(rows[_i].insns, nr, &fields);
	ck_assert_msg(fields.nr == rows[_i].nr, "%s: %u fields", rows[_i].name, fields.nr);
	for (uint32_t i = 0; i < fields.nr; i++) {
		const struct stack_field *got = &fields.list[i], *want = &rows[_i].expect[i];

		ck_assert_msg(got->map == want->map && got->offset == want->offset &&
				      got->size == want->size && got->role == want->role &&
				      got->user == want->user && got->part == STACK_FIELD_KEY,
			      "%s: field %u is at %u, of role %d", rows[_i].name, i, got->offset,
			      got->role);
	}
	ck_assert(!fields.gave_up);
	stack_fields_free(&fields);
}

/* Each function calls the next one eight times: eight deep, that is 16 million calls. */
TEST(calls_without_end)
{
	enum { FUNCS = 9, CALLS = 10 };
	struct bpf_insn insns[4 + FUNCS * (CALLS + 1)] = { STACKID(0) };
	struct stack_fields fields = { 0 };
	uint32_t at = 4;

	for (int f = 0; f < FUNCS; f++) {
		const uint32_t next = 4 + (f + 1) * (CALLS + 1);

		for (int i = 0; i < CALLS && f + 1 < FUNCS; i++, at++)
			insns[at] = (struct bpf_insn)CALL_SUB((int32_t)(next - at - 1));
		for (; at < next; at++)
			insns[at] = (struct bpf_insn)EXIT;
	}
	scan(insns, at, &fields);
	ck_assert(fields.gave_up);
	stack_fields_free(&fields);
}

/* The states of so many branches would take gigabytes. */
TEST(branches_without_end)
{
	const uint32_t nr = 200000;
	struct bpf_insn *insns = calloc(nr, sizeof(*insns));
	const struct bpf_insn first[] = { STACKID(0) };
	struct stack_fields fields = { 0 };

	ck_assert_ptr_nonnull(insns);
	memcpy(insns, first, sizeof(first));
	for (uint32_t i = 4; i < nr - 1; i++)
		insns[i] = (struct bpf_insn)JEQ(6, 0);
	insns[nr - 1] = (struct bpf_insn)EXIT;
	scan(insns, nr, &fields);
	ck_assert(fields.gave_up);
	stack_fields_free(&fields);
	free(insns);
}

static void add(struct stack_fields *fields, enum stack_field_source source, uint32_t stacks)
{
	const struct stack_field field = { .map = 1, .size = 4, .source = source,
					   .stacks = stacks };

	ck_assert_int_eq(stack_fields_add(fields, &field, NULL), 0);
}

/* An option beats a tag, and a tag the code; two of one source that differ cancel each other. */
TEST(sources)
{
	struct stack_fields fields = { 0 };

	add(&fields, STACK_FIELD_BY_CODE, 2);
	add(&fields, STACK_FIELD_BY_OPTION, 4);
	add(&fields, STACK_FIELD_BY_TAG, 3);
	add(&fields, STACK_FIELD_BY_CODE, 5);
	ck_assert_uint_eq(fields.nr, 1);
	ck_assert_uint_eq(fields.list[0].stacks, 4);
	ck_assert_int_eq(fields.list[0].role, STACK_FIELD_ID);
	add(&fields, STACK_FIELD_BY_OPTION, 6);
	ck_assert_int_eq(fields.list[0].role, STACK_FIELD_MIXED);
	stack_fields_free(&fields);
}
