/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The place in which tests run: the file systems they look into, and what is put back. */
#ifndef PLOAD_REGRESS_PLACE_H
#define PLOAD_REGRESS_PLACE_H

#include <stdbool.h>
#include <stddef.h>

struct place {
	bool alone;		/* we are process 1 of the machine: nobody else does anything */
	bool own_mounts;	/* what is mounted here is seen by nobody else */
	bool own_bpffs;		/* likewise /sys/fs/bpf */
	char cgroups[256];	/* where cgroup2 is mounted; "": nowhere */
	int sampling;		/* what perf_cpu_time_max_percent was; -1: it was not changed */
	char notes[2048];	/* lines: what could not be had, and why */
};

/*
 * place_init() - process 1 mounts what a kernel has, and sets up what a shell would. Any other
 * process, if it may, gets a mount namespace of its own and mounts there what is missing; so that
 * nothing is left when it ends, however it ends.
 */
void place_init(struct place *place);

/*
 * place_first_pids() - whether this process is in the first namespace of processes, whose numbers
 * the kernel prints.
 */
bool place_first_pids(void);

/* place_end() - gives back what was changed for all. */
void place_end(struct place *place);

/*
 * place_leave() - the end of the program with @status. Of process 1: says so on the console as
 * "attach-regress: exit STATUS", waits until that is out, and turns the machine off.
 */
_Noreturn void place_leave(const struct place *place, int status);

#endif
