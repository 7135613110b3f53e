// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The helpers that give stacks, processes and commands, that write memory, or pass it to maps. */
#include "loader/object/stacks/flow_internal.h"

#define REG(f, n) ((f)->now.regs[n])

static uint32_t constant(struct flow_value v)
{
	return v.kind == FLOW_CONST ? (uint32_t)v.v : 0;
}

static void get_stackid(struct flow *f)
{
	const uint32_t flags = constant(REG(f, 3));
	const struct stack_field site = {
		.role = STACK_FIELD_ID,
		.stacks = REG(f, 2).of,
		.user = flags & BPF_F_USER_STACK,
		.replaces = flags & (BPF_F_REUSE_STACKID | BPF_F_FAST_STACK_CMP),
	};

	if (REG(f, 2).kind == FLOW_MAP)
		REG(f, 0) = flow_site(f, &site, 0);
}

/* bpf_get_stack(ctx, buf, size, flags), bpf_get_task_stack(task, buf, size, flags) */
static void get_stack(struct flow *f)
{
	const uint32_t flags = constant(REG(f, 4));
	const struct stack_field site = {
		.role = STACK_FIELD_FRAMES,
		.size = constant(REG(f, 3)),
		.user = flags & BPF_F_USER_STACK,
		.build_id = flags & BPF_F_USER_BUILD_ID,
	};

	if (site.size)
		flow_fill(f, REG(f, 2), site.size, flow_site(f, &site, 0));
}

static void get_current_comm(struct flow *f)
{
	const struct stack_field site = { .role = STACK_FIELD_COMM, .size = constant(REG(f, 2)) };

	if (site.size)
		flow_fill(f, REG(f, 1), site.size, flow_site(f, &site, 0));
}

static void access_element(struct flow *f, bool update)
{
	const struct flow_value map = REG(f, 1);
	const struct object_map *m = &f->obj->maps[map.of];

	if (map.kind != FLOW_MAP)
		return;
	flow_pass(f, map.of, STACK_FIELD_KEY, REG(f, 2), m->key_size);
	if (update)
		flow_pass(f, map.of, STACK_FIELD_VALUE, REG(f, 3), m->value_size);
	else
		REG(f, 0) = (struct flow_value){ .kind = FLOW_VALUE, .of = map.of };
}

/* A record of @size bytes at @data is written to @map. */
static void output(struct flow *f, struct flow_value map, struct flow_value data,
		   struct flow_value size)
{
	if (map.kind == FLOW_MAP)
		flow_pass(f, map.of, STACK_FIELD_RECORD, data,
			  size.kind == FLOW_CONST ? (uint32_t)size.v : FRAME_BYTES);
}

/* bpf_loop(nr, callback, ctx, flags); bpf_for_each_map_elem(map, callback, ctx, flags) */
static void call_back(struct flow *f, bool each_element)
{
	const struct flow_value map = REG(f, 1), callback = REG(f, 2), ctx = REG(f, 3);

	if (callback.kind != FLOW_FUNC)
		return;
	if (each_element) {
		REG(f, 2) = (struct flow_value){ 0 };
		REG(f, 3) = (struct flow_value){ 0 };
		if (map.kind == FLOW_MAP)
			REG(f, 3) = (struct flow_value){ .kind = FLOW_VALUE, .of = map.of };
		REG(f, 4) = ctx;
	} else {
		REG(f, 1) = (struct flow_value){ 0 };
		REG(f, 2) = ctx;
	}
	flow_call(f, callback.v);
}

/*
 * Most helpers take a buffer as an address and the number of bytes in the next register. All but
 * these may write to it.
 */
static bool only_reads(int32_t number)
{
	static const int32_t list[] = {
		BPF_FUNC_map_lookup_elem, BPF_FUNC_map_update_elem, BPF_FUNC_map_delete_elem,
		BPF_FUNC_map_lookup_percpu_elem, BPF_FUNC_trace_printk, BPF_FUNC_trace_vprintk,
		BPF_FUNC_perf_event_output, BPF_FUNC_skb_output, BPF_FUNC_xdp_output,
		BPF_FUNC_ringbuf_output, BPF_FUNC_probe_write_user, BPF_FUNC_seq_printf,
		BPF_FUNC_seq_write, BPF_FUNC_dynptr_write, BPF_FUNC_map_push_elem,
		BPF_FUNC_task_storage_get, BPF_FUNC_loop, BPF_FUNC_for_each_map_elem,
	};

	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
		if (list[i] == number)
			return true;
	return false;
}

static void overwrite_buffers(struct flow *f)
{
	for (int i = 1; i < 5; i++)
		if (REG(f, i).kind == FLOW_FRAME && REG(f, i + 1).kind == FLOW_CONST &&
		    REG(f, i + 1).v > 0)
			flow_fill(f, REG(f, i), REG(f, i + 1).v, (struct flow_value){ 0 });
}

static void dispatch(struct flow *f, int32_t number)
{
	switch (number) {
	case BPF_FUNC_get_stackid:
		get_stackid(f);
		break;
	case BPF_FUNC_get_stack:
	case BPF_FUNC_get_task_stack:
		get_stack(f);
		break;
	case BPF_FUNC_get_current_pid_tgid:
		REG(f, 0) = (struct flow_value){ .kind = FLOW_PID_TGID };
		break;
	case BPF_FUNC_get_current_comm:
		get_current_comm(f);
		break;
	case BPF_FUNC_map_lookup_elem:
	case BPF_FUNC_map_lookup_percpu_elem:
		access_element(f, false);
		break;
	case BPF_FUNC_map_update_elem:
		access_element(f, true);
		break;
	case BPF_FUNC_task_storage_get:
	case BPF_FUNC_ringbuf_reserve:
		if (REG(f, 1).kind == FLOW_MAP)
			REG(f, 0) = (struct flow_value){
				.kind = number == BPF_FUNC_ringbuf_reserve ? FLOW_RECORD :
									     FLOW_VALUE,
				.of = REG(f, 1).of,
			};
		break;
	case BPF_FUNC_perf_event_output:
		output(f, REG(f, 2), REG(f, 4), REG(f, 5));
		break;
	case BPF_FUNC_ringbuf_output:
		output(f, REG(f, 1), REG(f, 2), REG(f, 3));
		break;
	case BPF_FUNC_loop:
	case BPF_FUNC_for_each_map_elem:
		call_back(f, number == BPF_FUNC_for_each_map_elem);
		REG(f, 0) = (struct flow_value){ 0 };
		break;
	}
}

void flow_helper(struct flow *f, int32_t number)
{
	REG(f, 0) = (struct flow_value){ 0 };
	if (!only_reads(number))
		overwrite_buffers(f);
	dispatch(f, number);
}
