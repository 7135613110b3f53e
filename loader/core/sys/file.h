/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A file in memory, of which only the blocks that are used are read. */
#ifndef PLOAD_CORE_SYS_FILE_H
#define PLOAD_CORE_SYS_FILE_H

#include "elf/bytes.h"
#include "elf/error.h"
#include "loader/core/sys/sys.h"

/*
 *	file	|block|block|block|block|block|blo
 *	present	   1     1     0     1     0    0	bits
 *	data	 bytes bytes   .   bytes   .    .	'.' is untouched memory
 *
 * No byte is read twice, so a writer cannot change bytes that were already checked. The file is
 * read and not mapped: a mapped file that somebody truncates causes a SIGBUS.
 *
 * The struct must not move after file_open(). Zeroed is closed.
 */
struct file {
	struct source source;	/* passes on its bytes, until file_close() */
	struct sys *sys;		/* borrowed */
	int fd;				/* owned */
	unsigned char *memory;		/* owned; data lies in it */
	unsigned char *data;		/* as large as the file */
	unsigned char *present;		/* owned; one bit for each block of the file */
};

/**
 * file_open() - Open a regular file of at most @size_max bytes and read its first 64 KiB, so that a
 * small file is read at once. On failure @file is closed.
 *
 * Return: 0 or -errno: EISDIR or EINVAL if it is no regular file, EFBIG, ENOMEM. source.get() also
 * fails with EBADMSG if the file has been truncated.
 */
int file_open(struct file *file, struct sys *sys, const char *path, uint64_t size_max,
	      struct error *err);

/** file_done() - Close the descriptor; bytes that were read stay valid until file_close(). */
void file_done(struct file *file);
void file_close(struct file *file);

#endif
