/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Tries an event: a program that counts its runs, and work that makes the event happen. */
#ifndef PLOAD_OBSERVE_FIRING_FIRING_H
#define PLOAD_OBSERVE_FIRING_FIRING_H

#include <stdbool.h>

#include "loader/core/attach/attach.h"

/* --- a program that counts its runs (counting_prog.c) --- */

struct firing_runs {
	uint64_t runs;
	uint64_t cookie;	/* in the last run; 0 if the kernel has no cookies */
};

/* The only value of its map. */
struct firing_value {
	struct firing_runs own;		/* for the watched task; for all if !tells_tasks */
	struct firing_runs others;
	uint32_t watched;		/* a process or thread id */
	uint32_t unused;
};

struct firing_prog {
	uint32_t prog_type;
	int map_fd, prog_fd;	/* owned; -1 when closed */
	bool has_cookie;	/* bpf_get_attach_cookie() is available (Linux 5.15) */
	bool tells_tasks;	/* bpf_get_ns_current_pid_tgid() is available (Linux 5.7) */
};

/**
 * firing_prog_load() - Load the program and create its map.
 * @prog_type: BPF_PROG_TYPE_PERF_EVENT, TRACEPOINT or KPROBE.
 * @retval: what the program returns. That of a tracing event, which others share, returns 1 in
 * other tasks than the watched ones if tells_tasks.
 *
 * Call firing_prog_close() in any case.
 * Return: 0 or -errno.
 */
int firing_prog_load(struct sys *sys, struct firing_prog *p, uint32_t prog_type, int32_t retval,
		    struct error *err);
void firing_prog_close(struct sys *sys, struct firing_prog *p);

/** firing_prog_read() - Read the counts since the program was loaded. Return: 0 or -errno. */
int firing_prog_read(struct sys *sys, const struct firing_prog *p, struct firing_value *value);

/**
 * firing_prog_watch() - Count the runs for @task, a process or thread, as "own" from now on.
 *
 * At first it is this process. A run during the call may not be counted.
 * Return: 0 or -errno.
 */
int firing_prog_watch(struct sys *sys, const struct firing_prog *p, pid_t task);

/* --- work that makes an event happen (workloads.c) --- */

struct firing_work {
	const char *what;	/* "writes to the variable"; static */
	void (*unit)(void);	/* one event, or for a counter a millisecond of what it counts */
	bool exact;		/* each unit is exactly one event */
	bool certain;		/* the event must happen: without a run it never runs a program */
	void (*load)(void);	/* if unit() depends on time: the same amount of work each time */
};

/**
 * firing_work_find() - Find the work that makes @spec happen in the calling task.
 *
 * Return: static; for an unknown event work that does a bit of everything and is not certain.
 */
const struct firing_work *firing_work_find(const struct event_spec *spec);

/* --- one event by one method (firing.c) --- */

enum firing_outcome {
	FIRING_FIRES,	/* the program ran */
	FIRING_SILENT,	/* the program is bound and did not run, though the event happened */
	FIRING_UNKNOWN,	/* the same, but the event may not have happened */
	FIRING_ABSENT,	/* this machine or kernel does not have the event or the method */
	FIRING_DENIED,	/* this process is not permitted */
	FIRING_REFUSED,	/* the kernel refuses the combination */
};

/** firing_outcome_name() - Return "fires", "silent", "unknown", "absent", "denied" or "refused". */
const char *firing_outcome_name(enum firing_outcome outcome);

/** firing_outcome_of() - Classify a failure as FIRING_ABSENT, FIRING_DENIED or FIRING_REFUSED. */
enum firing_outcome firing_outcome_of(const struct error *err);

struct firing_request {
	const struct attach_method *method;
	const struct event_spec *spec;	/* borrowed; a uprobe is resolved */
	uint64_t period;		/* if the event has none of its own */
	uint64_t cookie;		/* if the method takes one */
};

struct firing_result {
	enum firing_outcome outcome;
	const struct firing_work *work;
	unsigned int units;		/* number of units of work */
	struct firing_value counted;
	bool of_tasks;			/* opened for this thread, otherwise for CPUs */
	struct error err;		/* owned; the reason of a failure */
};

/**
 * firing_run() - Open the event for this thread, bind the counting program, work until it has run,
 *	and close.
 *
 * If its PMU cannot count single tasks, the event is opened for CPUs. Always fills @result.
 */
void firing_run(struct sys *sys, const struct firing_request *firing, struct firing_result *result);

/* --- targets in this program for breakpoints and uprobes --- */

extern volatile uint64_t firing_watched;
void firing_function(void);

#define FIRING_PATH "/proc/self/exe"

/** firing_function_offset() - Return the offset of firing_function() in FIRING_PATH; 0: unknown. */
uint64_t firing_function_offset(void);

#endif
