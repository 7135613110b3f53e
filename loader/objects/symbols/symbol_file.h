/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* An executable or library, of which only headers and symbol tables are read. */
#ifndef PLOAD_OBJECTS_SYMBOLS_SYMBOL_FILE_H
#define PLOAD_OBJECTS_SYMBOLS_SYMBOL_FILE_H

#include "elf/exec/exec.h"
#include "loader/core/sys/sys.h"

struct symbol_piece {
	uint64_t off;
	struct bytes bytes;	/* owned */
};

struct symbol_file {
	char *path;		/* owned */
	struct sys *sys;	/* borrowed */
	int fd;			/* owned */
	uint64_t dev, ino;
	struct exec exec;	/* owned; with its symbols */
	struct symbol_piece *pieces;	/* owned; read so far */
	uint32_t nr_pieces;
	uint64_t total, total_max;	/* bytes of all pieces */
};

/*
 * symbol_file_of() - Open the file @fd, for any machine, and take ownership of @fd. Fails with
 *	"symbols/no-file", "symbols/not-elf" or "symbols/damaged".
 * @total_max: maximum bytes of headers and symbols to read
 */
int symbol_file_of(struct sys *sys, const char *path, int fd, uint64_t total_max,
		   struct symbol_file **file, struct error *err);
void symbol_file_close(struct symbol_file *file);

#endif
