// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The fields that linked code writes stacks to: paths, stack slots and functions, and code that is
 * hostile. test/cli/stacks.sh has what compilers produce.
 */
#include <asm/ptrace.h>
#include <linux/bpf.h>

#include <stddef.h>
#include <stdlib.h>

#include "loader/object/analysis/stack_fields.h"
#include "test/unit/common/suite.h"

#define MOV_REG(to, from) { .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = to, .src_reg = from }
#define MOV_IMM(to, v) { .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = to, .imm = v }
#define ADD_IMM(to, v) { .code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = to, .imm = v }
#define RSH_IMM(to, v) { .code = BPF_ALU64 | BPF_RSH | BPF_K, .dst_reg = to, .imm = v }
#define LD_MAP(to, map) \
	{ .code = BPF_LD | BPF_IMM | BPF_DW, .dst_reg = to, .src_reg = BPF_PSEUDO_MAP_FD, \
	  .imm = map }, { 0 }
#define LD64(to, src, low, high) \
	{ .code = BPF_LD | BPF_IMM | BPF_DW, .dst_reg = to, .src_reg = src, .imm = low }, \
	{ .imm = high }
#define LD_FUNC(to, d) LD64(to, BPF_PSEUDO_FUNC, d, 0)
#define ALU(op, to, v) { .code = op, .dst_reg = to, .imm = v }
#define STORE(size, o, from) STORE_AT(size, 10, o, from)
#define STORE_AT(size, to, o, from) \
	{ .code = BPF_STX | BPF_MEM | (size), .dst_reg = to, .src_reg = from, .off = o }
#define LOAD_AT(size, to, from, o) \
	{ .code = BPF_LDX | BPF_MEM | (size), .dst_reg = to, .src_reg = from, .off = o }
#define LOAD(size, to, o) LOAD_AT(size, to, 10, o)
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

/* Map 2 has values of 16 bytes; r7 = one of them. */
#define VALUE MOV_REG(2, 10), ADD_IMM(2, -4), LD_MAP(1, 2), CALL(map_lookup_elem), MOV_REG(7, 0)
#define UPDATE(m) MOV_REG(2, 10), ADD_IMM(2, -32), LD_MAP(1, m), CALL(map_update_elem)
#define IN_VALUE(m, o, is_user) \
	{ .map = m, .part = STACK_FIELD_VALUE, .offset = o, .size = 4, .user = is_user }
#define IN_RECORD(o) { .map = 1, .part = STACK_FIELD_RECORD, .offset = o, .size = 4 }
#define FRAMES(o, n, is_user) \
	{ .map = 1, .role = STACK_FIELD_FRAMES, .offset = o, .size = n, .user = is_user }
#define FILL(o, n, flags) MOV_REG(2, 10), ADD_IMM(2, o), MOV_IMM(3, n), MOV_IMM(4, flags), \
	CALL(get_stack)
#define NOTHING { { 0 } }, 0

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
	{ "half of it",
	  { STACKID(256), STORE(BPF_H, -8, 0), LOOKUP, EXIT },
	  { { 0 } }, 0 },
	{ "half of it in a value",
	  { VALUE, STACKID(256), STORE_AT(BPF_H, 7, 8, 0), EXIT },
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
	{ "an id in the second half of what is copied",
	  { STACKID(256), ZERO(BPF_W, -24), STORE(BPF_W, -20, 0), LOAD(BPF_DW, 1, -24),
	    STORE(BPF_DW, -16, 1), LOOKUP, EXIT },
	  { ID(4, true) }, 1 },
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
	{ "a program without stacks", { VALUE, STORE_AT(BPF_W, 7, 0, 0), EXIT }, NOTHING },
	/* --- callbacks --- */
	{ "a callback for each element, which has its argument and the value",
	  { STACKID(256), STORE(BPF_W, -8, 0), MOV_REG(3, 10), ADD_IMM(3, -8), LD_FUNC(2, 5),
	    LD_MAP(1, 2), CALL(for_each_map_elem), EXIT, LOAD_AT(BPF_W, 1, 4, 0),
	    STORE_AT(BPF_W, 3, 4, 1), EXIT },
	  { IN_VALUE(2, 4, true) }, 1 },
	{ "for each element of a map that is not known",
	  { STACKID(256), STORE(BPF_W, -8, 0), MOV_REG(3, 10), ADD_IMM(3, -8), LD_FUNC(2, 4),
	    MOV_IMM(1, 0), CALL(for_each_map_elem), EXIT, LOAD_AT(BPF_W, 1, 4, 0),
	    STORE_AT(BPF_W, 3, 4, 1), EXIT },
	  NOTHING },
	{ "a loop by a callback, which stores through its argument",
	  { MOV_REG(3, 10), ADD_IMM(3, -16), LD_FUNC(2, 9), MOV_IMM(1, 8), CALL(loop), LOOKUP,
	    EXIT, MOV_REG(6, 2), STACKID(0), STORE_AT(BPF_W, 6, 8, 0), EXIT },
	  { ID(8, false) }, 1 },
	{ "a callback that is not known",
	  { STACKID(0), MOV_IMM(2, 0), CALL(loop), STORE(BPF_W, -8, 0), LOOKUP, EXIT }, NOTHING },
	/* --- buffers --- */
	{ "frames in a key", { FILL(-16, 16, 256), LOOKUP, EXIT }, { FRAMES(0, 16, true) }, 1 },
	{ "frames that do not fit", { FILL(-12, 64, 0), LOOKUP, EXIT }, { FRAMES(4, 64, false) },
	  1 },
	{ "frames that begin before the key", { FILL(-20, 20, 0), LOOKUP, EXIT }, NOTHING },
	{ "frames at no multiple of four", { FILL(-15, 8, 0), LOOKUP, EXIT }, NOTHING },
	{ "frames in no bytes", { FILL(-16, 0, 0), LOOKUP, EXIT }, NOTHING },
	{ "frames of which one is loaded",
	  { FILL(-48, 16, 0), LOAD(BPF_DW, 1, -40), STORE(BPF_DW, -16, 1), LOOKUP, EXIT },
	  NOTHING },
	/* --- records --- */
	{ "an event of a record",
	  { STACKID(0), STORE(BPF_W, -8, 0), MOV_REG(4, 10), ADD_IMM(4, -16), MOV_IMM(5, 16),
	    LD_MAP(2, 1), CALL(perf_event_output), EXIT },
	  { IN_RECORD(8) }, 1 },
	{ "a record of a size that is not known",
	  { STACKID(0), STORE(BPF_W, -8, 0), MOV_REG(2, 10), ADD_IMM(2, -512), MOV_REG(3, 9),
	    LD_MAP(1, 1), CALL(ringbuf_output), EXIT },
	  { IN_RECORD(504) }, 1 },
	{ "a record that goes beyond the stack",
	  { STACKID(0), STORE(BPF_W, -8, 0), MOV_REG(2, 10), ADD_IMM(2, -16), MOV_IMM(3, 32),
	    LD_MAP(1, 1), CALL(ringbuf_output), EXIT },
	  NOTHING },
	{ "a record of no map",
	  { STACKID(0), STORE(BPF_W, -8, 0), MOV_REG(2, 10), ADD_IMM(2, -16), MOV_IMM(3, 16),
	    MOV_IMM(1, 1), CALL(ringbuf_output), EXIT },
	  NOTHING },
	{ "a record that is reserved",
	  { LD_MAP(1, 1), CALL(ringbuf_reserve), MOV_REG(7, 0), STACKID(0),
	    STORE_AT(BPF_W, 7, 12, 0), EXIT },
	  { IN_RECORD(12) }, 1 },
	{ "a record that is reserved in no map",
	  { MOV_IMM(1, 1), CALL(ringbuf_reserve), MOV_REG(7, 0), STACKID(0),
	    STORE_AT(BPF_W, 7, 12, 0), EXIT },
	  NOTHING },
	/* --- values of maps --- */
	{ "the storage of a task",
	  { LD_MAP(1, 2), CALL(task_storage_get), MOV_REG(7, 0), STACKID(0),
	    STORE_AT(BPF_W, 7, 4, 0), EXIT },
	  { IN_VALUE(2, 4, false) }, 1 },
	{ "a global variable",
	  { STACKID(256), LD64(1, BPF_PSEUDO_MAP_VALUE, 2, 8), STORE_AT(BPF_W, 1, 4, 0), EXIT },
	  { IN_VALUE(2, 12, true) }, 1 },
	{ "a value that becomes that of another map",
	  { VALUE, STACKID(0), STORE_AT(BPF_W, 7, 4, 0), MOV_REG(3, 7), UPDATE(1), EXIT },
	  { IN_VALUE(2, 4, false), IN_VALUE(1, 4, false) }, 2 },
	{ "a value from its middle on",
	  { VALUE, STACKID(0), STORE_AT(BPF_W, 7, 12, 0), MOV_REG(3, 7), ADD_IMM(3, 8), UPDATE(1),
	    EXIT },
	  { IN_VALUE(2, 12, false), IN_VALUE(1, 4, false) }, 2 },
	{ "a value from after the field on",
	  { VALUE, STACKID(0), STORE_AT(BPF_W, 7, 4, 0), MOV_REG(3, 7), ADD_IMM(3, 8), UPDATE(1),
	    EXIT },
	  { IN_VALUE(2, 4, false) }, 1 },
	{ "a field after the end of the smaller value",
	  { VALUE, STACKID(0), STORE_AT(BPF_W, 7, 12, 0), MOV_REG(3, 7), UPDATE(1), EXIT },
	  { IN_VALUE(2, 12, false) }, 1 },
	{ "a value from before its begin on",
	  { VALUE, STACKID(0), STORE_AT(BPF_W, 7, 4, 0), MOV_REG(3, 7), ADD_IMM(3, -4), UPDATE(1),
	    EXIT },
	  { IN_VALUE(2, 4, false) }, 1 },
	{ "a value that stays in its map",
	  { VALUE, STACKID(0), STORE_AT(BPF_W, 7, 4, 0), MOV_REG(3, 7), ADD_IMM(3, 4), UPDATE(2),
	    EXIT },
	  { IN_VALUE(2, 4, false) }, 1 },
	{ "the value of a map without such fields",
	  { STACKID(0), STORE(BPF_W, -8, 0), LOOKUP, MOV_REG(3, 0), UPDATE(2), EXIT },
	  { ID(8, false) }, 1 },
	{ "an id that was kept in a value",
	  { VALUE, STACKID(256), STORE_AT(BPF_W, 7, 4, 0), LOAD_AT(BPF_W, 1, 7, 4),
	    STORE(BPF_W, -8, 1), LOOKUP, EXIT },
	  { IN_VALUE(2, 4, true), ID(8, true) }, 2 },
	{ "what is beside the id in the value",
	  { VALUE, STACKID(256), STORE_AT(BPF_W, 7, 4, 0), LOAD_AT(BPF_W, 1, 7, 8),
	    STORE(BPF_W, -8, 1), LOAD_AT(BPF_B, 1, 7, 4), STORE(BPF_W, -12, 1), LOOKUP, EXIT },
	  { IN_VALUE(2, 4, true) }, 1 },
	{ "a process that was kept in a value",
	  { VALUE, STACKID(0), CALL(get_current_pid_tgid), RSH_IMM(0, 32),
	    STORE_AT(BPF_W, 7, 4, 0), LOAD_AT(BPF_W, 1, 7, 4), STORE(BPF_W, -8, 1), LOOKUP, EXIT },
	  { { .map = 2, .part = STACK_FIELD_VALUE, .role = STACK_FIELD_TGID, .offset = 4,
	    .size = 4 },
	    TGID(8) }, 2 },
	{ "frames that were kept in a value",
	  { VALUE, MOV_REG(2, 7), MOV_IMM(3, 4), MOV_IMM(4, 0), CALL(get_stack),
	    LOAD_AT(BPF_W, 1, 7, 0), STORE(BPF_W, -8, 1), LOOKUP, EXIT },
	  { { .map = 2, .part = STACK_FIELD_VALUE, .role = STACK_FIELD_FRAMES, .size = 4 } }, 1 },
	/* --- halves --- */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	{ "the upper half of what was spilled is a process, the lower one a thread",
	  { STACKID(0), CALL(get_current_pid_tgid), STORE(BPF_DW, -32, 0), LOAD(BPF_W, 1, -28),
	    LOAD(BPF_W, 3, -32), STORE(BPF_W, -8, 1), STORE(BPF_W, -4, 3), LOOKUP, EXIT },
	  { TGID(8) }, 1 },
	{ "the upper half of an id that was spilled",
	  { STACKID(0), STORE(BPF_DW, -32, 0), LOAD(BPF_W, 1, -28), STORE(BPF_W, -8, 1), LOOKUP,
	    EXIT },
	  NOTHING },
	{ "a key that ends after the thread",
	  { STACKID(0), CALL(get_current_pid_tgid), STORE(BPF_DW, -8, 0), MOV_REG(2, 10),
	    ADD_IMM(2, -8), LD_MAP(1, 2), CALL(map_lookup_elem), EXIT },
	  NOTHING },
	{ "a process whose thread is overwritten",
	  { STACKID(0), CALL(get_current_pid_tgid), STORE(BPF_DW, -16, 0), ZERO(BPF_W, -16), LOOKUP,
	    EXIT },
	  { TGID(4) }, 1 },
#endif
	{ "a process that is overwritten",
	  { STACKID(0), CALL(get_current_pid_tgid), STORE(BPF_DW, -16, 0), ZERO(BPF_W, -12), LOOKUP,
	    EXIT },
	  NOTHING },
	/* --- arithmetic --- */
	{ "an id that is extended",
	  { STACKID(0), ALU(BPF_ALU64 | BPF_LSH | BPF_K, 0, 32),
	    ALU(BPF_ALU64 | BPF_ARSH | BPF_K, 0, 32),
	    STORE(BPF_W, -8, 0), STACKID(256),
	    { .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = 1, .off = 32 }, STORE(BPF_W, -4, 1),
	    LOOKUP, EXIT },
	  { ID(8, false), ID(12, true) }, 2 },
	{ "an id of which some bits are left",
	  { STACKID(0), { .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = 1, .off = 8 },
	    STORE(BPF_W, -16, 1), MOV_REG(1, 0), RSH_IMM(1, 16), STORE(BPF_W, -12, 1),
	      MOV_REG(1, 0),
	    { .code = BPF_ALU64 | BPF_RSH | BPF_X, .dst_reg = 1, .src_reg = 6 },
	    STORE(BPF_W, -8, 1), ALU(BPF_ALU64 | BPF_AND | BPF_K, 0, 255), STORE(BPF_W, -4, 0),
	    LOOKUP, EXIT },
	  NOTHING },
	{ "a process and a thread that are shifted away",
	  { STACKID(0), CALL(get_current_pid_tgid), ALU(BPF_ALU64 | BPF_LSH | BPF_K, 0, 32),
	    STORE(BPF_W, -8, 0), MOV_IMM(0, 1), RSH_IMM(0, 32), STORE(BPF_W, -4, 0), LOOKUP, EXIT },
	  NOTHING },
	{ "a move of 32 bits keeps an id and a number, and no address",
	  { STACKID(0), { .code = BPF_ALU | BPF_MOV | BPF_X, .dst_reg = 1, .src_reg = 0 },
	    STORE(BPF_W, -8, 1), { .code = BPF_ALU | BPF_MOV | BPF_X, .dst_reg = 2, .src_reg = 10 },
	    STORE_AT(BPF_W, 2, -4, 0), LOOKUP, EXIT },
	  { ID(8, false) }, 1 },
	{ "addresses moved by what is not known, or by 32 bits",
	  { STACKID(0), MOV_REG(2, 10), { .code = BPF_ALU64 | BPF_ADD | BPF_X, .dst_reg = 2,
	    .src_reg = 6 },
	    STORE_AT(BPF_W, 2, -8, 0), MOV_REG(2, 10), ALU(BPF_ALU | BPF_ADD | BPF_K, 2, -4),
	    STORE_AT(BPF_W, 2, 0, 0), LOOKUP, EXIT },
	  NOTHING },
	{ "a number of 64 bits",
	  { STACKID(0), STORE(BPF_W, -8, 0), LD64(2, 0, 256, 1), LD64(3, 0, 256, 0), LD_MAP(2, 0),
	    CALL(get_stackid), STORE(BPF_W, -4, 0), LOOKUP, EXIT },
	  { ID(8, false), ID(12, true) }, 2 },
	/* --- what overwrites registers --- */
	{ "a kernel function returns something else",
	  { STACKID(0), { .code = BPF_JMP | BPF_CALL, .src_reg = BPF_PSEUDO_KFUNC_CALL },
	    STORE(BPF_W, -8, 0), LOOKUP, EXIT },
	  NOTHING },
	{ "an old load of a packet", { STACKID(0), { .code = BPF_LD | BPF_ABS | BPF_W },
	    STORE(BPF_W, -8, 0), LOOKUP, EXIT },
	  NOTHING },
	{ "an atomic exchange",
	  { STACKID(0), MOV_REG(6, 0), ZERO(BPF_W, -8),
	    { .code = BPF_STX | BPF_ATOMIC | BPF_W, .dst_reg = 10, .src_reg = 6, .off = -8,
	      .imm = BPF_XCHG },
	    STORE(BPF_W, -4, 6), LOOKUP, EXIT },
	  NOTHING },
	{ "an id that takes the place of another",
	  { STACKID(0), STORE(BPF_W, -8, 0), STACKID(1024), STORE(BPF_W, -4, 0), LOOKUP, EXIT },
	  { ID(8, false), { .map = 1, .offset = 12, .size = 4, .replaces = true } }, 2 },
	{ "a source register that does not exist",
	  { STACKID(0), STORE(BPF_W, -8, 0), { .code = BPF_LDX | BPF_MEM | BPF_W, .src_reg = 12 },
	    LOOKUP, EXIT },
	  { ID(8, false) }, 1 },
	{ "a jump to the end of the code",
	  { JEQ(6, 10), STACKID(0), STORE(BPF_W, -8, 0), LOOKUP },
	  { ID(8, false) }, 1 },
	{ "registers and jumps that do not exist",
	  { { .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = 15, .src_reg = 14 }, JEQ(6, 1000),
	    JEQ(6, -1000), CALL_SUB(1000), STACKID(0), STORE(BPF_W, -8, 0), LOOKUP },
	  { ID(8, false) }, 1 },
};

static void scan_as(uint32_t prog_type, uint8_t helpers, const struct bpf_insn *insns, uint32_t nr,
		    struct stack_fields *fields)
{
	struct object_map maps[3] = { { .key_size = 4 }, { .key_size = 16, .value_size = 8 },
				      { .key_size = 4, .value_size = 16 } };
	const struct bpf_object obj = { .maps = maps, .nr_maps = 3 };
	struct bpf_insn *copy = calloc(nr, sizeof(*copy));
	struct prog_map_ref *refs = calloc(nr, sizeof(*refs));
	struct prog_code code = { .insns = copy, .nr_insns = nr, .map_refs = refs,
				  .prog_type = prog_type, .helpers = helpers };

	ck_assert_ptr_nonnull(copy);
	ck_assert_ptr_nonnull(refs);
	memcpy(copy, insns, nr * sizeof(*copy));
	for (uint32_t i = 0; i < nr; i++)
		if (insns[i].code == (BPF_LD | BPF_IMM | BPF_DW) && insns[i].src_reg &&
		    insns[i].src_reg != BPF_PSEUDO_FUNC)
			refs[code.nr_map_refs++] = (struct prog_map_ref){ i, insns[i].imm };
	ck_assert_int_eq(stack_fields_scan(&obj, &code, fields, NULL), 0);
	free(copy);
	free(refs);
}

static void scan(const struct bpf_insn *insns, uint32_t nr, struct stack_fields *fields)
{
	scan_as(0, HELPER_STACKS, insns, nr, fields);
}

static uint32_t length(const struct bpf_insn insns[NR_INSNS])
{
	uint32_t nr = NR_INSNS;

	while (nr && !insns[nr - 1].code)
		nr--;
	return nr;
}

static void has_fields(const char *name, const struct stack_fields *fields,
		       const struct stack_field *expect, uint32_t nr)
{
	ck_assert_msg(fields->nr == nr, "%s: %u fields", name, fields->nr);
	for (uint32_t i = 0; i < nr; i++) {
		const struct stack_field *got = &fields->list[i], *want = &expect[i];

		ck_assert_msg(got->map == want->map && got->offset == want->offset &&
				      got->size == want->size && got->role == want->role &&
				      got->user == want->user && got->part == want->part &&
				      got->replaces == want->replaces,
			      "%s: field %u is at %u of map %u, of role %d", name, i, got->offset,
			      got->map, got->role);
	}
	ck_assert(!fields->gave_up);
}

TEST_ROWS(flow, rows)
{
	struct stack_fields fields = { 0 };

	scan(rows[_i].insns, length(rows[_i].insns), &fields);
	has_fields(rows[_i].name, &fields, rows[_i].expect, rows[_i].nr);
	stack_fields_free(&fields);
}

/* --- addresses of instructions --- */

#if defined(__x86_64__)
#define IP_AT	offsetof(struct pt_regs, rip)
#elif defined(__aarch64__)
#define IP_AT	offsetof(struct user_pt_regs, pc)
#endif

#define ADDRESS(o) { .map = 1, .role = STACK_FIELD_ADDRESS, .offset = o, .size = 8 }
#define FUNC_IP CALL(get_func_ip), STORE(BPF_DW, -8, 0)

/* The session follows a program without stacks, too, if it may get an address. */
static const struct {
	const char *name;
	uint32_t prog_type;
	struct bpf_insn insns[NR_INSNS];
	struct stack_field expect[3];
	uint32_t nr;
} address_rows[] = {
	{ "the address of the function", BPF_PROG_TYPE_TRACING, { FUNC_IP, LOOKUP, EXIT },
	  { ADDRESS(8) }, 1 },
	{ "its lower half", BPF_PROG_TYPE_TRACING,
	  { CALL(get_func_ip), STORE(BPF_W, -8, 0), LOOKUP, EXIT }, NOTHING },
	{ "a process beside it", BPF_PROG_TYPE_TRACING,
	  { FUNC_IP, CALL(get_current_pid_tgid), RSH_IMM(0, 32), STORE(BPF_DW, -16, 0), LOOKUP,
	    EXIT },
	  { { .map = 1, .role = STACK_FIELD_TGID, .size = 8 }, ADDRESS(8) }, 2 },
	{ "no address", BPF_PROG_TYPE_TRACING,
	  { CALL(get_current_pid_tgid), RSH_IMM(0, 32), STORE(BPF_W, -8, 0), LOOKUP, EXIT },
	  NOTHING },
	{ "an address on one path, another number on the other", BPF_PROG_TYPE_TRACING,
	  { ZERO(BPF_DW, -8), JEQ(6, 2), FUNC_IP, LOOKUP, EXIT }, { ADDRESS(8) }, 1 },
	{ "an address on one path, an id on the other", BPF_PROG_TYPE_TRACING,
	  { JEQ(6, 3), FUNC_IP, JA(5), STACKID(0), STORE(BPF_W, -8, 0), LOOKUP, EXIT },
	  { MIXED(8) }, 1 },
	{ "in a value, and from there in a key", BPF_PROG_TYPE_TRACING,
	  { VALUE, CALL(get_func_ip), STORE_AT(BPF_DW, 7, 8, 0), LOAD_AT(BPF_DW, 1, 7, 8),
	    STORE(BPF_DW, -16, 1), LOOKUP, EXIT },
	  { { .map = 2, .part = STACK_FIELD_VALUE, .role = STACK_FIELD_ADDRESS, .offset = 8,
	    .size = 8 },
	    ADDRESS(0) }, 2 },
	{ "records are printed as they come", BPF_PROG_TYPE_TRACING,
	  { FUNC_IP, MOV_REG(4, 10), ADD_IMM(4, -16), MOV_IMM(5, 16), LD_MAP(2, 1),
	    CALL(perf_event_output), EXIT },
	  NOTHING },
#ifdef IP_AT
	{ "the instruction pointer of a sample", BPF_PROG_TYPE_PERF_EVENT,
	  { LOAD_AT(BPF_DW, 3, 1, IP_AT), STORE(BPF_DW, -16, 3), LOOKUP, EXIT },
	  { ADDRESS(0) }, 1 },
	{ "of a kprobe, by a function, and that of the function", BPF_PROG_TYPE_KPROBE,
	  { CALL_SUB(9), STORE(BPF_DW, -16, 0), FUNC_IP, LOOKUP, EXIT,
	    LOAD_AT(BPF_DW, 0, 1, IP_AT), EXIT },
	  { ADDRESS(0), ADDRESS(8) }, 2 },
	{ "another program has no registers there", BPF_PROG_TYPE_TRACEPOINT,
	  { LOAD_AT(BPF_DW, 3, 1, IP_AT), STORE(BPF_DW, -16, 3), FUNC_IP, LOOKUP, EXIT },
	  { ADDRESS(8) }, 1 },
	{ "its lower half, and the register before and after it", BPF_PROG_TYPE_KPROBE,
	  { MOV_REG(6, 1), LOAD_AT(BPF_W, 3, 6, IP_AT), STORE(BPF_DW, -16, 3),
	    LOAD_AT(BPF_DW, 3, 6, IP_AT - 8), STORE(BPF_DW, -8, 3), LOOKUP,
	    LOAD_AT(BPF_DW, 3, 6, IP_AT + 8), STORE(BPF_DW, -8, 3), LOOKUP,
	    LOAD_AT(BPF_DW, 3, 6, IP_AT), EXIT },
	  NOTHING },
#endif
};

TEST_ROWS(addresses, address_rows)
{
	const struct bpf_insn *insns = address_rows[_i].insns;
	struct stack_fields fields = { 0 };

	scan_as(address_rows[_i].prog_type, 0, insns, length(insns), &fields);
	has_fields(address_rows[_i].name, &fields, address_rows[_i].expect, address_rows[_i].nr);
	ck_assert(!stack_fields_have_stacks(&fields));
	stack_fields_free(&fields);
}

/* The first program writes a value, which the second one reads; a third one has an id in its key. */
TEST(addresses_of_several_programs)
{
	const struct bpf_insn first[] = { VALUE, CALL(get_func_ip), STORE_AT(BPF_DW, 7, 8, 0),
					  EXIT };
	const struct bpf_insn second[] = { VALUE, LOAD_AT(BPF_DW, 1, 7, 8), STORE(BPF_DW, -16, 1),
					   LOOKUP, EXIT };
	const struct bpf_insn third[] = { STACKID(0), STORE(BPF_W, -16, 0), LOOKUP, EXIT };
	struct stack_field expect[] = {
		{ .map = 2, .part = STACK_FIELD_VALUE, .role = STACK_FIELD_ADDRESS, .offset = 8,
		  .size = 8 },
		ADDRESS(0),
	};
	struct stack_fields fields = { 0 };

	scan_as(BPF_PROG_TYPE_TRACING, 0, second, NR(second), &fields);
	ck_assert_uint_eq(fields.nr, 0);
	scan_as(BPF_PROG_TYPE_TRACING, 0, first, NR(first), &fields);
	scan_as(BPF_PROG_TYPE_TRACING, 0, second, NR(second), &fields);
	has_fields("two programs", &fields, expect, 2);
	scan(third, NR(third), &fields);
	expect[1].role = STACK_FIELD_MIXED;
	has_fields("three programs", &fields, expect, 2);
	stack_fields_free(&fields);
}

/* An address without a name is no loss; the id of a stack that is not known is one. */
TEST_EACH(addresses_of_a_program_that_is_not_followed, 2)
{
	const struct bpf_insn insns[] = {
		FUNC_IP, { .code = BPF_JMP | BPF_JA | BPF_X, .dst_reg = 1 }, LOOKUP, EXIT,
	};
	struct stack_fields fields = { 0 };

	scan_as(BPF_PROG_TYPE_TRACING, _i ? HELPER_STACKS : 0, insns, NR(insns), &fields);
	ck_assert_int_eq(fields.gave_up, _i);
	ck_assert_uint_eq(fields.nr, 0);
	stack_fields_free(&fields);
}

/* --- limits --- */

TEST(jump_tables_are_not_followed)
{
	const struct bpf_insn insns[] = {
		STACKID(0), STORE(BPF_W, -8, 0), { .code = BPF_JMP | BPF_JA | BPF_X, .dst_reg = 1 },
		LOOKUP, EXIT,
	};
	struct stack_fields fields = { 0 };

	scan(insns, NR(insns), &fields);
	ck_assert(fields.gave_up);
	ck_assert_uint_eq(fields.nr, 0);
	stack_fields_free(&fields);
}

/* Buffers of 257 sizes. */
TEST(calls_that_differ_without_end)
{
	enum { CALLS = 257 };
	const struct bpf_insn one[] = { FILL(-512, 0, 0) };
	struct bpf_insn insns[CALLS * NR(one) + 1];
	struct stack_fields fields = { 0 };

	for (uint32_t i = 0; i < CALLS; i++) {
		memcpy(&insns[i * NR(one)], one, sizeof(one));
		insns[i * NR(one) + 2].imm = i + 1;
	}
	insns[CALLS * NR(one)] = (struct bpf_insn)EXIT;
	scan(insns, NR(insns) - NR(one), &fields);
	ck_assert(!fields.gave_up);
	scan(insns, NR(insns), &fields);
	ck_assert(fields.gave_up);
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

/* In a loop, the states of so many branches would take 70 MB, but not without one. */
TEST_EACH(branches_without_end, 2)
{
	const uint32_t nr = 100000;
	struct bpf_insn *insns = calloc(nr, sizeof(*insns));
	const struct bpf_insn first[] = { STACKID(0), ZERO(BPF_DW, -256) };
	struct stack_fields fields = { 0 };

	ck_assert_ptr_nonnull(insns);
	memcpy(insns, first, sizeof(first));
	for (uint32_t i = NR(first); i < nr - 2; i++)
		insns[i] = (struct bpf_insn)JEQ(6, 0);
	if (_i)
		insns[nr - 2] = (struct bpf_insn){ .code = BPF_JMP32 | BPF_JA, .imm = 3 - (int)nr };
	insns[nr - 1] = (struct bpf_insn)EXIT;
	scan(insns, nr, &fields);
	ck_assert_int_eq(fields.gave_up, _i);
	stack_fields_free(&fields);
	free(insns);
}

static void add(struct stack_fields *fields, enum stack_field_source source, uint32_t stacks)
{
	const struct stack_field field = { .map = 1, .size = 4, .source = source,
					   .stacks = stacks };

	ck_assert_int_eq(stack_fields_add(fields, &field, NULL), 0);
}

/* A tag beats the code; two of one source that differ cancel each other. */
TEST(sources)
{
	struct stack_fields fields = { 0 };

	add(&fields, STACK_FIELD_BY_CODE, 2);
	add(&fields, STACK_FIELD_BY_TAG, 4);
	add(&fields, STACK_FIELD_BY_CODE, 5);
	ck_assert_uint_eq(fields.nr, 1);
	ck_assert_uint_eq(fields.list[0].stacks, 4);
	ck_assert_int_eq(fields.list[0].role, STACK_FIELD_ID);
	add(&fields, STACK_FIELD_BY_TAG, 6);
	ck_assert_int_eq(fields.list[0].role, STACK_FIELD_MIXED);
	stack_fields_free(&fields);
}
