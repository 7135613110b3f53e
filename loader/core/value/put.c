// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Format numbers, bytes and strings, and escape everything that a terminal interprets. */
#include <stdio.h>

#include "loader/core/value/put.h"
#include "loader/core/value/value.h"

static const char hex_digit[] = "0123456789abcdef";

/* --- numbers --- */

/* "00" to "99" */
static const char pairs[] =
	"00010203040506070809101112131415161718192021222324252627282930313233343536373839"
	"40414243444546474849505152535455565758596061626364656667686970717273747576777879"
	"8081828384858687888990919293949596979899";

/* The pairs are independent of each other, unlike in a loop. */
static char *put_8_digits(char *to, uint32_t v)
{
	const uint32_t upper = v / 10000, lower = v % 10000;

	memcpy(to, pairs + 2 * (upper / 100), 2);
	memcpy(to + 2, pairs + 2 * (upper % 100), 2);
	memcpy(to + 4, pairs + 2 * (lower / 100), 2);
	memcpy(to + 6, pairs + 2 * (lower % 100), 2);
	return to + 8;
}

static unsigned int nr_digits(uint32_t v)
{
	static const uint32_t powers[] = { 0, 10, 100, 1000, 10000, 100000, 1000000, 10000000,
					   100000000, 1000000000 };
	const unsigned int bits = 32 - __builtin_clz(v | 1);
	const unsigned int digits = bits * 1233 >> 12;	/* log10(2) is 1233 / 4096 */

	return digits + (v >= powers[digits]);
}

char *put_u32(char *to, uint32_t v)
{
	char *const end = to + nr_digits(v), *p = end;

	for (; v >= 100; v /= 100) {
		p -= 2;
		memcpy(p, pairs + 2 * (v % 100), 2);
	}
	if (v >= 10)
		memcpy(to, pairs + 2 * v, 2);
	else
		*to = '0' + v;
	return end;
}

char *put_u64(char *to, uint64_t v)
{
	if (v <= UINT32_MAX)
		return put_u32(to, v);
	return put_8_digits(put_u64(to, v / 100000000), v % 100000000);
}

char *put_s64(char *to, int64_t v)
{
	if (v >= 0)
		return put_u64(to, v);
	*to = '-';
	return put_u64(to + 1, -(uint64_t)v);
}

char *put_double(char *to, double v)
{
	const int n = snprintf(to, PUT_DOUBLE_MAX, "%.17g", v);

	return strpbrk(to, ".en") ? to + n : put(to + n, ".0", 3) - 1;
}

char *put_hex(char *to, uint64_t v, unsigned int digits)
{
	for (unsigned int i = digits; i-- > 0;)
		*to++ = hex_digit[v >> 4 * i & 15];
	return to;
}

char *put_address(char *to, uint64_t v)
{
	const unsigned int digits = v ? (67 - __builtin_clzll(v)) / 4 : 1;

	return put_hex(put(to, "0x", 2), v, digits);
}

char *put_bytes(char *to, struct bytes b, bool groups)
{
	for (size_t i = 0; i < b.size; i++) {
		if (groups && i && i % 4 == 0)
			*to++ = ' ';
		*to++ = hex_digit[b.data[i] >> 4];
		*to++ = hex_digit[b.data[i] & 15];
	}
	return to;
}

/* --- characters --- */

/* RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF. */
unsigned int text_decode(const unsigned char *s, size_t size, uint32_t *c)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned int n = 0;

	if (s[0] < 0x80)
		n = 1;
	else if (s[0] >= 0xc2 && s[0] < 0xf5)
		n = s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
	if (!n || n > size)
		return 0;
	*c = n == 1 ? s[0] : s[0] & (0x7f >> n);
	for (unsigned int i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		*c = *c << 6 | (s[i] & 0x3f);
	}
	if (*c < least[n] || *c > 0x10ffff || (*c >= 0xd800 && *c < 0xe000))
		return 0;
	return n;
}

/* Return true if a terminal interprets @c: C0, DEL, C1, bidirectional controls. */
static bool is_control(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x61c || c == 0x200e || c == 0x200f ||
	       (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

bool text_character(const unsigned char *s, size_t size, unsigned int *n, uint32_t *c)
{
	const unsigned int valid = text_decode(s, size, c);

	*n = valid ? valid : 1;
	if (!valid)
		*c = s[0];
	return valid && !is_control(*c);
}

/* --- strings --- */

/* Write a character that JSON does not allow or a terminal interprets. */
static char *put_json_escape(char *to, uint32_t c)
{
	static const char from[] = "\b\n\r\t\f\"\\", names[] = "bnrtf\"\\";
	const char *at = c ? memchr(from, c, sizeof(from) - 1) : NULL;

	*to++ = '\\';
	if (at && c < 0x80) {
		*to++ = names[at - from];
		return to;
	}
	*to++ = 'u';
	return put_hex(to, c, 4);
}

char *put_json_string(char *to, const char *string, size_t size)
{
	const unsigned char *s = (const unsigned char *)string;
	unsigned int n;
	uint32_t c = 0;

	*to++ = '"';
	for (size_t i = 0; i < size;) {
		if (s[i] >= 0x20 && s[i] < 0x7f && s[i] != '"' && s[i] != '\\') {
			*to++ = s[i++];
			continue;
		}
		if (!text_character(s + i, size - i, &n, &c) || c < 0x80)
			to = put_json_escape(to, c);
		else
			to = put(to, s + i, n);
		i += n;
	}
	*to++ = '"';
	return to;
}

/* Octal has at most three digits, so a following digit is not swallowed, as with \x. */
static char *put_escaped(char *to, const unsigned char *s, size_t size, char quote,
			 unsigned int *n)
{
	uint32_t c = 0;

	if (text_character(s, size, n, &c)) {
		if (quote && (c == (unsigned char)quote || c == '\\'))
			*to++ = '\\';
		return put(to, s, *n);
	}
	if (*n == 1 && (s[0] == '\n' || s[0] == '\t' || s[0] == '\r')) {
		*to++ = '\\';
		*to++ = s[0] == '\n' ? 'n' : s[0] == '\t' ? 't' : 'r';
		return to;
	}
	for (unsigned int i = 0; i < *n; i++) {
		*to++ = '\\';
		*to++ = '0' + (s[i] >> 6);
		*to++ = '0' + (s[i] >> 3 & 7);
		*to++ = '0' + (s[i] & 7);
	}
	return to;
}

/* Write the first character of @s as text, and return its size in bytes in @n. */
static inline char *put_character(char *to, const unsigned char *s, size_t size, char quote,
				  unsigned int *n)
{
	if (s[0] < ' ' || s[0] > '~' || s[0] == (unsigned char)quote || s[0] == '\\')
		return put_escaped(to, s, size, quote, n);
	*to++ = s[0];
	*n = 1;
	return to;
}

char *put_text(char *to, const char *string, size_t size, char quote)
{
	const unsigned char *s = (const unsigned char *)string;
	unsigned int n;

	if (quote)
		*to++ = quote;
	for (size_t i = 0; i < size; i += n)
		to = put_character(to, s + i, size - i, quote, &n);
	if (quote)
		*to++ = quote;
	return to;
}

size_t text_escape(char *to, const char *s, size_t size)
{
	char *const end = put_text(to, s, size, 0);

	*end = '\0';
	return end - to;
}

void text_print(FILE *file, const char *string, size_t size, char quote)
{
	const unsigned char *s = (const unsigned char *)string;
	char buffer[256], *to = buffer;
	unsigned int n;

	if (quote)
		*to++ = quote;
	for (size_t i = 0; i < size; i += n) {
		to = put_character(to, s + i, size - i, quote, &n);
		if (to > buffer + sizeof(buffer) - 4 * ESCAPED_MAX - 1) {
			fwrite(buffer, 1, to - buffer, file);
			to = buffer;
		}
	}
	if (quote)
		*to++ = quote;
	fwrite(buffer, 1, to - buffer, file);
}
