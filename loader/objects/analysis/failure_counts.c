// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Find the global variables in which programs count losses, by analyzing their linked code. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "elf/flow/flow.h"
#include "loader/core/object/parse.h"

/*
 * After a call that can fail, compiled code looks like this:
 *
 *	call bpf_ringbuf_reserve	r0 is a record, or 0
 *	if r0 != 0 goto A success and failure take different paths
 *	r1 = 1
 *	r2 = &dropped
 *	lock *(u64 *)(r2 + 0) += r1	B: reached only after a failure
 *	...
 *   A:	...
 *
 * The instructions are followed for several results at once: lane 0 is the failure, the others are
 * results to distinguish from it. The failing path starts where the lanes diverge. A variable
 * incremented there counts this failure, unless a path from A also reaches that instruction.
 */
#define LANES 3
#define STEPS_MAX 64	/* instructions followed after a call, on all paths together */
#define REACH_MAX 4096	/* instructions reachable on the other path */
#define POINTER 0x10000	/* stands for any address */

struct path {
	struct flow *flow;
	const struct prog_code *code;
	const struct object_map *maps;
	struct failure_count *found;	/* its failure and map are set */
	struct flow_value regs[LANES][FLOW_REGS];
	bool parted;		/* only lane 0 is still followed */
	unsigned int *steps;	/* remaining; shared by all paths */
	const bool *reached;	/* after diverging: instructions reachable by the other lanes */
};

/* --- the other path --- */

/* Mark what is reachable from @from. Return false if that is more than REACH_MAX. */
static bool mark_reached(const struct prog_code *code, uint32_t from, bool *reached,
			 unsigned int *left)
{
	for (uint32_t i = from; i < code->nr_insns && !reached[i]; i++) {
		const struct bpf_insn insn = code->insns[i];
		const int64_t to = insn_jump_target(insn, i);
		const bool always = BPF_OP(insn.code) == BPF_JA;

		if (!(*left)--)
			return false;
		reached[i] = true;
		i += insn_is_ldimm64(insn);
		if (insn.code == (BPF_JMP | BPF_EXIT))
			return true;
		if (!insn_is_jump(insn))
			continue;
		if (always && insn.code & BPF_X)	/* through a jump table */
			return false;
		if (to >= 0 && to < code->nr_insns && !mark_reached(code, to, reached, left))
			return false;
		if (always)
			return true;
	}
	return true;
}

/* --- instructions --- */

static bool is_number(struct flow_value v, uint64_t number)
{
	return flow_is(v, FLOW_NUMBER) && flow_get_number(v) == number;
}

/*
 * Find the variable that a store increments only on the failing path: atomically, or with a load,
 * an addition and a store.
 */
static bool counts(const struct path *p, uint32_t i)
{
	const struct bpf_insn insn = p->code->insns[i];
	const bool atomic = BPF_MODE(insn.code) == BPF_ATOMIC;
	const struct flow_value to = p->regs[0][insn.dst_reg], from = p->regs[0][insn.src_reg];
	const uint32_t offset = to.low.v + insn.off, size = insn_size(insn);
	bool adds = flow_is(from, FLOW_LOADED_1) && from.low.of == to.low.of &&
		    from.low.v == offset;

	if (atomic)
		adds = (insn.imm & ~BPF_FETCH) == BPF_ADD && is_number(from, 1);
	if (!adds || size < 4 || !flow_is(to, FLOW_VALUE) ||
	    p->maps[to.low.of].kind != OBJECT_MAP_DATA || !p->parted || p->reached[i])
		return false;
	p->found->data = to.low.of;
	p->found->offset = offset;
	p->found->size = size;
	return true;
}

/* Set r0 to the result of each lane. */
static void set_results(struct path *p, const int64_t results[LANES])
{
	for (int k = 0; k < LANES; k++)
		p->regs[k][0] = flow_number((uint64_t)results[k]);
}

static void step(struct path *p, uint32_t i)
{
	static const int64_t found[LANES] = { 0, POINTER, POINTER };
	const struct bpf_insn insn = p->code->insns[i];
	const struct flow_value map = p->regs[0][1];

	for (int k = 0; k < (p->parted ? 1 : LANES); k++)
		flow_step_regs(p->flow, p->regs[k], i);
	/* After an update that failed because the map is full, a lookup finds nothing. */
	if (insn_is_call(insn) && !insn.src_reg && insn.imm == BPF_FUNC_map_lookup_elem &&
	    flow_is(map, FLOW_MAP) && map.low.of == p->found->map &&
	    p->found->failure == FAILURE_FULL && !p->parted)
		set_results(p, found);
}

/* --- branches --- */

/* Follow the instructions from @i on. Return 1 if a variable was found, 0 or -ENOMEM. */
static int follow(struct path p, uint32_t i);

/* Lane 0 goes to @failed, all others go to @other. */
static int part(struct path *p, uint32_t failed, uint32_t other)
{
	bool *reached = calloc(p->code->nr_insns, sizeof(*reached));
	unsigned int left = REACH_MAX;
	int ret = 0;

	if (!reached)
		return -ENOMEM;
	p->parted = true;
	p->reached = reached;
	if (mark_reached(p->code, other, reached, &left))
		ret = follow(*p, failed);
	free(reached);
	return ret;
}

/* Follow both paths of a branch, or one of them if all lanes know the condition. */
static int branch(struct path *p, uint32_t i)
{
	const struct bpf_insn insn = p->code->insns[i];
	const uint32_t next = i + 1, to = insn_jump_target(insn, i);
	int taken[LANES], ret;

	for (int k = 0; k < LANES; k++)
		taken[k] = flow_taken(p->regs[k], insn);
	if (taken[0] < 0 || taken[1] < 0 || taken[2] < 0) {
		ret = follow(*p, next);
		return ret ? ret : follow(*p, to);
	}
	if (p->parted || (taken[0] == taken[1] && taken[1] == taken[2]))
		return follow(*p, taken[0] ? to : next);
	return taken[1] == taken[2] ? part(p, taken[0] ? to : next, taken[0] ? next : to) : 0;
}

static int follow(struct path p, uint32_t i)
{
	for (; i < p.code->nr_insns && *p.steps; i++) {
		const struct bpf_insn insn = p.code->insns[i];
		const unsigned int class = BPF_CLASS(insn.code);
		const bool legacy = class == BPF_LD && !insn_is_ldimm64(insn);

		--*p.steps;
		if (insn.dst_reg >= FLOW_REGS || legacy || insn.code == (BPF_JMP | BPF_EXIT))
			return 0;
		if (insn_is_jump(insn))
			return BPF_OP(insn.code) == BPF_JA && insn.code & BPF_X ? 0 : branch(&p, i);
		if (class == BPF_STX && insn.src_reg < FLOW_REGS && counts(&p, i))
			return 1;
		step(&p, i);
		i += insn_is_ldimm64(insn);
	}
	return 0;
}

/* Find the variable that counts failures of @call and set @found->data, if there is one. */
static int find(struct path *p, const struct flow_call *call, struct error *err)
{
	/* The failure, then results that are not failures. */
	static const int64_t results[][LANES] = {
		[FAILURE_RESERVE] = { 0, POINTER, POINTER },
		[FAILURE_OUTPUT] = { -EAGAIN, 0, 0 },
		[FAILURE_FULL] = { -E2BIG, 0, -EEXIST },
		[FAILURE_COLLISION] = { -EEXIST, 1, -EFAULT },
	};
	/* With BPF_ANY, an update never fails because the key exists. */
	static const int64_t full_any[LANES] = { -E2BIG, 0, 0 };
	const enum map_failure failure = p->found->failure;
	const bool any = is_number(flow_arg(p->flow, call, FLOW_ARG_FLAGS), BPF_ANY);
	unsigned int steps = STEPS_MAX;

	/* Compilers may keep a 1 or an address in a register that survives calls. */
	for (int k = 0; k < LANES; k++)
		memcpy(&p->regs[k][6], &flow_regs(p->flow)[6], 5 * sizeof(struct flow_value));
	set_results(p, failure == FAILURE_FULL && any ? full_any : results[failure]);
	p->steps = &steps;
	return follow(*p, call->insn + 1) < 0 ?
		       error_set(err, ENOMEM, "no memory to look at %u instructions",
				 p->code->nr_insns) : 0;
}

static bool equal(const struct failure_count *a, const struct failure_count *b)
{
	return a->failure == b->failure && a->map == b->map && a->data == b->data &&
	       a->offset == b->offset;
}

static int add(struct failure_counts *counts, const struct failure_count *found,
	       struct error *err)
{
	struct failure_count *list;

	for (uint32_t i = 0; i < counts->nr; i++)
		if (equal(&counts->list[i], found))
			return 0;
	list = array_grow(counts->list, counts->nr, sizeof(*list));
	if (!list)
		return error_set(err, ENOMEM, "no memory for %u counters", counts->nr + 1);
	counts->list = list;
	list[counts->nr++] = *found;
	return 0;
}

/* Return how a call to @helper with a map of @type fails, or -1. */
static int failure_of(int32_t helper, uint32_t type)
{
	switch (helper) {
	case BPF_FUNC_ringbuf_reserve:
		return FAILURE_RESERVE;
	case BPF_FUNC_ringbuf_output:
	case BPF_FUNC_ringbuf_reserve_dynptr:
		return FAILURE_OUTPUT;
	case BPF_FUNC_map_update_elem:
		return type == BPF_MAP_TYPE_HASH || type == BPF_MAP_TYPE_PERCPU_HASH ?
			       FAILURE_FULL : -1;
	case BPF_FUNC_get_stackid:
		return FAILURE_COLLISION;
	}
	return -1;
}

int failure_counts_add(const struct usage_scan *s, struct flow *f, const struct flow_call *call)
{
	const uint32_t map = flow_arg(f, call, FLOW_ARG_MAP).low.of;
	const int failure = failure_of(call->helper, s->maps[map].type);
	struct failure_count found = { (enum map_failure)failure, map, UINT32_MAX, 0, 0 };
	struct path p = { .flow = f, .code = s->code, .maps = s->maps, .found = &found };
	int ret;

	if (failure < 0)
		return 0;
	ret = find(&p, call, s->err);
	return ret ? ret : add(s->failures, &found, s->err);
}
