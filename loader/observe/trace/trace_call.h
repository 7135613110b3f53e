/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The table of system calls that the trace can print, and the layout of their arguments. */
#ifndef PLOAD_OBSERVE_TRACE_TRACE_CALL_H
#define PLOAD_OBSERVE_TRACE_TRACE_CALL_H

#include <stdbool.h>
#include <stdio.h>

#include "loader/core/sys/sys.h"

struct error;
struct fd_names;

/* explain_call() - A row of `explanations`: FAILED_CALL. (error_call.c) */
void explain_call(struct sys *sys, const void *failed, struct error *err);

/*
 * A call is printed by its kinds of arguments, a letter for each: d int, l long, u unsigned long,
 * o octal mode, s C string, p pointer, D directory or AT_FDCWD, r AT_REMOVEDIR or 0, S signal.
 */
struct trace_call {
	long nr;		/* __NR_* */
	const char *name;
	const char *kinds;	/* "dpu"; NULL: by args() */
	void (*args)(FILE *out, const unsigned long arg[6]);
	/* Prints the data that the kernel returned in memory; may be NULL. */
	void (*result)(FILE *out, const unsigned long arg[6], long ret);
	bool gives_address;
};

/** trace_call_find() - Return the row of @nr, or NULL. */
const struct trace_call *trace_call_find(long nr);

/** trace_call_args() - Print the arguments, separated by commas. */
void trace_call_args(FILE *out, const struct trace_call *call, const unsigned long arg[6]);

/* --- trace.c --- */

/** sys_call_name() - Return the name (static), or NULL if the trace does not know the call. */
const char *sys_call_name(long nr);

/**
 * sys_call_args() - Print the text between the parentheses, before the call: the kernel overwrites
 * some of it.
 *
 * sys_call_result() - Print the text after " = ", with the data that the kernel returned.
 */
void sys_call_args(FILE *out, long nr, const unsigned long arg[6]);
void sys_call_result(FILE *out, long nr, const unsigned long arg[6], long ret);

/* A process whose calls were made and observed by somebody else. */
struct trace_process {
	pid_t pid;
	uint64_t *nr_calls;		/* borrowed: counts the calls of all such processes */
	const struct sys *parent;	/* the trace of its parent process, or NULL */
};

/**
 * sys_trace_process() - Print calls of another process, whose descriptors are those of @parent.
 * @next: returns the result that was observed, and copies what the kernel has returned to the
 *	arguments: these are in memory of this process
 *
 * Return: as sys_trace() does; sys_trace_free() frees it.
 */
struct sys *sys_trace_process(struct sys *next, FILE *out, enum trace_form form,
			      const struct trace_process *process);

/** sys_trace_names() - Return the descriptors of a trace, which owns them. */
struct fd_names *sys_trace_names(struct sys *sys);

/* --- layout.c --- */

/* One field. Names are static. */
struct attr_field {
	const char *group;	/* the struct in union bpf_attr that contains it, or NULL */
	const char *name;	/* as the kernel spells it: "prog_type", "perf_event.bpf_cookie" */
	unsigned int off, bytes;
	unsigned int bit, bits;	/* a bit field within these bytes; bits is 0 for others */
	bool is_result;		/* the kernel writes it */
};

/**
 * attr_name() - Return the @i-th name: a command of bpf(2), and last "perf_event_attr"; or NULL.
 *
 * attr_each_field() - Pass each field of @name to @fn, in order of offset.
 * @fn: may be NULL, to ask for the size
 * Return: the number of bytes up to the end of the last field, or 0 if there is no such name.
 */
const char *attr_name(unsigned int i);
unsigned int attr_each_field(const char *name,
			     void (*fn)(void *arg, const struct attr_field *field), void *arg);

#endif
