/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The state of a run, shared by the files of this folder. */
#ifndef PLOAD_ELF_FLOW_FLOW_INTERNAL_H
#define PLOAD_ELF_FLOW_FLOW_INTERNAL_H

#include "elf/flow/flow.h"

#define FRAME_HALVES	(FLOW_FRAME / 4)
#define STACK_HALVES	(FLOW_FRAMES * FRAME_HALVES)

/* The registers and the used part of the stack; nothing is known of lower halves. */
struct flow_state {
	struct flow_value regs[FLOW_REGS];
	uint32_t lowest;	/* lowest half of the stack in use; flow_top(): none */
	uint32_t first;		/* cells[0] is this half: 0, or the lowest one when the state was
				 * saved */
	struct flow_half cells[];
};

/* Bits per instruction. All but the last two are set before the run. */
enum flow_mark {
	MARK_FUNC = 1,		/* a function begins here */
	MARK_TARGET = 2,	/* target of a jump */
	MARK_INDIRECT = 4,	/* target of an indirect jump */
	MARK_LOOP = 8,		/* inside a loop: between a backward jump and its target */
	MARK_FOLLOWED = 16,	/* the function that begins here has been followed */
	MARK_ACTIVE = 32,	/* it is being followed */
};

struct flow {
	const struct flow_program *program;
	const struct flow_client *client;
	void *arg;
	struct flow_state *now;		/* the state before the current instruction */
	struct flow_state *other;	/* the stack used by flow_step_regs() */
	unsigned int depth;		/* depth of the current function; the program's is 0 */
	unsigned int quiet;		/* number of loops being followed whose states may change */
	struct flow_state **saved;	/* by instruction; each is owned; set where paths meet */
	uint8_t *marks;			/* by instruction: enum flow_mark */
	bool alone;	/* nothing is known where paths meet, and functions are not followed */
	bool gave_up, limited;
	uint64_t steps, bytes;		/* instructions followed and bytes saved: see STEPS_MAX
					 * and SAVED_MAX */
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

/* flow_forget() - Forget the stack bytes from @at on: they may have changed. (memory.c) */
void flow_forget(struct flow *f, struct flow_value at);

/*
 * flow_step() - Apply instruction @i, which is neither a jump nor an exit, to @regs and the stack
 * of f->now. For a call, @regs must be those of f->now. (step.c)
 */
void flow_step(struct flow *f, struct flow_value regs[FLOW_REGS], uint32_t i);

/* flow_call() - Follow the function at @insn, called with the current registers. (flow.c) */
void flow_call(struct flow *f, int64_t insn);

/* flow_call_helper() - Apply a helper call to the state. (helpers.c) */
void flow_call_helper(struct flow *f, uint32_t i);

#endif
