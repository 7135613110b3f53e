/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Finding out what works by doing it: programs of our own that count their runs, and work that
 * makes events happen.
 */
#ifndef PLOAD_TOOLS_TRIAL_TRIAL_H
#define PLOAD_TOOLS_TRIAL_TRIAL_H

#include <stdbool.h>

#include "loader/attach/attach.h"

/* --- a program that tells how often it ran --- */

struct trial_runs {
	uint64_t runs;
	uint64_t cookie;	/* of the last run; 0 where the kernel has no cookies */
};

/* The only value of its map. */
struct trial_value {
	struct trial_runs own;	/* in this process, or the task that is watched instead; where the
				 * kernel cannot tell, in all */
	struct trial_runs others;
	uint32_t watched;	/* the process or thread whose runs are "own" */
	uint32_t unused;
};

struct trial_prog {
	uint32_t prog_type;
	int map_fd, prog_fd;	/* owned */
	bool has_cookie;	/* bpf_get_attach_cookie() is there (Linux 5.15) */
	bool tells_tasks;	/* bpf_get_ns_current_pid_tgid() is there (Linux 5.7) */
};

/*
 * trial_prog_load() - as @prog_type: PERF_EVENT, TRACEPOINT or KPROBE. It returns @retval. Fails
 * with the kernel's errno and what it refused. trial_prog_close() in any case.
 */
int trial_prog_load(struct sys *sys, struct trial_prog *p, uint32_t prog_type, int32_t retval,
		    struct error *err);
void trial_prog_close(struct sys *sys, struct trial_prog *p);

/* trial_prog_read() - what it has counted since it was loaded. 0 or -errno. */
int trial_prog_read(struct sys *sys, const struct trial_prog *p, struct trial_value *value);

/*
 * trial_prog_watch() - from here on the runs of process or thread @task are "own" (first: those of
 * the process that has loaded it). What is counted meanwhile may get lost. 0 or -errno.
 */
int trial_prog_watch(struct sys *sys, const struct trial_prog *p, pid_t task);

/* --- work --- */

/* How to make an event happen in the task that calls. */
struct trial_work {
	const char *what;	/* "writes to the variable": for the reader. Static */
	void (*unit)(void);	/* one happening, or a millisecond's worth of what a counter
				 * counts */
	bool exact;		/* exactly one for each unit */
	bool certain;		/* it must happen: where no program ran, it never will */
	void (*load)(void);	/* where unit() goes by time: the same amount of work each time */
};

/*
 * trial_work_find() - the work for @spec. Where none is known that must make it happen, a bit of
 * everything that tasks do, which is not certain. Pure; static.
 */
const struct trial_work *trial_work_find(const struct event_spec *spec);

/* --- one event by one method --- */

enum trial_outcome {
	TRIAL_FIRES,	/* the program ran */
	TRIAL_SILENT,	/* opened and bound, and it never ran though it had to */
	TRIAL_UNKNOWN,	/* the same, and no work is known that must make it run */
	TRIAL_ABSENT,	/* this machine or kernel has no such event, or no such method */
	TRIAL_DENIED,	/* this process may not */
	TRIAL_REFUSED,	/* the kernel does not take it so */
};

/* trial_outcome_name() - "fires", "silent", "unknown", "absent", "denied", "refused". Static. */
const char *trial_outcome_name(enum trial_outcome outcome);

/* trial_outcome_of() - which of ABSENT, DENIED, REFUSED a failure to open or to bind is. */
enum trial_outcome trial_outcome_of(const struct error *err);

struct trial {
	const struct attach_method *method;
	const struct event_spec *spec;	/* borrowed; a uprobe is resolved */
	uint64_t period;		/* for an event that has none of its own */
	uint64_t cookie;		/* for a method that takes one */
};

struct trial_result {
	enum trial_outcome outcome;
	const struct trial_work *work;
	unsigned int units;		/* of work that was done */
	struct trial_value counted;
	bool of_tasks;			/* it was opened for this thread, else for a CPU */
	struct error err;		/* why not; owned: error_clear() */
};

/*
 * trial_run() - open the event for this thread (or, where its PMU counts no single tasks, for
 * CPUs), bind a program of ours, do the work until it has run, and close. Always fills @result.
 */
void trial_run(struct sys *sys, const struct trial *trial, struct trial_result *result);

/* What is watched, called and probed in this program itself. */
extern volatile uint64_t trial_watched;	/* written by the work for a breakpoint */
void trial_function(void);	/* called by the work for a uprobe and for an execution
				 * breakpoint */

/*
 * trial_function_offset() - where trial_function() is in the file of this executable, which the
 * kernel finds as TRIAL_PATH: what a uprobe wants to know. 0 if that cannot be told.
 */
#define TRIAL_PATH "/proc/self/exe"
uint64_t trial_function_offset(void);

#endif
