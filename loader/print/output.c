// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Pass messages and records to the file of the output, in their order, and report its errors. */
#include <errno.h>
#include <stdlib.h>

#include "loader/print/interruptible_stdout.h"
#include "loader/print/message.h"
#include "loader/value/value.h"

static int add_hint(struct error *err, int code)
{
	if (code == EINTR)
		error_hint(err, "the reader of standard output did not read: the last part of "
				"the output is lost");
	else if (code == EFBIG)
		error_hint(err, "ulimit -f limits the size of a file");
	else if (code == ENOSPC || code == EDQUOT)
		error_hint(err, "remove something there, or write the output to another disk");
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
	clearerr(out->file);	/* report it once; the next failure has its own errno */
	error_set(err, code, "%s", error_strerror(code));
	error_reason(err, "print/failed");
	return add_hint(err, code);
}

bool output_has_no_reader(const struct error *err)
{
	return err->reason && !strcmp(err->reason, "print/failed") && err->code == -EPIPE;
}

/* Not before the first message: a session that is refused prints nothing. */
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

/* A file takes large pieces in less time, and this one is still in the caches when it is passed. */
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

int output_message(struct output *out, struct json_object *msg, struct error *err)
{
	bool printed;

	if (!value_is_complete(msg)) {
		json_object_put(msg);
		return error_set(err, ENOMEM, "no memory for a message");
	}
	errno = 0;
	output_pass_on(out);
	print_version(out);
	printed = out->format->print(out->file, msg);
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
