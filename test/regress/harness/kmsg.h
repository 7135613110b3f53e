/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the kernel says of itself while a test runs. */
#ifndef PLOAD_REGRESS_KMSG_H
#define PLOAD_REGRESS_KMSG_H

#include "test/regress/harness/leaks.h"

enum kmsg_kind {
	KMSG_NOTHING,
	KMSG_KNOWN,		/* a warning with a cause that is neither perf's nor BPF's */
	KMSG_STALL,		/* a watchdog found that something took too long */
	KMSG_FAULT,		/* the kernel found itself at fault */
};

struct kmsg {
	int fd;			/* owned; -1: it cannot be read */
	int code;		/* then why: an errno */
	unsigned int unread;	/* how often the kernel had written over what was not read yet */
	uint64_t late_ns;	/* when it last said that RCU-tasks ran late; 0: never */

	/* since the last kmsg_read() */
	enum kmsg_kind worst;
	struct texts said;	/* owned */
};

/* kmsg_open() - from now on. kmsg_close() in any case. */
void kmsg_open(struct kmsg *k, const char *path);
void kmsg_close(struct kmsg *k);

/* kmsg_skip() - what has been said since is of no test. */
void kmsg_skip(struct kmsg *k);

/* kmsg_is_late() - has the kernel printed lately that a grace period of RCU-tasks takes long? */
bool kmsg_is_late(struct kmsg *k);

/*
 * kmsg_read() - the worst that was said since the last time; a line in @found for each record that
 * begins such a message, and for some that follow it.
 */
enum kmsg_kind kmsg_read(struct kmsg *k, struct texts *found);

/* kmsg_kind_of() - of one line of text. */
enum kmsg_kind kmsg_kind_of(const char *text);

#endif
