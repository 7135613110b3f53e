// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Convert a kernel configuration value to the type of the program's variable.
 *
 *	value		bool	char	integer	enum libbpf_tristate	char[]
 *	y, n		1, 0	'y'	-	TRI_YES 1, TRI_NO 0	-
 *	m		-	'm'	-	TRI_MODULE 2		-
 *	0, 1		0, 1	0, 1	0, 1	-			-
 *	other number	-	number	number	-			-
 *	"text"		-	-	-	-			text
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/objects/externs/externs_internal.h"

enum value_type {
	VALUE_NONE,	/* a type that config values cannot have */
	VALUE_BOOL,
	VALUE_CHAR,	/* a one-byte integer */
	VALUE_INT,
	VALUE_TRISTATE,
	VALUE_TEXT,
};

static const char *const type_names[] = {
	[VALUE_NONE] = "a type that config values cannot have",
	[VALUE_BOOL] = "bool",
	[VALUE_CHAR] = "a char",
	[VALUE_INT] = "an integer",
	[VALUE_TRISTATE] = "enum libbpf_tristate",
	[VALUE_TEXT] = "an array of char",
};

static enum value_type type_of(const struct btf *btf, uint32_t type)
{
	struct btf_type_view t = btf_skip(btf, type);

	switch (t.kind) {
	case BTF_KIND_INT:
		if (BTF_INT_ENCODING(t.extra) & BTF_INT_BOOL)
			return t.size == 1 ? VALUE_BOOL : VALUE_NONE;
		if (t.size > 8 || t.size & (t.size - 1))
			return VALUE_NONE;
		return t.size == 1 ? VALUE_CHAR : VALUE_INT;
	case BTF_KIND_ENUM:
		return t.size == 4 && !strcmp(t.name, "libbpf_tristate") ? VALUE_TRISTATE :
									   VALUE_NONE;
	case BTF_KIND_ARRAY:
		t = btf_skip(btf, btf_array(btf, &t).type);
		return t.kind == BTF_KIND_INT && t.size == 1 &&
			       !(BTF_INT_ENCODING(t.extra) & BTF_INT_BOOL) ? VALUE_TEXT :
								       VALUE_NONE;
	default:
		return VALUE_NONE;
	}
}

static int misfit(const struct object_extern *e, const char *text, enum value_type type,
		  const char *better, struct error *err)
{
	error_set(err, EINVAL, "%.80s is '%.80s', but declared as %s", e->name, text,
		  type_names[type]);
	return error_hint(err, "declare it as %s", better);
}

/* Store an integer in native byte order, which every loaded object has. */
static void put(unsigned char *out, uint32_t size, uint64_t v)
{
	const uint8_t v8 = v;
	const uint16_t v16 = v;
	const uint32_t v32 = v;

	memcpy(out,
	       size == 1 ? (const void *)&v8 : size == 2 ? (const void *)&v16 :
	       size == 4 ? (const void *)&v32 : (const void *)&v,
	       size);
}

static int store_state(const struct object_extern *e, const char *text, enum value_type type,
		       unsigned char *out, struct error *err)
{
	const uint32_t tristate = *text == 'y' ? 1 : *text == 'm' ? 2 : 0;

	if (type == VALUE_CHAR)
		out[0] = *text;
	else if (type == VALUE_TRISTATE)
		put(out, sizeof(tristate), tristate);
	else if (type == VALUE_BOOL && *text != 'm')
		out[0] = *text == 'y';
	else
		return misfit(e, text, type,
			      *text == 'm' ? "enum libbpf_tristate, or char" :
					     "bool, enum libbpf_tristate, or char", err);
	return 0;
}

/* A backslash escapes a quote or a backslash. A string longer than the array is truncated. */
static int store_text(const struct object_extern *e, const char *text, enum value_type type,
		      unsigned char *out, struct error *err)
{
	uint32_t n = 0;

	if (type != VALUE_TEXT)
		return misfit(e, text, type, "an array of char", err);
	for (text++; *text && *text != '"'; text++) {
		if (*text == '\\' && text[1])
			text++;
		if (n + 1 < e->size)
			out[n++] = *text;
	}
	if (*text == '"' && !text[1])
		return 0;
	memset(out, 0, e->size);
	return error_set(err, EINVAL, "%.80s is an unterminated string", e->name);
}

/* Return true if the variable, given its size and sign, can hold the number. */
static bool in_range(const struct btf *btf, const struct object_extern *e, bool negative,
		     uint64_t magnitude)
{
	const bool is_signed =
		BTF_INT_ENCODING(btf_skip(btf, e->type).extra) & BTF_INT_SIGNED;
	const unsigned int bits = e->size * 8;
	const uint64_t max = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;

	if (is_signed)
		return magnitude <= max / 2 + negative;
	return !negative && magnitude <= max;
}

static int store_number(const struct btf *btf, const struct object_extern *e, const char *text,
			enum value_type type, unsigned char *out, struct error *err)
{
	const bool negative = text[0] == '-';
	uint64_t magnitude;
	char *end;

	errno = 0;
	magnitude = strtoull(text + negative, &end, 0);
	if (!isdigit((unsigned char)text[negative]) || *end || errno)
		return error_set(err, EINVAL,
				 "%.80s is '%.80s', which is not a 64-bit number, a string, y, n "
				 "or m",
				 e->name, text);
	if (type == VALUE_BOOL && !negative && magnitude <= 1) {
		out[0] = magnitude;
		return 0;
	}
	if (type != VALUE_INT && type != VALUE_CHAR)
		return misfit(e, text, type, "an integer", err);
	if (!in_range(btf, e, negative, magnitude)) {
		error_set(err, ERANGE, "%.80s is %.80s, but its type has only %u bits",
			  e->name, text, e->size * 8);
		return error_hint(err, "declare it as a larger integer, or with the other "
				       "signedness");
	}
	put(out, e->size, negative ? -magnitude : magnitude);
	return 0;
}

int kconfig_value_store(const struct btf *btf, const struct object_extern *e, const char *text,
			unsigned char *out, struct error *err)
{
	const enum value_type type = type_of(btf, e->type);

	if (type == VALUE_NONE)
		return misfit(e, text, type, "bool, char, enum libbpf_tristate, an integer, "
					     "or an array of char", err);
	if ((*text == 'y' || *text == 'n' || *text == 'm') && !text[1])
		return store_state(e, text, type, out, err);
	if (*text == '"')
		return store_text(e, text, type, out, err);
	return store_number(btf, e, text, type, out, err);
}
