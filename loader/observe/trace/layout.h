/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The layout of what bpf(2) and perf_event_open(2) take: name, offset and width of each field. */
#ifndef PLOAD_OBSERVE_TRACE_LAYOUT_H
#define PLOAD_OBSERVE_TRACE_LAYOUT_H

#include <stdbool.h>

/* One field. Names are static. */
struct attr_field {
	const char *group;	/* the struct of union bpf_attr that it is in, or NULL */
	const char *name;	/* as the kernel spells it: "prog_type", "perf_event.bpf_cookie" */
	unsigned int off, bytes;
	unsigned int bit, bits;	/* of a bit field in these bytes; bits is 0 for all others */
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
