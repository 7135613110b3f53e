// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Read unsigned numbers from text; trailing text is an error. */
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "loader/core/sys/number.h"

static unsigned int digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'z' ? (unsigned int)(c - 'a') + 10 : UINT32_MAX;
}

static bool has_0x(const char *text, size_t len)
{
	return len > 2 && text[0] == '0' && (text[1] | 0x20) == 'x';
}

int number_parse_base(const char *text, size_t len, unsigned int base, uint64_t *value)
{
	uint64_t sum = 0;

	if (base == NUMBER_AS_IN_C && (has_0x(text, len) || len < 2 || text[0] != '0'))
		return number_parse(text, len, value);
	if (base == NUMBER_AS_IN_C)
		base = 8;
	if (len == 0)
		return -EINVAL;
	for (size_t i = 0; i < len; i++) {
		const unsigned int digit = digit_value(text[i]);

		if (digit >= base)
			return -EINVAL;
		if (sum > (UINT64_MAX - digit) / base)
			return -ERANGE;
		sum = sum * base + digit;
	}
	*value = sum;
	return 0;
}

int number_parse(const char *text, size_t len, uint64_t *value)
{
	if (has_0x(text, len))
		return number_parse_base(text + 2, len - 2, 16, value);
	return number_parse_base(text, len, 10, value);
}

int number_parse_id(const char *text, uint32_t *id)
{
	uint64_t value;
	int ret = number_parse_base(text, strlen(text), 10, &value);

	if (!ret && value > UINT32_MAX)
		ret = -ERANGE;
	if (!ret)
		*id = value;
	return ret;
}
