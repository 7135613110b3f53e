// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Write one record by the fields of its type, with the bytes that its message would print. */
#include <math.h>

#include "loader/value/writer.h"
#include "loader/value/value.h"

/* A run of at least so many equal elements is printed once, as value_print() does. */
#define RUN_MIN 8

/* More bytes than this are printed as a dump of several lines, which messages do. */
#define INLINE_BYTES 32

static const char hex_digit[] = "0123456789abcdef";

/* --- numbers and strings --- */

static char *put(char *to, const void *text, size_t size)
{
	memcpy(to, text, size);
	return to + size;
}

/* Both have room for WRITER_SLACK more bytes, so that most texts are one move of a register. */
static char *put_short(char *to, const char *text, size_t size)
{
	for (size_t i = 0; i < size; i += WRITER_SLACK)
		memcpy(to + i, text + i, WRITER_SLACK);
	return to + size;
}

/* "00" to "99" */
static const char pairs[] =
	"00010203040506070809101112131415161718192021222324252627282930313233343536373839"
	"40414243444546474849505152535455565758596061626364656667686970717273747576777879"
	"8081828384858687888990919293949596979899";

/* The pairs do not wait for each other, as those of a loop would. */
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

static char *put_u32(char *to, uint32_t v)
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

static char *put_u64(char *to, uint64_t v)
{
	if (v <= UINT32_MAX)
		return put_u32(to, v);
	return put_8_digits(put_u64(to, v / 100000000), v % 100000000);
}

static char *put_s64(char *to, int64_t v)
{
	if (v >= 0)
		return put_u64(to, v);
	*to = '-';
	return put_u64(to + 1, -(uint64_t)v);
}

static char *put_hex(char *to, uint64_t v, unsigned int digits)
{
	for (unsigned int i = digits; i-- > 0;)
		*to++ = hex_digit[v >> 4 * i & 15];
	return to;
}

static unsigned int hex_digits(uint64_t v)
{
	return v ? (67 - __builtin_clzll(v)) / 4 : 1;
}

/* Text has groups of four bytes. */
static char *put_bytes(char *to, struct bytes b, bool groups)
{
	for (size_t i = 0; i < b.size; i++) {
		if (groups && i && i % 4 == 0)
			*to++ = ' ';
		*to++ = hex_digit[b.data[i] >> 4];
		*to++ = hex_digit[b.data[i] & 15];
	}
	return to;
}

/* Write a character that JSON does not take, or a terminal acts on. */
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

char *put_text(char *to, const char *s, size_t size, char quote)
{
	size_t i = 0;

	if (quote)
		*to++ = quote;
	for (; i < size && s[i] >= ' ' && s[i] <= '~' && s[i] != quote && s[i] != '\\'; i++)
		*to++ = s[i];
	for (size_t plain; i < size; i += plain + 1) {
		for (plain = 0; i + plain < size; plain++)
			if (quote && (s[i + plain] == quote || s[i + plain] == '\\'))
				break;
		to += text_escape(to, s + i, plain);
		if (i + plain < size) {
			*to++ = '\\';
			*to++ = s[i + plain];
		}
	}
	if (quote)
		*to++ = quote;
	return to;
}

/* --- fields --- */

#define LOAD(type, from) ({ type value_; memcpy(&value_, from, sizeof(value_)); value_; })

static const struct field_name *find_name(const struct record_writer *w, const struct field *f,
					  uint64_t v)
{
	uint32_t first = 0, end = f->nr_names;
	const struct field_name *names = w->names + f->names;

	while (first < end) {
		const uint32_t middle = first + (end - first) / 2;

		if (names[middle].value == v)
			return &names[middle];
		if (names[middle].value < v)
			first = middle + 1;
		else
			end = middle;
	}
	return NULL;
}

static char *put_number(const struct record_writer *w, char *to, const struct field *f,
			const unsigned char *from)
{
	uint64_t v = value_bits((struct bytes){ from, f->size }, f->first_bit, f->bits);
	const struct field_name *name;

	if (f->is_signed)
		v = value_sign_extend(v, f->bits);
	name = find_name(w, f, v);
	if (name)
		return put_short(to, w->text + name->text, name->text_size);
	if (f->is_bool && v < 2)
		return v ? put(to, "true", 4) : put(to, "false", 5);
	return f->is_signed ? put_s64(to, v) : put_u64(to, v);
}

static char *put_word(char *to, const char *word, bool json)
{
	if (json)
		*to++ = '"';
	to = put(to, word, strlen(word));
	if (json)
		*to++ = '"';
	return to;
}

static char *put_float(char *to, const struct field *f, const unsigned char *from, bool json)
{
	const double v = f->size == 4 ? (double)LOAD(float, from) : LOAD(double, from);
	char text[VALUE_DOUBLE_MAX];

	if (!isfinite(v))
		return put_word(to, isnan(v) ? "nan" : v < 0 ? "-inf" : "inf", json);
	return put(to, text, value_double_text(text, v));
}

static char *put_address(char *to, const struct field *f, const unsigned char *from, bool json)
{
	const unsigned __int128 wide = f->kind == FIELD_WIDE ? LOAD(unsigned __int128, from) :
							       LOAD(uint64_t, from);

	if (json)
		*to++ = '"';
	to = put(to, "0x", 2);
	if (f->kind == FIELD_WIDE)
		to = put_hex(to, wide >> 64, 16);
	to = put_hex(to, wide, f->kind == FIELD_WIDE ? 16 : hex_digits(wide));
	if (json)
		*to++ = '"';
	return to;
}

static char *put_hex_string(char *to, struct bytes b, bool json)
{
	if (!json)
		return put_bytes(to, b, true);
	*to++ = '"';
	to = put_bytes(to, b, false);
	*to++ = '"';
	return to;
}

/* Return true if the chars are text: see value_decode(). */
static bool are_text(const unsigned char *s, size_t size)
{
	if (size && !s[0])
		for (size_t i = 1; i < size; i++)
			if (s[i])
				return false;
	return true;
}

static char *put_fields(const struct record_writer *w, char *to, const struct field *f,
			const unsigned char *from);

/* Text prints {5, 0 <repeats 63 times>}. */
static char *put_array_text(const struct record_writer *w, char *to, const struct field *f,
			    const unsigned char *from)
{
	for (uint32_t i = 0, run; i < f->count; i += run) {
		const char *begin;
		size_t size;

		if (i)
			to = put(to, ", ", 2);
		begin = to;
		to = put_fields(w, to, f + 1, from + (size_t)i * f->size);
		size = to - begin;
		for (run = 1; i + run < f->count; run++) {
			const char *end =
				put_fields(w, to, f + 1, from + (size_t)(i + run) * f->size);

			if ((size_t)(end - to) != size || memcmp(begin, to, size))
				break;
		}
		if (run < RUN_MIN) {
			run = 1;
			continue;
		}
		to = put(to, " <repeats ", 10);
		to = put_u64(to, run);
		to = put(to, " times>", 7);
	}
	return to;
}

static char *put_array(const struct record_writer *w, char *to, const struct field *f,
		       const unsigned char *from)
{
	*to++ = w->json ? '[' : '{';
	for (uint32_t i = 0; w->json && i < f->count; i++, from += f->size) {
		if (i)
			*to++ = ',';
		to = put_fields(w, to, f + 1, from);
	}
	if (!w->json)
		to = put_array_text(w, to, f, from);
	*to++ = w->json ? ']' : '}';
	return to;
}

/* Write the fields from @f on up to a FIELD_END. @from: the record or the element. */
static char *put_fields(const struct record_writer *w, char *to, const struct field *f,
			const unsigned char *from)
{
	for (;; f++) {
		const unsigned char *at = from + f->offset;

		to = put_short(to, w->text + f->text, f->text_size);
		switch (f->kind) {
		case FIELD_U8:	to = put_u32(to, *at); break;
		case FIELD_U16:	to = put_u32(to, LOAD(uint16_t, at)); break;
		case FIELD_U32:	to = put_u32(to, LOAD(uint32_t, at)); break;
		case FIELD_U64:	to = put_u64(to, LOAD(uint64_t, at)); break;
		case FIELD_S8:	to = put_s64(to, (int8_t)*at); break;
		case FIELD_S16:	to = put_s64(to, LOAD(int16_t, at)); break;
		case FIELD_S32:	to = put_s64(to, LOAD(int32_t, at)); break;
		case FIELD_S64:	to = put_s64(to, LOAD(int64_t, at)); break;
		case FIELD_NUMBER:
			to = put_number(w, to, f, at);
			break;
		case FIELD_WIDE:
		case FIELD_POINTER:
			to = put_address(to, f, at, w->json);
			break;
		case FIELD_FLOAT:
			to = put_float(to, f, at, w->json);
			break;
		case FIELD_BYTES:
			to = put_hex_string(to, (struct bytes){ at, f->size }, w->json);
			break;
		case FIELD_CHARS: {
			const size_t size = strnlen((const char *)at, f->size);

			if (!are_text(at, f->size))
				break;	/* by the field after it */
			to = w->json ? put_json_string(to, (const char *)at, size) :
				       put_text(to, (const char *)at, size, '"');
			f = w->fields + f->next - 1;
			break;
		}
		case FIELD_ARRAY:
			to = put_array(w, to, f, at);
			f = w->fields + f->next - 1;
			break;
		case FIELD_END:
			return to;
		}
	}
}

/* --- records --- */

size_t record_writer_room(const struct record_writer *w, const struct record_parts *r)
{
	if (w->fields ? r->value.size < w->size : !w->json && r->value.size > INLINE_BYTES)
		return 0;
	if (w->flexible && r->value.size > w->size)
		return 0;
	if (!w->json && r->payload.size > INLINE_BYTES)
		return 0;
	return w->map_size + 64 + WRITER_SLACK + w->max + 3 * r->value.size + 3 * r->payload.size;
}

static char *put_value(const struct record_writer *w, char *to, struct bytes value)
{
	return w->fields ? put_fields(w, to, w->fields, value.data) :
			   put_hex_string(to, value, w->json);
}

char *record_writer_put(const struct record_writer *w, char *to, const struct record_parts *r)
{
	to = put_short(to, w->text + w->map, w->map_size);
	if (r->cpu >= 0) {
		to = w->json ? put(to, ",\"cpu\":", 7) : put(to, " cpu ", 5);
		to = put_u64(to, r->cpu);
	}
	if (!w->json)
		*to++ = ':';
	if (r->has_value) {
		to = w->json ? put(to, ",\"value\":", 9) : put(to, " ", 1);
		to = put_value(w, to, r->value);
	}
	if (r->has_payload) {
		to = w->json ? put(to, ",\"payload\":", 11) : put(to, " payload ", 9);
		to = put_hex_string(to, r->payload, w->json);
	}
	if (w->json)
		*to++ = '}';
	*to++ = '\n';
	return to;
}
