/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Directories and files that only this test sees. */
#ifndef PLOAD_REGRESS_PLACE_H
#define PLOAD_REGRESS_PLACE_H

#include "test/regress/harness/regress.h"

/* A file system mounted in a mount namespace of this process: gone with it, however it ends. */
struct place {
	char dir[32];
};

/*
 * place_make() - mount one of type @fs ("tmpfs", "bpf", "cgroup2"); skipped where it cannot be.
 * place_end() before the test returns.
 */
void place_make(struct regress *t, struct place *place, const char *fs);
void place_end(struct place *place);

/* place_file() - @name, which is carried along, as an executable file in it: its path. */
void place_file(struct regress *t, const struct place *place, const char *name, char path[96]);

#endif
