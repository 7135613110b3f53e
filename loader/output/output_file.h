/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The file of --output, which gets its name when it is complete: it appears whole or not at all. */
#ifndef PLOAD_OUTPUT_OUTPUT_FILE_H
#define PLOAD_OUTPUT_OUTPUT_FILE_H

#include <stdbool.h>

#include "elf/error.h"

/*
 *	open	a file without a name, in the directory of @path	O_TMPFILE
 *	write	...
 *	finish	it gets the name @temporary, which replaces @path	linkat, renameat2
 *
 * A process that is killed leaves nothing. Where the file system has no files without a name (NFS),
 * the file is called @temporary from the beginning. A device, a pipe and descriptor 1 are written
 * as they come.
 */
struct output_file {
	int fd;			/* owned, except descriptor 1 */
	char *path;		/* owned; the file to replace; NULL: none is replaced */
	char *temporary;	/* owned */
	bool named;		/* @temporary exists */
};

/* The file of no --output: standard output. */
#define OUTPUT_FILE_STDOUT ((struct output_file){ .fd = 1 })

/**
 * output_file_open() - Open what will become @path; "-" is standard output. A symbolic link is
 * followed: the file that it names is replaced.
 * output_file_finish() - Give it its name; call it once everything is written.
 * output_file_close() - Close it. Without output_file_finish(), @path is as it was before.
 *
 * Return: 0 or -errno ("output/open", "output/failed"), with @path as the error context.
 */
int output_file_open(struct output_file *file, const char *path, struct error *err);
int output_file_finish(struct output_file *file, struct error *err);
void output_file_close(struct output_file *file);

#endif
