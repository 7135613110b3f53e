/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A kernel made of a table of files: enough of one for what is read from sysfs, procfs and tracefs.
 */
#ifndef PLOAD_TEST_UNIT_FILES_BUILDER_H
#define PLOAD_TEST_UNIT_FILES_BUILDER_H

#include <stdbool.h>

#include "loader/core/sys/sys.h"

/*
 * The path of a file, and what is in it; the directories on the way to it are there too. A path
 * NULL ends the table.
 */
struct fake_file {
	const char *path;
	const char *text;
	int error;	/* positive errno: opening it fails so */
};

#define FILES_FD_BASE 100
#define FILES_FD_MAX 256

struct files {
	struct sys sys;	/* first: the seam hands it back */
	const struct fake_file *table;
	/*
	 * Calls that do not concern files; NULL: ENOSYS. Opens with files_take_fd() what it
	 * gives out.
	 */
	long (*other)(struct files *files, long nr, const unsigned long arg[6]);
	void *arg;
	unsigned int calls;	/* of every kind */
	unsigned int open;	/* fds that are open now: 0 at the end of a test */
	struct {
		bool used;
		char path[512];
		size_t pos;
	} fd[FILES_FD_MAX];
};

void files_init(struct files *files, const struct fake_file *table);

/* files_take_fd() - a new fd, for openat relative to @path when it is not NULL. */
int files_take_fd(struct files *files, const char *path);

#endif
