/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Directories and files that only this test sees. */
#ifndef PLOAD_REGRESS_OWN_DIR_H
#define PLOAD_REGRESS_OWN_DIR_H

#include "test/regress/harness/regress.h"

/*
 * A file system mounted in a mount namespace of this process: it ends with the process, in whatever
 * way.
 */
struct own_dir {
	char dir[32];
};

/*
 * own_dir_make() - mount one of type @fs ("tmpfs", "bpf", "cgroup2"); skipped where it cannot be.
 * own_dir_mount(): with @options of that file system. own_dir_end() before the test returns.
 */
void own_dir_make(struct regress *t, struct own_dir *dir, const char *fs);
void own_dir_mount(struct regress *t, struct own_dir *dir, const char *fs, const char *options);
void own_dir_end(struct own_dir *dir);

/* own_dir_file() - @name, which is carried along, as an executable file in it: its path. */
void own_dir_file(struct regress *t, const struct own_dir *dir, const char *name, char path[96]);

#endif
