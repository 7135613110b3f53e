// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Notes: messages to the user that are no errors, which go to the sink in struct output, and the
 * lines of a source that explain an error.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "loader/print/interruptible_stdout.h"
#include "loader/print/output.h"
#include "loader/value/value.h"

void note(struct output *out, const char *fmt, ...)
{
	char text[4096];
	va_list ap;

	if (!out || !out->note)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	out->note(out, text);
}

void note_text(void *out, const char *text)
{
	note(out, "%s", text);
}

/* Names in a note come from the object and may hold any byte: text_print() escapes them. */
void note_stderr(struct output *out, const char *text)
{
	output_pass_on(out);
	fflush(NULL);
	stdout_watch_erase(out->watch);
	fputs("pload: note: ", stderr);
	text_print(stderr, text, strlen(text), 0);
	fputc('\n', stderr);
}

void error_note_print(FILE *file, const char *kind, const struct error_note *note)
{
	if (note->line) {
		text_print(file, note->file, strlen(note->file), 0);
		fprintf(file, ":%" PRIu32 ":", note->line);
		if (note->column)
			fprintf(file, "%" PRIu32 ":", note->column);
		putc(' ', file);
	} else if (note->source[0]) {
		fprintf(file, "instruction %" PRIu32 ": ", note->insn);
	}
	if (kind)
		fprintf(file, "%s: ", kind);
	text_print(file, note->text, strlen(note->text), 0);
	if (note->source[0]) {
		fputs(": ", file);
		text_print(file, note->source, strlen(note->source), 0);
	}
}
