/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Read unsigned numbers from text; trailing text is an error. */
#ifndef PLOAD_CORE_SYS_NUMBER_H
#define PLOAD_CORE_SYS_NUMBER_H

#include <stddef.h>
#include <stdint.h>

#define NUMBER_AS_IN_C 0	/* as base: 12 is decimal, 0x1f hexadecimal, 017 octal */

/**
 * number_parse() - Parse a decimal or 0x hexadecimal number; 017 is 17.
 * @len: all of these bytes must belong to the number: no sign, no blanks.
 *
 * number_parse_base() - Like number_parse(), in base 2 to 36 without 0x, or NUMBER_AS_IN_C.
 *
 * number_parse_id() - Parse the decimal id of a program, map or link.
 *
 * Return: 0; -EINVAL if it is not a number; -ERANGE if it does not fit into 64 bits (an id: 32).
 * *@value is set only on success.
 */
int number_parse(const char *text, size_t len, uint64_t *value);
int number_parse_base(const char *text, size_t len, unsigned int base, uint64_t *value);
int number_parse_id(const char *text, uint32_t *id);

#endif
