/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Read unsigned numbers from text; the whole text has to be the number. */
#ifndef PLOAD_CORE_SYS_NUMBER_H
#define PLOAD_CORE_SYS_NUMBER_H

#include <stddef.h>
#include <stdint.h>

#define NUMBER_AS_IN_C 0	/* a base: 12 is decimal, 0x1f hexadecimal and 017 octal */

/**
 * number_parse() - Read a decimal or 0x hexadecimal number; 017 is 17.
 * @len: each of these bytes has to belong to the number: no sign, no blank.
 *
 * number_parse_base() - The same to base 2 to 36, without 0x, or NUMBER_AS_IN_C.
 *
 * number_parse_id() - Read the decimal id of a program, map or link from the whole string.
 *
 * Return: 0; -EINVAL if it is no number; -ERANGE if it does not fit 64 bits, or an id 32. Only 0
 * sets *@value.
 */
int number_parse(const char *text, size_t len, uint64_t *value);
int number_parse_base(const char *text, size_t len, unsigned int base, uint64_t *value);
int number_parse_id(const char *text, uint32_t *id);

#endif
