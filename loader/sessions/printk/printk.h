/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The lines that programs print with bpf_printk(), and those that they write to their streams. */
#ifndef PLOAD_SESSIONS_PRINTK_PRINTK_H
#define PLOAD_SESSIONS_PRINTK_PRINTK_H

#include "loader/core/kernel/kernel.h"

/* A line; all pointers are borrowed. */
struct program_line {
	const char *prog;	/* NULL: not known */
	const char *stream;	/* "stdout" or "stderr"; NULL: a line of bpf_printk() */
	uint32_t cpu, pid, tid;	/* of bpf_printk() only, as @comm */
	const char *comm;	/* 16 bytes */
	const char *text;	/* of @size bytes; the last one may be a newline */
	size_t size;
};

/* Takes the lines of programs. The one that prints them is in print/printk/. */
struct line_sink {
	int (*line)(void *arg, const struct program_line *line, struct error *err);
	void *arg;
};

/*
 * bpf_printk() calls the tracepoint bpf_trace:bpf_trace_printk. A raw tracepoint program of ours
 * copies each line with its call stack into a ring buffer of ours: nobody's trace_pipe loses a
 * line, and the stack shows which program has called. A perf event of that tracepoint would miss
 * what programs of tracepoints print, because the kernel does not let perf events nest.
 */
struct printk;

/**
 * printk_open() - Receive what the loaded programs of @k print, and pass it to @sink. @k: borrowed.
 *
 * Return: owned by the caller; NULL and @err: before Linux 5.9, or without privileges.
 */
struct printk *printk_open(struct sys *sys, struct line_sink sink, const struct kernel_object *k,
			   struct error *err);

/* printk_fd() - Return a descriptor (borrowed) that is readable when a line has come. */
int printk_fd(const struct printk *p);

/**
 * printk_read() - Pass on the lines that have come.
 *
 * Lines of programs that are not @k's are left out. If the kernel does not report the addresses of
 * programs, the lines of all programs are passed on, without a name.
 * Return: 0, or -errno of the sink or of the ring.
 */
int printk_read(struct printk *p, struct error *err);

/* printk_lost() - Return the number of lines for which the ring buffer had no room. */
uint64_t printk_lost(const struct printk *p);
void printk_close(struct printk *p);

/**
 * streams_read() - Pass on the lines that the programs of @k have written to their streams. The
 * kernel itself reports faults of a program to its stderr. (Linux 6.17)
 *
 * Return: 0, or -errno of the sink or of the kernel ("output/stream").
 */
int streams_read(struct sys *sys, struct line_sink sink, const struct kernel_object *k,
		 struct error *err);

#endif
