/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A BPF program that tells how often it ran, for tests on the real kernel; and the work that makes
 * events happen.
 */
#ifndef PLOAD_TEST_UNIT_PROBE_BUILDER_H
#define PLOAD_TEST_UNIT_PROBE_BUILDER_H

#include <stdbool.h>

#include "elf/error.h"
#include "loader/sys/sys.h"

/* What is known of the runs in one place. */
struct probe_runs {
	uint64_t runs;
	uint64_t cookie;	/* of the last run; 0 where the kernel has no cookies */
	uint64_t addr;		/* ctx->addr of the last run; 0 for tracepoints */
};

/* The map's only value. */
struct probe_value {
	struct probe_runs own;		/* in tasks with our name */
	struct probe_runs others;
	char name[8];
};

struct probe {
	int map_fd, prog_fd;	/* owned */
	bool has_cookie;	/* bpf_get_attach_cookie() is there (Linux 5.15) */
};

/*
 * probe_load() - load it as BPF_PROG_TYPE_PERF_EVENT or TRACEPOINT. Tasks are told apart by name,
 * as pids differ between namespaces: the first probe gives this process one of its own, which
 * children inherit. Fails with the kernel's errno. probe_close() in any case.
 */
int probe_load(struct sys *sys, struct probe *probe, uint32_t prog_type, struct error *err);
void probe_close(struct sys *sys, struct probe *probe);
struct probe_value probe_read(struct sys *sys, const struct probe *probe);

/* probe_other_name() - from here on this process is one of the others. */
void probe_other_name(void);

/* --- one happening of each event, in the task that calls --- */

extern volatile uint64_t probe_watched;	/* work_write() writes it */
extern void *volatile probe_page;	/* the page that work_fault() touched last */

void work_clock(void);		/* a millisecond of CPU time */
void work_fault(void);		/* a page fault */
void work_switch(void);		/* a context switch */
void work_write(void);		/* a write to probe_watched */

#endif
