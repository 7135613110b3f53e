// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Find how a linked program uses maps: what it passes to helpers. */
#include <errno.h>

#include "elf/flow/flow.h"
#include "loader/core/object/parse.h"

uint32_t prog_code_map(const struct prog_code *code, uint32_t insn)
{
	uint32_t low = 0, high = code->nr_map_refs;

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;

		if (code->map_refs[middle].insn < insn)
			low = middle + 1;
		else
			high = middle;
	}
	return low < code->nr_map_refs && code->map_refs[low].insn == insn ?
		       code->map_refs[low].map : UINT32_MAX;
}

static uint32_t map_of(const void *code, uint32_t insn)
{
	return prog_code_map(code, insn);
}

int prog_code_follow(const struct prog_code *code, const struct flow_client *client, void *arg,
		     bool *gave_up, struct error *err)
{
	const struct flow_program program = { code->insns, code->nr_insns, map_of, code };
	struct flow *f = flow_create(&program, client, arg);
	int ret;

	if (!f)
		return error_set(err, ENOMEM, "no memory to follow %u instructions",
				 code->nr_insns);
	for (uint32_t i = 0; i < code->nr_jump_tables; i++)
		for (uint32_t k = 0; k < code->jump_tables[i].nr; k++)
			flow_target(f, code->jump_tables[i].targets[k]);
	ret = flow_run(f, err);
	*gave_up |= flow_gave_up(f);
	flow_free(f);
	return ret;
}

/* Record that @size bytes are written to @map. */
static void record(struct map_usage *map, struct flow_value size)
{
	const bool known = flow_is(size, FLOW_NUMBER);
	const uint32_t bytes = known ? size.low.v : 0;

	if (!known || (map->record_size && map->record_size != bytes))
		map->record_varies = true;
	if (bytes > map->record_size)
		map->record_size = bytes;
}

/*
 * The upper half of the flags is the number of packet bytes to append, the lower half
 * BPF_F_CURRENT_CPU or the CPU that owns the ring.
 */
static void output(struct map_usage *map, struct flow_value flags)
{
	const bool known = flow_is(flags, FLOW_NUMBER);

	map->output = true;
	map->payload |= !known || flags.high.v;
	map->one_ring |= known && flags.low.v != (uint32_t)BPF_F_CURRENT_CPU;
}

static int note_call(struct flow *f, void *arg, struct flow_call *call)
{
	const struct usage_scan *s = arg;
	const struct flow_value map = flow_arg(f, call, FLOW_ARG_MAP);
	struct map_usage *usage;

	if (!flow_final(f) || !flow_is(map, FLOW_MAP))
		return 0;
	usage = &s->usage[map.low.of];
	switch (call->helper) {
	case BPF_FUNC_perf_event_read:
	case BPF_FUNC_perf_event_read_value:
		usage->read = true;
		break;
	case BPF_FUNC_perf_event_output:
	case BPF_FUNC_skb_output:
	case BPF_FUNC_xdp_output:
		output(usage, flow_arg(f, call, FLOW_ARG_FLAGS));
		record(usage, flow_arg(f, call, FLOW_ARG_SIZE));
		break;
	case BPF_FUNC_ringbuf_output:
	case BPF_FUNC_ringbuf_reserve:
	case BPF_FUNC_ringbuf_reserve_dynptr:
		record(usage, flow_arg(f, call, FLOW_ARG_SIZE));
		break;
	}
	return s->failures ? failure_counts_add(s, f, call) : 0;
}

int map_usage_scan(const struct prog_code *code, struct map_usage *usage,
		   struct failure_counts *failures, const struct object_map *maps,
		   struct error *err)
{
	static const struct flow_client client = { .call = note_call };
	struct usage_scan s = { code, usage, failures, maps, err };
	bool gave_up = false;	/* then less is known about sizes, but every call is still seen */

	return prog_code_follow(code, &client, &s, &gave_up, err);
}
