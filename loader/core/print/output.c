// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Write messages and records to the file in order, and report its errors; print notes. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/print/message.h"
#include "loader/core/value/value.h"

static int add_hint(struct error *err, int code)
{
	if (code == EINTR)
		error_hint(err, "the reader of standard output stopped reading: the end of the "
				"output is lost");
	else if (code == EFBIG)
		error_hint(err, "ulimit -f limits the file size");
	else if (code == ENOSPC || code == EDQUOT)
		error_hint(err, "free some space, or write the output to another disk");
	return error_where(err, "output");
}

static int check(struct output *out, struct error *err)
{
	int code = errno ? errno : EIO;

	if (!ferror(out->file))
		return 0;
	if (out->watch && out->watch->error) {
		code = out->watch->error;
		out->watch->error = 0;
	}
	clearerr(out->file);	/* report it only once; the next failure has its own errno */
	error_set(err, code, "%s", error_strerror(code));
	error_reason(err, "output/failed");
	return add_hint(err, code);
}

bool output_has_no_reader(const struct error *err)
{
	return err->reason && !strcmp(err->reason, "output/failed") && err->code == -EPIPE;
}

/* Not before the first message: a refused session prints nothing. */
static void print_version(struct output *out)
{
	if (out->version_due && out->format->records == RECORDS_AS_JSON)
		fprintf(out->file, "{\"type\":\"session\",\"version\":%d}\n", OUTPUT_VERSION);
	out->version_due = false;
}

void output_pass_on(struct output *out)
{
	if (!out->written.size)
		return;
	print_version(out);
	fwrite(out->written.text, 1, out->written.size, out->file);
	out->written.size = 0;
}

/* Writing large pieces is faster; this size still fits into the caches. */
#define ROOM (256 * 1024)

int output_more_room(struct output *out, size_t room, char **to, struct error *err)
{
	struct output_room *written = &out->written;
	int ret;

	errno = 0;
	output_pass_on(out);
	ret = check(out, err);
	if (room > written->room) {
		const size_t more = room > ROOM ? room : ROOM;
		char *text = realloc(written->text, more);

		*to = NULL;
		if (!text)
			return ret;
		written->text = text;
		written->room = more;
	}
	*to = written->text;
	return ret;
}

void output_free_room(struct output *out)
{
	output_pass_on(out);
	free(out->written.text);
	out->written = (struct output_room){ 0 };
}

int output_message_as(struct output *out, struct json_object *msg, message_printer text,
		      struct error *err)
{
	bool printed;

	if (!value_is_complete(msg)) {
		json_object_put(msg);
		return error_set(err, ENOMEM, "no memory for a message");
	}
	errno = 0;
	output_pass_on(out);
	print_version(out);
	printed = out->format->print ? out->format->print(out->file, msg) :
				       out->format->print_as(out->file, msg, text);
	json_object_put(msg);
	return printed ? check(out, err) : error_set(err, ENOMEM, "no memory to print a message");
}

int output_write(struct output *out, const char *text, size_t size, struct error *err)
{
	errno = 0;
	output_pass_on(out);
	print_version(out);
	fwrite(text, 1, size, out->file);
	return check(out, err);
}

int output_flush(struct output *out, struct error *err)
{
	errno = 0;
	output_pass_on(out);
	fflush(out->file);
	return check(out, err);
}

/*
 * --- notes: messages to the user that are not errors, and source lines that explain an error ---
 */

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

/* Names in a note come from the object and may contain any byte: text_print() escapes them. */
void note_stderr(struct output *out, const char *text)
{
	output_pass_on(out);
	fflush(NULL);
	stdout_watch_clear(out->watch);
	fprintf(stderr, "%s: note: ", out->program ? out->program : "pload");
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
