// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Which variable counts a failed call, and which ones must not be taken for it. */
#include <stdlib.h>

#include <linux/bpf.h>

#include "loader/core/object/object.h"
#include "loader/core/object/relocate.h"
#include "test/unit/common/insns.h"
#include "test/unit/common/suite.h"

#define LSH(to, v) ALU(BPF_LSH, to, v)
#define ARSH(to, v) ALU(BPF_ARSH, to, v)
#define RING(to) MAP(to, 0)
#define HASH(to) MAP(to, 1)
#define STACKS(to) MAP(to, 2)
#define LOAD64(to, from, o) LOAD(BPF_DW, to, from, o)
#define STORE64(to, o, from) STORE(BPF_DW, to, o, from)
#define LOCK_ADD(to, o, from) ATOMIC(BPF_DW, to, o, from, BPF_ADD)
#define LOCK_ADD32(to, o, from) ATOMIC(BPF_W, to, o, from, BPF_ADD)
#define FETCH_ADD(to, o, from) ATOMIC(BPF_DW, to, o, from, BPF_ADD | BPF_FETCH)
#define JNEI(r, v, d) JMP(BPF_JNE, r, v, d)
#define JEQI(r, v, d) JMP(BPF_JEQ, r, v, d)
#define JSGTI(r, v, d) JMP(BPF_JSGT, r, v, d)
#define JEQ32(r, v, d) JMP32(BPF_JEQ, r, v, d)
#define MAY_GOTO(d) OP(BPF_JMP | BPF_JCOND, 0, 0, d, 0)
/* The error is -EAGAIN, success 0. */
#define OUTPUT RING(1), CALL(ringbuf_output)
#define VAR(to, offset) LD64(to, BPF_PSEUDO_MAP_VALUE, 3, offset)
#define FOUND(failure, o) { failure, 0, 3, o, 8 }
#define NOT_FOUND(failure) { failure, 0, NONE, 0, 0 }
#define COUNT(offset) MOVI(1, 1), VAR(2, offset), LOCK_ADD(2, 0, 1)	/* 4 instructions */

#define DATA { .type = BPF_MAP_TYPE_ARRAY, .kind = OBJECT_MAP_DATA }

enum { NONE = UINT32_MAX, UNKNOWN_MAP = 99 };

static const struct {
	const char *name;
	struct bpf_insn insns[32];
	struct failure_count expect;
} rows[] = {
	{ "an atomic addition where the reservation failed",
	  { RING(1), CALL(ringbuf_reserve), JNEI(0, 0, 5), COUNT(8), EXIT, MOVI(0, 0), EXIT },
	  FOUND(FAILURE_RESERVE, 8) },
	{ "the result in another register, the failure at the target of the jump",
	  { RING(1), CALL(ringbuf_reserve), MOV(7, 0), JEQI(7, 0, 1), EXIT, COUNT(16), EXIT },
	  FOUND(FAILURE_RESERVE, 16) },
	{ "the end of a loop by may_goto, which does not compare r0",
	  { RING(1), CALL(ringbuf_reserve), MAY_GOTO(6), JNEI(0, 0, 5), COUNT(8), EXIT, EXIT },
	  FOUND(FAILURE_RESERVE, 8) },
	{ "a load, an addition and a store",
	  { RING(1), CALL(ringbuf_reserve), JNEI(0, 0, 6), VAR(1, 0), LOAD64(2, 1, 4), ADDI(2, 1),
	    STORE64(1, 4, 2), EXIT, EXIT }, FOUND(FAILURE_RESERVE, 4) },
	{ "a counter of 32 bits",
	  { RING(1), CALL(ringbuf_reserve), JNEI(0, 0, 5), MOVI(1, 1), VAR(2, 0),
	    LOCK_ADD32(2, 4, 1), EXIT, EXIT }, { FAILURE_RESERVE, 0, 3, 4, 4 } },
	{ "a store to another variable than what was loaded",
	  { RING(1), CALL(ringbuf_reserve), JNEI(0, 0, 6), VAR(1, 0), LOAD64(2, 1, 8), ADDI(2, 1),
	    STORE64(1, 0, 2), EXIT, EXIT }, NOT_FOUND(FAILURE_RESERVE) },
	{ "two are added",
	  { RING(1), CALL(ringbuf_reserve), JNEI(0, 0, 5), MOVI(1, 2), VAR(2, 0),
	    LOCK_ADD(2, 0, 1), EXIT, EXIT }, NOT_FOUND(FAILURE_RESERVE) },
	{ "counted on success, too: both paths meet",
	  { RING(1), CALL(ringbuf_reserve), JNEI(0, 0, 1), MOVI(6, 1), COUNT(0), EXIT },
	  NOT_FOUND(FAILURE_RESERVE) },
	{ "counted before the result is known",
	  { RING(1), CALL(ringbuf_reserve), COUNT(0), JNEI(0, 0, 1), EXIT, EXIT },
	  NOT_FOUND(FAILURE_RESERVE) },
	{ "another failure is counted by the same instructions",
	  { RING(1), CALL(ringbuf_reserve), JEQI(0, 0, 2), JEQI(6, 0, 1), EXIT, COUNT(0), EXIT },
	  NOT_FOUND(FAILURE_RESERVE) },
	{ "a loop that tries again comes back to the count",
	  { RING(1), CALL(ringbuf_reserve), JNEI(0, 0, 5), COUNT(0), EXIT, JEQI(6, 0, -10), EXIT },
	  NOT_FOUND(FAILURE_RESERVE) },
	{ "the one has been in a register since before the call",
	  { MOVI(6, 1), OUTPUT, JNEI(0, -11, 3), VAR(2, 8), LOCK_ADD(2, 0, 6), EXIT },
	  FOUND(FAILURE_OUTPUT, 8) },
	{ "and counts something else before it",
	  { MOVI(6, 1), VAR(2, 0), LOCK_ADD(2, 0, 6), OUTPUT, JNEI(0, -11, 3), VAR(2, 8),
	    LOCK_ADD(2, 0, 6), EXIT }, FOUND(FAILURE_OUTPUT, 8) },
	{ "a register that has another number",
	  { MOVI(6, 2), OUTPUT, JNEI(0, -11, 3), VAR(2, 8), LOCK_ADD(2, 0, 6), EXIT },
	  NOT_FOUND(FAILURE_OUTPUT) },
	{ "a register that the call overwrites",
	  { MOVI(5, 1), OUTPUT, JNEI(0, -11, 3), VAR(2, 8), LOCK_ADD(2, 0, 5), EXIT },
	  NOT_FOUND(FAILURE_OUTPUT) },
	{ "the address has been in a register since before the call",
	  { VAR(7, 0), OUTPUT, JNEI(0, -11, 3), MOVI(1, 1), ADDI(7, 16), LOCK_ADD(7, -8, 1), EXIT },
	  FOUND(FAILURE_OUTPUT, 8) },
	{ "the one is from before a branch: it is the only value of its register",
	  { MOVI(6, 1), JEQI(8, 0, 1), MOVI(7, 0), OUTPUT, JNEI(0, -11, 3), VAR(2, 8),
	    LOCK_ADD(2, 0, 6), EXIT }, FOUND(FAILURE_OUTPUT, 8) },
	{ "the one from before a branch, and two from one of its sides",
	  { MOVI(6, 1), JEQI(8, 0, 1), MOVI(6, 2), OUTPUT, JNEI(0, -11, 3), VAR(2, 8),
	    LOCK_ADD(2, 0, 6), EXIT }, NOT_FOUND(FAILURE_OUTPUT) },
	{ "the one from before a branch, and what was loaded on one of its sides",
	  { MOVI(6, 1), JEQI(8, 0, 1), LOAD64(6, 8, 0), OUTPUT, JNEI(0, -11, 3), VAR(2, 8),
	    LOCK_ADD(2, 0, 6), EXIT }, NOT_FOUND(FAILURE_OUTPUT) },
	{ "the one from before a branch, and the old value of a variable",
	  { MOVI(6, 1), VAR(2, 0), JEQI(8, 0, 1), FETCH_ADD(2, 0, 6), OUTPUT, JNEI(0, -11, 3),
	    VAR(2, 8), LOCK_ADD(2, 0, 6), EXIT }, NOT_FOUND(FAILURE_OUTPUT) },
	{ "two in another function",
	  { MOVI(6, 1), JEQI(8, 0, 1), SUB(8), OUTPUT, JNEI(0, -11, 3), VAR(2, 8),
	    LOCK_ADD(2, 0, 6), EXIT, MOVI(6, 2), EXIT }, FOUND(FAILURE_OUTPUT, 8) },
	{ "a load that acquires overwrites the one",
	  { OUTPUT, JNEI(0, -11, 5), MOVI(1, 1), OP(BPF_STX | BPF_ATOMIC | BPF_DW, 1, 8, 0, 0x100),
	    VAR(2, 8), LOCK_ADD(2, 0, 1), EXIT }, NOT_FOUND(FAILURE_OUTPUT) },
	{ "nothing looks at the result", { RING(1), CALL(ringbuf_reserve), EXIT },
	  NOT_FOUND(FAILURE_RESERVE) },
	{ "bpf_ringbuf_reserve_dynptr: any error",
	  { RING(1), CALL(ringbuf_reserve_dynptr), JEQI(0, 0, 5), COUNT(8), EXIT, EXIT },
	  FOUND(FAILURE_OUTPUT, 8) },
	{ "32 bits compared with a negative number in a register",
	  { ALU32(BPF_MOV, 6, -1), OUTPUT, OP(BPF_JMP32 | BPF_JSGT | BPF_X, 0, 6, 5, 0), COUNT(8),
	    EXIT, EXIT }, FOUND(FAILURE_OUTPUT, 8) },
	{ "a negative number of 32 bits compared with the result",
	  { ALU32(BPF_MOV, 6, -1), OUTPUT, OP(BPF_JMP32 | BPF_JSLT | BPF_X, 6, 0, 5, 0), COUNT(8),
	    EXIT, EXIT }, FOUND(FAILURE_OUTPUT, 8) },
	{ "64 bits compared with a number that is negative in 32",
	  { ALU32(BPF_MOV, 6, -1), OUTPUT, OP(BPF_JMP | BPF_JSLT | BPF_X, 0, 6, 5, 0), COUNT(8),
	    EXIT, EXIT }, NOT_FOUND(FAILURE_OUTPUT) },
	{ "bpf_ringbuf_output: any error",
	  { RING(1), CALL(ringbuf_output), LSH(0, 32), ARSH(0, 32), JSGTI(0, -1, 4), COUNT(8),
	    EXIT }, FOUND(FAILURE_OUTPUT, 8) },
	{ "a full hash: an error with BPF_ANY",
	  { HASH(1), MOVI(4, 0), CALL(map_update_elem), JEQI(0, 0, 4), COUNT(8), EXIT },
	  { FAILURE_FULL, 1, 3, 8, 8 } },
	{ "an error with BPF_NOEXIST is mostly another one",
	  { HASH(1), MOVI(4, 1), CALL(map_update_elem), JEQI(0, 0, 4), COUNT(8), EXIT },
	  { FAILURE_FULL, 1, NONE, 0, 0 } },
	{ "unless it is compared with -E2BIG",
	  { HASH(1), MOVI(4, 1), CALL(map_update_elem), JEQ32(0, -7, 1), EXIT, COUNT(8), EXIT },
	  { FAILURE_FULL, 1, 3, 8, 8 } },
	{ "or a lookup after it finds nothing",
	  { HASH(1), MOVI(4, 1), CALL(map_update_elem), HASH(1), CALL(map_lookup_elem),
	    JNEI(0, 0, 4), COUNT(8), EXIT }, { FAILURE_FULL, 1, 3, 8, 8 } },
	{ "a collision is -EEXIST",
	  { STACKS(2), CALL(get_stackid), JEQ32(0, -17, 1), EXIT, COUNT(8), EXIT },
	  { FAILURE_COLLISION, 2, 3, 8, 8 } },
	{ "below zero may be -EFAULT, too",
	  { STACKS(2), CALL(get_stackid), JSGTI(0, -1, 4), COUNT(8), EXIT },
	  { FAILURE_COLLISION, 2, NONE, 0, 0 } },
	{ "the lower half is another number",
	  { OUTPUT, OP(BPF_ALU | BPF_MOV | BPF_X, 7, 0, 0, 0), JEQI(7, -11, 1), EXIT, COUNT(8),
	    EXIT }, NOT_FOUND(FAILURE_OUTPUT) },
	{ "a comparison with a register of 64 bits, which is false on either path",
	  { OUTPUT, LD64(8, 0, 0, 1), OP(BPF_JMP | BPF_JSGE | BPF_X, 0, 8, 5, 0), COUNT(8), EXIT,
	    EXIT }, NOT_FOUND(FAILURE_OUTPUT) },
	{ "the result added to more than 32 bits, which is positive on either path",
	  { OUTPUT, LD64(8, 0, 0, 1), OP(BPF_ALU64 | BPF_ADD | BPF_X, 8, 0, 0, 0),
	    JMP(BPF_JSGE, 8, 0, 5), COUNT(8), EXIT, EXIT }, NOT_FOUND(FAILURE_OUTPUT) },
	{ "one is subtracted",
	  { OUTPUT, ALU(BPF_SUB, 0, 1), JEQI(0, -12, 1), EXIT, COUNT(8), EXIT },
	  FOUND(FAILURE_OUTPUT, 8) },
	{ "the lowest bits",
	  { OUTPUT, ALU(BPF_AND, 0, 255), JEQI(0, 245, 1), EXIT, COUNT(8), EXIT },
	  FOUND(FAILURE_OUTPUT, 8) },
	{ "a bit is set", { OUTPUT, ALU(BPF_OR, 0, 1), JEQI(0, -11, 1), EXIT, COUNT(8), EXIT },
	  FOUND(FAILURE_OUTPUT, 8) },
	{ "all bits are inverted",
	  { OUTPUT, ALU(BPF_XOR, 0, -1), JEQI(0, 10, 1), EXIT, COUNT(8), EXIT },
	  FOUND(FAILURE_OUTPUT, 8) },
	{ "the highest bits", { OUTPUT, ALU(BPF_RSH, 0, 60), JEQI(0, 15, 1), EXIT, COUNT(8), EXIT },
	  FOUND(FAILURE_OUTPUT, 8) },
	{ "the highest bits of 32",
	  { OUTPUT, ALU32(BPF_RSH, 0, 28), JEQI(0, 15, 1), EXIT, COUNT(8), EXIT },
	  FOUND(FAILURE_OUTPUT, 8) },
	{ "the sign of 32 bits",
	  { OUTPUT, ALU32(BPF_ARSH, 0, 4), JMP32(BPF_JEQ, 0, -1, 1), EXIT, COUNT(8), EXIT },
	  FOUND(FAILURE_OUTPUT, 8) },
	{ "a sum of 32 bits", { OUTPUT, ALU32(BPF_ADD, 0, 11), JNEI(0, 0, 4), COUNT(8), EXIT },
	  FOUND(FAILURE_OUTPUT, 8) },
	{ "32 bits in another register",
	  { OUTPUT, OP(BPF_ALU | BPF_MOV | BPF_X, 7, 0, 0, 0), JMP32(BPF_JEQ, 7, -11, 1), EXIT,
	    COUNT(8), EXIT }, FOUND(FAILURE_OUTPUT, 8) },
	{ "a product is not followed",
	  { OUTPUT, ALU(BPF_MUL, 0, 2), JEQI(0, -22, 1), EXIT, COUNT(8), EXIT },
	  NOT_FOUND(FAILURE_OUTPUT) },
	{ "nor 8 bits",
	  { OUTPUT, OP(BPF_ALU64 | BPF_MOV | BPF_X, 7, 0, 8, 0), JEQI(7, -11, 1), EXIT, COUNT(8),
	    EXIT }, NOT_FOUND(FAILURE_OUTPUT) },
	{ "nor a sum with what is not known",
	  { OUTPUT, OP(BPF_ALU64 | BPF_ADD | BPF_X, 0, 6, 0, 0), JEQI(0, -11, 1), EXIT, COUNT(8),
	    EXIT }, NOT_FOUND(FAILURE_OUTPUT) },
	{ "unsigned: it is more", { OUTPUT, JMP(BPF_JGT, 0, 0, 1), EXIT, COUNT(8), EXIT },
	  FOUND(FAILURE_OUTPUT, 8) },
	{ "unsigned: it is as much", { OUTPUT, JMP(BPF_JGE, 0, 1, 1), EXIT, COUNT(8), EXIT },
	  FOUND(FAILURE_OUTPUT, 8) },
	{ "unsigned: success is less", { OUTPUT, JMP(BPF_JLT, 0, 1, 4), COUNT(8), EXIT },
	  FOUND(FAILURE_OUTPUT, 8) },
	{ "unsigned: success is no more", { OUTPUT, JMP(BPF_JLE, 0, 0, 4), COUNT(8), EXIT },
	  FOUND(FAILURE_OUTPUT, 8) },
	{ "a bit is tested", { OUTPUT, JMP(BPF_JSET, 0, 1, 1), EXIT, COUNT(8), EXIT },
	  FOUND(FAILURE_OUTPUT, 8) },
	{ "success is not below zero", { OUTPUT, JMP(BPF_JSGE, 0, 0, 4), COUNT(8), EXIT },
	  FOUND(FAILURE_OUTPUT, 8) },
	{ "32 bits are below zero", { OUTPUT, JMP32(BPF_JSLT, 0, 0, 1), EXIT, COUNT(8), EXIT },
	  FOUND(FAILURE_OUTPUT, 8) },
	{ "it is at most -1", { OUTPUT, JMP(BPF_JSLE, 0, -1, 1), EXIT, COUNT(8), EXIT },
	  FOUND(FAILURE_OUTPUT, 8) },
	{ "it is the same in a register",
	  { OUTPUT, MOVI(6, -11), OP(BPF_JMP | BPF_JEQ | BPF_X, 0, 6, 1, 0), EXIT, COUNT(8), EXIT },
	  FOUND(FAILURE_OUTPUT, 8) },
	{ "and not in one that is not known",
	  { OUTPUT, OP(BPF_JMP | BPF_JEQ | BPF_X, 0, 6, 1, 0), EXIT, COUNT(8), EXIT },
	  NOT_FOUND(FAILURE_OUTPUT) },
	{ "the address is moved",
	  { OUTPUT, JEQI(0, -11, 1), EXIT, MOVI(1, 1), VAR(2, 0), ADDI(2, 8), LOCK_ADD(2, 0, 1),
	    EXIT }, FOUND(FAILURE_OUTPUT, 8) },
	{ "the address is moved by what is not known",
	  { OUTPUT, JEQI(0, -11, 1), EXIT, MOVI(1, 1), VAR(2, 0),
	    OP(BPF_ALU64 | BPF_ADD | BPF_X, 2, 6, 0, 0), LOCK_ADD(2, 0, 1), EXIT },
	  NOT_FOUND(FAILURE_OUTPUT) },
	{ "the address loses its upper half",
	  { OUTPUT, JEQI(0, -11, 1), EXIT, MOVI(1, 1), VAR(2, 0), ALU32(BPF_ADD, 2, 8),
	    LOCK_ADD(2, 0, 1), EXIT }, NOT_FOUND(FAILURE_OUTPUT) },
	{ "the address is masked",
	  { OUTPUT, JEQI(0, -11, 1), EXIT, MOVI(1, 1), VAR(2, 0), ALU(BPF_AND, 2, 8),
	    LOCK_ADD(2, 0, 1), EXIT }, NOT_FOUND(FAILURE_OUTPUT) },
	{ "a one of 64 bits",
	  { OUTPUT, JEQI(0, -11, 1), EXIT, LD64(1, 0, 1, 0), VAR(2, 8), LOCK_ADD(2, 0, 1), EXIT },
	  FOUND(FAILURE_OUTPUT, 8) },
	{ "a one of which the upper half is none",
	  { OUTPUT, JEQI(0, -11, 1), EXIT, LD64(1, 0, 1, 1), VAR(2, 8), LOCK_ADD(2, 0, 1), EXIT },
	  NOT_FOUND(FAILURE_OUTPUT) },
	{ "the address of a function",
	  { OUTPUT, JEQI(0, -11, 1), EXIT, MOVI(1, 1), LD64(2, BPF_PSEUDO_FUNC, 3, 0),
	    LOCK_ADD(2, 0, 1), EXIT }, NOT_FOUND(FAILURE_OUTPUT) },
	{ "a map that is not known",
	  { OUTPUT, JEQI(0, -11, 1), EXIT, MOVI(1, 1),
	    LD64(2, BPF_PSEUDO_MAP_VALUE, UNKNOWN_MAP, 0), LOCK_ADD(2, 0, 1), EXIT },
	  NOT_FOUND(FAILURE_OUTPUT) },
	{ "the old value is fetched",
	  { OUTPUT, JEQI(0, -11, 1), EXIT, MOVI(1, 1), VAR(2, 8),
	    OP(BPF_STX | BPF_ATOMIC | BPF_DW, 2, 1, 0, BPF_ADD | BPF_FETCH), EXIT },
	  FOUND(FAILURE_OUTPUT, 8) },
	{ "an exchange",
	  { OUTPUT, JEQI(0, -11, 1), EXIT, MOVI(1, 1), VAR(2, 8),
	    OP(BPF_STX | BPF_ATOMIC | BPF_DW, 2, 1, 0, BPF_XCHG), LOCK_ADD(2, 0, 1), EXIT },
	  NOT_FOUND(FAILURE_OUTPUT) },
	{ "a comparison and exchange overwrites the result",
	  { OUTPUT, VAR(2, 8), OP(BPF_STX | BPF_ATOMIC | BPF_DW, 2, 1, 0, BPF_CMPXCHG),
	    JEQI(0, -11, 1), EXIT, COUNT(8), EXIT }, NOT_FOUND(FAILURE_OUTPUT) },
	{ "a load, an addition of two, and a store",
	  { OUTPUT, JEQI(0, -11, 1), EXIT, VAR(1, 8), LOAD64(2, 1, 0), ADDI(2, 2), STORE64(1, 0, 2),
	    EXIT }, NOT_FOUND(FAILURE_OUTPUT) },
	{ "a product of what was loaded",
	  { OUTPUT, JEQI(0, -11, 1), EXIT, VAR(1, 8), LOAD64(2, 1, 0), ALU(BPF_MUL, 2, 1),
	    STORE64(1, 0, 2), EXIT }, NOT_FOUND(FAILURE_OUTPUT) },
	{ "a counter of 8 bits",
	  { OUTPUT, JEQI(0, -11, 1), EXIT, VAR(1, 8), OP(BPF_LDX | BPF_MEM | BPF_B, 2, 1, 0, 0),
	    ADDI(2, 1), OP(BPF_STX | BPF_MEM | BPF_B, 1, 2, 0, 0), EXIT },
	  NOT_FOUND(FAILURE_OUTPUT) },
	{ "a load that extends the sign",
	  { OUTPUT, JEQI(0, -11, 1), EXIT, VAR(1, 8), OP(BPF_LDX | BPF_MEMSX | BPF_W, 2, 1, 0, 0),
	    ADDI(2, 1), STORE64(1, 0, 2), EXIT }, NOT_FOUND(FAILURE_OUTPUT) },
	{ "a store of a constant before",
	  { OUTPUT, JEQI(0, -11, 1), EXIT, VAR(1, 8), OP(BPF_ST | BPF_MEM | BPF_DW, 1, 0, 8, 7),
	    COUNT(8), EXIT }, FOUND(FAILURE_OUTPUT, 8) },
	{ "source registers that do not exist",
	  { OUTPUT, JEQI(0, -11, 1), EXIT, OP(BPF_LDX | BPF_MEM | BPF_DW, 2, 12, 0, 0),
	    OP(BPF_STX | BPF_MEM | BPF_DW, 2, 12, 0, 0),
	    OP(BPF_ALU64 | BPF_MOV | BPF_X, 3, 12, 0, 0),
	    OP(BPF_STX | BPF_ATOMIC | BPF_DW, 2, 12, 0, BPF_ADD | BPF_FETCH), COUNT(8), EXIT },
	  FOUND(FAILURE_OUTPUT, 8) },
	{ "a destination that does not exist",
	  { OUTPUT, JEQI(0, -11, 1), EXIT, MOVI(12, 0), COUNT(8), EXIT },
	  NOT_FOUND(FAILURE_OUTPUT) },
	{ "an old load of a packet",
	  { OUTPUT, JEQI(0, -11, 1), EXIT, OP(BPF_LD | BPF_ABS | BPF_W, 0, 0, 0, 0), COUNT(8),
	    EXIT }, NOT_FOUND(FAILURE_OUTPUT) },
	{ "a jump by a table, on the path of the failure",
	  { OUTPUT, JEQI(0, -11, 1), EXIT, OP(BPF_JMP | BPF_JA | BPF_X, 1, 0, 0, 0), COUNT(8),
	    EXIT }, NOT_FOUND(FAILURE_OUTPUT) },
	{ "a jump by a table, on the other path",
	  { OUTPUT, JEQI(0, -11, 1), OP(BPF_JMP | BPF_JA | BPF_X, 1, 0, 0, 0), COUNT(8), EXIT },
	  NOT_FOUND(FAILURE_OUTPUT) },
	{ "a jump by a table, on one branch of the other path",
	  { OUTPUT, JEQI(0, -11, 3), JEQI(6, 0, 1), EXIT, OP(BPF_JMP | BPF_JA | BPF_X, 1, 0, 0, 0),
	    COUNT(8), EXIT }, NOT_FOUND(FAILURE_OUTPUT) },
	{ "a jump on both paths",
	  { OUTPUT, JEQI(0, -11, 3), JEQI(6, 0, 1), JA(0), EXIT, JA(1), EXIT, COUNT(8), EXIT },
	  FOUND(FAILURE_OUTPUT, 8) },
	{ "two comparisons, of which the first says nothing",
	  { OUTPUT, JEQI(0, 5, 2), JEQI(0, -11, 1), EXIT, COUNT(8), EXIT },
	  FOUND(FAILURE_OUTPUT, 8) },
	{ "a comparison that is known, after the paths have parted",
	  { OUTPUT, JEQI(0, -11, 1), EXIT, MOVI(6, 1), JEQI(6, 1, 1), EXIT, COUNT(8), EXIT },
	  FOUND(FAILURE_OUTPUT, 8) },
	{ "a call on the path of the failure",
	  { OUTPUT, JEQI(0, -11, 1), EXIT, CALL(ktime_get_ns), COUNT(8), EXIT },
	  FOUND(FAILURE_OUTPUT, 8) },
	{ "a lookup in another map after an update that failed",
	  { HASH(1), MOVI(4, 1), CALL(map_update_elem), STACKS(1), CALL(map_lookup_elem),
	    JNEI(0, 0, 4),
	    COUNT(8), EXIT }, { FAILURE_FULL, 1, NONE, 0, 0 } },
	{ "a lookup after the paths have parted",
	  { HASH(1), MOVI(4, 0), CALL(map_update_elem), JEQI(0, 0, 8), HASH(1),
	    CALL(map_lookup_elem),
	    JNEI(0, 0, 4), COUNT(8), EXIT }, { FAILURE_FULL, 1, 3, 8, 8 } },
	{ "another result than the failure, and than success",
	  { HASH(1), MOVI(4, 1), CALL(map_update_elem), JEQI(0, -17, 1), EXIT, COUNT(8), EXIT },
	  { FAILURE_FULL, 1, NONE, 0, 0 } },
	{ "a jump out of the program",
	  { RING(1), CALL(ringbuf_reserve), JNEI(0, 0, 999), COUNT(0), EXIT },
	  FOUND(FAILURE_RESERVE, 0) },
	{ "a jump into itself", { RING(1), CALL(ringbuf_reserve), JA(-1), EXIT },
	  NOT_FOUND(FAILURE_RESERVE) },
};

TEST_ROWS(find, rows)
{
	const struct object_map maps[] = {
		{ .type = BPF_MAP_TYPE_RINGBUF }, { .type = BPF_MAP_TYPE_HASH },
		{ .type = BPF_MAP_TYPE_STACK_TRACE }, DATA,
	};
	struct failure_counts counts = { 0 };
	struct map_usage usage[4] = { { 0 } };
	struct prog_map_ref refs[32];
	struct bpf_insn insns[32];
	struct prog_code code = { .insns = insns, .map_refs = refs };
	const struct failure_count *expect = &rows[_i].expect, *found;

	memcpy(insns, rows[_i].insns, sizeof(insns));
	for (uint32_t i = 0; i < 32; i++) {
		if (insns[i].code == (BPF_LD | BPF_IMM | BPF_DW) && insns[i].src_reg &&
		    insns[i].imm != UNKNOWN_MAP)
			refs[code.nr_map_refs++] = (struct prog_map_ref){ i, insns[i].imm };
		if (insns[i].code)
			code.nr_insns = i + 1;
	}
	/* Two programs with the same code count in the same variable. */
	for (int i = 0; i < 2; i++)
		ck_assert_int_eq(map_usage_scan(&code, usage, &counts, maps, NULL), 0);
	ck_assert_uint_eq(counts.nr, 1);
	found = &counts.list[0];
	ck_assert_int_eq(found->failure, expect->failure);
	ck_assert_uint_eq(found->map, expect->map);
	ck_assert_msg(found->data == expect->data, "%s: map %d", rows[_i].name, (int)found->data);
	ck_assert_uint_eq(found->offset, expect->offset);
	ck_assert_uint_eq(found->size, expect->size);
	free(counts.list);
}

/* An array is never full, and an LRU makes room: updates of hashes alone are looked at. */
static const struct {
	uint32_t type;
	bool fails;
} updated[] = {
	{ BPF_MAP_TYPE_HASH, true }, { BPF_MAP_TYPE_PERCPU_HASH, true },
	{ BPF_MAP_TYPE_ARRAY, false }, { BPF_MAP_TYPE_LRU_HASH, false },
	{ BPF_MAP_TYPE_LRU_PERCPU_HASH, false },
};

TEST_ROWS(updates_of_full_maps, updated)
{
	struct bpf_insn insns[] = { HASH(1), MOVI(4, 0), CALL(map_update_elem), EXIT };
	const struct object_map maps[] = { { .type = updated[_i].type } };
	struct prog_map_ref ref = { 0, 0 };
	const struct prog_code code = { .insns = insns, .nr_insns = 5, .map_refs = &ref,
					.nr_map_refs = 1 };
	struct failure_counts counts = { 0 };
	struct map_usage usage = { 0 };

	ck_assert_int_eq(map_usage_scan(&code, &usage, &counts, maps, NULL), 0);
	ck_assert_uint_eq(counts.nr, updated[_i].fails);
	free(counts.list);
}

/* The other path is longer than the analysis follows, so it may reach the count, too. */
TEST(a_path_without_end)
{
	enum { LENGTH = 5000 };
	const struct bpf_insn begin[] = { OUTPUT, JEQI(0, -11, 2), JA(5), EXIT, COUNT(8) };
	struct bpf_insn insns[NR(begin) + LENGTH] = { 0 };
	const struct object_map maps[4] = { { .type = BPF_MAP_TYPE_RINGBUF }, [3] = DATA };
	struct prog_map_ref refs[] = { { 0, 0 }, { 7, 3 } };
	const struct prog_code code = { .insns = insns, .nr_insns = NR(insns), .map_refs = refs,
					.nr_map_refs = 2 };
	struct failure_counts counts = { 0 };
	struct map_usage usage[4] = { { 0 } };

	memcpy(insns, begin, sizeof(begin));
	for (size_t i = NR(begin); i < NR(insns); i++)
		insns[i] = (struct bpf_insn)MOVI(1, 0);
	ck_assert_int_eq(map_usage_scan(&code, usage, &counts, maps, NULL), 0);
	ck_assert_uint_eq(counts.nr, 1);
	ck_assert_uint_eq(counts.list[0].data, NONE);
	free(counts.list);
	counts = (struct failure_counts){ 0 };
	insns[NR(begin)] = (struct bpf_insn)EXIT;
	ck_assert_int_eq(map_usage_scan(&code, usage, &counts, maps, NULL), 0);
	ck_assert_uint_eq(counts.list[0].data, 3);
	free(counts.list);
}
