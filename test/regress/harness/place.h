/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The file systems that tests need, and settings that are restored at the end. */
#ifndef PLOAD_REGRESS_PLACE_H
#define PLOAD_REGRESS_PLACE_H

#include <stdbool.h>
#include <stddef.h>

struct place {
	bool alone;		/* we are process 1 of the machine: nobody else does anything */
	bool own_mounts;	/* nobody else sees what is mounted here */
	bool own_bpffs;		/* likewise /sys/fs/bpf */
	char cgroups[256];	/* where cgroup2 is mounted; "": nowhere */
	int sampling;		/* the old perf_cpu_time_max_percent; -1: it was not changed */
	char notes[2048];	/* lines: file systems that are missing, and why */
};

/*
 * place_init() - process 1 mounts all file systems that the kernel has, and does the set-up of an
 * init. Any other process, if it may, gets a mount namespace of its own and mounts there what is
 * missing; so nothing is left when it ends, however it ends.
 */
void place_init(struct place *place);

/*
 * place_first_pids() - whether this process is in the first pid namespace, whose pids the kernel
 * prints.
 */
bool place_first_pids(void);

/* place_end() - restore the settings that were changed for all. */
void place_end(struct place *place);

/*
 * place_leave() - end the program with @status. Process 1 prints "attach-regress: exit STATUS" on
 * the console, waits until that is written, and turns the machine off.
 */
_Noreturn void place_leave(const struct place *place, int status);

#endif
