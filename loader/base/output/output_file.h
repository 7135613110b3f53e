/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The --output file, which is created atomically, and only on success. */
#ifndef PLOAD_BASE_OUTPUT_OUTPUT_FILE_H
#define PLOAD_BASE_OUTPUT_OUTPUT_FILE_H

#include "elf/error.h"

/*
 *	open	the directory of FILE, and in it an unnamed file		O_PATH, O_TMPFILE
 *	write	...
 *	finish	give it the name of FILE, or replace FILE			linkat, renameat2
 *
 * A killed process leaves no file. If unnamed files are not supported (NFS), or cannot be named
 * because there is no /proc, the file has a random name from the start. Output to a device, a pipe
 * or a descriptor (/dev/stdout) is written directly.
 *
 * Other users may be able to write to the directory while the session runs. So every path is
 * relative to the open directory, and symbolic links are read through their own descriptors.
 */
struct output_file {
	int fd;			/* owned, except descriptors 1 and 2 */
	char *path;		/* owned; FILE as given by the user; NULL: standard output */
	int dir_fd;		/* owned; directory of the file to replace; -1: none */
	char *name;		/* owned; the file's name there */
	char temporary[32];	/* its name until then; "": unnamed */
};

/* Without --output: standard output. */
#define OUTPUT_FILE_STDOUT ((struct output_file){ .fd = 1, .dir_fd = -1 })

/**
 * output_file_open() - Open what will become @path; "-" is standard output. Follows symbolic links
 * and replaces the file they lead to. The new file gets the old one's mode and, if permitted, its
 * owner and group. Refuses another user's file or link in a sticky directory.
 * output_file_finish() - Give the file its name, once everything is written.
 * output_file_close() - Close it. Without output_file_finish(), @path is unchanged.
 *
 * Return: 0 or -errno ("output/open", "output/failed"), with @path as the error context.
 */
int output_file_open(struct output_file *file, const char *path, struct error *err);
int output_file_finish(struct output_file *file, struct error *err);
void output_file_close(struct output_file *file);

#endif
