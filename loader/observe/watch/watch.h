/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Watch how other processes load BPF programs, and print each call and the findings. */
#ifndef PLOAD_OBSERVE_WATCH_WATCH_H
#define PLOAD_OBSERVE_WATCH_WATCH_H

#include <stdbool.h>
#include <stdio.h>

#include "elf/error.h"
#include "loader/core/sys/sys.h"

struct watch_options {
	char *const *argv;	/* the command; NULL: watch process @pid */
	int pid;
	enum { WATCH_TEXT, WATCH_JSON, WATCH_PAGE, WATCH_SUMMARY } form;
	bool insns;		/* text: include the instructions of programs */
	bool all;		/* text: print probes of the kernel one by one */
	const char *replay;	/* a directory for the loaded objects, or NULL */
	FILE *out;
};

/**
 * watch_run() - Run or attach, print to o->out, and return when the command has ended, or the
 * observation has (tracer.h). It returns in a process of its own; the one that has called it ends
 * as the command does.
 * @exit_code: receives the status that pload ends with if the command cannot be executed
 *
 * Return: 0 or -errno.
 */
int watch_run(const struct watch_options *o, int *exit_code, struct error *err);

#endif
