// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The prototypes of helpers, as far as they tell what a call does with maps and the stack. */
#include "elf/flow/flow_internal.h"

#define ANY	FLOW_ARG_ANY
#define MAP	FLOW_ARG_MAP
#define KEY	FLOW_ARG_KEY
#define ELEM	FLOW_ARG_ELEM
#define RECORD	FLOW_ARG_RECORD
#define SIZE	FLOW_ARG_SIZE
#define FLAGS	FLOW_ARG_FLAGS
#define FILL	FLOW_ARG_FILL
#define FUNC	FLOW_ARG_FUNC
#define CTX	FLOW_ARG_CTX

#define HELPER(name, ...)	[BPF_FUNC_##name] = { .known = true, .args = { __VA_ARGS__ } }
#define RETURNS(name, what, ...) \
	[BPF_FUNC_##name] = { .known = true, .returns = what, .args = { __VA_ARGS__ } }

/* See struct bpf_func_proto of each in the kernel. Those that are not here may write to buffers. */
static const struct flow_helper helpers[] = {
	RETURNS(map_lookup_elem, FLOW_VALUE, MAP, KEY),
	RETURNS(map_lookup_percpu_elem, FLOW_VALUE, MAP, KEY),
	HELPER(map_update_elem, MAP, KEY, ELEM, FLAGS),
	HELPER(map_delete_elem, MAP, KEY),
	HELPER(map_push_elem, MAP, ANY, FLAGS),
	RETURNS(task_storage_get, FLOW_VALUE, MAP),
	HELPER(get_stackid, ANY, MAP, FLAGS),
	HELPER(get_stack, ANY, FILL, SIZE, FLAGS),
	HELPER(get_task_stack, ANY, FILL, SIZE, FLAGS),
	HELPER(get_current_comm, FILL, SIZE),
	HELPER(perf_event_read, MAP, FLAGS),
	HELPER(perf_event_read_value, MAP, FLAGS, FILL, SIZE),
	HELPER(perf_event_output, ANY, MAP, FLAGS, RECORD, SIZE),
	HELPER(skb_output, ANY, MAP, FLAGS, RECORD, SIZE),
	HELPER(xdp_output, ANY, MAP, FLAGS, RECORD, SIZE),
	HELPER(ringbuf_output, MAP, RECORD, SIZE, FLAGS),
	RETURNS(ringbuf_reserve, FLOW_RECORD, MAP, SIZE, FLAGS),
	HELPER(ringbuf_reserve_dynptr, MAP, SIZE, FLAGS, ANY),
	HELPER(trace_printk, ANY, SIZE),
	HELPER(trace_vprintk, ANY, SIZE, ANY, SIZE),
	HELPER(seq_printf, ANY, ANY, SIZE, ANY, SIZE),
	HELPER(seq_write, ANY, ANY, SIZE),
	HELPER(probe_write_user, ANY, ANY, SIZE),
	HELPER(dynptr_write, ANY, ANY, ANY, SIZE, FLAGS),
	[BPF_FUNC_loop] = { .known = true, .args = { ANY, FUNC, CTX, FLAGS }, .ctx = 2 },
	[BPF_FUNC_for_each_map_elem] = { .known = true, .args = { MAP, FUNC, CTX, FLAGS },
					 .elem = 3, .ctx = 4 },
	[BPF_FUNC_user_ringbuf_drain] = { .known = true, .args = { MAP, FUNC, CTX, FLAGS },
					  .ctx = 2 },
	[BPF_FUNC_find_vma] = { .known = true, .args = { ANY, ANY, FUNC, CTX, FLAGS }, .ctx = 3 },
};

const struct flow_helper *flow_helper(int32_t number)
{
	static const struct flow_helper other = { 0 };
	const bool has = number >= 0 && (size_t)number < sizeof(helpers) / sizeof(helpers[0]);

	return has && helpers[number].known ? &helpers[number] : &other;
}

/* A buffer is mostly followed by its size; without a size, a result of 8 bytes is written. */
static void write_buffers(struct flow *f, const struct flow_helper *is)
{
	const struct flow_value *regs = f->now->regs;

	for (int i = 1; i <= 5; i++) {
		const bool sized = i < 5 && flow_is(regs[i + 1], FLOW_NUMBER);

		if ((is->known && is->args[i - 1] != FILL) || !flow_is(regs[i], FLOW_STACK))
			continue;
		if (sized && (int32_t)regs[i + 1].low.v > 0)
			flow_fill(f, regs[i], regs[i + 1].low.v, (struct flow_half){ 0 });
		else if (!sized)
			flow_forget(f, regs[i]);
	}
}

static void call_back(struct flow *f, const struct flow_helper *is, struct flow_value map)
{
	struct flow_value args[5] = { 0 }, func = { 0 };

	for (int i = 0; i < 5; i++) {
		if (is->args[i] == FUNC)
			func = f->now->regs[i + 1];
		else if (is->args[i] == CTX)
			args[is->ctx - 1] = f->now->regs[i + 1];
	}
	if (is->elem && flow_is(map, FLOW_MAP))
		args[is->elem - 1] = flow_whole(flow_half(FLOW_VALUE, map.low.of, 0));
	if (flow_is(func, FLOW_FUNC))
		flow_call_back(f, func.low.v, args);
}

void flow_call_helper(struct flow *f, uint32_t i)
{
	const int32_t number = f->program->insns[i].imm;
	struct flow_call call = { .insn = i, .helper = number, .is = flow_helper(number) };
	const struct flow_value map = f->now->regs[1];

	if (call.is->returns && flow_is(map, FLOW_MAP))
		call.result = flow_whole(flow_half(call.is->returns, map.low.of, 0));
	write_buffers(f, call.is);
	if (f->client->call && !f->ret)
		f->ret = f->client->call(f, f->arg, &call);
	if (call.is->ctx)
		call_back(f, call.is, map);
	f->now->regs[0] = call.result;
}
