/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Follow values through a linked program, path by path, as the kernel's verifier does:
 *
 *	r2 = &stacks			r2: the address of map 'stacks'
 *	r3 = 0				r3: the number 0
 *	call bpf_get_stackid r0: the result that the client assigns to this call
 *	*(u32 *)(r10 - 8) = r0 and bytes -8 to -5 of the stack, too
 *	if r6 == 0 goto ... both branches are followed; where they meet, states are joined
 *
 * A value describes 32 bits. A register consists of two values, and so do 8 bytes of the stack:
 *
 *	                low half                high half
 *	number          NUMBER v                NUMBER v
 *	address         STACK, byte v           STACK, byte v, FLOW_UPPER
 *	an int result   RESULT of               RESULT of, FLOW_EXTENDED: zeroes, or the sign
 *	a u64 result    RESULT of               RESULT of, FLOW_UPPER
 *	two copied ints RESULT of one           RESULT of another
 *
 * So a 4-byte store never splits a value, and an 8-byte copy need not know what it copies.
 *
 * Where paths meet, each half is joined with the half from the other path:
 *
 *	        MIXED			two results that differ
 *	       /     \
 *	 RESULT 1   RESULT 2 ...	a result on one path is enough
 *	       \     /
 *	       UNKNOWN			anything; also: numbers or addresses that differ
 *	       /     \
 *	  NUMBER 0  STACK ...		the same on every path
 *
 * A half rises at most three times, so loops converge quickly. There are hard limits, too: 65,536
 * instructions plus 16 times the program's length are followed, and states take at most 64 MB. If a
 * program needs more, one last linear pass visits each instruction, with nothing known where paths
 * meet. So the client sees every call of any program.
 */
#ifndef PLOAD_ELF_FLOW_FLOW_H
#define PLOAD_ELF_FLOW_FLOW_H

#include <string.h>

#include "elf/error.h"
#include "elf/flow/insn.h"

enum flow_kind {
	FLOW_UNKNOWN,
	FLOW_NUMBER,	/* @v: its 32 bits */
	FLOW_MAP,	/* the address of map @of */
	FLOW_FUNC,	/* the address of a function: its first instruction is @v */
	FLOW_CONTEXT,	/* the address of byte @v of the program's context, its first argument */
	FLOW_STACK,	/* byte @v of the stack; FLOW_SOMEWHERE: @v is unknown */
	FLOW_VALUE,	/* the address of byte @v of a value of map @of */
	FLOW_RECORD,	/* the address of byte @v of a record reserved in map @of */
	FLOW_LOADED,	/* the contents at byte @v of a value of map @of */
	FLOW_LOADED_1,	/* those contents plus one */
	FLOW_RESULT,	/* byte @v of result @of, a number that the client assigned to a call */
	FLOW_MIXED,	/* results that differ between paths */
};

/* Set in the high half of a register if it belongs to the low half. */
enum flow_part { FLOW_LOW, FLOW_UPPER, FLOW_EXTENDED };

struct flow_half {
	uint8_t kind, part;
	uint16_t of;
	uint32_t v;
};

struct flow_value {
	struct flow_half low, high;
};

#define FLOW_REGS	11
#define FLOW_SOMEWHERE	UINT32_MAX

/*
 * The stack of each function is 512 bytes, in halves of 4 bytes. Calls nest at most 8 deep. See
 * MAX_BPF_STACK and MAX_CALL_FRAMES in include/linux/.
 *
 *	byte	0 ......... 511 | 512 ....... 1023 | ...
 *		program		  function that it calls
 *		       r10 = 512		r10 = 1024
 */
#define FLOW_FRAME	512
#define FLOW_FRAMES	8

/* The kinds of helper arguments, named after enum bpf_arg_type. */
enum flow_arg {
	FLOW_ARG_ANY,
	FLOW_ARG_MAP,
	FLOW_ARG_KEY,	/* the address of a key of the map, which is read; so are the next two */
	FLOW_ARG_ELEM,	/* ... of a value of the map */
	FLOW_ARG_RECORD,	/* ... of a record whose size is the next argument */
	FLOW_ARG_SIZE,
	FLOW_ARG_FLAGS,
	FLOW_ARG_FILL,	/* the address of memory that the helper writes; its size is the next
			 * argument */
	FLOW_ARG_FUNC,	/* the address of a callback function */
	FLOW_ARG_CTX_2,	/* the value passed to the callback as its second argument */
	FLOW_ARG_CTX_3,	/* ... as its third one */
	FLOW_ARG_CTX_4,	/* ... as its fourth one, after a value of the map */
};

struct flow_helper {
	bool known;
	uint8_t args[5];	/* enum flow_arg */
	uint8_t returns;	/* enum flow_kind: VALUE or RECORD of the map, else UNKNOWN */
};

struct flow;

/* A call to a helper. */
struct flow_call {
	uint32_t insn;
	int32_t helper;
	const struct flow_helper *is;
	struct flow_value result;	/* r0 after it; may be changed */
};

struct flow_program {
	const struct bpf_insn *insns;
	uint32_t nr_insns;
	/* Return the index of the map that the ldimm64 at @insn refers to, or UINT32_MAX. */
	uint32_t (*map)(const void *arg, uint32_t insn);
	const void *arg;
};

/*
 * The callbacks of a client. Any of them may be NULL; one that returns -errno ends the run.
 */
struct flow_client {
	int (*call)(struct flow *f, void *arg, struct flow_call *call);
	/* @size bytes are written to a value or record @at; as an 8-byte value, if @size is 8. */
	int (*store)(struct flow *f, void *arg, struct flow_half at, uint32_t size,
		     struct flow_value v);
	/* @size bytes of a value or of the context are loaded; *@v describes them. */
	int (*load)(struct flow *f, void *arg, struct flow_half at, uint32_t size,
		    struct flow_value *v);
};

/**
 * flow_create() - Prepare to follow @program; @program and @client are borrowed.
 * @arg: passed to the functions of @client
 *
 * Return: an object that flow_free() frees, or NULL if out of memory.
 */
struct flow *flow_create(const struct flow_program *program, const struct flow_client *client,
			 void *arg);
void flow_free(struct flow *f);

/*
 * flow_target() - Declare @insn the target of an indirect jump, where nothing is known. Call before
 * flow_run().
 */
void flow_target(struct flow *f, uint32_t insn);

/**
 * flow_run() - Follow the program from its start, then each function it did not call, such as timer
 * callbacks.
 *
 * A function is followed again for every call.
 * Return: 0, -ENOMEM, or what the client returned.
 */
int flow_run(struct flow *f, struct error *err);

/* flow_gave_up() - Return true if results were lost: at a limit, or at an indirect jump. */
bool flow_gave_up(const struct flow *f);

/*
 * flow_final() - Return false inside a loop whose states may still change: the client will see the
 * current instruction again.
 */
bool flow_final(const struct flow *f);

/* flow_regs() - Return the values of all registers, FLOW_REGS, before the current instruction. */
const struct flow_value *flow_regs(const struct flow *f);

/* flow_arg() - Return the first argument of a call that is @what, or UNKNOWN. */
struct flow_value flow_arg(const struct flow *f, const struct flow_call *call, enum flow_arg what);

/*
 * flow_cells() - Return the halves of @size bytes of the stack at @at, if they are whole halves of
 * one function's stack; or NULL.
 */
const struct flow_half *flow_cells(struct flow *f, struct flow_value at, uint32_t size);

/* flow_fill() - Set @size bytes at @at to result @v from its first byte on, or to UNKNOWN. */
int flow_fill(struct flow *f, struct flow_value at, uint32_t size, struct flow_half v);

/* --- one instruction --- */

/*
 * flow_step_regs() - Apply instruction @i, which is not a jump, to @regs. Any call makes r0 to r5
 * unknown. Nothing is known of the stack. No client is called.
 */
void flow_step_regs(struct flow *f, struct flow_value regs[FLOW_REGS], uint32_t i);

/* flow_taken() - Return 1 if the jump at @insn is taken, 0 if not, or -1 if unknown. */
int flow_taken(const struct flow_value regs[FLOW_REGS], struct bpf_insn insn);

/* --- values --- */

static inline struct flow_half flow_half(enum flow_kind kind, uint16_t of, uint32_t v)
{
	return (struct flow_half){ .kind = kind, .of = of, .v = v };
}

/* flow_whole() - Return a value of 64 bits whose low half is @low. */
static inline struct flow_value flow_whole(struct flow_half low)
{
	struct flow_value v = { low, low };

	v.high.part = low.kind == FLOW_UNKNOWN ? FLOW_LOW : FLOW_UPPER;
	return v;
}

/* flow_extended() - Return a value of 32 bits in a register of 64, zero- or sign-extended. */
static inline struct flow_value flow_extended(struct flow_half low, bool is_signed)
{
	struct flow_value v = { .low = low };

	if (low.kind == FLOW_NUMBER)
		v.high = flow_half(FLOW_NUMBER, 0, is_signed && low.v >> 31 ? UINT32_MAX : 0);
	else if (low.kind == FLOW_RESULT || low.kind == FLOW_MIXED) {
		v.high = low;
		v.high.part = FLOW_EXTENDED;
	}
	return v;
}

static inline struct flow_value flow_number(uint64_t number)
{
	return (struct flow_value){ flow_half(FLOW_NUMBER, 0, (uint32_t)number),
				    flow_half(FLOW_NUMBER, 0, (uint32_t)(number >> 32)) };
}

static inline bool flow_same(struct flow_half a, struct flow_half b)
{
	return !memcmp(&a, &b, sizeof(a));
}

/* flow_belongs() - Return true if @high is the high half of @low. */
static inline bool flow_belongs(struct flow_half high, struct flow_half low)
{
	const bool is_high = high.part != FLOW_LOW;

	high.part = low.part;
	return is_high && low.part == FLOW_LOW && flow_same(high, low);
}

/* flow_is() - Return true if all 64 bits are of this kind. */
static inline bool flow_is(struct flow_value v, enum flow_kind kind)
{
	return v.low.kind == kind && v.high.kind == kind &&
	       (kind == FLOW_NUMBER || flow_belongs(v.high, v.low));
}

/* flow_get_number() - Return the number in a value for which flow_is(NUMBER). */
static inline uint64_t flow_get_number(struct flow_value v)
{
	return (uint64_t)v.high.v << 32 | v.low.v;
}

#endif
