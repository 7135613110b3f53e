/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A struct sys that forwards each call and records its text and the time the kernel took. */
#ifndef PLOAD_COMPARE_MEASURE_RECORD_CALLS_H
#define PLOAD_COMPARE_MEASURE_RECORD_CALLS_H

#include "loader/compare/measure/compare_internal.h"

extern const char *const compare_step_names[COMPARE_NR_STEPS];

#define RECORDER_FDS 64

struct recorder {
	struct sys sys;		/* first, so that enter() can cast its argument */
	struct sys *next;	/* borrowed; executes the calls */
	enum compare_step step;	/* of the following calls */
	uint64_t ns[COMPARE_NR_STEPS];	/* time spent in the calls of each step */
	struct json_object *calls;	/* owned; NULL: only times are recorded */
	bool no_memory;		/* some calls are missing */
	struct {
		int fd;		/* -1: closed */
		char name[48];
	} fds[RECORDER_FDS];	/* names of descriptors, for normalize_args() */
	unsigned int nr_fds;
	bool probe;		/* the event is a probe: its PMU takes a pointer to a name */
	bool made;		/* the last opened file belongs to a tracepoint created for this
				 * cell */
	char id[24];		/* the id of that tracepoint; "" when there is none */
};

/**
 * recorder_begin() - Start recording calls to @next.
 * @with_text: record the text of the calls, too.
 */
void recorder_begin(struct recorder *r, struct sys *next, bool with_text);
void recorder_end(struct recorder *r);

/** recorder_name() - Give descriptor @fd a name that replaces its number. */
void recorder_name(struct recorder *r, int fd, const char *name);

/**
 * recorder_refused() - Record that the current step failed with @code (-errno).
 *
 * Drops the calls after the refused one, which only looked for the cause.
 */
void recorder_refused(struct recorder *r, int code);

/* --- normalize_calls.c --- */

/**
 * normalize_args() - Normalize the arguments of a call.
 * normalize_result() - Normalize its result.
 * @text: as --trace prints it.
 *
 *	ioctl(7, PERF_EVENT_IOC_SET_BPF, 5)	-> event, PERF_EVENT_IOC_SET_BPF, program
 *	read(8, 0x7ffd41c0, 64)			-> id, buffer, 64
 *	write(9, "p:pload/p_77_1 ...", 30)	-> uprobe_events, "p:pload/NAME ...", 30
 *	..., config=1834, ...			-> ..., config=ID, ...
 *
 * Return: malloc'ed; NULL when there is no memory.
 */
char *normalize_args(struct recorder *r, long nr, const unsigned long arg[6], const char *text);
char *normalize_result(struct recorder *r, long nr, const unsigned long arg[6], long ret,
		       const char *text);

#endif
