// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Follow the results of stack helpers through a linked program, branch by branch:
 *
 *	r0 = bpf_get_stackid(ctx, &stacks, 0)		r0: an id of map 'stacks'
 *	*(u32 *)(r10 - 8) = r0				so are bytes -8 to -5 of the stack
 *	bpf_map_update_elem(&counts, r10 - 24, ...)	so are bytes 16 to 19 of a key of 'counts'
 *
 * A function is followed again for each call of it. Where paths meet, their states are joined; a
 * loop is followed until its states change no more.
 */
#include <errno.h>
#include <stdlib.h>

#include "loader/object/stacks/flow_internal.h"

/* Programs with more of these are not followed to the end; it takes a fraction of a second. */
#define STEPS_MAX	(8u << 20)
#define SAVED_MAX	(64u << 20)

static const struct flow_value plain = { 0 };

/* A call of a function that is being followed. */
struct activation {
	uint32_t begin, end;	/* its instructions */
	struct flow_state **saved;	/* owned; by instruction - begin: where paths meet */
	struct flow_state *exit;	/* owned; at its exits; NULL: none was reached */
	bool again;		/* the state at the beginning of a loop has changed */
};

/* --- states --- */

static size_t state_size(const struct flow *f)
{
	return offsetof(struct flow_state, cells) +
	       (f->depth + 1) * FRAME_CELLS * sizeof(struct flow_value);
}

static struct flow_value join_value(struct flow_value a, struct flow_value b)
{
	if (flow_same(a, b) || (flow_is_followed(a) && !flow_is_followed(b)))
		return a;
	if (flow_is_followed(b))
		return flow_is_followed(a) ? (struct flow_value){ .kind = FLOW_MIXED } : b;
	return plain;
}

static bool join_values(struct flow_value *to, const struct flow_value *from, size_t nr)
{
	bool changed = false;
	struct flow_value v;

	for (size_t i = 0; i < nr; i++) {
		v = join_value(to[i], from[i]);
		changed |= !flow_same(v, to[i]);
		to[i] = v;
	}
	return changed;
}

/* Join the current state into *@to. Return true if it has changed. */
static bool join(struct flow *f, struct flow_state **to)
{
	const size_t size = state_size(f);
	bool changed;

	if (*to) {
		changed = join_values((*to)->regs, f->now.regs, 11);
		return join_values((*to)->cells, f->now.cells, (f->depth + 1) * FRAME_CELLS) ||
		       changed;
	}
	f->saved_bytes += size;
	if (f->saved_bytes > SAVED_MAX) {
		f->fields->gave_up = true;
		return false;
	}
	*to = malloc(size);
	if (!*to)
		f->ret = error_set(f->err, ENOMEM, "no memory to follow a program");
	else
		memcpy(*to, &f->now, size);
	return *to;
}

static void release(struct flow *f, struct flow_state *state, unsigned int depth)
{
	if (state)
		f->saved_bytes -= offsetof(struct flow_state, cells) +
				  (depth + 1) * FRAME_CELLS * sizeof(struct flow_value);
	free(state);
}

/* --- instructions --- */

static uint32_t access_size(struct bpf_insn insn)
{
	switch (BPF_SIZE(insn.code)) {
	case BPF_DW:
		return 8;
	case BPF_W:
		return 4;
	}
	return 1;
}

static struct flow_value moved(struct flow_value address, int32_t by)
{
	if (address.kind != FLOW_FRAME && address.kind != FLOW_VALUE &&
	    address.kind != FLOW_RECORD)
		return plain;
	address.v = (int32_t)((uint32_t)address.v + (uint32_t)by);
	return address;
}

static struct flow_value source(const struct flow *f, struct bpf_insn insn)
{
	if (BPF_SRC(insn.code) == BPF_K)
		return (struct flow_value){ .kind = FLOW_CONST, .v = insn.imm };
	return insn.src_reg < 11 ? f->now.regs[insn.src_reg] : plain;
}

/* Ids and pids are numbers of 32 bits: sign or zero extension does not change them. */
static struct flow_value shifted(struct flow_value v, unsigned int op, struct flow_value by)
{
	if (by.kind != FLOW_CONST || by.v != 32)
		return plain;
	if (v.kind == FLOW_PID_TGID)
		return op == BPF_LSH ? plain : (struct flow_value){ .kind = FLOW_TGID };
	return flow_is_followed(v) ? v : plain;
}

static void arithmetic(struct flow *f, struct bpf_insn insn)
{
	const bool wide = BPF_CLASS(insn.code) == BPF_ALU64;
	const struct flow_value by = source(f, insn);
	struct flow_value *to = &f->now.regs[insn.dst_reg];

	switch (wide || BPF_OP(insn.code) == BPF_MOV ? BPF_OP(insn.code) : BPF_END) {
	case BPF_MOV:
		*to = insn.off && insn.off != 32 ? plain : by;
		if ((!wide || insn.off) && by.kind != FLOW_CONST && by.kind != FLOW_TGID &&
		    by.kind != FLOW_SITE)
			*to = plain;
		break;
	case BPF_ADD:
		*to = by.kind == FLOW_CONST ? moved(*to, by.v) : plain;
		break;
	case BPF_LSH:
	case BPF_RSH:
	case BPF_ARSH:
		*to = shifted(*to, BPF_OP(insn.code), by);
		break;
	default:
		*to = plain;
	}
}

static void load_immediate(struct flow *f, uint32_t i)
{
	const struct bpf_insn insn = f->code->insns[i];
	struct flow_value *to = &f->now.regs[insn.dst_reg];
	const uint32_t map = prog_code_map(f->code, i);
	const int32_t second = i + 1 < f->code->nr_insns ? f->code->insns[i + 1].imm : 0;

	*to = plain;
	if (map <= UINT16_MAX && insn.src_reg == BPF_PSEUDO_MAP_FD)
		*to = (struct flow_value){ .kind = FLOW_MAP, .of = map };
	else if (map <= UINT16_MAX && insn.src_reg == BPF_PSEUDO_MAP_VALUE)
		*to = (struct flow_value){ .kind = FLOW_VALUE, .of = map, .v = second };
	else if (insn.src_reg == BPF_PSEUDO_FUNC)
		*to = (struct flow_value){ .kind = FLOW_FUNC, .v = i + 1 + insn.imm };
	else if (!insn.src_reg && !second)
		*to = (struct flow_value){ .kind = FLOW_CONST, .v = insn.imm };
}

static void call(struct flow *f, uint32_t i)
{
	const struct bpf_insn insn = f->code->insns[i];

	if (insn.src_reg == BPF_PSEUDO_CALL)
		flow_call(f, i + 1 + insn.imm);
	else if (!insn.src_reg)
		flow_helper(f, insn.imm);
	else
		f->now.regs[0] = plain;	/* a kernel function */
	for (int r = 1; r < 6; r++)
		f->now.regs[r] = plain;
}

/* All instructions but jumps and exits. */
static void step(struct flow *f, uint32_t i)
{
	const struct bpf_insn insn = f->code->insns[i];
	struct flow_value *regs = f->now.regs;

	switch (BPF_CLASS(insn.code)) {
	case BPF_ALU:
	case BPF_ALU64:
		arithmetic(f, insn);
		break;
	case BPF_LD:
		if (insn_is_ldimm64(insn))
			load_immediate(f, i);
		else
			for (int r = 0; r < 6; r++)
				regs[r] = plain;
		break;
	case BPF_LDX:
		regs[insn.dst_reg] = flow_load(f, moved(regs[insn.src_reg], insn.off),
					       access_size(insn));
		break;
	case BPF_ST:
		flow_store(f, moved(regs[insn.dst_reg], insn.off), access_size(insn), plain);
		break;
	case BPF_STX:
		if (BPF_MODE(insn.code) == BPF_MEM)
			flow_store(f, moved(regs[insn.dst_reg], insn.off), access_size(insn),
				   regs[insn.src_reg]);
		else	/* an atomic one, which may load into either register, or r0 */
			regs[0] = regs[insn.src_reg] = plain;
		break;
	default:
		call(f, i);
	}
}

/* --- branches --- */

/* The state at the jump's target is also that of here. */
static void jump(struct flow *f, struct activation *a, uint32_t from, int64_t to)
{
	if (to >= a->begin && to < a->end && join(f, &a->saved[to - a->begin]) && to <= from)
		a->again = true;
}

/* Follow a jump. Return true if the next instruction may be executed after it. */
static bool branch(struct flow *f, struct activation *a, uint32_t i)
{
	const struct bpf_insn insn = f->code->insns[i];

	if (BPF_OP(insn.code) == BPF_JA && BPF_SRC(insn.code) == BPF_X) {
		f->fields->gave_up = true;	/* through a jump table */
		return false;
	}
	jump(f, a, i, insn_jump_target(insn, i));
	return BPF_OP(insn.code) != BPF_JA;
}

static void follow_once(struct flow *f, struct activation *a)
{
	bool reached = false;
	struct flow_state **at;

	for (uint32_t i = a->begin; i < a->end && !f->ret; i++) {
		const struct bpf_insn insn = f->code->insns[i];

		at = &a->saved[i - a->begin];
		if (*at && reached)
			join(f, at);
		if (*at)
			memcpy(&f->now, *at, state_size(f));
		reached |= *at != NULL;
		if (!reached || insn.dst_reg > 10 || insn.src_reg > 10)
			goto next;
		if (++f->steps > STEPS_MAX) {
			f->fields->gave_up = true;
			return;
		}
		if (insn.code == (BPF_JMP | BPF_EXIT)) {
			join(f, &a->exit);
			reached = false;
		} else if (insn_is_jump(insn)) {
			reached = branch(f, a, i);
		} else {
			step(f, i);
		}
	next:
		i += insn_is_ldimm64(insn);
	}
}

static uint32_t function_end(const struct flow *f, uint32_t begin)
{
	uint32_t end = begin + 1;

	while (end < f->code->nr_insns && !f->begins[end])
		end++;
	return end;
}

/* Follow the function at @begin from the current state to that at its exits. */
static void follow(struct flow *f, uint32_t begin)
{
	struct activation a = { .begin = begin, .end = function_end(f, begin) };

	a.saved = calloc(a.end - a.begin, sizeof(struct flow_state *));
	if (!a.saved) {
		f->ret = error_set(f->err, ENOMEM, "no memory to follow a program");
		return;
	}
	f->steps += a.end - a.begin;
	join(f, &a.saved[0]);
	do {
		a.again = false;
		follow_once(f, &a);
	} while (a.again && !f->ret && f->steps <= STEPS_MAX);
	if (a.exit)
		memcpy(&f->now, a.exit, state_size(f));
	release(f, a.exit, f->depth);
	for (uint32_t i = 0; i < a.end - a.begin; i++)
		release(f, a.saved[i], f->depth);
	free(a.saved);
}

void flow_call(struct flow *f, uint32_t insn)
{
	struct flow_value kept[5];

	if (insn >= f->code->nr_insns || f->depth + 1 == MAX_FRAMES) {
		f->now.regs[0] = plain;
		return;
	}
	memcpy(kept, &f->now.regs[6], sizeof(kept));
	f->depth++;
	f->now.regs[10] = (struct flow_value){ .kind = FLOW_FRAME,
					       .v = (f->depth + 1) * FRAME_BYTES };
	memset(&f->now.cells[f->depth * FRAME_CELLS], 0,
	       FRAME_CELLS * sizeof(struct flow_value));
	follow(f, insn);
	f->depth--;
	memcpy(&f->now.regs[6], kept, sizeof(kept));
}

/* --- the program --- */

static void mark_functions(struct flow *f)
{
	const struct prog_code *code = f->code;

	for (uint32_t i = 0; i < code->nr_insns; i++) {
		const struct bpf_insn insn = code->insns[i];
		const int64_t to = (int64_t)i + 1 + insn.imm;

		if (insn_has_func(insn) && to >= 0 && to < code->nr_insns)
			f->begins[to] = true;
		i += insn_is_ldimm64(insn);
	}
}

int stack_fields_scan(const struct bpf_object *obj, const struct prog_code *code,
		      struct stack_fields *fields, struct error *err)
{
	struct flow *f;
	int ret;

	/* Nothing to follow, unless an earlier program has stored something that this one reads. */
	if (!code->nr_insns || (!fields->nr && !(code->helpers & HELPER_STACKS)))
		return 0;
	f = calloc(1, sizeof(*f));
	if (f)
		f->begins = calloc(code->nr_insns + 1, sizeof(*f->begins));
	if (!f || !f->begins) {
		free(f);
		return error_set(err, ENOMEM, "no memory to follow a program");
	}
	f->obj = obj;
	f->code = code;
	f->fields = fields;
	f->err = err;
	f->now.regs[10] = (struct flow_value){ .kind = FLOW_FRAME, .v = FRAME_BYTES };
	mark_functions(f);
	follow(f, 0);
	ret = f->ret;
	free(f->begins);
	free(f);
	return ret;
}
