// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Which parts of its context a program may read, in which sizes, and that it may write none. */
#include <errno.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>

#include <asm/ptrace.h>

#include "loader/core/kernel/attr.h"
#include "loader/explain/kernel/assemble.h"
#include "test/regress/harness/regress.h"

/* struct bpf_perf_event_data begins with them: each architecture's asm/bpf_perf_event.h. */
#if defined(__aarch64__)
#define REGS ((int)sizeof(struct user_pt_regs))
#elif defined(__s390x__)
#define REGS ((int)sizeof(user_pt_regs))
#else
#define REGS ((int)sizeof(struct pt_regs))
#endif

/* PERF_MAX_TRACE_SIZE of include/linux/trace_events.h: 2048 at first. */
#define TRACE_MAX 8192

struct row {
	const char *what;
	uint32_t prog_type;
	uint8_t size;		/* BPF_B ... */
	int offset;
	bool store;
	struct regress_since rows[2];
	unsigned int nr;
};

#define PE BPF_PROG_TYPE_PERF_EVENT
#define TP BPF_PROG_TYPE_TRACEPOINT
#define KP BPF_PROG_TYPE_KPROBE

#define TAKEN { { 0, "0" } }, 1
#define REFUSED { { 0, "EACCES" } }, 1

static const struct row rows[] = {
	{ "perf_event: a register", PE, BPF_DW, 0, false, TAKEN },
	{ "perf_event: the last register", PE, BPF_DW, REGS - 8, false, TAKEN },
	{ "perf_event: half a register", PE, BPF_W, 0, false, REFUSED },
	{ "perf_event: across two registers", PE, BPF_DW, 4, false, REFUSED },
	{ "perf_event: sample_period", PE, BPF_DW, REGS, false, TAKEN },
	{ "perf_event: the first byte of sample_period", PE, BPF_B, REGS, false, TAKEN },
	{ "perf_event: the last byte of sample_period", PE, BPF_B, REGS + 7, false, TAKEN },
	{ "perf_event: two bytes of sample_period", PE, BPF_H, REGS + 6, false, TAKEN },
	{ "perf_event: two bytes of sample_period, misaligned", PE, BPF_H, REGS + 1, false,
	  REFUSED },
	{ "perf_event: the second half of sample_period", PE, BPF_W, REGS + 4, false, TAKEN },
	{ "perf_event: sample_period and addr, half of each", PE, BPF_DW, REGS + 4, false,
	  REFUSED },
	{ "perf_event: addr", PE, BPF_DW, REGS + 8, false, TAKEN },
	{ "perf_event: the last byte of addr", PE, BPF_B, REGS + 15, false, TAKEN },
	{ "perf_event: behind addr", PE, BPF_DW, REGS + 16, false, REFUSED },
	{ "perf_event: a byte behind addr", PE, BPF_B, REGS + 16, false, REFUSED },
	{ "perf_event: before the first register", PE, BPF_DW, -8, false, REFUSED },
	{ "perf_event: a register, written", PE, BPF_DW, 0, true, REFUSED },
	{ "perf_event: sample_period, written", PE, BPF_DW, REGS, true, REFUSED },
	{ "perf_event: addr, written", PE, BPF_DW, REGS + 8, true, REFUSED },
	{ "tracepoint: the first eight bytes", TP, BPF_DW, 0, false, REFUSED },
	{ "tracepoint: a byte of them", TP, BPF_B, 7, false, REFUSED },
	{ "tracepoint: the first field", TP, BPF_DW, 8, false, TAKEN },
	{ "tracepoint: a byte of a field", TP, BPF_B, 9, false, TAKEN },
	{ "tracepoint: four bytes, misaligned", TP, BPF_W, 10, false, REFUSED },
	{ "tracepoint: the last there may be at first", TP, BPF_DW, 2048 - 8, false, TAKEN },
	{ "tracepoint: the last there may be", TP, BPF_DW, TRACE_MAX - 8, false,
	  { { 0, "EACCES|0" }, { LINUX(5, 15), "0" } }, 2 },
	{ "tracepoint: behind it", TP, BPF_DW, TRACE_MAX, false, REFUSED },
	/* tp_prog_is_valid_access() compares an int with a sizeof, for which -8 is a lot. */
	{ "tracepoint: before the first byte", TP, BPF_DW, -8, false,
	  { { 0, "0" }, { LINUX(7, 0), "0|EACCES" } }, 2 },
	{ "tracepoint: a field, written", TP, BPF_DW, 8, true, REFUSED },
	{ "kprobe: a register", KP, BPF_DW, 0, false, TAKEN },
	{ "kprobe: a byte of a register", KP, BPF_B, 3, false, TAKEN },
	{ "kprobe: four bytes, misaligned", KP, BPF_W, 2, false, REFUSED },
	{ "kprobe: before the first register", KP, BPF_DW, -8, false, REFUSED },
	{ "kprobe: behind the last register", KP, BPF_DW, 4096, false, REFUSED },
	{ "kprobe: behind the last register, written", KP, BPF_DW, 4096, true, REFUSED },
};

static void load_it(struct regress *t)
{
	const struct rlimit unlimited = { RLIM_INFINITY, RLIM_INFINITY };
	const struct row *row = t->data;
	union bpf_attr attr;
	struct code code = { 0 };
	int fd;

	/*
	 * Before Linux 5.11 memory of maps is charged to the limit, and for a while after it was
	 * freed.
	 */
	setrlimit(RLIMIT_MEMLOCK, &unlimited);
	code_set(&code, 2, 0);
	if (row->store)
		code_store(&code, row->size, 1, row->offset, 2);
	else
		code_load(&code, row->size, 2, 1, row->offset);
	code_return(&code, 0);
	memset(&attr, 0, sizeof(attr));
	attr.prog_type = row->prog_type;
	attr.insns = attr_pointer(code.insns);
	attr.insn_cnt = code.nr;
	attr.license = attr_pointer("GPL");
	fd = sys_bpf(t->sys, BPF_PROG_LOAD, &attr, ATTR_SIZE(prog_name));
	if (fd == -EPERM)
		regress_skip(t, "this process may not load programs");
	regress_answer(t, "", regress_errno(fd < 0 ? fd : 0), row->rows, row->nr);
	if (fd >= 0)
		sys_close(t->sys, fd);
}

static void fill(struct regress_list *list)
{
	for (size_t i = 0; i < NR(rows); i++)
		regress_add(list, load_it, &rows[i], "%s %s", rows[i].what,
			    rows[i].nr > 1 ? "differs" :
			    rows[i].rows[0].answer[0] == '0' ? "is taken" : "is EACCES");
}

const struct regress_group regress_group_loads = {
	"loads", "which parts of its context a program may read", NULL, fill, __FILE__
};
