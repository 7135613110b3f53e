// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The fields that linked code writes stacks to: paths, stack slots and functions, and code that is
 * hostile. test/cli/stacks.sh has what compilers produce.
 */
#include <asm/ptrace.h>
#include <linux/bpf.h>

#include <stddef.h>
#include <stdlib.h>

#include "loader/objects/analysis/stack_fields.h"
#include "test/unit/common/insns.h"
#include "test/unit/common/suite.h"


/* Stores to the stack and loads from it. */
#define SPILL(size, o, from) STORE(size, 10, o, from)
#define RELOAD(size, to, o) LOAD(size, to, 10, o)
#define ZERO(size, o) STOREI(size, 10, o, 0)

/* r0 = an id: of the user's stack (256) or the kernel's (0). Map 0 has the stacks. */
#define STACKID(flags) MAP(2, 0), MOVI(3, flags), CALL(get_stackid)
/* Use the 16 bytes at r10 - 16 as a key of map 1. */
#define LOOKUP MOV(2, 10), ADDI(2, -16), MAP(1, 1), CALL(map_lookup_elem)

#define ID(o, is_user) { .map = 1, .offset = o, .size = 4, .user = is_user }
#define TGID(o) { .map = 1, .role = STACK_FIELD_TGID, .offset = o, .size = 4 }
#define MIXED(o) { .map = 1, .role = STACK_FIELD_MIXED, .offset = o, .size = 4 }

/* Map 2 has values of 16 bytes; r7 = one of them. */
#define VALUE MOV(2, 10), ADDI(2, -4), MAP(1, 2), CALL(map_lookup_elem), MOV(7, 0)
#define UPDATE(m) MOV(2, 10), ADDI(2, -32), MAP(1, m), CALL(map_update_elem)
#define IN_VALUE(m, o, is_user) \
	{ .map = m, .part = STACK_FIELD_VALUE, .offset = o, .size = 4, .user = is_user }
#define IN_RECORD(o) { .map = 1, .part = STACK_FIELD_RECORD, .offset = o, .size = 4 }
#define FRAMES(o, n, is_user) \
	{ .map = 1, .role = STACK_FIELD_FRAMES, .offset = o, .size = n, .user = is_user }
#define FILL(o, n, flags) MOV(2, 10), ADDI(2, o), MOVI(3, n), MOVI(4, flags), \
	CALL(get_stack)
#define NOTHING { { 0 } }

#define NR_INSNS 40
#define NR_FIELDS 3

static const struct {
	const char *name;
	struct bpf_insn insns[NR_INSNS];
	struct stack_field expect[NR_FIELDS];	/* up to one without a size */
} rows[] = {
	{ "an id in a key", { STACKID(256), SPILL(BPF_W, -8, 0), LOOKUP, EXIT }, { ID(8, true) } },
	{ "an id that is overwritten",
	  { STACKID(256), SPILL(BPF_W, -8, 0), ZERO(BPF_W, -8), LOOKUP, EXIT }, NOTHING },
	{ "a byte of it that is overwritten",
	  { STACKID(256), SPILL(BPF_W, -8, 0), ZERO(BPF_B, -6), LOOKUP, EXIT }, NOTHING },
	{ "half of it", { STACKID(256), SPILL(BPF_H, -8, 0), LOOKUP, EXIT }, NOTHING },
	{ "half of it in a value", { VALUE, STACKID(256), STORE(BPF_H, 7, 8, 0), EXIT }, NOTHING },
	{ "a helper that overwrites it",
	  { STACKID(256), SPILL(BPF_W, -8, 0), MOV(1, 10), ADDI(1, -16), MOVI(2, 16),
	    CALL(probe_read_kernel), LOOKUP, EXIT }, NOTHING },
	{ "on one of two paths",
	  { ZERO(BPF_W, -8), JEQ(6, 5), STACKID(0), SPILL(BPF_W, -8, 0), LOOKUP, EXIT },
	  { ID(8, false) } },
	{ "another id on each of two paths",
	  { JEQ(6, 6), STACKID(0), SPILL(BPF_W, -8, 0), JA(5), STACKID(256),
	    SPILL(BPF_W, -8, 0), LOOKUP, EXIT }, { MIXED(8) } },
	{ "in code that no path reaches", { JA(5), STACKID(0), SPILL(BPF_W, -8, 0), LOOKUP, EXIT },
	  NOTHING },
	{ "known only after a turn of the loop",
	  { JA(1), SPILL(BPF_W, -8, 7), LOOKUP, STACKID(256), MOV(7, 0), JEQ(6, -12), EXIT },
	  { ID(8, true) } },
	{ "two ids copied at once",
	  { STACKID(0), SPILL(BPF_W, -24, 0), STACKID(256), SPILL(BPF_W, -20, 0),
	    RELOAD(BPF_DW, 1, -24), SPILL(BPF_DW, -16, 1), LOOKUP, EXIT },
	  { ID(0, false), ID(4, true) } },
	{ "an id in the second half of what is copied",
	  { STACKID(256), ZERO(BPF_W, -24), SPILL(BPF_W, -20, 0), RELOAD(BPF_DW, 1, -24),
	    SPILL(BPF_DW, -16, 1), LOOKUP, EXIT }, { ID(4, true) } },
	{ "spilled with 8 bytes",
	  { STACKID(0), SPILL(BPF_DW, -32, 0), RELOAD(BPF_DW, 1, -32), SPILL(BPF_W, -8, 1), LOOKUP,
	    STACKID(0), EXIT }, { ID(8, false) } },
	{ "a process",
	  { CALL(get_current_pid_tgid), ALU(BPF_RSH, 0, 32), SPILL(BPF_W, -16, 0), STACKID(256),
	    SPILL(BPF_W, -4, 0), LOOKUP, EXIT }, { TGID(0), ID(12, true) } },
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	{ "a process in the upper half",
	  { CALL(get_current_pid_tgid), SPILL(BPF_DW, -16, 0), STACKID(256),
	    SPILL(BPF_W, -4, 0), LOOKUP, EXIT }, { TGID(4), ID(12, true) } },
#endif
	{ "a thread is no process",
	  { CALL(get_current_pid_tgid), SPILL(BPF_W, -16, 0), STACKID(256), LOOKUP, EXIT },
	  NOTHING },
	{ "a function that stores through its argument",
	  { STACKID(0), MOV(1, 10), ADDI(1, -8), MOV(2, 0), SUB(6), LOOKUP, EXIT,
	    { .code = BPF_STX | BPF_MEM | BPF_W, .dst_reg = 1, .src_reg = 2 }, EXIT },
	  { ID(8, false) } },
	{ "a function that returns it, and a register that survives the call",
	  { MOV(6, 10), SUB(7),
	    { .code = BPF_STX | BPF_MEM | BPF_W, .dst_reg = 6, .src_reg = 0, .off = -8 },
	    LOOKUP, EXIT, STACKID(0), MOVI(6, 0), EXIT }, { ID(8, false) } },
	{ "a function that calls itself",
	  { STACKID(0), SPILL(BPF_W, -8, 0), LOOKUP, SUB(-11), EXIT }, { ID(8, false) } },
	{ "a map that is no map",
	  { MOVI(2, 0), MOVI(3, 0), CALL(get_stackid), SPILL(BPF_W, -8, 0), LOOKUP, EXIT },
	  NOTHING },
	{ "stack slots that do not exist",
	  { STACKID(0), SPILL(BPF_W, 4, 0), SPILL(BPF_W, -516, 0), SPILL(BPF_W, 32767, 0),
	    SPILL(BPF_W, -32768, 0), MOV(2, 10), ADDI(2, INT32_MAX), ADDI(2, INT32_MAX),
	    MAP(1, 1), CALL(map_lookup_elem), EXIT }, NOTHING },
	{ "a program without stacks", { VALUE, STORE(BPF_W, 7, 0, 0), EXIT }, NOTHING },
	/* --- callbacks --- */
	{ "a callback for each element, which has its argument and the value",
	  { STACKID(256), SPILL(BPF_W, -8, 0), MOV(3, 10), ADDI(3, -8), FUNC(2, 5),
	    MAP(1, 2), CALL(for_each_map_elem), EXIT, LOAD(BPF_W, 1, 4, 0),
	    STORE(BPF_W, 3, 4, 1), EXIT }, { IN_VALUE(2, 4, true) } },
	{ "for each element of a map that is not known",
	  { STACKID(256), SPILL(BPF_W, -8, 0), MOV(3, 10), ADDI(3, -8), FUNC(2, 4),
	    MOVI(1, 0), CALL(for_each_map_elem), EXIT, LOAD(BPF_W, 1, 4, 0),
	    STORE(BPF_W, 3, 4, 1), EXIT }, NOTHING },
	{ "a loop by a callback, which stores through its argument",
	  { MOV(3, 10), ADDI(3, -16), FUNC(2, 9), MOVI(1, 8), CALL(loop), LOOKUP,
	    EXIT, MOV(6, 2), STACKID(0), STORE(BPF_W, 6, 8, 0), EXIT }, { ID(8, false) } },
	{ "a callback that is not known",
	  { STACKID(0), MOVI(2, 0), CALL(loop), SPILL(BPF_W, -8, 0), LOOKUP, EXIT }, NOTHING },
	/* --- buffers --- */
	{ "frames in a key", { FILL(-16, 16, 256), LOOKUP, EXIT }, { FRAMES(0, 16, true) } },
	{ "frames that do not fit", { FILL(-12, 64, 0), LOOKUP, EXIT }, { FRAMES(4, 64, false) } },
	{ "frames that begin before the key", { FILL(-20, 20, 0), LOOKUP, EXIT }, NOTHING },
	{ "frames at no multiple of four", { FILL(-15, 8, 0), LOOKUP, EXIT }, NOTHING },
	{ "frames in no bytes", { FILL(-16, 0, 0), LOOKUP, EXIT }, NOTHING },
	{ "frames of which one is loaded",
	  { FILL(-48, 16, 0), RELOAD(BPF_DW, 1, -40), SPILL(BPF_DW, -16, 1), LOOKUP, EXIT },
	  NOTHING },
	/* --- records --- */
	{ "an event of a record",
	  { STACKID(0), SPILL(BPF_W, -8, 0), MOV(4, 10), ADDI(4, -16), MOVI(5, 16),
	    MAP(2, 1), CALL(perf_event_output), EXIT }, { IN_RECORD(8) } },
	{ "a record of a size that is not known",
	  { STACKID(0), SPILL(BPF_W, -8, 0), MOV(2, 10), ADDI(2, -512), MOV(3, 9),
	    MAP(1, 1), CALL(ringbuf_output), EXIT }, { IN_RECORD(504) } },
	{ "a record that goes beyond the stack",
	  { STACKID(0), SPILL(BPF_W, -8, 0), MOV(2, 10), ADDI(2, -16), MOVI(3, 32),
	    MAP(1, 1), CALL(ringbuf_output), EXIT }, NOTHING },
	{ "a record of no map",
	  { STACKID(0), SPILL(BPF_W, -8, 0), MOV(2, 10), ADDI(2, -16), MOVI(3, 16),
	    MOVI(1, 1), CALL(ringbuf_output), EXIT }, NOTHING },
	{ "a record that is reserved",
	  { MAP(1, 1), CALL(ringbuf_reserve), MOV(7, 0), STACKID(0), STORE(BPF_W, 7, 12, 0), EXIT },
	  { IN_RECORD(12) } },
	{ "a record that is reserved in no map",
	  { MOVI(1, 1), CALL(ringbuf_reserve), MOV(7, 0), STACKID(0),
	    STORE(BPF_W, 7, 12, 0), EXIT }, NOTHING },
	/* --- values of maps --- */
	{ "the storage of a task",
	  { MAP(1, 2), CALL(task_storage_get), MOV(7, 0), STACKID(0), STORE(BPF_W, 7, 4, 0), EXIT },
	  { IN_VALUE(2, 4, false) } },
	{ "a global variable",
	  { STACKID(256), LD64(1, BPF_PSEUDO_MAP_VALUE, 2, 8), STORE(BPF_W, 1, 4, 0), EXIT },
	  { IN_VALUE(2, 12, true) } },
	{ "a value that becomes that of another map",
	  { VALUE, STACKID(0), STORE(BPF_W, 7, 4, 0), MOV(3, 7), UPDATE(1), EXIT },
	  { IN_VALUE(2, 4, false), IN_VALUE(1, 4, false) } },
	{ "a value from its middle on",
	  { VALUE, STACKID(0), STORE(BPF_W, 7, 12, 0), MOV(3, 7), ADDI(3, 8), UPDATE(1), EXIT },
	  { IN_VALUE(2, 12, false), IN_VALUE(1, 4, false) } },
	{ "a value from after the field on",
	  { VALUE, STACKID(0), STORE(BPF_W, 7, 4, 0), MOV(3, 7), ADDI(3, 8), UPDATE(1), EXIT },
	  { IN_VALUE(2, 4, false) } },
	{ "a field after the end of the smaller value",
	  { VALUE, STACKID(0), STORE(BPF_W, 7, 12, 0), MOV(3, 7), UPDATE(1), EXIT },
	  { IN_VALUE(2, 12, false) } },
	{ "a value from before its begin on",
	  { VALUE, STACKID(0), STORE(BPF_W, 7, 4, 0), MOV(3, 7), ADDI(3, -4), UPDATE(1), EXIT },
	  { IN_VALUE(2, 4, false) } },
	{ "a value that stays in its map",
	  { VALUE, STACKID(0), STORE(BPF_W, 7, 4, 0), MOV(3, 7), ADDI(3, 4), UPDATE(2), EXIT },
	  { IN_VALUE(2, 4, false) } },
	{ "the value of a map without such fields",
	  { STACKID(0), SPILL(BPF_W, -8, 0), LOOKUP, MOV(3, 0), UPDATE(2), EXIT },
	  { ID(8, false) } },
	{ "an id that was kept in a value",
	  { VALUE, STACKID(256), STORE(BPF_W, 7, 4, 0), LOAD(BPF_W, 1, 7, 4),
	    SPILL(BPF_W, -8, 1), LOOKUP, EXIT }, { IN_VALUE(2, 4, true), ID(8, true) } },
	{ "what is beside the id in the value",
	  { VALUE, STACKID(256), STORE(BPF_W, 7, 4, 0), LOAD(BPF_W, 1, 7, 8),
	    SPILL(BPF_W, -8, 1), LOAD(BPF_B, 1, 7, 4), SPILL(BPF_W, -12, 1), LOOKUP, EXIT },
	  { IN_VALUE(2, 4, true) } },
	{ "a process that was kept in a value",
	  { VALUE, STACKID(0), CALL(get_current_pid_tgid), ALU(BPF_RSH, 0, 32),
	    STORE(BPF_W, 7, 4, 0), LOAD(BPF_W, 1, 7, 4), SPILL(BPF_W, -8, 1), LOOKUP, EXIT },
	  { { .map = 2, .part = STACK_FIELD_VALUE, .role = STACK_FIELD_TGID, .offset = 4,
	    .size = 4 },
	    TGID(8) } },
	{ "frames that were kept in a value",
	  { VALUE, MOV(2, 7), MOVI(3, 4), MOVI(4, 0), CALL(get_stack),
	    LOAD(BPF_W, 1, 7, 0), SPILL(BPF_W, -8, 1), LOOKUP, EXIT },
	  { { .map = 2, .part = STACK_FIELD_VALUE, .role = STACK_FIELD_FRAMES, .size = 4 } } },
	/* --- halves --- */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	{ "the upper half of what was spilled is a process, the lower one a thread",
	  { STACKID(0), CALL(get_current_pid_tgid), SPILL(BPF_DW, -32, 0), RELOAD(BPF_W, 1, -28),
	    RELOAD(BPF_W, 3, -32), SPILL(BPF_W, -8, 1), SPILL(BPF_W, -4, 3), LOOKUP, EXIT },
	  { TGID(8) } },
	{ "the upper half of an id that was spilled",
	  { STACKID(0), SPILL(BPF_DW, -32, 0), RELOAD(BPF_W, 1, -28), SPILL(BPF_W, -8, 1), LOOKUP,
	    EXIT }, NOTHING },
	{ "a key that ends after the thread",
	  { STACKID(0), CALL(get_current_pid_tgid), SPILL(BPF_DW, -8, 0), MOV(2, 10),
	    ADDI(2, -8), MAP(1, 2), CALL(map_lookup_elem), EXIT }, NOTHING },
	{ "a process whose thread is overwritten",
	  { STACKID(0), CALL(get_current_pid_tgid), SPILL(BPF_DW, -16, 0), ZERO(BPF_W, -16), LOOKUP,
	    EXIT }, { TGID(4) } },
#endif
	{ "a process that is overwritten",
	  { STACKID(0), CALL(get_current_pid_tgid), SPILL(BPF_DW, -16, 0), ZERO(BPF_W, -12), LOOKUP,
	    EXIT }, NOTHING },
	/* --- arithmetic --- */
	{ "an id that is extended",
	  { STACKID(0), ALU(BPF_LSH, 0, 32),
	    ALU(BPF_ARSH, 0, 32),
	    SPILL(BPF_W, -8, 0), STACKID(256),
	    { .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = 1, .off = 32 }, SPILL(BPF_W, -4, 1),
	    LOOKUP, EXIT }, { ID(8, false), ID(12, true) } },
	{ "an id of which some bits are left",
	  { STACKID(0), { .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = 1, .off = 8 },
	    SPILL(BPF_W, -16, 1), MOV(1, 0), ALU(BPF_RSH, 1, 16), SPILL(BPF_W, -12, 1),
	      MOV(1, 0),
	    { .code = BPF_ALU64 | BPF_RSH | BPF_X, .dst_reg = 1, .src_reg = 6 },
	    SPILL(BPF_W, -8, 1), ALU(BPF_AND, 0, 255), SPILL(BPF_W, -4, 0),
	    LOOKUP, EXIT }, NOTHING },
	{ "a process and a thread that are shifted away",
	  { STACKID(0), CALL(get_current_pid_tgid), ALU(BPF_LSH, 0, 32),
	    SPILL(BPF_W, -8, 0), MOVI(0, 1), ALU(BPF_RSH, 0, 32), SPILL(BPF_W, -4, 0), LOOKUP, EXIT },
	  NOTHING },
	{ "a move of 32 bits keeps an id and a number, and no address",
	  { STACKID(0), { .code = BPF_ALU | BPF_MOV | BPF_X, .dst_reg = 1, .src_reg = 0 },
	    SPILL(BPF_W, -8, 1), { .code = BPF_ALU | BPF_MOV | BPF_X, .dst_reg = 2, .src_reg = 10 },
	    STORE(BPF_W, 2, -4, 0), LOOKUP, EXIT }, { ID(8, false) } },
	{ "addresses moved by what is not known, or by 32 bits",
	  { STACKID(0), MOV(2, 10), { .code = BPF_ALU64 | BPF_ADD | BPF_X, .dst_reg = 2,
	    .src_reg = 6 },
	    STORE(BPF_W, 2, -8, 0), MOV(2, 10), ALU32(BPF_ADD, 2, -4),
	    STORE(BPF_W, 2, 0, 0), LOOKUP, EXIT }, NOTHING },
	{ "a number of 64 bits",
	  { STACKID(0), SPILL(BPF_W, -8, 0), LD64(2, 0, 256, 1), LD64(3, 0, 256, 0), MAP(2, 0),
	    CALL(get_stackid), SPILL(BPF_W, -4, 0), LOOKUP, EXIT },
	  { ID(8, false), ID(12, true) } },
	/* --- what overwrites registers --- */
	{ "a kernel function returns something else",
	  { STACKID(0), { .code = BPF_JMP | BPF_CALL, .src_reg = BPF_PSEUDO_KFUNC_CALL },
	    SPILL(BPF_W, -8, 0), LOOKUP, EXIT }, NOTHING },
	{ "an old load of a packet", { STACKID(0), { .code = BPF_LD | BPF_ABS | BPF_W },
	    SPILL(BPF_W, -8, 0), LOOKUP, EXIT },
	  NOTHING },
	{ "an atomic exchange",
	  { STACKID(0), MOV(6, 0), ZERO(BPF_W, -8),
	    { .code = BPF_STX | BPF_ATOMIC | BPF_W, .dst_reg = 10, .src_reg = 6, .off = -8,
	      .imm = BPF_XCHG },
	    SPILL(BPF_W, -4, 6), LOOKUP, EXIT }, NOTHING },
	{ "an id that takes the place of another",
	  { STACKID(0), SPILL(BPF_W, -8, 0), STACKID(1024), SPILL(BPF_W, -4, 0), LOOKUP, EXIT },
	  { ID(8, false), { .map = 1, .offset = 12, .size = 4, .replaces = true } } },
	{ "a source register that does not exist",
	  { STACKID(0), SPILL(BPF_W, -8, 0), { .code = BPF_LDX | BPF_MEM | BPF_W, .src_reg = 12 },
	    LOOKUP, EXIT }, { ID(8, false) } },
	{ "a jump to the end of the code", { JEQ(6, 10), STACKID(0), SPILL(BPF_W, -8, 0), LOOKUP },
	  { ID(8, false) } },
	{ "registers and jumps that do not exist",
	  { { .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = 15, .src_reg = 14 }, JEQ(6, 1000),
	    JEQ(6, -1000), SUB(1000), STACKID(0), SPILL(BPF_W, -8, 0), LOOKUP }, { ID(8, false) } },
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
		       const struct stack_field expect[NR_FIELDS])
{
	uint32_t nr = 0;

	while (nr < NR_FIELDS && expect[nr].size)
		nr++;
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
	has_fields(rows[_i].name, &fields, rows[_i].expect);
	stack_fields_free(&fields);
}

/* --- addresses of instructions --- */

#if defined(__x86_64__)
#define IP_AT	offsetof(struct pt_regs, rip)
#elif defined(__aarch64__)
#define IP_AT	offsetof(struct user_pt_regs, pc)
#endif

#define ADDRESS(o) { .map = 1, .role = STACK_FIELD_ADDRESS, .offset = o, .size = 8 }
#define FUNC_IP CALL(get_func_ip), SPILL(BPF_DW, -8, 0)

/* The session follows a program without stacks, too, if it may get an address. */
static const struct {
	const char *name;
	uint32_t prog_type;
	struct bpf_insn insns[NR_INSNS];
	struct stack_field expect[NR_FIELDS];	/* up to one without a size */
} address_rows[] = {
	{ "the address of the function", BPF_PROG_TYPE_TRACING, { FUNC_IP, LOOKUP, EXIT },
	  { ADDRESS(8) } },
	{ "its lower half", BPF_PROG_TYPE_TRACING,
	  { CALL(get_func_ip), SPILL(BPF_W, -8, 0), LOOKUP, EXIT }, NOTHING },
	{ "a process beside it", BPF_PROG_TYPE_TRACING,
	  { FUNC_IP, CALL(get_current_pid_tgid), ALU(BPF_RSH, 0, 32), SPILL(BPF_DW, -16, 0), LOOKUP,
	    EXIT }, { { .map = 1, .role = STACK_FIELD_TGID, .size = 8 }, ADDRESS(8) } },
	{ "no address", BPF_PROG_TYPE_TRACING,
	  { CALL(get_current_pid_tgid), ALU(BPF_RSH, 0, 32), SPILL(BPF_W, -8, 0), LOOKUP, EXIT },
	  NOTHING },
	{ "an address on one path, another number on the other", BPF_PROG_TYPE_TRACING,
	  { ZERO(BPF_DW, -8), JEQ(6, 2), FUNC_IP, LOOKUP, EXIT }, { ADDRESS(8) } },
	{ "an address on one path, an id on the other", BPF_PROG_TYPE_TRACING,
	  { JEQ(6, 3), FUNC_IP, JA(5), STACKID(0), SPILL(BPF_W, -8, 0), LOOKUP, EXIT },
	  { MIXED(8) } },
	{ "in a value, and from there in a key", BPF_PROG_TYPE_TRACING,
	  { VALUE, CALL(get_func_ip), STORE(BPF_DW, 7, 8, 0), LOAD(BPF_DW, 1, 7, 8),
	    SPILL(BPF_DW, -16, 1), LOOKUP, EXIT },
	  { { .map = 2, .part = STACK_FIELD_VALUE, .role = STACK_FIELD_ADDRESS, .offset = 8,
	    .size = 8 },
	    ADDRESS(0) } },
	{ "records are printed as they come", BPF_PROG_TYPE_TRACING,
	  { FUNC_IP, MOV(4, 10), ADDI(4, -16), MOVI(5, 16), MAP(2, 1),
	    CALL(perf_event_output), EXIT }, NOTHING },
#ifdef IP_AT
	{ "the instruction pointer of a sample", BPF_PROG_TYPE_PERF_EVENT,
	  { LOAD(BPF_DW, 3, 1, IP_AT), SPILL(BPF_DW, -16, 3), LOOKUP, EXIT }, { ADDRESS(0) } },
	{ "of a kprobe, by a function, and that of the function", BPF_PROG_TYPE_KPROBE,
	  { SUB(9), SPILL(BPF_DW, -16, 0), FUNC_IP, LOOKUP, EXIT, LOAD(BPF_DW, 0, 1, IP_AT), EXIT },
	  { ADDRESS(0), ADDRESS(8) } },
	{ "another program has no registers there", BPF_PROG_TYPE_TRACEPOINT,
	  { LOAD(BPF_DW, 3, 1, IP_AT), SPILL(BPF_DW, -16, 3), FUNC_IP, LOOKUP, EXIT },
	  { ADDRESS(8) } },
	{ "its lower half, and the register before and after it", BPF_PROG_TYPE_KPROBE,
	  { MOV(6, 1), LOAD(BPF_W, 3, 6, IP_AT), SPILL(BPF_DW, -16, 3),
	    LOAD(BPF_DW, 3, 6, IP_AT - 8), SPILL(BPF_DW, -8, 3), LOOKUP,
	    LOAD(BPF_DW, 3, 6, IP_AT + 8), SPILL(BPF_DW, -8, 3), LOOKUP,
	    LOAD(BPF_DW, 3, 6, IP_AT), EXIT }, NOTHING },
#endif
};

TEST_ROWS(addresses, address_rows)
{
	const struct bpf_insn *insns = address_rows[_i].insns;
	struct stack_fields fields = { 0 };

	scan_as(address_rows[_i].prog_type, 0, insns, length(insns), &fields);
	has_fields(address_rows[_i].name, &fields, address_rows[_i].expect);
	ck_assert(!stack_fields_have_stacks(&fields));
	stack_fields_free(&fields);
}

/* The first program writes a value, which the second one reads; a third one has an id in its key. */
TEST(addresses_of_several_programs)
{
	const struct bpf_insn first[] = { VALUE, CALL(get_func_ip), STORE(BPF_DW, 7, 8, 0),
					  EXIT };
	const struct bpf_insn second[] = { VALUE, LOAD(BPF_DW, 1, 7, 8), SPILL(BPF_DW, -16, 1),
					   LOOKUP, EXIT };
	const struct bpf_insn third[] = { STACKID(0), SPILL(BPF_W, -16, 0), LOOKUP, EXIT };
	struct stack_field expect[NR_FIELDS] = {
		{ .map = 2, .part = STACK_FIELD_VALUE, .role = STACK_FIELD_ADDRESS, .offset = 8,
		  .size = 8 },
		ADDRESS(0),
	};
	struct stack_fields fields = { 0 };

	scan_as(BPF_PROG_TYPE_TRACING, 0, second, NR(second), &fields);
	ck_assert_uint_eq(fields.nr, 0);
	scan_as(BPF_PROG_TYPE_TRACING, 0, first, NR(first), &fields);
	scan_as(BPF_PROG_TYPE_TRACING, 0, second, NR(second), &fields);
	has_fields("two programs", &fields, expect);
	scan(third, NR(third), &fields);
	expect[1].role = STACK_FIELD_MIXED;
	has_fields("three programs", &fields, expect);
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
		STACKID(0), SPILL(BPF_W, -8, 0), { .code = BPF_JMP | BPF_JA | BPF_X, .dst_reg = 1 },
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
			insns[at] = (struct bpf_insn)SUB((int32_t)(next - at - 1));
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
