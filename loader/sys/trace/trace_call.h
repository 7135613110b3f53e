/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The calls that the trace can read. Private to the trace. */
#ifndef PLOAD_SYS_TRACE_TRACE_CALL_H
#define PLOAD_SYS_TRACE_TRACE_CALL_H

#include <stdbool.h>
#include <stdio.h>

struct trace_call {
	long nr;		/* __NR_* */
	const char *name;
	void (*args)(FILE *out, const unsigned long arg[6]);
	/* What the kernel wrote into memory; NULL when the number says all. */
	void (*result)(FILE *out, const unsigned long arg[6], long ret);
	bool gives_address;
};

/* trace_call_find() - NULL when @nr is not in the table. */
const struct trace_call *trace_call_find(long nr);

#endif
