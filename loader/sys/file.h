/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A file of which no more is read than somebody looks at. */
#ifndef PLOAD_SYS_FILE_H
#define PLOAD_SYS_FILE_H

#include "elf/bytes.h"
#include "elf/error.h"
#include "loader/sys/sys.h"

/*
 * The bytes lie in memory as in the file, with holes where nothing was read; only what source.get()
 * has given may be looked at. No byte is read twice: who writes to the file meanwhile cannot change
 * what has been checked. Read and not mapped: a mapped file that somebody truncates is a SIGBUS.
 *
 * Stays where it is from file_open() on. Zeroed is closed.
 */
struct file {
	struct source source;	/* gives its bytes, until file_close() */
	struct sys *sys;		/* borrowed */
	int fd;				/* owned */
	unsigned char *data;		/* owned; as large as the file */
	unsigned char *present;		/* owned; a bit for each block of the file */
};

/*
 * file_open() - the regular file at @path, of at most @size_max bytes, with its first 64 KiB: small
 * files are read at once. Fails with the errno of the file, EISDIR or EINVAL when it is none (what
 * it is then), EFBIG, ENOMEM; on failure @file is closed.
 *
 * get() fails as read does, and with EBADMSG when the file has become shorter.
 */
int file_open(struct file *file, struct sys *sys, const char *path, uint64_t size_max,
	      struct error *err);

/* file_done() - nothing more will be asked for: what has been given stays, the file is closed. */
void file_done(struct file *file);
void file_close(struct file *file);

#endif
