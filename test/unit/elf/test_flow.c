// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The values that are followed through instructions: a row has code, and r1 at each call of LOOK. */
#include <stdio.h>
#include <stdlib.h>

#include "elf/flow/flow.h"
#include "test/unit/common/insns.h"
#include "test/unit/common/suite.h"

#define MOVSX(to, from, bits) OP(BPF_ALU64 | BPF_MOV | BPF_X, to, from, bits, 0)
#define VAR(to, map, offset) LD64(to, BPF_PSEUDO_MAP_VALUE, map, offset)
#define GOTOX OP(BPF_JMP | BPF_JA | BPF_X, 1, 0, 0, 0)
#define KFUNC OP(BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_KFUNC_CALL, 0, 1)
#define LOOK CALL(ktime_get_ns)
/*
 * The helpers whose results the client of these tests names: an int, a second one, a u64, and a
 * value in the upper half.
 */
#define INT CALL(get_smp_processor_id)
#define OTHER CALL(get_numa_node_id)
#define WIDE CALL(get_current_task)
#define UPPER CALL(get_current_pid_tgid)

static const struct {
	const char *name;
	struct bpf_insn insns[32];
	const char *expect;
} rows[] = {
	{ "the context", { LOOK, EXIT }, "context+0" },
	{ "numbers", { MOVI(1, 6), ALU(BPF_ADD, 1, -7), LOOK, LD64(1, 0, 5, 1), LOOK, EXIT },
	  "0xffffffffffffffff 0x100000005" },
	{ "32 bits of them",
	  { MOVI(1, -1), ALU32(BPF_ADD, 1, 0), LOOK, MOVI(2, -2), MOV32(1, 2), LOOK, MOVI(2, -2),
	    MOV32(2, 2), MOVSX(1, 2, 32), LOOK, EXIT },
	  "0xffffffff 0xfffffffe 0xfffffffffffffffe" },
	{ "a product is not followed", { MOVI(1, 2), ALU(BPF_MUL, 1, 2), LOOK, EXIT }, "?" },
	{ "addresses",
	  { MAP(1, 3), LOOK, VAR(1, 2, 8), ALU(BPF_ADD, 1, 4), LOOK, MOV(1, 10),
	    ALU(BPF_ADD, 1, -8), LOOK, MAP(1, 4), CALL(ringbuf_reserve), MOV(1, 0), LOOK, EXIT },
	  "map3 value2+12 stack+504 record4+0" },
	{ "half an address is none", { MAP(2, 3), MOV32(1, 2), LOOK, EXIT }, "?" },
	{ "an address plus what is not known",
	  { VAR(1, 2, 8), ADDX(1, 7), LOOK, MOV(1, 10), ADDX(1, 7), LOOK, EXIT },
	  "? stack+somewhere" },
	{ "what was loaded from a variable, and one more",
	  { VAR(2, 2, 8), LOAD(BPF_DW, 1, 2, 4), LOOK, VAR(2, 2, 8), LOAD(BPF_DW, 1, 2, 4),
	    ALU(BPF_ADD, 1, 1), LOOK, EXIT }, "loaded2+12 more2+12" },
	/* --- results --- */
	{ "an int is one after its extension, and after shifts that extend it",
	  { INT, MOV32(1, 0), LOOK, INT, MOV(1, 0), ALU(BPF_LSH, 1, 32), ALU(BPF_ARSH, 1, 32),
	    LOOK, EXIT }, "int1 int1" },
	{ "the upper half of a result",
	  { UPPER, MOV(1, 0), LOOK, UPPER, MOV(1, 0), ALU(BPF_RSH, 1, 32), LOOK, EXIT },
	  "?:3 int3" },
	{ "half of a wide one is no wide one",
	  { WIDE, MOV(1, 0), LOOK, WIDE, MOV32(1, 0), LOOK, EXIT }, "wide2 int2" },
	{ "two ints that are copied at once",
	  { INT, STORE(BPF_W, 10, -8, 0), OTHER, STORE(BPF_W, 10, -4, 0),
	    LOAD(BPF_DW, 2, 10, -8), STORE(BPF_DW, 10, -24, 2), LOAD(BPF_W, 1, 10, -24), LOOK,
	    LOAD(BPF_W, 1, 10, -20), LOOK, EXIT }, "int1 int4" },
	/* --- the stack --- */
	{ "a number in the stack",
	  { STOREI(BPF_DW, 10, -8, 7), LOAD(BPF_DW, 1, 10, -8), LOOK, LOAD(BPF_B, 1, 10, -8), LOOK,
	    EXIT }, "0x7 ?" },
	{ "bytes of it that are overwritten",
	  { STOREI(BPF_DW, 10, -8, 7), STOREI(BPF_B, 10, -1, 7), LOAD(BPF_DW, 1, 10, -8), LOOK,
	    LOAD(BPF_W, 1, 10, -8), LOOK, EXIT }, "? 0x7" },
	{ "below the stack, and what was never written",
	  { STOREI(BPF_DW, 10, -520, 7), LOAD(BPF_DW, 1, 10, -520), LOOK, LOAD(BPF_DW, 1, 10, -8),
	    LOOK, EXIT }, "? ?" },
	{ "a helper that writes to it, one that only reads it, and one that gets no size",
	  { STOREI(BPF_DW, 10, -8, 7), MOV(2, 10), ALU(BPF_ADD, 2, -8), MOVI(3, 8),
	    CALL(ringbuf_output), LOAD(BPF_DW, 1, 10, -8), LOOK, MOV(1, 10), ALU(BPF_ADD, 1, -8),
	    MOVI(2, 8), CALL(probe_read_kernel), LOAD(BPF_DW, 1, 10, -8), LOOK,
	    STOREI(BPF_DW, 10, -8, 7), MOV(3, 10), ALU(BPF_ADD, 3, -8), CALL(get_func_arg),
	    LOAD(BPF_DW, 1, 10, -8), LOOK, EXIT }, "0x7 ? ?" },
	{ "a kernel function may write to it",
	  { STOREI(BPF_DW, 10, -8, 7), MOV(1, 10), ALU(BPF_ADD, 1, -16), KFUNC,
	    LOAD(BPF_DW, 1, 10, -8), LOOK, EXIT }, "?" },
	{ "so does an atomic operation",
	  { STOREI(BPF_DW, 10, -8, 7), ATOMIC(BPF_DW, 10, -8, 6, BPF_ADD), LOAD(BPF_DW, 1, 10, -8), LOOK,
	    EXIT },
	  "?" },
	{ "a store somewhere leaves results, which one path is enough for",
	  { STOREI(BPF_DW, 10, -8, 7), INT, STORE(BPF_DW, 10, -16, 0), MOV(2, 10), ADDX(2, 7),
	    STOREI(BPF_B, 2, 0, 0), LOAD(BPF_DW, 1, 10, -8), LOOK, LOAD(BPF_DW, 1, 10, -16), LOOK,
	    EXIT }, "? int1" },
	/* --- paths --- */
	{ "the same on both, and not",
	  { MOVI(1, 5), MOVI(8, 5), JEQ(6, 1), MOVI(8, 6), LOOK, MOV(1, 8), LOOK, EXIT }, "0x5 ?" },
	{ "a result on one, and two that differ",
	  { MOVI(8, 5), JEQ(6, 2), INT, MOV(8, 0), MOV(1, 8), LOOK, JEQ(6, 2), OTHER, MOV(8, 0),
	    MOV(1, 8), LOOK, EXIT }, "int1 mixed" },
	{ "code that is not reached", { JA(1), LOOK, EXIT }, "" },
	{ "in the stack, and on one path only",
	  { JEQ(6, 1), STOREI(BPF_DW, 10, -8, 7), LOAD(BPF_DW, 1, 10, -8), LOOK, EXIT }, "?" },
	{ "in the last bytes of the stack, on one path only",
	  { JEQ(6, 1), STOREI(BPF_W, 10, -4, 7), LOAD(BPF_W, 1, 10, -4), LOOK, EXIT }, "?" },
	{ "in the last bytes of the stack, on the other path only",
	  { JEQ(6, 1), JA(1), STOREI(BPF_W, 10, -4, 7), LOAD(BPF_W, 1, 10, -4), LOOK, EXIT }, "?" },
	{ "in the stack, and more of it on one path",
	  { STOREI(BPF_DW, 10, -8, 7), JEQ(6, 1), STOREI(BPF_DW, 10, -16, 7),
	    LOAD(BPF_DW, 1, 10, -8), LOOK, LOAD(BPF_DW, 1, 10, -16), LOOK, JEQ(6, 1), JA(1),
	    STOREI(BPF_DW, 10, -24, 7), LOAD(BPF_DW, 1, 10, -8), LOOK, LOAD(BPF_DW, 1, 10, -24), LOOK,
	    EXIT }, "0x7 ? 0x7 ?" },
	{ "a result and half of another, in turns",
	  { INT, MOV(8, 0), WIDE, MOV(7, 0), ALU(BPF_RSH, 7, 32), MOV(9, 8), MOV(8, 7), MOV(7, 9),
	    MOV(1, 8), LOOK, JEQ(6, -6), EXIT }, "mixed" },
	{ "a number that a loop changes, and one that it does not",
	  { MOVI(7, 1), MOVI(8, 1), MOV(1, 7), LOOK, MOV(1, 8), LOOK, ALU(BPF_ADD, 8, 1), JEQ(6, -6),
	    EXIT },
	  "0x1 ?" },
	{ "what is known only after a turn, in a loop within a loop",
	  { MOVI(7, 1), MOV(1, 7), LOOK, JEQ(6, -3), INT, MOV(7, 0), JEQ(8, -6), EXIT }, "int1" },
	{ "a jump into the middle of a loop",
	  { MOVI(7, 1), JEQ(6, 1), MOVI(7, 2), MOV(1, 7), LOOK, JEQ(8, -4), EXIT }, "?" },
	{ "an indirect jump, whose targets the test marks", { MOVI(1, 5), GOTOX, LOOK, EXIT },
	  "?" },
	/* --- functions --- */
	{ "a function has arguments, returns, and keeps r6",
	  { MOVI(1, 5), MOVI(6, 6), SUB(5), MOV(1, 0), LOOK, MOV(1, 6), LOOK, EXIT, LOOK,
	    MOVI(6, 0), MOVI(0, 9), EXIT }, "0x5 0x9 0x6" },
	{ "each call is followed by itself",
	  { MOVI(1, 5), SUB(3), MOVI(1, 6), SUB(1), EXIT, LOOK, EXIT }, "0x5 0x6" },
	{ "it writes to the stack of its caller, not to its own of another call",
	  { MOV(1, 10), ALU(BPF_ADD, 1, -8), SUB(5), LOAD(BPF_DW, 1, 10, -8), LOOK, SUB(4), LOOK,
	    EXIT, STOREI(BPF_DW, 1, 0, 7), STOREI(BPF_DW, 10, -8, 6), EXIT }, "0x7 ?" },
	{ "one that calls itself", { MOVI(1, 5), LOOK, SUB(-3), MOV(1, 0), LOOK, EXIT }, "0x5 ?" },
	{ "a callback is called any number of times",
	  { STOREI(BPF_DW, 10, -8, 1), STOREI(BPF_DW, 10, -16, 1), MOV(3, 10),
	    ALU(BPF_ADD, 3, -8), FUNC(2, 7), CALL(loop), LOAD(BPF_DW, 1, 10, -8), LOOK,
	    LOAD(BPF_DW, 1, 10, -16), LOOK, EXIT, MOV(6, 2), LOAD(BPF_DW, 1, 6, 0), LOOK,
	    STOREI(BPF_DW, 6, 0, 2), EXIT }, "? ? 0x1" },
	{ "a callback for each value of a map",
	  { MAP(1, 5), FUNC(2, 3), CALL(for_each_map_elem), EXIT, MOV(1, 3), LOOK, EXIT },
	  "value5+0" },
	{ "a callback that nothing calls", { FUNC(2, 3), CALL(timer_set_callback), EXIT, LOOK, EXIT },
	  "?" },
	/* --- what is not valid --- */
	{ "jumps into the second half of an instruction, in functions of two depths",
	  { SUB(4), SUB(1), EXIT, SUB(1), EXIT, JEQ(6, 1), LD64(1, 0, 5, 0), LOOK, EXIT },
	  "0x5 0x5" },
	{ "registers, jumps and calls that do not exist",
	  { MOV(12, 1), MOV(1, 14), JEQ(6, 999), JEQ(6, -999), SUB(999), MOVI(1, 5), LOOK },
	  "0x5" },
};

static void print_value(char *to, struct flow_value v)
{
	static const char *const kinds[] = {
		[FLOW_MAP] = "map", [FLOW_FUNC] = "func", [FLOW_CONTEXT] = "context",
		[FLOW_STACK] = "stack", [FLOW_VALUE] = "value", [FLOW_RECORD] = "record",
		[FLOW_LOADED] = "loaded", [FLOW_LOADED_1] = "more",
	};

	if (flow_is(v, FLOW_NUMBER))
		sprintf(to, "0x%llx", (unsigned long long)flow_get_number(v));
	else if (flow_is(v, FLOW_RESULT))
		sprintf(to, "%s%u", v.high.part == FLOW_UPPER ? "wide" : "int", v.low.of);
	else if (flow_is(v, FLOW_MIXED))
		sprintf(to, "mixed");
	else if (flow_is(v, FLOW_MAP))
		sprintf(to, "map%u", v.low.of);
	else if (flow_is(v, FLOW_STACK) && v.low.v == FLOW_SOMEWHERE)
		sprintf(to, "stack+somewhere");
	else if (flow_is(v, FLOW_STACK) || flow_is(v, FLOW_CONTEXT))
		sprintf(to, "%s+%u", kinds[v.low.kind], v.low.v);
	else if (v.low.kind && flow_is(v, v.low.kind))
		sprintf(to, "%s%u+%u", kinds[v.low.kind], v.low.of, v.low.v);
	else
		sprintf(to, v.high.kind == FLOW_RESULT ? "?:%u" : "?", v.high.of);
}

struct looks {
	char text[256];
	unsigned long nr;
};

static int on_call(struct flow *f, void *arg, struct flow_call *call)
{
	struct looks *looks = arg;
	char *end = looks->text + strlen(looks->text);

	switch (call->helper) {
	case BPF_FUNC_get_smp_processor_id:
		call->result = flow_extended(flow_half(FLOW_RESULT, 1, 0), false);
		break;
	case BPF_FUNC_get_numa_node_id:
		call->result = flow_extended(flow_half(FLOW_RESULT, 4, 0), false);
		break;
	case BPF_FUNC_get_current_task:
		call->result = flow_whole(flow_half(FLOW_RESULT, 2, 0));
		break;
	case BPF_FUNC_get_current_pid_tgid:
		call->result.high = flow_half(FLOW_RESULT, 3, 0);
		break;
	case BPF_FUNC_ktime_get_ns:
		if (!flow_final(f) || looks->nr++ > 9)
			break;
		if (looks->text[0])
			*end++ = ' ';
		print_value(end, flow_regs(f)[1]);
		break;
	}
	return 0;
}

static uint32_t map_of(const void *arg, uint32_t insn)
{
	return ((const struct bpf_insn *)arg)[insn].imm;
}

static bool follow(const struct bpf_insn *insns, uint32_t nr, struct looks *looks)
{
	static const struct flow_client client = { .call = on_call };
	const struct flow_program program = { insns, nr, map_of, insns };
	struct flow *f = flow_create(&program, &client, looks);
	bool gave_up;

	ck_assert_ptr_nonnull(f);
	for (uint32_t i = 0; i + 1 < nr; i++)
		if (insns[i].code == (BPF_JMP | BPF_JA | BPF_X))
			flow_target(f, i + 1);
	ck_assert_int_eq(flow_run(f, NULL), 0);
	gave_up = flow_gave_up(f);
	flow_free(f);
	return gave_up;
}

TEST_ROWS(values, rows)
{
	struct looks looks = { 0 };
	uint32_t nr = 0;

	for (uint32_t i = 0; i < 32; i++)
		if (rows[_i].insns[i].code)
			nr = i + 1;
	ck_assert_int_eq(follow(rows[_i].insns, nr, &looks), !!strstr(rows[_i].name, "indirect"));
	ck_assert_msg(!strcmp(looks.text, rows[_i].expect), "%s: %s", rows[_i].name, looks.text);
}

/* Eight functions each call the next one ten times; the last one is heard nevertheless. */
TEST(calls_without_end)
{
	enum { CALLS = 10, FUNCS = 9 };
	struct bpf_insn insns[FUNCS * (CALLS + 1)];
	struct looks looks = { 0 };

	for (int i = 0; i < FUNCS * (CALLS + 1); i++) {
		const int func = i / (CALLS + 1), call = i % (CALLS + 1);
		const int next = (func + 1) * (CALLS + 1);

		insns[i] = call == CALLS ? (struct bpf_insn)EXIT :
			   func + 1 < FUNCS ? (struct bpf_insn)SUB(next - i - 1) :
					      (struct bpf_insn)LOOK;
	}
	ck_assert(follow(insns, NR(insns), &looks));
	ck_assert_uint_eq(looks.nr, CALLS);
}

/* Code that jumps to everywhere: it is followed within the limit, and each call is seen. */
TEST_EACH(jumps_to_everywhere, 2)
{
	enum { NR = 100000, FAR = 30000 };
	struct bpf_insn *insns = calloc(NR, sizeof(*insns));
	struct looks looks = { 0 };
	uint32_t seed = 1;

	ck_assert_ptr_nonnull(insns);
	for (int i = 0; i < NR; i++) {
		int to;

		seed = seed * 1103515245 + 12345;
		to = i + (int)(seed >> 8) % (2 * FAR) - (_i ? FAR : 0);
		if (i % 4 == 0)
			insns[i] = (struct bpf_insn)LOOK;
		else if (i % 4 == 1)
			insns[i] = (struct bpf_insn)STORE(BPF_DW, 10, -8 * (i % 64 + 1), 0);
		else if (to < 0 || to >= NR || i % 4 == 2)
			insns[i] = (struct bpf_insn)ALU(BPF_ADD, 8, 1);
		else
			insns[i] = (struct bpf_insn)JEQ(8, (int16_t)(to - i - 1));
	}
	insns[NR - 1] = (struct bpf_insn)EXIT;
	follow(insns, NR, &looks);
	ck_assert_uint_ge(looks.nr, NR / 4);
	ck_assert_uint_le(looks.nr, NR / 4 * 17 + (64 << 10));
	free(insns);
}

static uint32_t next_random(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005 + 1442695040888963407;
	return *seed >> 33;
}

/* Instructions by chance, which no verifier has seen: functions, jumps and buffers of all kinds. */
TEST(any_code)
{
	static const struct bpf_insn kinds[] = {
		MOV(0, 0), MOVI(0, 0), ALU(BPF_ADD, 0, 0), ADDX(0, 0), ALU(BPF_RSH, 0, 32),
		LD64(0, BPF_PSEUDO_MAP_FD, 0, 0), LD64(0, BPF_PSEUDO_FUNC, 0, 0),
		LOAD(BPF_DW, 0, 0, 0), STORE(BPF_DW, 0, 0, 0), STORE(BPF_B, 0, 0, 0),
		ATOMIC(BPF_DW, 0, 0, 0, BPF_XCHG), JEQ(0, 0), JEQ(0, 0), JA(0), GOTOX, SUB(0), SUB(0),
		CALL(loop), CALL(probe_read_kernel), INT, UPPER, LOOK, EXIT,
	};
	enum { LENGTH = 40 };
	struct bpf_insn insns[LENGTH];
	uint64_t seed = 1;

	for (int i = 0; i < 20000; i++) {
		const uint32_t nr = 2 + next_random(&seed) % (LENGTH - 2);
		struct looks looks = { 0 };

		for (uint32_t k = 0; k < nr; k++) {
			struct bpf_insn *insn = &insns[k];
			const int to = (int)(next_random(&seed) % (nr + 2)) - (int)k - 2;

			*insn = kinds[next_random(&seed) % NR(kinds)];
			insn->dst_reg = next_random(&seed) % 12;
			if (!insn_is_call(*insn) && !insn_is_ldimm64(*insn))
				insn->src_reg = next_random(&seed) % 12;
			insn->off = insn_is_jump(*insn) ? to : -(int)(next_random(&seed) % 70) * 8;
			if (insn_has_func(*insn))
				insn->imm = to;
			else if (!insn->imm)
				insn->imm = (int)(next_random(&seed) % 80) - 40;
		}
		follow(insns, nr, &looks);
	}
}
