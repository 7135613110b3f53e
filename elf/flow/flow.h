/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Follow values through a linked program, path by path, as the kernel's verifier does:
 *
 *	r2 = &stacks			r2: the address of map 'stacks'
 *	r3 = 0				r3: the number 0
 *	call bpf_get_stackid		r0: what the client says that this call results in
 *	*(u32 *)(r10 - 8) = r0		and so are bytes -8 to -5 of the stack
 *	if r6 == 0 goto ...		both ways are followed; where they meet, states are joined
 *
 * A value is what is known of 32 bits. A register is two of them, and so are 8 bytes of the stack:
 *
 *	                low half                high half
 *	number          NUMBER v                NUMBER v
 *	address         STACK, byte v           STACK, byte v, FLOW_UPPER
 *	an int result   RESULT of               RESULT of, FLOW_EXTENDED: zeroes, or the sign
 *	a u64 result    RESULT of               RESULT of, FLOW_UPPER
 *	two copied ints RESULT of one           RESULT of another
 *
 * So no store of 4 bytes splits anything, and no copy of 8 bytes needs to know what it copies.
 *
 * Each half is joined with that of the other path where paths meet:
 *
 *	        MIXED			two results that differ
 *	       /     \
 *	 RESULT 1   RESULT 2 ...	a result on one path is enough
 *	       \     /
 *	       UNKNOWN			anything; also: numbers or addresses that differ
 *	       /     \
 *	  NUMBER 0  STACK ...		the same on every path
 *
 * A half rises three times at most, so a loop is soon followed to the end. What a program may cost
 * is limited anyway: 65,536 instructions and 16 times its length are followed, and states take at
 * most 64 MB. A program that needs more is gone through once more, instruction by instruction,
 * and nothing is known where paths meet: so a client hears of each call, whatever the program is.
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
	FLOW_STACK,	/* of byte @v of the stack; FLOW_SOMEWHERE: @v is not known */
	FLOW_VALUE,	/* of byte @v of a value of map @of */
	FLOW_RECORD,	/* of byte @v of a record reserved in map @of */
	FLOW_LOADED,	/* what was at byte @v of a value of map @of */
	FLOW_LOADED_1,	/* that plus one */
	FLOW_RESULT,	/* byte @v of result @of, a number that the client has given to a call */
	FLOW_MIXED,	/* results that differ by the path */
};

/* The high half of a register tells that it belongs to the low one. */
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
 * The stack of each function has 512 bytes, in halves of 4. Functions nest at most 8 deep. See
 * MAX_BPF_STACK and MAX_CALL_FRAMES in include/linux/.
 *
 *	byte	0 ......... 511 | 512 ....... 1023 | ...
 *		program		  function that it calls
 *		       r10 = 512		r10 = 1024
 */
#define FLOW_FRAME	512
#define FLOW_FRAMES	8

/* The kinds of the arguments of helpers, named as enum bpf_arg_type names them. */
enum flow_arg {
	FLOW_ARG_ANY,
	FLOW_ARG_MAP,
	FLOW_ARG_KEY,	/* the address of a key of the map, which is read; so are the next two */
	FLOW_ARG_ELEM,	/* ... of a value of the map */
	FLOW_ARG_RECORD,	/* ... of a record, whose size is the next argument */
	FLOW_ARG_SIZE,
	FLOW_ARG_FLAGS,
	FLOW_ARG_FILL,	/* the address of memory that is written; its size comes next */
	FLOW_ARG_FUNC,	/* the address of a function that is called back */
	FLOW_ARG_CTX_2,	/* the argument of that function which is its second one */
	FLOW_ARG_CTX_3,	/* ... its third one */
	FLOW_ARG_CTX_4,	/* ... its fourth one, after a value of the map */
};

struct flow_helper {
	bool known;
	uint8_t args[5];	/* enum flow_arg */
	uint8_t returns;	/* enum flow_kind: VALUE or RECORD of the map, else UNKNOWN */
};

struct flow;

/* A call of a helper. */
struct flow_call {
	uint32_t insn;
	int32_t helper;
	const struct flow_helper *is;
	struct flow_value result;	/* r0 after it; may be changed */
};

struct flow_program {
	const struct bpf_insn *insns;
	uint32_t nr_insns;
	/* Returns the index of the map that the ldimm64 at @insn refers to, or UINT32_MAX. */
	uint32_t (*map)(const void *arg, uint32_t insn);
	const void *arg;
};

/*
 * A client is called with the values. A function that it does not need is NULL; one that returns
 * -errno ends the run.
 */
struct flow_client {
	int (*call)(struct flow *f, void *arg, struct flow_call *call);
	/* @size bytes are written to a value or record @at; of a value of 8 bytes, if @size is. */
	int (*store)(struct flow *f, void *arg, struct flow_half at, uint32_t size,
		     struct flow_value v);
	/* @size bytes of a value or of the context are loaded; *@v is what is known of them. */
	int (*load)(struct flow *f, void *arg, struct flow_half at, uint32_t size,
		    struct flow_value *v);
};

/**
 * flow_create() - Get ready to follow @program, which is borrowed, as is @client.
 * @arg: passed to the functions of @client
 *
 * Return: NULL if there is no memory; else to be freed by flow_free().
 */
struct flow *flow_create(const struct flow_program *program, const struct flow_client *client,
			 void *arg);
void flow_free(struct flow *f);

/* flow_target() - An indirect jump may go to @insn: nothing is known there. Before flow_run(). */
void flow_target(struct flow *f, uint32_t insn);

/**
 * flow_run() - Follow the program from its beginning, then each function that it did not call,
 * such as callbacks of timers.
 *
 * A function is followed again for each call of it.
 * Return: 0, -ENOMEM, or what the client returned.
 */
int flow_run(struct flow *f, struct error *err);

/* flow_gave_up() - Return true if results were lost: at a limit, or at an indirect jump. */
bool flow_gave_up(const struct flow *f);

/*
 * flow_final() - Return false while a loop is followed whose states may change: what is reported
 * now will be reported again.
 */
bool flow_final(const struct flow *f);

/* flow_regs() - Return the values of all registers, FLOW_REGS, before the current instruction. */
const struct flow_value *flow_regs(const struct flow *f);

/* flow_arg() - Return the first argument of a call that is @what, or UNKNOWN. */
struct flow_value flow_arg(const struct flow *f, const struct flow_call *call, enum flow_arg what);

/*
 * flow_cells() - Return the halves of @size bytes of the stack at @at, if these are whole ones of
 * one function; or NULL.
 */
const struct flow_half *flow_cells(struct flow *f, struct flow_value at, uint32_t size);

/* flow_fill() - @size bytes at @at are result @v from its beginning on; or UNKNOWN. */
int flow_fill(struct flow *f, struct flow_value at, uint32_t size, struct flow_half v);

/* --- one instruction --- */

/*
 * flow_step_regs() - Change @regs as instruction @i does, which is no jump; after a call of
 * whatever kind, r0 to r5 are not known. Nothing is known of the stack. No client is called.
 */
void flow_step_regs(struct flow *f, struct flow_value regs[FLOW_REGS], uint32_t i);

/* flow_taken() - Return 1 if the jump at @insn is taken, 0 if not, or -1 if that is not known. */
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

/* flow_extended() - Return a value of 32 bits in a register of 64: zeroes follow, or the sign. */
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

/* flow_is() - Return true if all 64 bits are of that kind. */
static inline bool flow_is(struct flow_value v, enum flow_kind kind)
{
	return v.low.kind == kind && v.high.kind == kind &&
	       (kind == FLOW_NUMBER || flow_belongs(v.high, v.low));
}

/* flow_get_number() - Return a value that flow_is() a NUMBER. */
static inline uint64_t flow_get_number(struct flow_value v)
{
	return (uint64_t)v.high.v << 32 | v.low.v;
}

#endif
