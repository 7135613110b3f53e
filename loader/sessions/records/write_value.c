// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Write the bytes of a value as text or JSON using the fields of its type, just like its tree. */
#include <math.h>

#include "loader/core/value/field.h"
#include "loader/core/value/value.h"
#include "loader/sessions/records/record_writer.h"

/* Like value_print(), text prints a run of at least this many equal elements once. */
#define RUN_MIN 8

/* JSON puts quotes around everything that is not a number. */
static inline char *put_quote(char *to, const struct layout *l)
{
	*to = '"';
	return to + (l->style == LAYOUT_JSON);
}

static char *put_word(char *to, const struct layout *l, const char *s, size_t n)
{
	return put_quote(put(put_quote(to, l), s, n), l);
}

static char *put_hex_bytes(char *to, const struct layout *l, struct bytes bytes)
{
	return put_quote(put_bytes(put_quote(to, l), bytes, l->style == LAYOUT_TEXT), l);
}

static inline char *put_unsigned(char *to, uint64_t v)
{
	return v <= UINT32_MAX ? put_u32(to, v) : put_u64(to, v);
}

static inline char *put_number(char *to, const struct layout *l, const struct field *f,
			       const unsigned char *from)
{
	const uint64_t v = load_number(f, from);
	const struct field_name *name = find_name(l, f, v);

	if (name)	/* in quotes if necessary */
		return put_short(to, l->text + name->text, name->text_size);
	if (f->is_bool && v < 2)
		return put(to, v ? "true" : "false", v ? 4 : 5);
	return f->is_signed ? put_s64(to, v) : put_unsigned(to, v);
}

/* Not inlined: its buffer would add a stack check to every walk. */
static __attribute__((noinline)) char *put_wide(char *to, const struct layout *l,
						unsigned __int128 v)
{
	char text[34] = "0x";

	put_hex(put_hex(text + 2, v >> 64, 16), v, 16);
	return put_word(to, l, text, sizeof(text));
}

static char *put_float(char *to, const struct layout *l, const struct field *f,
		       const unsigned char *from)
{
	const double v = f->size == 4 ? (double)LOAD(float, from) : LOAD(double, from);

	if (isfinite(v))
		return put_double(to, v);
	return isnan(v) ? put_word(to, l, "nan", 3) :
	       v < 0	? put_word(to, l, "-inf", 4) : put_word(to, l, "inf", 3);
}

static char *write_fields(const struct layout *l, char *to, const struct field *f,
			  const unsigned char *from);

/* As text: {5, 0 <repeats 63 times>}. */
static char *write_elements(const struct layout *l, char *to, const struct field *f,
			    const unsigned char *from)
{
	for (uint32_t i = 0, run; i < f->count; i += run) {
		char *const begin = i ? put(to, ", ", 2) : to;
		size_t size;

		to = write_fields(l, begin, f + 1, from + (size_t)i * f->size);
		size = to - begin;
		for (run = 1; i + run < f->count; run++) {
			const char *end =
				write_fields(l, to, f + 1, from + (size_t)(i + run) * f->size);

			if ((size_t)(end - to) != size || memcmp(begin, to, size))
				break;
		}
		if (run < RUN_MIN)
			run = 1;
		else
			to = put(put_u64(put(to, " <repeats ", 10), run), " times>", 7);
	}
	return to;
}

static char *write_array(const struct layout *l, char *to, const struct field *f,
			 const unsigned char *from)
{
	if (l->style == LAYOUT_TEXT)
		return put(write_elements(l, put(to, "{", 1), f, from), "}", 1);
	*to++ = '[';
	for (uint32_t i = 0; i < f->count; i++, from += f->size) {
		if (i)
			*to++ = ',';
		to = write_fields(l, to, f + 1, from);
	}
	*to++ = ']';
	return to;
}

static char *put_chars(char *to, const struct layout *l, const char *s, size_t n)
{
	return l->style == LAYOUT_JSON ? put_json_string(to, s, n) : put_text(to, s, n, '"');
}

/* Write the fields from @f to the end of the value or element. */
static char *write_fields(const struct layout *l, char *to, const struct field *f,
			  const unsigned char *from)
{
	for (;; f++) {
		const unsigned char *at = from + f->offset;

		to = put_short(to, l->text + f->lead, f->lead_size);
		switch (f->kind) {
		case FIELD_U8:	to = put_u32(to, *at); break;
		case FIELD_U16:	to = put_u32(to, LOAD(uint16_t, at)); break;
		case FIELD_U32:	to = put_u32(to, LOAD(uint32_t, at)); break;
		case FIELD_U64:	to = put_unsigned(to, LOAD(uint64_t, at)); break;
		case FIELD_S8:	to = put_s64(to, (int8_t)*at); break;
		case FIELD_S16:	to = put_s64(to, LOAD(int16_t, at)); break;
		case FIELD_S32:	to = put_s64(to, LOAD(int32_t, at)); break;
		case FIELD_S64:	to = put_s64(to, LOAD(int64_t, at)); break;
		case FIELD_NUMBER: to = put_number(to, l, f, at); break;
		case FIELD_WIDE: to = put_wide(to, l, LOAD(unsigned __int128, at)); break;
		case FIELD_POINTER:
			to = put_quote(put_address(put_quote(to, l), LOAD(uint64_t, at)), l);
			break;
		case FIELD_FLOAT: to = put_float(to, l, f, at); break;
		case FIELD_BYTES:
			to = put_hex_bytes(to, l, (struct bytes){ at, f->size });
			break;
		case FIELD_CHARS:
			if (!are_text(at, f->size))
				break;	/* using the next field */
			to = put_chars(to, l, (const char *)at,
				       strnlen((const char *)at, f->size));
			f = l->fields + f->next - 1;
			break;
		case FIELD_ARRAY:
			to = write_array(l, to, f, at);
			f = l->fields + f->next - 1;
			break;
		case FIELD_OBJECT:	/* for trees: otherwise the braces are in the leads */
		case FIELD_END:
			return to;
		}
	}
}

char *layout_write(const struct layout *l, char *to, struct bytes bytes)
{
	return l->fields ? write_fields(l, to, l->fields, bytes.data) :
			   put_hex_bytes(to, l, bytes);
}
