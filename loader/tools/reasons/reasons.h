/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A page for each reason that an error can have: what it means, who says so, what to do. */
#ifndef PLOAD_TOOLS_REASONS_REASONS_H
#define PLOAD_TOOLS_REASONS_REASONS_H

/*
 * One reason. Its page is a row in the table of its prefix, in a file of this folder that has one or
 * several of them. All static; none is NULL, but a table ends with a code NULL.
 */
struct reason {
	const char *code;	/* "perf-open/no-pmu", as of error_reason() */
	const char *means;	/* a sentence without a full stop: the line in the list of all */
	const char *from;	/* who finds it: a function of the kernel and its file, or pload */
	const char *check;	/* how to see by hand whether it is so */
	const char *remedy;	/* what to do */
};

/* The tables, in the order in which one may meet their reasons. Ends with NULL. */
extern const struct reason *const reasons[];

/* reason_find() - the page of @code, or NULL. */
const struct reason *reason_find(const char *code);

/* reason_each() - call @each with every page whose code @pattern (fnmatch(3)) fits. How many. */
unsigned int reason_each(const char *pattern, void (*each)(void *arg, const struct reason *reason),
			 void *arg);

/* Inside this room: the tables. */
extern const struct reason reasons_usage[], reasons_object[], reasons_core[], reasons_externs[],
	reasons_struct_ops[], reasons_denied[], reasons_map[], reasons_prog_load[], reasons_event[],
	reasons_command[], reasons_symbols[], reasons_usdt[], reasons_probe[], reasons_scope[],
	reasons_perf_open[], reasons_attach[], reasons_multi[], reasons_pin[], reasons_output[],
	reasons_compare[], reasons_report[], reasons_differs[];

#endif
