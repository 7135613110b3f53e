/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The ledger of a session: what it has lost, and who counted it. Implemented in losses/. */
#ifndef PLOAD_PRINT_LOSSES_H
#define PLOAD_PRINT_LOSSES_H

#include <json-c/json_object.h>

#include "loader/kernel/kernel.h"
#include "loader/object/relocate.h"
#include "loader/read/rings.h"

/* A sampling event that the kernel has stopped for taking too many samples, on one CPU. */
struct throttled {
	const char *event;	/* borrowed */
	int cpu;
	uint64_t begun, ended;	/* PERF_RECORD_THROTTLE, PERF_RECORD_UNTHROTTLE */
};

/* How often the sampling events of a program were to run it. */
struct due_samples {
	bool known;
	uint64_t at_least;	/* their counts, divided by their periods */
};

/* The sources of a session's ledger, once its programs are detached. All borrowed. */
struct losses {
	const struct rings *rings;
	const struct kernel_object *kernel;	/* NULL: adopted, its programs are not known */
	const struct failure_counts *failures;	/* how its programs count failed calls, or NULL */
	const struct stacks *stacks;	/* of its rows and records, or NULL */
	const struct throttled *throttled;
	unsigned int nr_throttled;
	const struct due_samples *due;	/* by program, or NULL */
	uint64_t printk_lost;	/* lines of bpf_printk() */
};

/**
 * output_losses() - Add to the summary @msg what was lost, and by whom it was counted:
 *
 *	"rings":[{"map":NAME,"cpu":N,"bytes":N},...]	cpu: perf rings only
 *	"lost":N	records; null: a ring buffer whose programs do not count what finds no room,
 *			or a perf ring that has overwritten some
 *	"losses":[{"what":WHAT,"map":NAME,"cpu":N,"counted_by":VARIABLE,"count":N},...]
 *
 * Return: true if anything was.
 */
bool output_losses(struct sys *sys, struct json_object *msg, const struct losses *from);

/**
 * output_lost_samples() - Return how many samples have no whole stack in the profile: a stack of
 * theirs is lost, there was no room for their row or record, or their program was not run.
 */
uint64_t output_lost_samples(struct sys *sys, const struct losses *from);

#endif
