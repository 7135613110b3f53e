/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The reader of the kernel's messages during a test. */
#ifndef PLOAD_REGRESS_KMSG_H
#define PLOAD_REGRESS_KMSG_H

#include "test/regress/harness/leaks.h"

enum kmsg_kind {
	KMSG_NOTHING,
	KMSG_KNOWN,		/* a warning that neither perf nor BPF caused */
	KMSG_OTHERS,		/* the same, in a process that is not part of this suite */
	KMSG_STALL,		/* a watchdog found that something took too long */
	KMSG_FAULT,		/* the kernel found an error in itself */
};

/* A fault, for which the kernel prints several lines. */
struct kmsg_report {
	bool begun;		/* its first line has been read */
	unsigned int at;	/* its index in the list of messages */
	int pid;		/* the process in which it occurred; -1: not printed yet */
	bool in_task;		/* in a system call or a fault of that process ... */
	bool in_interrupt;	/* ... or in an interrupt during one */
	bool concerns_us;	/* a line names something of BPF, perf, probes or tracing */
};

struct kmsg {
	int fd;			/* owned; -1: it cannot be read */
	int code;		/* then why: an errno */
	unsigned int unread;	/* how often the kernel overwrote unread messages */
	uint64_t late_ns;	/* when it last reported that RCU-tasks was late; 0: never */

	/* since the last kmsg_read() */
	enum kmsg_kind worst;
	unsigned int worst_at;	/* the index of its first line in @said */
	struct texts said;	/* owned */
	struct kmsg_report report;
};

/* kmsg_open() - start reading here. kmsg_close() in any case. */
void kmsg_open(struct kmsg *k, const char *path);
void kmsg_close(struct kmsg *k);

/* kmsg_skip() - skip the messages since the last call, which belong to no test. */
void kmsg_skip(struct kmsg *k);

/*
 * kmsg_is_late() - whether the kernel recently reported that a grace period of RCU-tasks takes
 * long.
 */
bool kmsg_is_late(struct kmsg *k);

/*
 * kmsg_read() - the worst kind of message since the last call. Adds a line to @found for each
 * record that begins such a message, and for some that follow it. @k->worst_at is the index of the
 * worst.
 */
enum kmsg_kind kmsg_read(struct kmsg *k, struct texts *found);

/* kmsg_kind_of() - the kind of message that starts with this line. */
enum kmsg_kind kmsg_kind_of(const char *text);

/* --- the process in which a fault occurred: kmsg_whose.c --- */

/* kmsg_whose_line() - read another line of the fault, which may name its process. */
void kmsg_whose_line(struct kmsg_report *report, const char *text);

/*
 * kmsg_is_others() - whether the fault occurred in another process that is still running, and
 * concerns neither BPF nor perf events. If in doubt it is ours: kernel threads and interrupts may
 * work on our behalf, and the parent of a process that has exited is unknown.
 */
bool kmsg_is_others(const struct kmsg_report *report);

#endif
