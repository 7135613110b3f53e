/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Processes that use CPUs at random moments, to make races more likely. */
#ifndef PLOAD_REGRESS_DISTURB_H
#define PLOAD_REGRESS_DISTURB_H

#include <sys/types.h>

struct disturb {
	pid_t *pids;		/* owned; one for each CPU that this process may use */
	unsigned int nr;
};

/*
 * disturb_begin() - start them, each bound to its CPU, as tasks of SCHED_FIFO, or before Linux 5.11
 * with a nice value of -20. Returns 0 or -errno: EPERM or EACCES without CAP_SYS_NICE, and then
 * none is started. They end when this process does. disturb_end() in any case.
 */
int disturb_begin(struct disturb *d);
void disturb_end(struct disturb *d);

#endif
