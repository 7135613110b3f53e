// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Test the diagnosis of verifier logs of several releases, and of logs that are misleading. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/explain/kernel/refused.h"
#include "loader/explain/kernel/diagnosis.h"
#include "test/unit/common/files_builder.h"
#include "test/unit/common/suite.h"

#define MOV(d, s)	{ .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = (d), .src_reg = (s) }
#define MOV_K(d, k)	{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = (d), .imm = (k) }
#define CALL(n)		{ .code = BPF_JMP | BPF_CALL, .imm = (n) }
#define CALL_PC(n)	{ .code = BPF_JMP | BPF_CALL, .src_reg = BPF_PSEUDO_CALL, .imm = (n) }
#define JEQ(d, k, o)	{ .code = BPF_JMP | BPF_JEQ | BPF_K, .dst_reg = (d), .imm = (k), .off = (o) }
#define LOAD(d, s, o)	{ .code = BPF_LDX | BPF_MEM | BPF_DW, .dst_reg = (d), .src_reg = (s), .off = (o) }
#define STORE(d, s, o)	{ .code = BPF_STX | BPF_MEM | BPF_DW, .dst_reg = (d), .src_reg = (s), .off = (o) }
#define STORE_0(d, o)	{ .code = BPF_ST | BPF_MEM | BPF_DW, .dst_reg = (d), .off = (o) }
#define EXIT		{ .code = BPF_JMP | BPF_EXIT }

/*
 * 0: r0 = lookup(); 1: spill it; 2: if (r0 == 0) goto 4; 3: r6 = 0; 4: fill r7; 5: call 8;
 * 6: r2 = *r7; 7: exit; 8: r7 = 1; 9: exit; 10: put 0 on the stack; 11: fill r7; 12: exit;
 * 13: r0 = reserve(); 14: r6 = r0; 15: r1 = r0; 16: submit(r1); 17: r2 = *r6;
 * 18: r0 = lookup(); 19: spill it; 20: 0 beside it; 21: fill r7; 22: r2 = *r7; 23: r0 = lookup();
 * 24: spill it; 25: 0 over its half; 26: fill r7; 27: r2 = *r7; 28: r0 = *r1; 29: fetch into r3;
 * 30: r2 = *r0; 31: r3 = 4; 32: r6 += r3; 33: r2 = *r6; 34: r0 = packet; 35: r2 = *r0; 36: r7 = 0 ll;
 * 38: r7 += 1; 39: r2 = *r7; 40: r6 = *r1; 41: call; 42: r2 = *r6; 43: call 45; 44: r2 = *r0;
 * 45: r0 = lookup(); 46: exit; 47: r1 = 0; 48: call 49; 49: r2 = *r1
 */
static const struct bpf_insn insns[] = {
	CALL(1),      STORE(10, 0, -8), JEQ(0, 0, 1), MOV_K(6, 0), LOAD(7, 10, -8),
	CALL_PC(2),   LOAD(2, 7, 0),    EXIT,	      MOV_K(7, 1), EXIT,
	STORE_0(10, -8), LOAD(7, 10, -8), EXIT,
	CALL(131), MOV(6, 0), MOV(1, 0), CALL(132), LOAD(2, 6, 0),
	CALL(1), STORE(10, 0, -8), STORE_0(10, -16), LOAD(7, 10, -8), LOAD(2, 7, 0),
	CALL(1), STORE(10, 0, -8), { .code = BPF_ST | BPF_MEM | BPF_W, .dst_reg = 10, .off = -4 },
	LOAD(7, 10, -8), LOAD(2, 7, 0),
	LOAD(0, 1, 0), { .code = BPF_STX | BPF_ATOMIC | BPF_DW, .dst_reg = 6, .src_reg = 3 },
	LOAD(2, 0, 0),
	MOV_K(3, 4), { .code = BPF_ALU64 | BPF_ADD | BPF_X, .dst_reg = 6, .src_reg = 3 },
	LOAD(2, 6, 0),
	{ .code = BPF_LD | BPF_ABS | BPF_W }, LOAD(2, 0, 0),
	{ .code = BPF_LD | BPF_IMM | BPF_DW, .dst_reg = 7 }, { 0 },
	{ .code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = 7, .imm = 1 }, LOAD(2, 7, 0),
	LOAD(6, 1, 0), CALL(44), LOAD(2, 6, 0),
	CALL_PC(1), LOAD(2, 0, 0), CALL(1), EXIT,
	MOV_K(1, 0), CALL_PC(0), LOAD(2, 1, 0),
};

/* The notes that a log has, one a line. */
static const char *notes_of(const char *log, char *text, size_t size)
{
	static const struct bpf_object object = { .name = "prog.o" };
	const struct kernel_object k = { .object = &object };
	struct prog_code code = { .nr_insns = sizeof(insns) / sizeof(insns[0]) };
	struct error err = { 0 };
	size_t n = 0;

	code.insns = malloc(sizeof(insns));
	memcpy(code.insns, insns, sizeof(insns));
	error_set(&err, EACCES, "refused");
	error_log(&err, strdup(log));
	text[0] = '\0';
	kernel_diagnose(&k, &code, &err);
	for (unsigned int i = 0; i < err.nr_notes && n < size; i++)
		n += snprintf(text + n, size - n, "%u %s\n", err.notes[i].insn, err.notes[i].text);
	if (err.hint[0] && n < size)
		snprintf(text + n, size - n, "hint: %s\n", err.hint);
	error_clear(&err);
	prog_code_free(&code);
	return text;
}

#define VERDICT	"R7 invalid mem access 'map_value_or_null'\nprocessed 9 insns (limit 1000000)\n"
#define END	"6 R7 may be NULL\n0 R7 comes from bpf_map_lookup_elem()\n"
#define HINT	"hint: bpf_map_lookup_elem() may return NULL: compare with NULL before using it\n"
#define CALLED	"5: (85) call pc+2\n8: (b7) r7 = 1\n9: (95) exit\n6: (79) r2 = *(u64 *)(r7 +0)\n"

#define RESERVED \
	"13: (85) call bpf_ringbuf_reserve#131\n14: (bf) r6 = r0\n15: (bf) r1 = r0\n16: (85) call "
#define SPILLED(a, b, c, d, e) \
	a ": (85) call bpf_map_lookup_elem#1\n" b ": (7b) x\n" c ": (7a) x\n" d ": (79) x\n" \
	e ": (79) r2 = *(u64 *)(r7 +0)\nR7 invalid mem access 'map_value_or_null'\n"
#define ADDED(state) "31: (b7) r3 = 4\n32: (0f) r6 += r3   ; " state "\n33: (79) x\n"
#define MOVED(state) "40: (61) r6 = x   ; " state "\n41: (85) call bpf_xdp_adjust_head#44\n" \
	"42: (79) x   ; R7_w=pkt(r=8)\nR6 invalid mem access 'scalar'\n"
#define READ	"17: (79) r2 = *(u64 *)(r6 +0)\nR6 invalid mem access 'scalar'\n"

static const struct row {
	const char *name, *log, *notes;
} rows[] = {
	{ "Linux 6.18: the path, through a spill and a called function",
	  "0: R1=ctx() R10=fp0\n; v = lookup(); @ prog.bpf.c:7\n"
	  "0: (85) call bpf_map_lookup_elem#1    ; R0=map_value_or_null(id=1)\n"
	  "1: (7b) *(u64 *)(r10 -8) = r0\n2: (15) if r0 == 0x0 goto pc+1        ; R0=map_value()\n"
	  "3: (b7) r6 = 0\n4: (79) r7 = *(u64 *)(r10 -8)\n" CALLED VERDICT,
	  END "2 r0 == 0x0 is false\n" HINT },
	{ "Linux 5.4: every path, the last one from a branch",
	  "0: (85) call bpf_map_lookup_elem#1\n1: (7b) *(u64 *)(r10 -8) = r0\n"
	  "2: (15) if r0 == 0x0 goto pc+1\n R0=map_value(id=0,off=0) R10=fp0\n3: (b7) r6 = 0\n"
	  "4: (79) r7 = *(u64 *)(r10 -8)\n7: (95) exit\n\nfrom 2 to 4: R0=inv0 R10=fp0\n"
	  "4: (79) r7 = *(u64 *)(r10 -8)\n" CALLED VERDICT, END "2 r0 == 0x0 is true\n" HINT },
	{ "Linux 7.3: its suggestion is the hint",
	  "0: (85) call bpf_map_lookup_elem#1\n1: (7b) *(u64 *)(r10 -8) = r0\n"
	  "2: (15) if r0 == 0x0 goto pc+1\n4: (79) r7 = *(u64 *)(r10 -8)\n" CALLED
	  "R7 invalid mem access 'map_value_or_null'\n\nVerification failed: Register Type Safety: X\n"
	  "\nReason:\n  R7 may be NULL here.\n\nAt:\n  insn 6\n\nSuggestion:\n  Check it.\n\n"
	  "processed 9 insns\n",
	  END "2 r0 == 0x0 is true\n" },
	{ "Linux 7.3: the reason of a verdict that is not known",
	  "0: (85) call bpf_map_lookup_elem#1\nodd\n\nVerification failed: Odd: X\n\nReason:\n"
	  "  It is odd.\n\nprocessed 1 insns\n", "0 It is odd.\n" },
	{ "a verdict that is not known is printed as it is", "3: (b7) r6 = 0\nR6 is odd\n",
	  "3 R6 is odd\n" },
	{ "a call clears the registers of arguments", "0: (85) call x#1\n1: (7b) x\nR1 !read_ok\n",
	  "1 R1 has no value\n0 R1 loses its value in this call\n" },
	{ "an argument of a global function",
	  "8: (b7) x\nfrom\nValidating f() func#1...\n3: (b7) r6 = 0\n4: (79) x\n"
	  "R1 invalid mem access 'mem_or_null'\n",
	  "4 R1 may be NULL\n3 R1 is argument 1 of the function\n"
	  "hint: a global function is verified for all possible callers: compare its argument with NULL first\n" },
	{ "a number that was put on the stack",
	  "10: (7a) *(u64 *)(r10 -8) = 0\n11: (79) r7 = *(u64 *)(r10 -8)\n12: (95) exit\n"
	  "R7 is odd\n", "12 R7 is odd\n10 R7 is set here\n" },
	{ "a value that was read, and not what its register was before",
	  CALLED "7: (95) exit\nR2 is odd\n", "7 R2 is odd\n6 R2 is read here\n" },
	{ "a function of the program has no name in the log",
	  "5: (85) call pc+2\n6: (79) r2 = *(u64 *)(r7 +0)\nR0 is odd\n",
	  "6 R0 is odd\n5 R0 comes from this call\n" },
	{ "memory that a call takes back", RESERVED "bpf_ringbuf_submit#132\n" READ,
	  "17 R6 is a number, not a pointer\n13 R6 comes from bpf_ringbuf_reserve()\n"
	  "16 bpf_ringbuf_submit() takes back the memory\n"
	  "hint: do not use memory after passing it to bpf_ringbuf_submit()\n" },
	{ "a call that takes nothing back", RESERVED "bpf_get_smp_processor_id#8\n" READ,
	  "17 R6 is a number, not a pointer\n13 R6 comes from bpf_ringbuf_reserve()\n" },
	{ "a spill, and another slot", SPILLED("18", "19", "20", "21", "22"),
	  "22 R7 may be NULL\n18 R7 comes from bpf_map_lookup_elem()\n" HINT },
	{ "a spill of which half is overwritten", SPILLED("23", "24", "25", "26", "27"),
	  "27 R7 may be NULL\n" },
	{ "a fetch into the register", "28: (79) r0 = x\n29: (db) x\n30: (79) r2 = x\nR3 is odd\n",
	  "30 R3 is odd\n" },
	{ "a fetch that may be into R0",
	  "28: (79) r0 = x\n29: (db) x\n30: (79) r2 = x\nR0 is odd\n", "30 R0 is odd\n" },
	{ "a fetch into another register",
	  "28: (79) r0 = x\n29: (db) x\n30: (79) r2 = x\nR2 is odd\n",
	  "30 R2 is odd\n28 R2 is argument 2 of the function\n" },
	{ "an offset that is a number", ADDED("R3_w=scalar(id=1) R6_w=map_value()")
	  "R6 unbounded, make sure to bounds check any such access\n",
	  "33 the offset of R6 has no upper limit\n31 the offset of R6 is set here\n" },
	{ "an offset that was an index", ADDED("R3=inv4 R6_w=map_value()")
	  "R6 unbounded, make sure to bounds check any such access\n",
	  "33 the offset of R6 has no upper limit\n31 the offset of R6 is set here\n" },
	{ "an addition of which the pointer is the source", ADDED("R6_w=map_value() R3_w=x")
	  "R6 unbounded, make sure to bounds check any such access\n",
	  "33 the offset of R6 has no upper limit\n" },
	{ "a pointer that another was added to", ADDED("R3_w=scalar()") "R6 is odd\n",
	  "33 R6 is odd\n" },
	{ "a word of the packet", "34: (20) x\n35: (79) x\nR0 is odd\n",
	  "35 R0 is odd\n34 R0 is read here\n" },
	{ "a word of the packet beside it", "34: (20) x\n35: (79) x\nR7 is odd\n",
	  "35 R7 is odd\n" },
	{ "a constant of 64 bits, and what is added",
	  "36: (18) r7 = 0x0\n38: (07) r7 += 1\n39: (79) r2 = *(u64 *)(r7 +0)\nR7 is odd\n",
	  "39 R7 is odd\n36 R7 is set here\n" },
	{ "a packet that moves", MOVED("R6_w=pkt(r=8)"),
	  "42 R6 is a number, not a pointer\n40 R6 is read here\n"
	  "41 bpf_xdp_adjust_head() moves the packet\n"
	  "hint: after bpf_xdp_adjust_head(), reload ctx->data and ctx->data_end, and compare them again\n" },
	{ "no packet before the move", MOVED("R6_w=scalar()"),
	  "42 R6 is a number, not a pointer\n40 R6 is read here\n" },
	{ "what a function of the program returns",
	  "43: (85) call pc+1\n45: (85) call bpf_map_lookup_elem#1\n46: (95) exit\n44: (79) r2 = x\n"
	  "R0 invalid mem access 'map_value_or_null'\n",
	  "44 R0 may be NULL\n45 R0 comes from bpf_map_lookup_elem()\n"
	  "hint: bpf_map_lookup_elem() may return NULL: compare with NULL before using it\n" },
	{ "an argument of a function of the program",
	  "47: (b7) r1 = 0\n48: (85) call pc+0\n49: (79) r2 = *(u64 *)(r1 +0)\nR1 is odd\n",
	  "49 R1 is odd\n47 R1 is set here\n" },
	{ "a register that no function is passed",
	  "47: (b7) r1 = 0\n48: (85) call pc+0\n49: (79) r2 = *(u64 *)(r1 +0)\nR6 is odd\n",
	  "49 R6 is odd\n" },
	{ "memory that is not released",
	  "13: (85) call bpf_ringbuf_reserve#131\n14: (bf) r6 = r0\n"
	  "Unreleased reference id=1 alloc_insn=13\n",
	  "14 the program exits without releasing what bpf_ringbuf_reserve() returned\n"
	  "13 acquired by bpf_ringbuf_reserve()\n"
	  "hint: pass it to bpf_ringbuf_submit() or bpf_ringbuf_discard() before each return\n" },
	{ "a reference that is not released",
	  "13: (85) call bpf_sk_lookup_tcp#84\n14: (bf) r6 = r0\n"
	  "Unreleased reference id=1 alloc_insn=13\n",
	  "14 the program exits without releasing what bpf_sk_lookup_tcp() returned\n"
	  "13 acquired by bpf_sk_lookup_tcp()\n" },
	{ "a reference from a call without a name",
	  "5: (85) call pc+2\n8: (b7) r7 = 1\nUnreleased reference id=1 alloc_insn=5\n",
	  "8 the program exits without releasing a reference\n5 acquired by this call\n" },
	{ "a reference from before the path", "14: (bf) r6 = r0\n"
	  "Unreleased reference id=1 alloc_insn=13\n",
	  "14 the program exits without releasing a reference\n" },
	{ "a lock that is held", "13: (85) call bpf_spin_lock#93\n14: (bf) r6 = r0\n"
	  "15: (bf) r1 = r0\nbpf_spin_unlock is missing\n",
	  "15 the program exits while holding a lock\n13 bpf_spin_lock() takes the lock\n" },
	{ "the instruction that the verdict names",
	  "3: (b7) r6 = 0\ninfinite loop detected at insn 2\ncur state: R0=0\nold state: R0=0\n",
	  "2 the verifier cannot prove that this loop ends\n" },
	{ "a verdict about the program, before the first instruction",
	  "combined stack size of 2 calls is 608. Too large\nprocessed 0 insns\n",
	  "0 combined stack size of 2 calls is 608. Too large\n" },
	{ "no verdict about instructions", "number of funcs in func_info doesn't match\n", "" },
	{ "instructions that the program does not have",
	  "99: (b7) r6 = 0\n4294967296: (b7) r6 = 0\n18446744073709551616: (b7)\nfrom 7 to 9: x\n"
	  "R0 is odd\n", "" },
	{ "an instruction that the program does not have, named",
	  "3: (b7) r6 = 0\nunreachable insn 99\n", "" },
	{ "truncated lines", "3: (b7", "" },
	{ "a register that does not exist", "3: (b7) r6 = 0\nR11 !read_ok\nR99999999999999 is odd\n",
	  "3 R11 !read_ok\n" },
};

TEST_ROWS(logs, rows)
{
	char text[2048];

	ck_assert_str_eq(notes_of(rows[_i].log, text, sizeof(text)), rows[_i].notes);
}

/* A long path is read once, and its last branches are noted. */
TEST(long_path)
{
	static const char step[] = "2: (15) if r0 == 0x%06zx goto pc+1\n4: (79) r7 = 0\n";
	const size_t steps = 150000;
	char *log = malloc(steps * sizeof(step) + 64), text[4096], *end = log;
	unsigned int lines = 0;

	for (size_t i = 0; i < steps; i++)
		end += sprintf(end, step, i);
	strcpy(end, "it is odd\n");
	notes_of(log, text, sizeof(text));
	for (const char *line = text; *line; line = strchr(line, '\n') + 1)
		lines++;
	ck_assert_uint_eq(lines, 1 + 1 + 12);
	ck_assert_ptr_nonnull(strstr(text, "earlier branches omitted"));
	ck_assert_ptr_nonnull(strstr(text, "2 r0 == 0x0249e4 is true\n"));
	ck_assert_ptr_nonnull(strstr(text, "2 r0 == 0x0249ef is true\n"));
	free(log);
}

/* The numbers and words of a message stand in their places, and without all of them it is kept. */
static const struct {
	const char *line, *call, *text;
} texts[] = {
	{ "R2 type=ctx expected=fp, pkt", "bpf_f",
	  "the second argument of bpf_f() is ctx, but must be fp, pkt" },
	{ "R2 type=ctx expected=fp, pkt", "", "R2 type=ctx expected=fp, pkt" },
	{ "R6 type=ctx expected=fp", "bpf_f", "R6 type=ctx expected=fp" },
	{ "invalid access to map value, value_size=8 off=16 size=4", "",
	  "access to 4 bytes at offset 16 of a value of 8 bytes" },
	{ "invalid access to packet, off=4 size=1, R1(id=0,off=4,r=1)", "",
	  "access to 1 byte at offset 4 of a packet, of which only 1 byte is known to exist" },
	{ "invalid access to packet, off=4 size=2, R1(id=0,off=4,r=5)", "",
	  "access to 2 bytes at offset 4 of a packet, of which only 5 bytes are known to exist" },
	{ "invalid access to packet, off=4 size=2", "", "invalid access to packet, off=4 size=2" },
	{ "R0 type=ctx expected=fp", "bpf_f", "R0 type=ctx expected=fp" },
	{ "R5 type=ctx expected=fp", "bpf_f",
	  "the fifth argument of bpf_f() is ctx, but must be fp" },
	{ "invalid bpf_context access off=8 size=1", "",
	  "the program may not access 1 byte at offset 8 of its context" },
};

TEST_ROWS(texts_of_messages, texts)
{
	char text[256];

	verdict_text(verdict_find(texts[_i].line), texts[_i].line, texts[_i].call, text,
		     sizeof(text));
	ck_assert_str_eq(text, texts[_i].text);
}
