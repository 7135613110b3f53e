/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The decorator that keeps what passes: each call as text, and how long the kernel took for it. */
#ifndef PLOAD_TOOLS_COMPARE_RECORD_CALLS_H
#define PLOAD_TOOLS_COMPARE_RECORD_CALLS_H

#include "loader/tools/compare/compare_internal.h"

/* What a call is made for. */
enum compare_step {
	COMPARE_OPEN,
	COMPARE_BIND,
	COMPARE_ENABLE,
	COMPARE_DETACH,
	COMPARE_NR_STEPS,
};

extern const char *const compare_step_names[COMPARE_NR_STEPS];

#define RECORDER_FDS 64

struct recorder {
	struct sys sys;		/* first: enter() gets a pointer to it */
	struct sys *next;	/* borrowed */
	enum compare_step step;	/* of the calls to come */
	uint64_t ns[COMPARE_NR_STEPS];	/* spent in the calls of each step */
	struct json_object *calls;	/* owned; NULL: only times are kept */
	bool no_memory;		/* some calls are missing */
	struct {
		int fd;
		char name[48];
	} fds[RECORDER_FDS];	/* descriptors that have a name */
	unsigned int nr_fds;
	bool probe;		/* the event is one: its PMU takes a pointer to a name */
	bool made;		/* the last file opened is of a tracepoint made for this cell */
	char id[24];		/* the number of that; "" when there is none */
};

/*
 * recorder_begin() - @with_text: keep the calls as well. recorder_end() gives back what is owned.
 * recorder_name() - call a descriptor something that says what it is.
 */
void recorder_begin(struct recorder *r, struct sys *next, bool with_text);
void recorder_end(struct recorder *r);
void recorder_name(struct recorder *r, int fd, const char *name);

/*
 * recorder_refused() - the step has failed with @code (negative): drop the calls behind the one
 * that was refused, which looked for the cause.
 */
void recorder_refused(struct recorder *r, int code);

#endif
