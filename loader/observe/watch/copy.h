/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A copy of what a call of another process passes: its attributes, and the memory that they point
 * to. It is read once, and changes of it afterwards are not seen:
 *
 *	their memory			ours
 *	arg[1] -> union bpf_attr	arg[1] -> union bpf_attr
 *	            .insns -> ...	            .insns -> ...
 */
#ifndef PLOAD_OBSERVE_WATCH_COPY_H
#define PLOAD_OBSERVE_WATCH_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "loader/observe/trace/annotate/annotate.h"

#define COPY_PARTS 16
#define COPY_MAX (32u << 20)	/* for all parts of a call, in bytes */

struct copy {
	pid_t pid;
	long nr;
	unsigned long theirs[6], arg[6];	/* arg[]: the pointers are to the parts */
	struct copied_part {
		uint64_t from;		/* their address */
		void *bytes;		/* owned; terminated */
		size_t size;
	} parts[COPY_PARTS];
	unsigned int nr_parts;
	size_t size;
	bool unreadable;		/* the attributes are not in the caller's memory */
};

/**
 * copy_call() - Copy the arguments of system call @nr of task @pid, which is stopped.
 * @names: its descriptors, for the sizes of keys and values
 *
 * A pointer is NULL in the copy if the task's memory there cannot be read or is too large to copy.
 * Return: the copy, for copy_free(); NULL without memory.
 */
struct copy *copy_call(pid_t pid, const struct fd_names *names, long nr,
		       const unsigned long arg[6]);

/** copy_results() - Copy only the members that the kernel has written as results. */
void copy_results(struct copy *copy);

/** copy_print() - Print @text with their addresses in place of those of our parts. */
void copy_print(FILE *out, const struct copy *copy, const char *text, size_t len);
void copy_free(struct copy *copy);

/** copy_memory() - Copy up to @size bytes of task @pid. Return: the number of bytes. */
size_t copy_memory(pid_t pid, uint64_t from, void *to, size_t size);

/** copy_attr() - Return the attributes of bpf(2), or of perf_event_open(2); NULL: unreadable. */
static inline const union bpf_attr *copy_attr(const struct copy *copy)
{
	return (const union bpf_attr *)copy->arg[1];
}

static inline const struct perf_event_attr *copy_event(const struct copy *copy)
{
	return (const struct perf_event_attr *)copy->arg[0];
}

#endif
