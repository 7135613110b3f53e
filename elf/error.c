// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Fill in struct error. */
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elf/error.h"

/*
 * Names in messages come from files that anybody may have written. Print control characters, which
 * a terminal would interpret, and non-ASCII bytes as \xNN.
 */
static void print(char *to, size_t size, const char *fmt, va_list ap)
{
	char text[sizeof(((struct error *)NULL)->what)];
	size_t n = 0;

	vsnprintf(text, sizeof(text), fmt, ap);
	for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
		bool plain = *c >= 0x20 && *c < 0x7f;

		if (n + (plain ? 1 : 4) >= size)
			break;
		if (plain)
			to[n++] = *c;
		else
			n += snprintf(to + n, size - n, "\\x%02x", *c);
	}
	to[n] = '\0';
}

int error_set(struct error *err, int code, const char *fmt, ...)
{
	va_list ap;

	if (!err)
		return -code;
	error_clear(err);
	err->code = -code;
	va_start(ap, fmt);
	print(err->what, sizeof(err->what), fmt, ap);
	va_end(ap);
	return -code;
}

int error_what(struct error *err, const char *fmt, ...)
{
	va_list ap;

	if (!err)
		return -EINVAL;
	va_start(ap, fmt);
	print(err->what, sizeof(err->what), fmt, ap);
	va_end(ap);
	return err->code;
}

int error_where(struct error *err, const char *fmt, ...)
{
	char inner[sizeof(err->where)];
	va_list ap;
	size_t n;

	if (!err)
		return -EINVAL;
	memcpy(inner, err->where, sizeof(inner));
	va_start(ap, fmt);
	print(err->where, sizeof(err->where), fmt, ap);
	va_end(ap);
	n = strlen(err->where);
	if (inner[0])
		snprintf(err->where + n, sizeof(err->where) - n, ": %s", inner);
	return err->code;
}

int error_hint(struct error *err, const char *fmt, ...)
{
	va_list ap;

	if (!err)
		return -EINVAL;
	va_start(ap, fmt);
	print(err->hint, sizeof(err->hint), fmt, ap);
	va_end(ap);
	return err->code;
}

int error_at(struct error *err, uint64_t offset)
{
	if (!err)
		return -EINVAL;
	if (!err->at)
		err->at = 1 + offset;
	return err->code;
}

int error_reason(struct error *err, const char *reason)
{
	if (!err)
		return -EINVAL;
	err->reason = reason;
	return err->code;
}

int error_reason_default(struct error *err, const char *reason)
{
	if (!err)
		return -EINVAL;
	if (!err->reason)
		err->reason = err->code == -ENOMEM ? "pload/no-memory" : reason;
	return err->code;
}

void error_log(struct error *err, char *log)
{
	if (!err) {
		free(log);
		return;
	}
	free(err->log);
	err->log = log;
}

void error_notes(struct error *err, struct error_note *notes, unsigned int nr)
{
	if (!err) {
		free(notes);
		return;
	}
	free(err->notes);
	err->notes = notes;
	err->nr_notes = nr;
}

int error_copy(struct error *err, const struct error *from)
{
	error_clear(err);
	if (err)
		*err = *from;
	return from->code;
}

void error_clear(struct error *err)
{
	if (!err)
		return;
	free(err->log);
	free(err->notes);
	memset(err, 0, sizeof(*err));
}

const char *error_strerror(int code)
{
	return code == KERNEL_ENOTSUPP ? "Operation not supported (ENOTSUPP)" : strerror(code);
}
