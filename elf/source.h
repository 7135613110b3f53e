/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Where the bytes of a file come from: memory, or somebody who reads what is asked for, no more. */
#ifndef PLOAD_ELF_SOURCE_H
#define PLOAD_ELF_SOURCE_H

#include "elf/bytes.h"
#include "elf/error.h"

/*
 * get() gives the @len bytes at @off, which lie inside @size. They stay as they are until the
 * source is closed: what has been checked is what is used. Returns 0, or fails with why they cannot
 * be had.
 */
struct elf_source {
	uint64_t size;	/* of the file */
	int (*get)(void *arg, uint64_t off, uint64_t len, struct bytes *out, struct error *err);
	void *arg;
};

/*
 * elf_source_memory() - a file that is in memory as a whole. @file is borrowed, and what it views.
 */
struct elf_source elf_source_memory(struct bytes *file);

#endif
