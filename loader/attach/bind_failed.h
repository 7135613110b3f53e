/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Why a program could not be bound to an event. Inside this room. */
#ifndef PLOAD_ATTACH_BIND_FAILED_H
#define PLOAD_ATTACH_BIND_FAILED_H

#include "elf/error.h"
#include "loader/sys/sys.h"

/* A binding that the kernel refused, by ioctl or by link. */
struct bind_call {
	const char *name;	/* "BPF_LINK_CREATE" */
	int event_fd, prog_fd;	/* borrowed */
	long nr;		/* as in struct sys_asked */
	unsigned long request;
	bool kprobe;		/* what the event is */
};

/*
 * bind_failed() - what @code (positive) means of @call: the event is asked for its programs, and
 * the program for its type. Fills @err, reasons "attach/..."; returns -@code.
 */
int bind_failed(struct sys *sys, const struct bind_call *call, int code, struct error *err);

#endif
