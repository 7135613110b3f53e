// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Print numbers, names, flags and text, and structs from a table of their fields. */
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "loader/observe/trace/annotate/annotate.h"
#include "loader/observe/trace/trace_internal.h"

void trace_name(struct trace_list *list, const char *name)
{
	fputs(list->len++ ? ", " : list->open, list->out);
	if (name)
		fprintf(list->out, "%s=", name);
}

void trace_pointer(FILE *out, unsigned long addr)
{
	if (addr)
		fprintf(out, "0x%lx", addr);
	else
		fputs("NULL", out);
}

void trace_string(FILE *out, const char *text, size_t len)
{
	size_t i, shown = len < TRACE_TEXT_MAX ? len : TRACE_TEXT_MAX;

	fputc('"', out);
	for (i = 0; i < shown; i++) {
		unsigned char c = text[i];

		if (c == '"' || c == '\\')
			fprintf(out, "\\%c", c);
		else if (c == '\n')
			fputs("\\n", out);
		else if (c >= ' ' && c < 0x7f)
			fputc(c, out);
		else
			fprintf(out, "\\x%02x", c);
	}
	fputs(len > shown ? "\"..." : "\"", out);
}

void trace_cstring(FILE *out, unsigned long addr)
{
	const char *text = (const char *)addr;

	if (text)
		trace_string(out, text, strlen(text));
	else
		fputs("NULL", out);
}

void trace_enum(FILE *out, const char *name, uint64_t value)
{
	if (name)
		fputs(name, out);
	else
		fprintf(out, "%" PRIu64, value);
}

void trace_flags(FILE *out, const struct sys_flag *flags, uint64_t value)
{
	const char *sep = "";

	if (value == 0)
		fputc('0', out);
	for (; flags->name; flags++) {
		if ((value & flags->bits) != flags->bits)
			continue;
		fprintf(out, "%s%s", sep, flags->name);
		value &= ~flags->bits;
		sep = "|";
	}
	if (value)
		fprintf(out, "%s0x%" PRIx64, sep, value);
}

/* Copy by width, so that neither the alignment nor the byte order matters. */
static uint64_t field_value(const struct trace_field *f, const void *base)
{
	const char *at = (const char *)base + f->off;
	uint8_t v8;
	uint16_t v16;
	uint32_t v32;
	uint64_t v64;

	switch (f->width) {
	case 1:
		memcpy(&v8, at, sizeof(v8));
		return v8;
	case 2:
		memcpy(&v16, at, sizeof(v16));
		return v16;
	case 4:
		memcpy(&v32, at, sizeof(v32));
		return v32;
	default:
		memcpy(&v64, at, sizeof(v64));
		return v64;
	}
}

static int64_t sign_extend(const struct trace_field *f, uint64_t value)
{
	return f->width == 4 ? (int32_t)value : (int64_t)value;
}

static void print_value(FILE *out, const struct trace_field *f, uint64_t value)
{
	switch ((enum trace_kind)f->kind) {
	case TRACE_INT:
	case TRACE_FD:
	case TRACE_SHOWN:
		fprintf(out, "%" PRId64, sign_extend(f, value));
		break;
	case TRACE_HEX:
		fprintf(out, "0x%" PRIx64, value);
		break;
	case TRACE_PTR:
		trace_pointer(out, value);
		break;
	case TRACE_STRING:
		trace_cstring(out, value);
		break;
	case TRACE_ENUM:
	case TRACE_KIND:
		trace_enum(out, f->name_of(value), value);
		break;
	case TRACE_FLAGS:
		trace_flags(out, f->flags, value);
		break;
	case TRACE_VERSION:
		fprintf(out, "KERNEL_VERSION(%u, %u, %u)", (unsigned int)(value >> 16),
			(unsigned int)(value >> 8 & 0xff), (unsigned int)(value & 0xff));
		break;
	case TRACE_DEC:
	case TRACE_CHARS:	/* not a number: printed by print_field() */
		fprintf(out, "%" PRIu64, value);
		break;
	}
}

static bool zero_speaks(enum trace_kind kind)
{
	return kind == TRACE_FD || kind == TRACE_ENUM || kind == TRACE_SHOWN;
}

static void print_field(struct trace_list *list, const struct trace_field *f, const void *base)
{
	const char *text = (const char *)base + f->off;
	uint64_t value;

	if (f->kind == TRACE_CHARS) {
		if (text[0] == '\0')
			return;
		trace_name(list, f->name);
		trace_string(list->out, text, strnlen(text, f->width));
		return;
	}
	value = field_value(f, base);
	if (value == 0 && !zero_speaks(f->kind))
		return;
	trace_name(list, f->name);
	print_value(list->out, f, value);
}

void trace_fields(struct trace_list *list, const struct trace_field *fields, const void *base,
		  size_t size)
{
	for (; fields->name; fields++)
		if (fields->off <= size && fields->width <= size - fields->off)
			print_field(list, fields, base);
}

void trace_result(struct trace_list *list, const struct trace_field *fields, const void *base,
		  size_t size)
{
	list->open = " => {";
	trace_fields(list, fields, base, size);
	if (list->len)
		fputc('}', list->out);
}
