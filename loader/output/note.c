// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Notes: what the user should know, and what is no error. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "loader/output/note.h"
#include "loader/output/value.h"

/* Names in it are the object's own, and may hold anything. */
void note(const char *fmt, ...)
{
	char text[4096];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	fflush(NULL);
	fputs("pload: note: ", stderr);
	text_print(stderr, text, strlen(text), 0);
	fputc('\n', stderr);
}
