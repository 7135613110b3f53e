/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The lines that programs print with bpf_printk(), and those that they write to their streams. */
#ifndef PLOAD_READ_PRINTK_PRINTK_H
#define PLOAD_READ_PRINTK_PRINTK_H

#include "loader/print/output.h"

/*
 * bpf_printk() calls the tracepoint bpf_trace:bpf_trace_printk. A raw tracepoint program of ours
 * copies each line with its call stack into a ring buffer of ours: nobody's trace_pipe loses a
 * line, and the stack shows which program has called. A perf event of that tracepoint would miss
 * what programs of tracepoints print, because the kernel does not let perf events nest.
 */
struct printk;

/**
 * printk_open() - Receive what the loaded programs of @k print. @out, @k: borrowed.
 *
 * Return: owned by the caller; NULL and @err: before Linux 5.9, or without privileges.
 */
struct printk *printk_open(struct sys *sys, struct output *out, const struct kernel_object *k,
			   struct error *err);

/* printk_fd() - Return a descriptor (borrowed) that is readable when a line has come. */
int printk_fd(const struct printk *p);

/**
 * printk_read() - Print the lines that have come, as messages:
 *
 *	{"type":"printk","prog":NAME,"cpu":N,"pid":N,"tid":N,"comm":NAME,"text":...}
 *
 * Lines of programs that are not @k's are left out. "prog" is null if the kernel does not report
 * the addresses of programs: the lines of all programs are printed then.
 * Return: 0, or -errno of the output or of the ring.
 */
int printk_read(struct printk *p, struct error *err);

/* printk_lost() - Return the number of lines for which the ring buffer had no room. */
uint64_t printk_lost(const struct printk *p);
void printk_close(struct printk *p);

/**
 * streams_read() - Print what the programs of @k have written to their streams, with "stream"
 * stdout or stderr. The kernel itself reports faults of a program to its stderr. (Linux 6.17)
 *
 * Return: 0, -ENOMEM, or -errno of the output or of the kernel ("print/stream").
 */
int streams_read(struct sys *sys, struct output *out, const struct kernel_object *k,
		 struct error *err);

/* printk_line() - Print one line of @size bytes, a message of type "printk" or "stream". */
int printk_line(struct output *out, struct json_object *msg, const char *text, size_t size,
		struct error *err);

#endif
