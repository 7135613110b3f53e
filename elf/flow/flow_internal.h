/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The state of a program that is followed, shared by the files of this folder. */
#ifndef PLOAD_ELF_FLOW_FLOW_INTERNAL_H
#define PLOAD_ELF_FLOW_FLOW_INTERNAL_H

#include "elf/flow/flow.h"

#define FRAME_HALVES	(FLOW_FRAME / 4)
#define STACK_HALVES	(FLOW_FRAMES * FRAME_HALVES)

/* The registers and those halves of the stack that are in use: nothing is known of lower ones. */
struct flow_state {
	struct flow_value regs[FLOW_REGS];
	uint32_t lowest;	/* half of the stack in use; flow_top(): none is */
	uint32_t first;		/* cells[0] is this half: 0, or what was the lowest one */
	struct flow_half cells[];
};

/* Bits of each instruction. All but the last two are found before anything is followed. */
enum flow_mark {
	MARK_FUNC = 1,		/* a function begins here */
	MARK_TARGET = 2,	/* a jump goes here */
	MARK_INDIRECT = 4,	/* so may an indirect one */
	MARK_LOOP = 8,		/* it lies in a loop: between a jump back and its target */
	MARK_FOLLOWED = 16,	/* the function that begins here has been followed */
	MARK_ACTIVE = 32,	/* it is being followed */
};

struct flow {
	const struct flow_program *program;
	const struct flow_client *client;
	void *arg;
	struct flow_state *now;		/* before the current instruction */
	struct flow_state *other;	/* has the stack of flow_step_regs() */
	unsigned int depth;		/* of the current function; the program's is 0 */
	unsigned int quiet;		/* loops that are being followed whose states may change */
	struct flow_state **saved;	/* by instruction; each is owned: where paths meet */
	uint8_t *marks;			/* by instruction: enum flow_mark */
	bool alone;	/* nothing is known where paths meet, and functions are not followed */
	bool gave_up, limited;
	uint64_t steps, bytes;		/* followed and saved: see STEPS_MAX and SAVED_MAX */
	int ret;
	struct error *err;
};

/* flow_top() - Return the number of halves in the stack of the current function and its callers. */
static inline uint32_t flow_top(const struct flow *f)
{
	return (f->depth + 1) * FRAME_HALVES;
}

static inline bool flow_is_result(struct flow_half v)
{
	return v.kind >= FLOW_RESULT;
}

/* flow_load() - Return the value of @size bytes at address @at. (memory.c) */
struct flow_value flow_load(struct flow *f, struct flow_value at, uint32_t size);

/* flow_store() - Store @size bytes of @v at @at. (memory.c) */
void flow_store(struct flow *f, struct flow_value at, uint32_t size, struct flow_value v);

/* flow_forget() - The bytes at and after @at in the stack may have changed. (memory.c) */
void flow_forget(struct flow *f, struct flow_value at);

/*
 * flow_step() - Change @regs and the stack of f->now as instruction @i does, which is no jump and
 * no exit. For a call, @regs are those of f->now. (step.c)
 */
void flow_step(struct flow *f, struct flow_value regs[FLOW_REGS], uint32_t i);

/* flow_call() - Follow the function at @insn, called with the current registers. (flow.c) */
void flow_call(struct flow *f, int64_t insn);

/* flow_call_helper() - Change the state as a helper does. (helpers.c) */
void flow_call_helper(struct flow *f, uint32_t i);

#endif
