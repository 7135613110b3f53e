/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The file of --output, which gets its name when it is complete: it appears whole or not at all. */
#ifndef PLOAD_BASE_OUTPUT_OUTPUT_FILE_H
#define PLOAD_BASE_OUTPUT_OUTPUT_FILE_H

#include "elf/error.h"

/*
 *	open	the directory of FILE, and in it a file without a name		O_PATH, O_TMPFILE
 *	write	...
 *	finish	it gets the name of FILE, or replaces FILE			linkat, renameat2
 *
 * A process that is killed leaves nothing. Where a file without a name is not possible (NFS; no
 * /proc, by which it is named), it has a random name from the beginning. A device, a pipe and a
 * descriptor (/dev/stdout) are written as the output comes.
 *
 * Others may be able to write to the directory, and a session is long. Everything is therefore
 * relative to the directory that was opened, and a link is read from the descriptor of the link.
 */
struct output_file {
	int fd;			/* owned, except descriptors 1 and 2 */
	char *path;		/* owned; FILE as the user has given it; NULL: standard output */
	int dir_fd;		/* owned; the directory of the file to replace; -1: none is */
	char *name;		/* owned; its name there */
	char temporary[32];	/* the name before that; "": it has none */
};

/* The file of no --output: standard output. */
#define OUTPUT_FILE_STDOUT ((struct output_file){ .fd = 1, .dir_fd = -1 })

/**
 * output_file_open() - Open what will become @path; "-" is standard output. A symbolic link is
 * followed: the file that it names is replaced, and keeps its mode and, as far as the process may
 * do that, its owner and group. What another user has put into a sticky directory is refused.
 * output_file_finish() - Give it its name; call it once everything is written.
 * output_file_close() - Close it. Without output_file_finish(), @path is as it was before.
 *
 * Return: 0 or -errno ("output/open", "output/failed"), with @path as the error context.
 */
int output_file_open(struct output_file *file, const char *path, struct error *err);
int output_file_finish(struct output_file *file, struct error *err);
void output_file_close(struct output_file *file);

#endif
