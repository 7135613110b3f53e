// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The prototypes of helpers, reduced to what a call does to maps and the stack. */
#include "elf/flow/flow_internal.h"

#define HELPER(name, returns, a, b, c, d, e) \
	[BPF_FUNC_##name] = { true, { FLOW_ARG_##a, FLOW_ARG_##b, FLOW_ARG_##c, FLOW_ARG_##d, \
				      FLOW_ARG_##e }, FLOW_##returns }

/*
 * From struct bpf_func_proto of each helper. Helpers not listed may write to the buffers they are
 * passed.
 */
static const struct flow_helper helpers[] = {
	HELPER(map_lookup_elem, VALUE, MAP, KEY, ANY, ANY, ANY),
	HELPER(map_lookup_percpu_elem, VALUE, MAP, KEY, ANY, ANY, ANY),
	HELPER(map_update_elem, UNKNOWN, MAP, KEY, ELEM, FLAGS, ANY),
	HELPER(map_delete_elem, UNKNOWN, MAP, KEY, ANY, ANY, ANY),
	HELPER(map_push_elem, UNKNOWN, MAP, ELEM, FLAGS, ANY, ANY),
	HELPER(task_storage_get, VALUE, MAP, ANY, ANY, ANY, ANY),
	HELPER(get_stackid, UNKNOWN, ANY, MAP, FLAGS, ANY, ANY),
	HELPER(get_stack, UNKNOWN, ANY, FILL, SIZE, FLAGS, ANY),
	HELPER(get_task_stack, UNKNOWN, ANY, FILL, SIZE, FLAGS, ANY),
	HELPER(get_current_comm, UNKNOWN, FILL, SIZE, ANY, ANY, ANY),
	HELPER(perf_event_read, UNKNOWN, MAP, FLAGS, ANY, ANY, ANY),
	HELPER(perf_event_read_value, UNKNOWN, MAP, FLAGS, FILL, SIZE, ANY),
	HELPER(perf_event_output, UNKNOWN, ANY, MAP, FLAGS, RECORD, SIZE),
	HELPER(skb_output, UNKNOWN, ANY, MAP, FLAGS, RECORD, SIZE),
	HELPER(xdp_output, UNKNOWN, ANY, MAP, FLAGS, RECORD, SIZE),
	HELPER(ringbuf_output, UNKNOWN, MAP, RECORD, SIZE, FLAGS, ANY),
	HELPER(ringbuf_reserve, RECORD, MAP, SIZE, FLAGS, ANY, ANY),
	HELPER(ringbuf_reserve_dynptr, UNKNOWN, MAP, SIZE, FLAGS, ANY, ANY),
	HELPER(trace_printk, UNKNOWN, ANY, SIZE, ANY, ANY, ANY),
	HELPER(trace_vprintk, UNKNOWN, ANY, SIZE, ANY, SIZE, ANY),
	HELPER(seq_printf, UNKNOWN, ANY, ANY, SIZE, ANY, SIZE),
	HELPER(seq_write, UNKNOWN, ANY, ANY, SIZE, ANY, ANY),
	HELPER(probe_write_user, UNKNOWN, ANY, ANY, SIZE, ANY, ANY),
	HELPER(dynptr_write, UNKNOWN, ANY, ANY, ANY, SIZE, FLAGS),
	HELPER(loop, UNKNOWN, ANY, FUNC, CTX_2, FLAGS, ANY),
	HELPER(user_ringbuf_drain, UNKNOWN, MAP, FUNC, CTX_2, FLAGS, ANY),
	HELPER(find_vma, UNKNOWN, ANY, ANY, FUNC, CTX_3, FLAGS),
	HELPER(for_each_map_elem, UNKNOWN, MAP, FUNC, CTX_4, FLAGS, ANY),
};

/* Assume that an unknown helper writes to every stack buffer that it is passed. */
static const struct flow_helper *find_helper(int32_t number)
{
	static const struct flow_helper other = { 0 };
	const bool has = number >= 0 && (size_t)number < sizeof(helpers) / sizeof(helpers[0]);

	return has && helpers[number].known ? &helpers[number] : &other;
}

/* Most buffers are followed by their size; without one, an 8-byte result is written. */
static void write_buffers(struct flow *f, const struct flow_helper *is)
{
	const struct flow_value *regs = f->now->regs;

	for (int i = 1; i <= 5; i++) {
		const bool sized = i < 5 && flow_is(regs[i + 1], FLOW_NUMBER);

		if (is->known && is->args[i - 1] != FLOW_ARG_FILL)
			continue;
		if (!flow_is(regs[i], FLOW_STACK))
			continue;
		if (sized && (int32_t)regs[i + 1].low.v > 0)
			flow_fill(f, regs[i], regs[i + 1].low.v, (struct flow_half){ 0 });
		else if (!sized)
			flow_forget(f, regs[i]);
	}
}

/* The function may be called any number of times, and changes what the argument points to. */
static void call_back(struct flow *f, const struct flow_helper *is)
{
	struct flow_value *regs = f->now->regs, args[6] = { 0 }, func = { 0 }, ctx = { 0 };

	for (int i = 1; i <= 5; i++) {
		const enum flow_arg what = is->args[i - 1];

		if (what == FLOW_ARG_FUNC)
			func = regs[i];
		else if (what >= FLOW_ARG_CTX_2)
			args[what - FLOW_ARG_CTX_2 + 2] = ctx = regs[i];
		if (what == FLOW_ARG_CTX_4 && flow_is(regs[1], FLOW_MAP))
			args[3] = flow_whole(flow_half(FLOW_VALUE, regs[1].low.of, 0));
	}
	if (!flow_is(func, FLOW_FUNC))
		return;
	flow_forget(f, ctx);
	memcpy(&regs[1], &args[1], 5 * sizeof(*args));
	flow_call(f, func.low.v);
	flow_forget(f, ctx);
}

void flow_call_helper(struct flow *f, uint32_t i)
{
	const int32_t number = f->program->insns[i].imm;
	struct flow_call call = { .insn = i, .helper = number, .is = find_helper(number) };
	const struct flow_value map = f->now->regs[1];

	if (call.is->returns && flow_is(map, FLOW_MAP))
		call.result = flow_whole(flow_half(call.is->returns, map.low.of, 0));
	write_buffers(f, call.is);
	if (f->client->call && !f->ret)
		f->ret = f->client->call(f, f->arg, &call);
	call_back(f, call.is);
	f->now->regs[0] = call.result;
}
