/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The lines that programs print with bpf_printk() or write to their streams. */
#ifndef PLOAD_SESSIONS_PRINTK_PRINTK_H
#define PLOAD_SESSIONS_PRINTK_PRINTK_H

#include "loader/core/kernel/kernel.h"

/* A line; all pointers are borrowed. */
struct program_line {
	const char *prog;	/* NULL: unknown */
	const char *stream;	/* "stdout" or "stderr"; NULL: a bpf_printk() line */
	uint32_t cpu, pid, tid;	/* only for bpf_printk(), like @comm */
	const char *comm;	/* 16 bytes */
	const char *text;	/* @size bytes; the last one may be a newline */
	size_t size;
};

/* Consumes the lines of programs. The sink that prints them is in sessions/printk_text/. */
struct line_sink {
	int (*line)(void *arg, const struct program_line *line, struct error *err);
	void *arg;
};

/*
 * bpf_printk() calls the tracepoint bpf_trace:bpf_trace_printk. Our raw tracepoint program copies
 * each line and its call stack to a ring buffer: no trace_pipe reader loses a line, and the stack
 * shows which program called. A perf event on that tracepoint would miss output from tracepoint
 * programs, because the kernel does not let perf events nest.
 */
struct printk;

/**
 * printk_open() - Start receiving what the loaded programs of @k print, and pass it to @sink. @k:
 * borrowed.
 *
 * Return: an object owned by the caller, or NULL with @err set: before Linux 5.9, or without
 * privileges.
 */
struct printk *printk_open(struct sys *sys, struct line_sink sink, const struct kernel_object *k,
			   struct error *err);

/* printk_fd() - Return a descriptor (borrowed) that is readable when a line has arrived. */
int printk_fd(const struct printk *p);

/**
 * printk_read() - Pass on the lines that have arrived.
 *
 * Skips lines of programs that are not in @k. If the kernel does not report program addresses,
 * passes on the lines of all programs, without a name.
 * Return: 0, or -errno of the sink or of the ring.
 */
int printk_read(struct printk *p, struct error *err);

/* printk_lost() - Return the number of lines dropped because the ring buffer was full. */
uint64_t printk_lost(const struct printk *p);
void printk_close(struct printk *p);

/**
 * streams_read() - Pass on the lines that the programs of @k wrote to their streams. The kernel
 * reports a program's faults to its stderr. (Linux 6.17)
 *
 * Return: 0, or -errno of the sink or of the kernel ("output/stream").
 */
int streams_read(struct sys *sys, struct line_sink sink, const struct kernel_object *k,
		 struct error *err);

#endif
