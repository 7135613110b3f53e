// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Tests of the analysis of how linked code uses its maps: the helpers that it calls, the sizes that
 * it passes, and values that the analysis must not rely on.
 */
#include <linux/bpf.h>

#include "loader/core/object/relocate.h"
#include "test/unit/common/insns.h"
#include "test/unit/common/suite.h"

#define LD_MAP(to) MAP(to, 3)
#define GOTOL(d) { .code = BPF_JMP32 | BPF_JA, .imm = d }

/* Each LD_MAP is a reference to map 0, in the order they stand. */
static const struct {
	const char *name;
	struct bpf_insn insns[16];
	struct map_usage expect;
} rows[] = {
	{ "perf_event_output",
	  { LD_MAP(2), LD64(3, 0, -1, 0), MOVI(5, 24), CALL(perf_event_output), EXIT },
	  { .output = true, .record_size = 24 } },
	{ "BPF_F_CURRENT_CPU in 32 bits",
	  { LD_MAP(2), MOVI32(3, -1), MOVI32(5, 24), CALL(perf_event_output), EXIT },
	  { .output = true, .record_size = 24 } },
	{ "the ring of CPU 3",
	  { LD_MAP(2), MOVI(3, 3), MOVI(5, 24), CALL(perf_event_output), EXIT },
	  { .output = true, .one_ring = true, .record_size = 24 } },
	{ "the ring of CPU 0 once, else that of its own CPU",
	  { LD_MAP(2), MOVI(3, 0), MOVI(5, 24), CALL(perf_event_output), LD_MAP(2),
	    MOVI32(3, -1), MOVI(5, 24), CALL(perf_event_output), EXIT },
	  { .output = true, .one_ring = true, .record_size = 24 } },
	{ "skb_output", { LD_MAP(2), MOVI(3, 0), MOVI(5, 8), CALL(skb_output), EXIT },
	  { .output = true, .one_ring = true, .record_size = 8 } },
	{ "xdp_output", { LD_MAP(2), MOVI(3, 0), MOVI(5, 8), CALL(xdp_output), EXIT },
	  { .output = true, .one_ring = true, .record_size = 8 } },
	{ "bytes of the packet are appended",
	  { LD_MAP(2), LD64(3, 0, -1, 64), MOVI(5, 16), CALL(perf_event_output), EXIT },
	  { .output = true, .record_size = 16, .payload = true } },
	{ "flags made at run time",
	  { LD_MAP(2), LOAD(BPF_DW, 3, 6, 0), MOVI(5, 16), CALL(perf_event_output), EXIT },
	  { .output = true, .record_size = 16, .payload = true } },
	{ "size made at run time",
	  { LD_MAP(2), MOVI(3, 0), LOAD(BPF_DW, 5, 6, 0), CALL(perf_event_output), EXIT },
	  { .output = true, .one_ring = true, .record_varies = true } },
	{ "size added to",
	  { LD_MAP(2), MOVI(3, 0), MOVI(5, 8), ADDI(5, 8), CALL(perf_event_output), EXIT },
	  { .output = true, .one_ring = true, .record_size = 16 } },
	{ "two sizes",
	  { LD_MAP(2), MOVI(3, 0), MOVI(5, 8), CALL(perf_event_output), LD_MAP(2),
	    MOVI(3, 0), MOVI(5, 16), CALL(perf_event_output), EXIT },
	  { .output = true, .one_ring = true, .record_size = 16, .record_varies = true } },
	{ "twice the same size",
	  { LD_MAP(1), MOVI(2, 8), CALL(ringbuf_reserve), LD_MAP(1), MOVI(2, 8),
	    CALL(ringbuf_reserve), EXIT }, { .record_size = 8 } },
	{ "ringbuf_output takes the size third",
	  { LD_MAP(1), MOVI(2, 1), MOVI(3, 40), CALL(ringbuf_output), EXIT },
	  { .record_size = 40 } },
	{ "perf_event_read", { LD_MAP(1), CALL(perf_event_read), EXIT }, { .read = true } },
	{ "perf_event_read_value", { LD_MAP(1), CALL(perf_event_read_value), EXIT },
	  { .read = true } },
	{ "a lookup is no use", { LD_MAP(1), CALL(map_lookup_elem), EXIT }, { .read = false } },
	{ "through moves and a saved register",
	  { LD_MAP(6), CALL(ktime_get_ns), MOV(7, 6), MOV(1, 7), CALL(perf_event_read), EXIT },
	  { .read = true } },
	{ "half a pointer is none", { LD_MAP(6), MOV32(1, 6), CALL(perf_event_read), EXIT },
	  { .read = false } },
	{ "arguments do not survive a call",
	  { LD_MAP(1), CALL(ktime_get_ns), CALL(perf_event_read), EXIT }, { .read = false } },
	{ "nor a subprogram", { LD_MAP(1), SUB(2), CALL(perf_event_read), EXIT, EXIT },
	  { .read = false } },
	{ "a jump may come with another map",
	  { LD_MAP(1), JEQ(6, 1), MOVI(1, 0), CALL(perf_event_read), EXIT }, { .read = false } },
	{ "or with the same", { LD_MAP(1), JEQ(6, 1), MOVI(6, 0), CALL(perf_event_read), EXIT },
	  { .read = true } },
	{ "a far jump goes over what is not executed",
	  { LD_MAP(1), GOTOL(1), MOVI(1, 0), CALL(perf_event_read), EXIT }, { .read = true } },
	{ "a loop may change the size",
	  { LD_MAP(2), MOVI(3, 0), MOVI(9, 8), MOV(5, 9), CALL(perf_event_output),
	    ADDI(9, 8), LD_MAP(2), MOVI(3, 0), JEQ(6, -7), EXIT },
	  { .output = true, .one_ring = true, .record_varies = true } },
	{ "a function that nothing calls, such as the callback of a timer",
	  { LD64(2, BPF_PSEUDO_FUNC, 3, 0), CALL(timer_set_callback), EXIT, LD_MAP(1),
	    CALL(perf_event_read), EXIT }, { .read = true } },
	{ "after the jump it is known again",
	  { JEQ(6, 1), MOVI(6, 0), LD_MAP(1), CALL(perf_event_read), EXIT }, { .read = true } },
	{ "a jump out of the program is none",
	  { JEQ(6, 100), LD_MAP(1), CALL(perf_event_read), EXIT }, { .read = true } },
	{ "a register that is none",
	  { { .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = 15, .src_reg = 14 },
	    LD_MAP(1),
	    CALL(perf_event_read),
	    EXIT }, { .read = true } },
	{ "nor is there a map in it", { LD_MAP(6), MOV(1, 11), CALL(perf_event_read), EXIT },
	  { .read = false } },
	{ "the address of a value is no map",
	  { LD64(1, BPF_PSEUDO_MAP_VALUE, 3, 0), CALL(perf_event_read), EXIT }, { .read = false } },
};

static bool is_ld_imm64(struct bpf_insn insn)
{
	return insn.code == (BPF_LD | BPF_IMM | BPF_DW);
}

TEST_ROWS(scan, rows)
{
	struct map_usage usage = { 0 };
	struct prog_map_ref refs[16];
	struct bpf_insn insns[16];
	struct prog_code code = { .insns = insns, .map_refs = refs };
	const struct map_usage *expect = &rows[_i].expect;

	memcpy(insns, rows[_i].insns, sizeof(insns));
	for (uint32_t i = 0; i < 16; i++) {
		if (is_ld_imm64(insns[i]) && insns[i].src_reg && insns[i].src_reg != BPF_PSEUDO_FUNC)
			refs[code.nr_map_refs++] = (struct prog_map_ref){ i, 0 };
		if (insns[i].code)
			code.nr_insns = i + 1;
	}
	ck_assert_int_eq(map_usage_scan(&code, &usage, NULL, NULL, NULL), 0);
	ck_assert_msg(usage.output == expect->output, "%s: output", rows[_i].name);
	ck_assert_msg(usage.read == expect->read, "%s: read", rows[_i].name);
	ck_assert_msg(usage.record_varies == expect->record_varies, "%s: varies", rows[_i].name);
	ck_assert_msg(usage.payload == expect->payload, "%s: payload", rows[_i].name);
	ck_assert_msg(usage.one_ring == expect->one_ring, "%s: one ring", rows[_i].name);
	ck_assert_msg(usage.record_size == expect->record_size, "%s: size %u", rows[_i].name,
		      usage.record_size);
}

/* A jump by a table may come with another map, too. */
TEST_EACH(jump_by_a_table, 2)
{
	struct bpf_insn insns[] = { LD_MAP(1), CALL(perf_event_read), EXIT };
	struct prog_map_ref ref = { 0, 0 };
	struct prog_jump_table table = { .nr = 1, .targets = (uint32_t[]){ 2 } };
	const struct prog_code code = { .insns = insns, .nr_insns = 4, .map_refs = &ref,
					.nr_map_refs = 1, .jump_tables = &table,
					.nr_jump_tables = _i };
	struct map_usage usage = { 0 };

	ck_assert_int_eq(map_usage_scan(&code, &usage, NULL, NULL, NULL), 0);
	ck_assert_int_eq(usage.read, !_i);
}

/* Several programs of one object add to the same maps. */
TEST(adds_up_over_programs)
{
	struct bpf_insn out[] = { LD_MAP(2), MOVI(3, 0), MOVI(5, 8), CALL(perf_event_output),
				  EXIT };
	struct bpf_insn in[] = { LD_MAP(1), CALL(perf_event_read), EXIT };
	struct prog_map_ref ref = { 0, 1 };
	struct prog_code code[2] = {
		{ .insns = out, .nr_insns = 6, .map_refs = &ref, .nr_map_refs = 1 },
		{ .insns = in, .nr_insns = 4, .map_refs = &ref, .nr_map_refs = 1 },
	};
	struct map_usage usage[2] = { { 0 } };

	ck_assert_int_eq(map_usage_scan(&code[0], usage, NULL, NULL, NULL), 0);
	ck_assert_int_eq(map_usage_scan(&code[1], usage, NULL, NULL, NULL), 0);
	ck_assert(usage[1].output && usage[1].read);
	ck_assert_uint_eq(usage[1].record_size, 8);
	ck_assert(!usage[0].output && !usage[0].read);
}
