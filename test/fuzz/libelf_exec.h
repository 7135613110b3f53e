/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Compare an executable or library as read by libelf with the result of our reader. */
#ifndef PLOAD_TEST_FUZZ_LIBELF_EXEC_H
#define PLOAD_TEST_FUZZ_LIBELF_EXEC_H

#include "elf/exec/exec.h"

struct libelf_exec {
	unsigned long symbols, versions, offsets;	/* found equal */
	char difference[256];
};

/*
 * libelf_exec_agrees() - compare every symbol, its version and its place in the file, of @file.
 * false: what the first difference is stands in @seen.
 */
bool libelf_exec_agrees(struct bytes file, struct libelf_exec *seen);

#endif
