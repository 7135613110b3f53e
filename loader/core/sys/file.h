/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A file in memory whose blocks are read on demand. */
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
 * Each byte is read only once, so a concurrent writer cannot change bytes that were already
 * checked. The file is not mapped, because truncating a mapped file raises SIGBUS.
 *
 * The struct must not move after file_open(). All zero means closed.
 */
struct file {
	struct source source;	/* reads from the file, until file_close() */
	struct sys *sys;		/* borrowed */
	int fd;				/* owned */
	unsigned char *memory;		/* owned; the allocation that contains data */
	unsigned char *data;		/* same size as the file */
	unsigned char *present;		/* owned; one bit per block of the file */
};

/**
 * file_open() - Open a regular file of at most @size_max bytes and read its first 64 KiB, so that
 * small files are read at once. On failure @file is closed.
 *
 * Return: 0 or -errno: EISDIR or EINVAL if it is not a regular file, EFBIG, ENOMEM. source.get()
 * also fails with EBADMSG if the file was truncated.
 */
int file_open(struct file *file, struct sys *sys, const char *path, uint64_t size_max,
	      struct error *err);

/** file_done() - Close the descriptor. The bytes read so far stay valid until file_close(). */
void file_done(struct file *file);
void file_close(struct file *file);

#endif
