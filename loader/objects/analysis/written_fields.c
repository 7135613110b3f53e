// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Find the fields to which programs write stacks, addresses, processes and commands. */
#include "elf/flow/flow.h"
#include "loader/core/object/parse.h"
#include "loader/objects/analysis/stack_fields.h"

#define RESULTS_MAX 256

static const bool big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

struct writer {
	const struct bpf_object *obj;	/* borrowed, like the next two */
	struct stack_fields *fields;
	struct error *err;
	struct stack_field results[RESULTS_MAX];	/* without map, part and offset */
	unsigned int nr_results;
	uint32_t ip;	/* offset of the instruction pointer in the context */
	bool gave_up;
};

static bool same_result(const struct stack_field *a, const struct stack_field *b)
{
	return a->role == b->role && a->size == b->size && a->stacks == b->stacks &&
	       a->user == b->user && a->build_id == b->build_id && a->replaces == b->replaces;
}

/* Return the result of a call with these properties. */
static struct flow_half result(struct writer *w, const struct stack_field *field)
{
	unsigned int i = 0;

	while (i < w->nr_results && !same_result(&w->results[i], field))
		i++;
	if (i == RESULTS_MAX) {
		w->gave_up = true;
		return (struct flow_half){ 0 };
	}
	if (i == w->nr_results)
		w->results[w->nr_results++] = *field;
	return flow_half(FLOW_RESULT, i, 0);
}

static struct flow_half process(struct writer *w)
{
	const struct stack_field tgid = { .role = STACK_FIELD_TGID };

	return result(w, &tgid);
}

static struct flow_value address(struct writer *w)
{
	const struct stack_field ip = { .role = STACK_FIELD_ADDRESS };

	return flow_whole(result(w, &ip));
}

/* --- writes --- */

/* The location in a map that is written to. */
struct location {
	uint32_t map;
	enum stack_field_part part;
	uint32_t offset;	/* in bytes */
};

static int add(struct writer *w, struct stack_field field, struct location at)
{
	field.map = at.map;
	field.part = at.part;
	field.offset = at.offset;
	field.passed_on = false;
	/* Records are printed as they arrive, so each would have to wait for a name. */
	if (field.role == STACK_FIELD_ADDRESS && at.part == STACK_FIELD_RECORD)
		return 0;
	return stack_fields_add(w->fields, &field, w->err);
}

/* @nr halves are written at @at: record those in which a result starts. */
static int write_halves(struct writer *w, struct location at, const struct flow_half *v,
			uint32_t nr)
{
	const uint32_t begin = at.offset;
	int ret = 0;

	for (uint32_t i = 0; !ret && i < nr; i++) {
		const uint32_t high = big_endian ? i - 1 : i + 1;
		const bool wide = high < nr && flow_belongs(v[high], v[i]);
		struct stack_field field = { .role = STACK_FIELD_MIXED };

		if (v[i].kind < FLOW_RESULT || v[i].part != FLOW_LOW || v[i].v)
			continue;
		if (v[i].kind == FLOW_RESULT)
			field = w->results[v[i].of];
		if (field.role == STACK_FIELD_ADDRESS && !wide)	/* its lower half is not a result */
			continue;
		field.size = field.size ? field.size : wide ? 8 : 4;
		at.offset = begin + 4 * (wide && big_endian ? high : i);
		ret = add(w, field, at);
	}
	return ret;
}

static int on_store(struct flow *f, void *arg, struct flow_half at, uint32_t size,
		    struct flow_value v)
{
	const struct location to = {
		at.of, at.kind == FLOW_VALUE ? STACK_FIELD_VALUE : STACK_FIELD_RECORD, at.v,
	};
	const bool swap = big_endian && size > 4;
	const struct flow_half halves[] = { swap ? v.high : v.low, swap ? v.low : v.high };

	(void)f;
	return write_halves(arg, to, halves, size > 4 ? 2 : 1);
}

/* A value of another map is passed on, and so are its fields. */
static int pass_value(struct writer *w, struct location to, struct flow_half at, uint32_t size)
{
	const uint32_t nr = at.of == to.map && to.part == STACK_FIELD_VALUE ? 0 : w->fields->nr;
	int ret = 0;

	for (uint32_t i = 0; !ret && i < nr; i++) {
		const struct stack_field from = w->fields->list[i];

		to.offset = from.offset - at.v;
		if (from.map != at.of || from.part != STACK_FIELD_VALUE || from.offset < at.v ||
		    to.offset >= size)
			continue;
		w->fields->list[i].passed_on = true;
		ret = add(w, from, to);
	}
	return ret;
}

/* --- calls and loads --- */

/* Argument @what of a call becomes @size bytes of a part of its map. */
static int pass(struct writer *w, struct flow *f, const struct flow_call *call,
		enum flow_arg what, uint32_t size)
{
	static const enum stack_field_part parts[] = {
		[FLOW_ARG_KEY] = STACK_FIELD_KEY, [FLOW_ARG_ELEM] = STACK_FIELD_VALUE,
		[FLOW_ARG_RECORD] = STACK_FIELD_RECORD,
	};
	const struct location to = { flow_arg(f, call, FLOW_ARG_MAP).low.of, parts[what], 0 };
	const struct flow_value at = flow_arg(f, call, what);
	const struct flow_half *halves = flow_cells(f, at, size & ~3u);

	if (flow_is(at, FLOW_VALUE))
		return pass_value(w, to, at.low, size);
	return halves ? write_halves(w, to, halves, size / 4) : 0;
}

static int pass_arguments(struct writer *w, struct flow *f, const struct flow_call *call)
{
	const struct flow_value map = flow_arg(f, call, FLOW_ARG_MAP);
	const struct flow_value size = flow_arg(f, call, FLOW_ARG_SIZE);
	const struct object_map *m;
	int ret;

	if (!flow_is(map, FLOW_MAP))
		return 0;
	m = &w->obj->maps[map.low.of];
	ret = pass(w, f, call, FLOW_ARG_KEY, m->key_size);
	if (!ret)
		ret = pass(w, f, call, FLOW_ARG_ELEM, m->value_size);
	if (!ret)
		ret = pass(w, f, call, FLOW_ARG_RECORD,
			   flow_is(size, FLOW_NUMBER) ? size.low.v : FLOW_FRAME);
	return ret;
}

static int on_call(struct flow *f, void *arg, struct flow_call *call)
{
	const struct flow_value map = flow_arg(f, call, FLOW_ARG_MAP);
	const struct flow_value number = flow_arg(f, call, FLOW_ARG_FLAGS);
	const uint32_t flags = flow_is(number, FLOW_NUMBER) ? number.low.v : 0;
	const struct flow_value size = flow_arg(f, call, FLOW_ARG_SIZE);
	struct stack_field field = { .user = flags & BPF_F_USER_STACK };
	struct writer *w = arg;

	switch (call->helper) {
	case BPF_FUNC_get_stackid:
		field.role = STACK_FIELD_ID;
		field.stacks = map.low.of;
		field.replaces = flags & (BPF_F_REUSE_STACKID | BPF_F_FAST_STACK_CMP);
		if (flow_is(map, FLOW_MAP))
			call->result = flow_extended(result(w, &field), true);
		return 0;
	case BPF_FUNC_get_current_pid_tgid:	/* the process is the upper half */
		call->result.high = process(w);
		return 0;
	case BPF_FUNC_get_func_ip:
		call->result = address(w);
		return 0;
	case BPF_FUNC_get_stack:
	case BPF_FUNC_get_task_stack:
		field.role = STACK_FIELD_FRAMES;
		field.build_id = flags & BPF_F_USER_BUILD_ID;
		break;
	case BPF_FUNC_get_current_comm:
		field.role = STACK_FIELD_COMM;
		break;
	default:
		return pass_arguments(w, f, call);
	}
	field.size = flow_is(size, FLOW_NUMBER) ? size.low.v : 0;
	return field.size ? flow_fill(f, flow_arg(f, call, FLOW_ARG_FILL), field.size,
				      result(w, &field)) : 0;
}

/*
 * A number loaded from a map value was stored there, perhaps by another program; one loaded from
 * the context may be the instruction pointer.
 */
static int on_load(struct flow *f, void *arg, struct flow_half at, uint32_t size,
		   struct flow_value *v)
{
	struct writer *w = arg;
	struct stack_field field;

	(void)f;
	if (at.kind == FLOW_CONTEXT && at.v == w->ip && size == 8)
		*v = address(w);
	for (uint32_t i = 0; at.kind == FLOW_VALUE && i < w->fields->nr; i++) {
		field = w->fields->list[i];
		if (field.map != at.of || field.part != STACK_FIELD_VALUE ||
		    field.offset != at.v || field.size != size)
			continue;
		if (field.role == STACK_FIELD_TGID)
			*v = flow_extended(process(w), false);
		else if (field.role == STACK_FIELD_ADDRESS)
			*v = address(w);
		if (field.role != STACK_FIELD_ID)
			break;
		w->fields->list[i].passed_on = true;
		field.passed_on = false;
		field.map = field.part = field.offset = field.size = 0;
		*v = flow_extended(result(w, &field), true);
		break;
	}
	return 0;
}

static bool has_registers(const struct prog_code *code)
{
	return code->prog_type == BPF_PROG_TYPE_PERF_EVENT ||
	       code->prog_type == BPF_PROG_TYPE_KPROBE;
}

/* Return true if any instruction may load an address: scanning is cheaper than following. */
static bool gets_address(const struct prog_code *code)
{
	const bool has_ip = has_registers(code);

	for (uint32_t i = 0; i < code->nr_insns; i++) {
		const struct bpf_insn insn = code->insns[i];

		if (has_ip && insn.code == (BPF_LDX | BPF_MEM | BPF_DW) &&
		    (uint32_t)insn.off == STACK_FIELD_IP)
			return true;
		if (insn_is_call(insn) && !insn.src_reg && insn.imm == BPF_FUNC_get_func_ip)
			return true;
	}
	return false;
}

int stack_fields_scan(const struct bpf_object *obj, const struct prog_code *code,
		      struct stack_fields *fields, struct error *err)
{
	static const struct flow_client client = { on_call, on_store, on_load };
	const bool stacks = code->helpers & HELPER_STACKS || stack_fields_have_stacks(fields);
	struct writer w;
	int ret;

	/* Nothing to follow, unless an earlier program stored something that this one reads. */
	if (!fields->nr && !stacks && !gets_address(code))
		return 0;
	w.obj = obj;
	w.fields = fields;
	w.err = err;
	w.nr_results = 0;
	w.ip = has_registers(code) ? STACK_FIELD_IP : UINT32_MAX;
	w.gave_up = false;
	ret = prog_code_follow(code, &client, &w, &w.gave_up, err);
	fields->gave_up |= w.gave_up && stacks;	/* an address without a name does no harm */
	return ret;
}
