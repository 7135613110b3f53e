// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Follow the paths of a program through jumps, loops and calls, and join states where paths meet.
 */
#include <errno.h>
#include <stdlib.h>

#include "elf/flow/flow_internal.h"

/*
 * The limits in flow.h: a small program takes at most a millisecond, one of 100,000 instructions
 * 20.
 */
#define STEPS_MAX(nr)	((64u << 10) + UINT64_C(16) * (nr))
#define SAVED_MAX	(64u << 20)

/* A call of a function that is being followed. */
struct activation {
	uint32_t begin, end;	/* its instructions */
	struct flow_state *exit;	/* owned; joined states of its exits; NULL: none reached
					 * yet */
	bool reached;		/* the current instruction is reachable */
	bool again;		/* the state at the start of a loop has changed */
};

/* --- states --- */

static struct flow_half *cell_of(struct flow_state *s, uint32_t cell)
{
	return &s->cells[cell - s->first];
}

static size_t state_size(const struct flow *f, uint32_t first)
{
	return sizeof(struct flow_state) + (flow_top(f) - first) * sizeof(struct flow_half);
}

static bool join_half(struct flow_half *to, struct flow_half from)
{
	struct flow_half v = { 0 };

	if (flow_is_result(*to) && !flow_is_result(from))
		return false;
	if (flow_is_result(from) && flow_is_result(*to)) {
		v.kind = FLOW_MIXED;
		v.part = to->part == from.part ? from.part : FLOW_LOW;
	} else if (flow_is_result(from)) {
		v = from;
	}
	if (flow_same(*to, v))
		return false;
	*to = v;
	return true;
}

/* Join @nr halves. Return true if @to has changed. */
static bool join_halves(struct flow_half *to, const struct flow_half *from, uint32_t nr)
{
	bool changed = false;

	for (uint32_t i = 0; i < nr; i++)
		if (!flow_same(to[i], from[i]))
			changed |= join_half(&to[i], from[i]);
	return changed;
}

/* Join @from into @to, which has room for it. Return true if @to has changed. */
static bool join(const struct flow *f, struct flow_state *to, struct flow_state *from)
{
	static const struct flow_half unknown = { 0 };
	const uint32_t top = flow_top(f);
	bool changed = join_halves(&to->regs[0].low, &from->regs[0].low, 2 * FLOW_REGS);

	for (; to->lowest > from->lowest; to->lowest--)
		*cell_of(to, to->lowest - 1) = unknown;
	for (uint32_t i = to->lowest; i < from->lowest && i < top; i++)
		changed |= join_halves(cell_of(to, i), &unknown, 1);
	if (from->lowest < top)
		changed |= join_halves(cell_of(to, from->lowest), cell_of(from, from->lowest),
				       top - from->lowest);
	return changed;
}

static void copy(const struct flow *f, struct flow_state *to, struct flow_state *from)
{
	memcpy(to->regs, from->regs, sizeof(to->regs));
	to->lowest = from->lowest;
	memcpy(cell_of(to, to->lowest), cell_of(from, to->lowest),
	       (flow_top(f) - to->lowest) * sizeof(struct flow_half));
}

static void release(struct flow *f, struct flow_state **state)
{
	if (*state)
		f->bytes -= state_size(f, (*state)->first);
	free(*state);
	*state = NULL;
}

/* Join the current state into *@to, which is allocated. Return true if it has changed. */
static bool save(struct flow *f, struct flow_state **to)
{
	const uint32_t top = flow_top(f);
	struct flow_state *old = *to, *state = old;

	f->now->lowest = f->now->lowest < top ? f->now->lowest : top;
	f->steps += (top - f->now->lowest) / 32;
	if (!old || old->first > f->now->lowest) {
		state = malloc(state_size(f, f->now->lowest));
		if (!state) {
			f->ret = error_set(f->err, ENOMEM, "no memory to follow a program");
			return false;
		}
		f->bytes += state_size(f, f->now->lowest);
		f->limited |= f->bytes > SAVED_MAX;
		state->first = f->now->lowest;
		copy(f, state, old ? old : f->now);
		release(f, to);
		*to = state;
	}
	return !old || join(f, state, f->now);
}

/* Nothing is known except the stack's own address. */
static void know_nothing(struct flow *f)
{
	memset(f->now->regs, 0, sizeof(f->now->regs));
	f->now->lowest = flow_top(f);
	f->now->regs[10] = flow_whole(flow_half(FLOW_STACK, 0, flow_top(f) * 4));
}

/* --- paths --- */

/* Join the state of the preceding instruction with the one saved for @i. */
static void arrive(struct flow *f, struct activation *a, uint32_t i)
{
	struct flow_state **saved = &f->saved[i];

	if (f->marks[i] & MARK_INDIRECT) {
		know_nothing(f);
		a->reached = true;
	} else if (*saved && a->reached && f->marks[i] & MARK_LOOP) {
		save(f, saved);
		copy(f, f->now, *saved);
	} else if (*saved && a->reached) {
		join(f, f->now, *saved);
	} else if (*saved) {
		copy(f, f->now, *saved);
		a->reached = true;
	}
	if (!(f->marks[i] & MARK_LOOP))	/* inside a loop it is needed again */
		release(f, saved);
}

/*
 * Establishes that the instruction belongs to the function and is no second half: it will be
 * visited.
 */
static bool is_target(const struct flow *f, const struct activation *a, int64_t to)
{
	return to >= a->begin && to < a->end &&
	       !(to && insn_is_ldimm64(f->program->insns[to - 1]));
}

/* The state at the jump's target includes the current one. */
static void jump(struct flow *f, struct activation *a, uint32_t i)
{
	const struct bpf_insn insn = f->program->insns[i];
	const int64_t to = insn_jump_target(insn, i);

	if (BPF_OP(insn.code) == BPF_JA && BPF_SRC(insn.code) == BPF_X)
		f->gave_up = true;	/* through a jump table: see flow_target() */
	else if (is_target(f, a, to) && save(f, &f->saved[to]) && to <= i)
		a->again = true;
	a->reached = BPF_OP(insn.code) != BPF_JA;
}

static void follow_insn(struct flow *f, struct activation *a, uint32_t i)
{
	const struct bpf_insn insn = f->program->insns[i];

	if (insn.code == (BPF_JMP | BPF_EXIT)) {
		save(f, &a->exit);
		a->reached = false;
	} else if (insn_is_jump(insn)) {
		jump(f, a, i);
	} else {
		flow_step(f, f->now->regs, i);
	}
}

/* Follow the instructions from @i once, to the end of the loop or to the next one. */
static uint32_t follow_range(struct flow *f, struct activation *a, uint32_t i)
{
	const struct bpf_insn *insns = f->program->insns;
	const uint8_t loop = f->marks[i] & MARK_LOOP;
	const uint32_t begin = i;

	for (; i < a->end && (f->marks[i] & MARK_LOOP) == loop && !f->ret && !f->limited; i++) {
		if (f->saved[i] || f->marks[i] & MARK_INDIRECT)
			arrive(f, a, i);
		if (a->reached)
			follow_insn(f, a, i);
		i += insn_is_ldimm64(insns[i]);
	}
	f->steps += i - begin;
	f->limited |= f->steps > STEPS_MAX(f->program->nr_insns);
	return i < a->end ? i : a->end;
}

/* Repeat until the states no longer change, then once more for the client. */
static uint32_t follow_loop(struct flow *f, struct activation *a, uint32_t begin)
{
	uint32_t end;

	if (a->reached)
		save(f, &f->saved[begin]);
	f->quiet++;
	do {
		a->reached = a->again = false;
		end = follow_range(f, a, begin);
	} while (a->again && !f->ret && !f->limited);
	f->quiet--;
	if (flow_final(f)) {
		a->reached = false;
		end = follow_range(f, a, begin);
	}
	for (uint32_t i = begin; i < end; i++)
		release(f, &f->saved[i]);
	return end;
}

/* Follow the function at @begin from the current state to its exits. */
static void follow(struct flow *f, uint32_t begin)
{
	struct activation a = { .begin = begin, .end = begin + 1, .reached = true };
	uint32_t i = begin;

	while (a.end < f->program->nr_insns && !(f->marks[a.end] & MARK_FUNC))
		a.end++;
	f->marks[begin] |= MARK_FOLLOWED | MARK_ACTIVE;
	while (i < a.end && !f->ret && !f->limited)
		i = f->marks[i] & MARK_LOOP ? follow_loop(f, &a, i) : follow_range(f, &a, i);
	f->marks[begin] &= ~MARK_ACTIVE;
	if (a.exit)
		copy(f, f->now, a.exit);
	release(f, &a.exit);
}

/* A recursive function, or one nested deeper than the kernel allows, is not followed. */
void flow_call(struct flow *f, int64_t insn)
{
	struct flow_value kept[5];

	if (insn < 0 || insn >= f->program->nr_insns || f->marks[insn] & MARK_ACTIVE ||
	    f->depth + 1 == FLOW_FRAMES || f->alone) {
		for (int r = 1; r < 6; r++)
			flow_forget(f, f->now->regs[r]);
		f->now->regs[0] = (struct flow_value){ 0 };
		return;
	}
	memcpy(kept, &f->now->regs[6], sizeof(kept));
	f->depth++;
	f->now->regs[10] = flow_whole(flow_half(FLOW_STACK, 0, flow_top(f) * 4));
	if (f->now->lowest >= flow_top(f) - FRAME_HALVES)
		f->now->lowest = flow_top(f);
	else
		memset(&f->now->cells[flow_top(f) - FRAME_HALVES], 0, FLOW_FRAME * 2);
	follow(f, insn);
	f->depth--;
	memcpy(&f->now->regs[6], kept, sizeof(kept));
}

/* --- the program --- */

/* Mark and return the target of the jump or call at @i, or return @none. */
static int64_t mark_target(struct flow *f, struct bpf_insn insn, int64_t i, int64_t none)
{
	const bool jumps = insn_is_jump(insn);
	const int64_t to = jumps ? insn_jump_target(insn, i) : i + 1 + insn.imm;

	if (to < 0 || to >= f->program->nr_insns)
		return none;
	f->marks[to] |= jumps ? MARK_TARGET : MARK_FUNC;
	return jumps ? to : none;
}

/* A backward jump turns everything it jumps over into a loop, so set these marks from the end. */
static void mark(struct flow *f)
{
	const struct bpf_insn *insns = f->program->insns;
	int64_t back = f->program->nr_insns, to;	/* the lowest target of a backward jump
							 * so far */

	for (int64_t i = back - 1; i >= 0; i--) {
		if (insn_is_jump(insns[i]) || insn_has_func(insns[i])) {
			to = mark_target(f, insns[i], i, INT64_MAX);
			back = to <= i && to < back ? to : back;
		}
		if (back <= i)
			f->marks[i] |= MARK_LOOP;
	}
}

/*
 * One allocation holds everything:
 *
 *	struct flow | state now, other | state *saved[nr_insns] | marks[nr_insns]
 */
struct flow *flow_create(const struct flow_program *program, const struct flow_client *client,
			 void *arg)
{
	const size_t state = sizeof(struct flow_state) + STACK_HALVES * sizeof(struct flow_half);
	const size_t size = program->nr_insns * (sizeof(struct flow_state *) + 1);
	struct flow *f = malloc(sizeof(*f) + 2 * state + size);

	if (!f)
		return NULL;
	*f = (struct flow){ .program = program, .client = client, .arg = arg };
	f->now = (struct flow_state *)(f + 1);
	f->other = (struct flow_state *)((char *)f->now + state);
	f->saved = (struct flow_state **)((char *)f->other + state);
	f->marks = (uint8_t *)(f->saved + program->nr_insns);
	f->now->first = f->other->first = 0;
	memset(f->saved, 0, size);
	return f;
}

void flow_free(struct flow *f)
{
	for (uint32_t i = 0; (f->ret || f->limited) && i < f->program->nr_insns; i++)
		free(f->saved[i]);	/* otherwise each was used and freed */
	free(f);
}

void flow_target(struct flow *f, uint32_t insn)
{
	f->marks[insn] |= MARK_INDIRECT;
}

/* Visit each instruction on its own, unless every path to it has visited others before. */
static void step_alone(struct flow *f)
{
	const uint8_t meet = MARK_FUNC | MARK_TARGET | MARK_INDIRECT;

	f->alone = true;
	f->depth = f->quiet = 0;
	know_nothing(f);
	for (uint32_t i = 0; i < f->program->nr_insns && !f->ret; i++) {
		const struct bpf_insn insn = f->program->insns[i];

		if (f->marks[i] & meet)
			know_nothing(f);
		if (!insn_is_jump(insn) && insn.code != (BPF_JMP | BPF_EXIT))
			flow_step(f, f->now->regs, i);
		i += insn_is_ldimm64(insn);
	}
}

int flow_run(struct flow *f, struct error *err)
{
	f->err = err;
	mark(f);
	for (uint32_t i = 0; i < f->program->nr_insns && !f->ret && !f->limited; i++) {
		if (i && (f->marks[i] & (MARK_FUNC | MARK_FOLLOWED)) != MARK_FUNC)
			continue;
		know_nothing(f);
		if (!i)
			f->now->regs[1] = flow_whole(flow_half(FLOW_CONTEXT, 0, 0));
		follow(f, i);
	}
	f->gave_up |= f->limited;
	if (f->limited && !f->ret)
		step_alone(f);
	return f->ret;
}

/* --- for clients --- */

bool flow_gave_up(const struct flow *f)
{
	return f->gave_up;
}

bool flow_final(const struct flow *f)
{
	return !f->quiet;
}

const struct flow_value *flow_regs(const struct flow *f)
{
	return f->now->regs;
}

struct flow_value flow_arg(const struct flow *f, const struct flow_call *call, enum flow_arg what)
{
	for (int i = 0; i < 5; i++)
		if (call->is->args[i] == what)
			return f->now->regs[i + 1];
	return (struct flow_value){ 0 };
}

void flow_step_regs(struct flow *f, struct flow_value regs[FLOW_REGS], uint32_t i)
{
	static const struct flow_client nobody = { 0 };
	const struct flow_client *client = f->client;
	struct flow_state *now = f->now;

	f->client = &nobody;
	f->now = f->other;
	f->now->lowest = flow_top(f);
	if (insn_is_call(f->program->insns[i]))
		memset(regs, 0, 6 * sizeof(*regs));
	else
		flow_step(f, regs, i);
	f->client = client;
	f->now = now;
}
