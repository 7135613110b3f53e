/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Print the types of BTF as C that a compiler takes. */
#ifndef PLOAD_TOOLS_INSPECT_TYPES_C_TYPES_H
#define PLOAD_TOOLS_INSPECT_TYPES_C_TYPES_H

#include "elf/btf.h"
#include "elf/error.h"

/**
 * c_types_print() - Print every named type of @btf, those of its base only where they are needed.
 * @print: called with the text of one type, which ends with a newline, or of several types that
 *	contain each other; returns 0, or an error that ends it
 *
 * Also of BTF that was only indexed. Return: 0, -ENOMEM, the error of @print, or -E2BIG if types
 * contain each other so often that their text is not in proportion to the BTF; those before the one
 * that @err names were printed.
 */
int c_types_print(const struct btf *btf,
		  int (*print)(void *arg, uint32_t id, const char *text, size_t size), void *arg,
		  struct error *err);

#endif
