/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The results of a session: the contents of its maps, and its losses. */
#ifndef PLOAD_PRINT_RESULTS_H
#define PLOAD_PRINT_RESULTS_H

#include "loader/core/kernel/kernel.h"
#include "loader/core/object/relocate.h"
#include "loader/core/print/output.h"
#include "loader/core/read/rings.h"
#include "loader/core/sys/cpus.h"

/* --- maps: implemented in rows/ --- */

/**
 * output_maps() - Print a message for each element of each map that can be read:
 *
 *	{"type":"map","map":NAME,"key":...,"value":...}	a per-CPU value: [{"cpu":N,"value":...},...]
 *	{"type":"stack","map":NAME,"id":N,"ips":["0x...",...]}	by build id: {"build_id":,"offset":}
 *	{"type":"data","map":NAME,"value":{...}}	variables; read-only: nothing
 *	{"type":"map-skipped","map":NAME,"map_type":"queue","why":...}
 *
 * With @out->stacks, elements whose key or value has stacks are printed with them, after a message
 * "stack-fields". Stack maps then come last, and those that rows refer to are only counted:
 * {"type":"stack-map","map":NAME,"elements":N,"in_no_row":N}.
 *
 * "map-skipped" reports a map that cannot be read, or not without changing it. Maps that hold only
 * descriptors, or records that were printed as they arrived, have no message. The text format
 * prints a headline for each map, sorts its elements (largest number first, otherwise by key), and
 * reports how many it omits.
 * @possible: the possible CPUs; may be empty if the object has no per-CPU map.
 */
int output_maps(struct sys *sys, struct output *out, const struct kernel_object *k,
		const struct cpu_list *possible, struct error *err);

/* --- losses: implemented in losses/ --- */

/* A sampling event that the kernel stopped on a CPU for taking too many samples. */
struct throttled {
	const char *event;	/* borrowed */
	int cpu;
	uint64_t begun, ended;	/* PERF_RECORD_THROTTLE, PERF_RECORD_UNTHROTTLE */
};

/* How often the sampling events of a program should have run it. */
struct due_samples {
	bool known;
	bool clock;		/* some of them are clocks */
	uint64_t at_least;	/* their counts divided by their periods */
};

/* The sources of a session's ledger, once its programs are detached. All borrowed. */
struct losses {
	const struct rings *rings;
	const struct kernel_object *kernel;	/* NULL: adopted, its programs are unknown */
	const struct failure_counts *failures;	/* how its programs count failed calls; or NULL */
	const struct stacks *stacks;	/* the stacks of its rows and records; or NULL */
	const struct throttled *throttled;
	unsigned int nr_throttled;
	const struct due_samples *due;	/* by program; or NULL */
	uint64_t printk_lost;	/* lost bpf_printk() lines */
};

/**
 * output_losses() - Add to the summary @msg what was lost and who counted it:
 *
 *	"rings":[{"map":NAME,"cpu":N,"bytes":N},...]	cpu: perf rings only
 *	"lost":N	records; null: a ring buffer whose programs do not count what finds no room
 *	"losses":[{"what":WHAT,"map":NAME,"cpu":N,"counted_by":VARIABLE,"count":N},...]
 *
 * Return: true if anything was lost.
 */
bool output_losses(struct sys *sys, struct json_object *msg, const struct losses *from);

/**
 * output_lost_samples() - Return how many samples lack a complete stack in the profile: the stack
 * was lost, there was no room for the row or record, or the program did not run.
 */
uint64_t output_lost_samples(struct sys *sys, const struct losses *from);

#endif
