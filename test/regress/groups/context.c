// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What a perf_event program finds in its context: the address and the period of its sample. */
#include <stddef.h>
#include <string.h>
#include <sys/ptrace.h>
#include <unistd.h>

#include <asm/ptrace.h>

#include "loader/kernel/attr.h"
#include "loader/kernel/kernel.h"
#include "loader/trial/assemble.h"
#include "test/regress/groups/fires.h"

/* include/uapi/asm-generic/bpf_perf_event.h, and those of each architecture */
#if defined(__aarch64__)
typedef struct user_pt_regs regs_type;
#elif defined(__s390x__)
typedef user_pt_regs regs_type;
#else
typedef struct pt_regs regs_type;
#endif

/* struct bpf_perf_event_data */
struct context {
	regs_type regs;
	uint64_t sample_period;
	uint64_t addr;
};

/* The only value of its map: of the last run. */
struct found {
	uint64_t runs, period, addr;
};

struct reader {
	int map_fd, prog_fd;	/* owned */
};

/* found->period = ctx->sample_period; found->addr = ctx->addr; found->runs++; return 1; */
static void reader_begin(struct regress *t, struct reader *r)
{
	union bpf_attr attr;
	struct code code = { 0 };

	memset(&attr, 0, sizeof(attr));
	attr.map_type = BPF_MAP_TYPE_ARRAY;
	attr.key_size = sizeof(uint32_t);
	attr.value_size = sizeof(struct found);
	attr.max_entries = 1;
	r->map_fd = regress_ok(t, sys_bpf(t->sys, BPF_MAP_CREATE, &attr, ATTR_SIZE(max_entries)),
			       NULL, "a map");
	code_move(&code, 6, 1);
	code_set64(&code, 8, BPF_PSEUDO_MAP_VALUE, (uint32_t)r->map_fd);
	code_load(&code, BPF_DW, 1, 6, offsetof(struct context, sample_period));
	code_store(&code, BPF_DW, 8, offsetof(struct found, period), 1);
	code_load(&code, BPF_DW, 1, 6, offsetof(struct context, addr));
	code_store(&code, BPF_DW, 8, offsetof(struct found, addr), 1);
	code_load(&code, BPF_DW, 1, 8, offsetof(struct found, runs));
	code_advance(&code, 1, 1);
	code_store(&code, BPF_DW, 8, offsetof(struct found, runs), 1);
	code_return(&code, 1);
	memset(&attr, 0, sizeof(attr));
	attr.prog_type = BPF_PROG_TYPE_PERF_EVENT;
	attr.insns = attr_pointer(code.insns);
	attr.insn_cnt = code.nr;
	attr.license = attr_pointer("GPL");
	r->prog_fd = regress_ok(t, sys_bpf(t->sys, BPF_PROG_LOAD, &attr, ATTR_SIZE(prog_name)),
				NULL, "a program that reads its context");
}

static struct found found_by(struct regress *t, const struct reader *r)
{
	struct found found = { 0 };
	uint32_t zero = 0;

	regress_ok(t, map_lookup(t->sys, r->map_fd, &zero, &found), NULL, "the map");
	return found;
}

enum expected { NOTHING, THE_VARIABLE, THE_FUNCTION, THE_PAGE };

static const struct fact {
	struct kind kind;
	uint64_t period;	/* 0: whatever it is by now */
	enum expected addr;
} facts[] = {
	{ { "cpu-clock by period", "cpu-clock,period=1000000", KIND_COUNTED }, 1000000, NOTHING },
	{ { "cpu-clock by freq", "cpu-clock,freq=1000", KIND_COUNTED }, 0, NOTHING },
	{ { "context-switches", "context-switches,period=1", KIND_COUNTED }, 1, NOTHING },
	{ { "page-faults", "page-faults,period=1", KIND_COUNTED }, 1, THE_PAGE },
	{ { "minor-faults", "minor-faults,period=2", KIND_COUNTED }, 2, THE_PAGE },
	{ { "breakpoint on data", "mem:%w/8:w", KIND_COUNTED }, 1, THE_VARIABLE },
	{ { "breakpoint on code", "mem:%f:x", KIND_COUNTED }, 1, THE_FUNCTION },
};

struct one {
	const struct fact *fact;
	unsigned int cell;
};

static void work_until_it_runs(struct regress *t, const struct compare_subject *s,
			       const struct reader *r)
{
	const uint64_t end = sys_monotonic_ns() + CLOCK_NS;

	do
		for (int i = 0; i < 4; i++)
			s->work->unit();
	while (!found_by(t, r).runs && s->work->load && sys_monotonic_ns() < end);
}

static void expect_addr(struct regress *t, enum expected expected, uint64_t addr)
{
	const unsigned long long seen = addr;

	switch (expected) {
	case NOTHING:
		regress_expect(t, !addr, "0x%llx of what has no address", seen);
		break;
	case THE_VARIABLE:
		regress_expect(t, addr == (uintptr_t)&trial_watched, "0x%llx", seen);
		break;
	case THE_FUNCTION:
		regress_expect(t, addr == (uintptr_t)trial_function, "0x%llx", seen);
		break;
	case THE_PAGE:
		/* Of a page that the work has mapped, and is gone. */
		regress_expect(t, addr, "0 of a fault");
		break;
	}
}

static void run(struct regress *t)
{
	const struct one *one = t->data;
	struct compare_subject s;
	struct compare_event e;
	struct event_spec spec;
	struct error err = { 0 };
	struct reader reader;
	struct found found;

	kind_begin(t, &one->fact->kind, &spec, &s);
	reader_begin(t, &reader);
	regress_ok(t, compare_open(&s, &s.cells[one->cell], &e, &err), &err, "event");
	regress_ok(t, compare_bind(&s, &s.cells[one->cell], &e, reader.prog_fd, &err), &err,
		   "binding");
	regress_ok(t, compare_enable(&s, &e, &err), &err, "enabling");
	work_until_it_runs(t, &s, &reader);
	found = found_by(t, &reader);
	compare_close(&s, &e);
	sys_close(t->sys, reader.prog_fd);
	sys_close(t->sys, reader.map_fd);
	kind_end(&s);
	regress_expect(t, found.runs, "it does not run");
	expect_addr(t, one->fact->addr, found.addr);
	if (one->fact->period)
		regress_expect(t, found.period == one->fact->period, "a period of %llu",
			       (unsigned long long)found.period);
	else
		regress_expect(t, found.period, "a period of 0");
}

static struct one all[NR(facts)][COMPARE_NR_CELLS];

static void fill(struct regress_list *list)
{
	for (size_t i = 0; i < NR(facts); i++)
		for (unsigned int c = 0; c < COMPARE_NR_CELLS; c++) {
			all[i][c] = (struct one){ &facts[i], c };
			regress_add(list, run, &all[i][c],
				    "%s by %s: the sample's address and period", facts[i].kind.name,
				    kind_cell_name(&facts[i].kind, c));
		}
}

const struct regress_group regress_group_context = {
	"context", "the address and the period in a perf_event program's context", NULL, fill
};
