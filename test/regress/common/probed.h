/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Functions of the suite that tests probe, and the lines in tracefs for such probes. */
#ifndef PLOAD_REGRESS_PROBED_H
#define PLOAD_REGRESS_PROBED_H

#include <stdbool.h>
#include <stdint.h>

#include "loader/core/event/event.h"

/* --- in this program, whose path for the kernel is PROBED_SELF --- */

#define PROBED_SELF "/proc/self/exe"

void probed_function(void);
extern const char probed_second[];	/* an instruction in the middle of it */
void probed_usdt(void);			/* passes "pload_test:here" */
extern volatile unsigned short probed_semaphore;	/* of that: how many listen */

/* --- in the kernel --- */

void probed_getppid(void);	/* one system call */

/*
 * The kernel function behind getppid(), since Linux 4.19. Searching all symbols for it would take
 * seconds on an emulated machine.
 */
#if defined(__aarch64__)
#define PROBED_GETPPID "__arm64_sys_getppid"
#elif defined(__s390x__)
#define PROBED_GETPPID "__s390x_sys_getppid"
#else
#define PROBED_GETPPID "__x64_sys_getppid"
#endif

/* --- events of it --- */

/*
 * probed_resolve() - parse @text; for a function in a file or a USDT probe, find its location, the
 * first if there are several. @pid: the process whose files are searched, or 0. Fails as
 * event_parse() and symbols_resolve() do.
 */
int probed_resolve(struct sys *sys, struct event_spec *spec, const char *text, pid_t pid,
		   struct error *err);

/*
 * probed_lacking() - whether @err means that this machine or kernel does not support or permit it.
 */
bool probed_lacking(const struct error *err);

/* --- lines of tracefs --- */

struct probed_lines {
	char *text;		/* owned; those in kprobe_events, then in uprobe_events */
	unsigned int nr;	/* the number of lines that contain @part */
};

/*
 * probed_lines() - read all lines, and count those that contain @part. probed_forget() frees them.
 */
struct probed_lines probed_lines(struct sys *sys, const char *part);
void probed_forget(struct probed_lines *lines);

/*
 * probed_nr_lines() - the number of such lines. probed_nr_lines_of() - the number of lines created
 * by the processes @pids; 0 without tracefs.
 */
unsigned int probed_nr_lines(struct sys *sys, const char *part);
unsigned int probed_nr_lines_of(struct sys *sys, const pid_t *pids, unsigned int nr);

/* probed_write() - write @line to uprobe_events. Returns 0 or -errno. */
int probed_write(struct sys *sys, const char *line);

#endif
