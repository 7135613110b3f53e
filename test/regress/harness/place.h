/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The file systems that tests need, and settings that are restored at the end. */
#ifndef PLOAD_REGRESS_PLACE_H
#define PLOAD_REGRESS_PLACE_H

#include <stdbool.h>
#include <stddef.h>

struct place {
	bool alone;		/* we are process 1 of the machine: there are no other users */
	bool own_mounts;	/* nobody else sees our mounts */
	bool own_bpffs;		/* likewise /sys/fs/bpf */
	char cgroups[256];	/* where cgroup2 is mounted; "": it is not */
	int sampling;		/* the old perf_cpu_time_max_percent; -1: unchanged */
	char notes[2048];	/* lines: missing file systems, and why they are missing */
};

/*
 * place_init() - process 1 mounts every file system that the kernel has, and does the work of an
 * init. Any other process mounts what is missing in a mount namespace of its own, if it may, so
 * that nothing is left however it ends.
 */
void place_init(struct place *place);

/*
 * place_first_pids() - whether this process is in the initial pid namespace, whose pids the kernel
 * prints.
 */
bool place_first_pids(void);

/* place_end() - restore system-wide settings. */
void place_end(struct place *place);

/*
 * place_leave() - exit with @status. Process 1 prints "attach-regress: exit STATUS" on the console,
 * waits until that is written, and powers off the machine.
 */
_Noreturn void place_leave(const struct place *place, int status);

#endif
