/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The file of --output, which is created atomically, and only on success. */
#ifndef PLOAD_BASE_OUTPUT_OUTPUT_FILE_H
#define PLOAD_BASE_OUTPUT_OUTPUT_FILE_H

#include "elf/error.h"

/*
 *	open	the directory of FILE, and in it an unnamed file		O_PATH, O_TMPFILE
 *	write	...
 *	finish	give it the name of FILE, or replace FILE			linkat, renameat2
 *
 * A process that is killed leaves no file. If unnamed files are not supported (NFS), or cannot be
 * named because there is no /proc, the file has a random name from the beginning. Output to a
 * device, a pipe or a descriptor (/dev/stdout) is written directly.
 *
 * Other users may be able to write to the directory while the session runs. So every path is
 * relative to the opened directory, and a symbolic link is read through its own descriptor.
 */
struct output_file {
	int fd;			/* owned, except descriptors 1 and 2 */
	char *path;		/* owned; FILE as the user has given it; NULL: standard output */
	int dir_fd;		/* owned; the directory of the file to replace; -1: none is */
	char *name;		/* owned; its name there */
	char temporary[32];	/* its name until then; "": none */
};

/* Without --output: standard output. */
#define OUTPUT_FILE_STDOUT ((struct output_file){ .fd = 1, .dir_fd = -1 })

/**
 * output_file_open() - Open what will become @path; "-" is standard output. A symbolic link is
 * followed, and the file that it names is replaced. The new file gets its mode and, if permitted,
 * its owner and group. A file or link of another user in a sticky directory is refused.
 * output_file_finish() - Give it its name; call it once everything is written.
 * output_file_close() - Close it. Without output_file_finish(), @path is as it was before.
 *
 * Return: 0 or -errno ("output/open", "output/failed"), with @path as the error context.
 */
int output_file_open(struct output_file *file, const char *path, struct error *err);
int output_file_finish(struct output_file *file, struct error *err);
void output_file_close(struct output_file *file);

#endif
