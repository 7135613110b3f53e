/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The reader of the kernel's own messages during a test. */
#ifndef PLOAD_REGRESS_KMSG_H
#define PLOAD_REGRESS_KMSG_H

#include "test/regress/harness/leaks.h"

enum kmsg_kind {
	KMSG_NOTHING,
	KMSG_KNOWN,		/* a warning with a cause that is neither perf's nor BPF's */
	KMSG_OTHERS,		/* a fault in a process that is not of this suite, likewise */
	KMSG_STALL,		/* a watchdog found that something took too long */
	KMSG_FAULT,		/* the kernel found itself at fault */
};

/* A fault, of which the kernel prints several lines. */
struct kmsg_report {
	bool begun;		/* its first line has been read */
	unsigned int at;	/* its index among the messages */
	int pid;		/* of the process in which it happened; -1: not printed yet */
	bool in_task;		/* in a system call or a fault of that process ... */
	bool in_interrupt;	/* ... or in an interrupt meanwhile */
	bool concerns_us;	/* a line has a function or file of BPF, perf, probes or tracing */
};

struct kmsg {
	int fd;			/* owned; -1: it cannot be read */
	int code;		/* then why: an errno */
	unsigned int unread;	/* how often the kernel has overwritten unread messages */
	uint64_t late_ns;	/* when it last reported that RCU-tasks ran late; 0: never */

	/* since the last kmsg_read() */
	enum kmsg_kind worst;
	unsigned int worst_at;	/* the index of its first line in @said */
	struct texts said;	/* owned */
	struct kmsg_report report;
};

/* kmsg_open() - from now on. kmsg_close() in any case. */
void kmsg_open(struct kmsg *k, const char *path);
void kmsg_close(struct kmsg *k);

/* kmsg_skip() - pass over the messages since the last call, which belong to no test. */
void kmsg_skip(struct kmsg *k);

/*
 * kmsg_is_late() - whether the kernel has lately printed that a grace period of RCU-tasks takes
 * long.
 */
bool kmsg_is_late(struct kmsg *k);

/*
 * kmsg_read() - the worst kind of message since the last call. Adds a line to @found for each
 * record that begins such a message, and for some that follow it. @k->worst_at is the index of the
 * worst.
 */
enum kmsg_kind kmsg_read(struct kmsg *k, struct texts *found);

/* kmsg_kind_of() - the kind of message that one line of text begins. */
enum kmsg_kind kmsg_kind_of(const char *text);

/* --- which process a fault is of: kmsg_whose.c --- */

/* kmsg_whose_line() - read another line of the fault, which may name its process. */
void kmsg_whose_line(struct kmsg_report *report, const char *text);

/*
 * kmsg_is_others() - whether the fault is of another process that still runs, and concerns neither
 * BPF nor perf events. In doubt it is ours: kernel threads and interrupts may work for us, and the
 * parent of a process that has ended is unknown.
 */
bool kmsg_is_others(const struct kmsg_report *report);

#endif
