/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Directories and files that only this test can see. */
#ifndef PLOAD_REGRESS_OWN_DIR_H
#define PLOAD_REGRESS_OWN_DIR_H

#include "test/regress/harness/regress.h"

/*
 * A file system mounted in a mount namespace of this process: it goes away with the process,
 * however that ends.
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

/* own_dir_file() - the path of the embedded file @name, as an executable in the directory. */
void own_dir_file(struct regress *t, const struct own_dir *dir, const char *name, char path[96]);

#endif
