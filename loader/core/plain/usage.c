// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Find the maps that receive records, and the record size: the constant in the register that passes
 * the size to a helper.
 *
 *	r1 = 0x18		the register of the size: r2 of bpf_ringbuf_reserve()
 *	r1 = map ll		the register of the map: r1, or r2 of bpf_perf_event_output()
 *	call 131
 */
#include <errno.h>

#include "loader/core/plain/plain.h"

/* The helpers that use a ring, with their map and size registers. */
static const struct helper {
	int32_t id;
	uint8_t map, size;	/* size 0: the map is read */
} helpers[] = {
	{ BPF_FUNC_perf_event_output, 2, 5 }, { BPF_FUNC_skb_output, 2, 5 },
	{ BPF_FUNC_xdp_output, 2, 5 },	      { BPF_FUNC_ringbuf_output, 1, 3 },
	{ BPF_FUNC_ringbuf_reserve, 1, 2 },   { BPF_FUNC_perf_event_read, 1, 0 },
	{ BPF_FUNC_perf_event_read_value, 1, 0 },
};

/* Return the last instruction before @call that writes register @reg; -1: none. */
static int64_t last_write(const struct prog_code *code, int64_t call, uint8_t reg)
{
	for (int64_t i = call - 1; i >= 0; i--) {
		const struct bpf_insn *insn = &code->insns[i];
		const uint8_t class = BPF_CLASS(insn->code);

		if (insn->code == (BPF_JMP | BPF_CALL))
			return -1;
		if (insn->dst_reg == reg && insn->code && class != BPF_ST && class != BPF_STX &&
		    class != BPF_JMP && class != BPF_JMP32)
			return i;
	}
	return -1;
}

static struct map_usage *find_map(struct loading *l, const struct prog_code *code, int64_t insn)
{
	for (uint32_t i = 0; insn >= 0 && i < code->nr_map_refs; i++)
		if (code->map_refs[i].insn == insn)
			return &l->usage[code->map_refs[i].map];
	return NULL;
}

static void add_size(struct map_usage *usage, const struct bpf_insn *insn)
{
	const bool constant = insn && insn->imm > 0 &&
			      (insn->code == (BPF_ALU64 | BPF_MOV | BPF_K) ||
			       insn->code == (BPF_ALU | BPF_MOV | BPF_K));
	const uint32_t size = constant ? insn->imm : 0;

	usage->record_varies |= !size || (usage->record_size && usage->record_size != size);
	usage->record_size = size > usage->record_size ? size : usage->record_size;
}

static int find_uses(struct loading *l, uint32_t prog, struct prog_code *code, struct error *err)
{
	(void)prog;
	(void)err;
	for (uint32_t i = 0; i < code->nr_insns; i++) {
		const struct bpf_insn *call = &code->insns[i];

		for (size_t h = 0; h < sizeof(helpers) / sizeof(helpers[0]); h++) {
			struct map_usage *usage;
			int64_t size;

			if (call->code != (BPF_JMP | BPF_CALL) || call->src_reg ||
			    call->imm != helpers[h].id)
				continue;
			usage = find_map(l, code, last_write(code, i, helpers[h].map));
			if (!usage)
				continue;
			if (!helpers[h].size) {
				usage->read = true;
				continue;
			}
			size = last_write(code, i, helpers[h].size);
			usage->output = true;
			usage->payload |= call->imm == BPF_FUNC_skb_output ||
					  call->imm == BPF_FUNC_xdp_output;
			add_size(usage, size < 0 ? NULL : &code->insns[size]);
		}
	}
	return 0;
}

const struct load_feature plain_usage = { .linked = find_uses };
