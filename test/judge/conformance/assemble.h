/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The object language of docs/loading/: its text becomes a BPF ELF file. */
#ifndef PLOAD_TEST_JUDGE_ASSEMBLE_H
#define PLOAD_TEST_JUDGE_ASSEMBLE_H

#include <stddef.h>

/**
 * assemble() - Assemble the object that @text of @len bytes describes, in this machine's byte order.
 * @size: set to its size
 * @error: if it is wrong, "line 3: unknown item 'sction'"
 *
 * The same text becomes the same bytes. docs/loading/README.md describes the language.
 * Return: the object, which the caller frees, or NULL.
 */
unsigned char *assemble(const char *text, size_t len, size_t *size, char *error, size_t error_size);

#endif
