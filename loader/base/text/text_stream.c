// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A stream that collects its output in a string and reports running out of memory. */
#include <stdlib.h>
#include <string.h>

#include "loader/base/text/text_stream.h"

/* See fopencookie(3). */
static ssize_t append(void *cookie, const char *bytes, size_t size)
{
	struct text_stream *s = cookie;

	if (s->room - s->len < size) {
		const size_t room = 2 * (s->len + size);
		char *grown = realloc(s->text, room);

		s->failed |= !grown;
		if (!grown)
			return 0;
		s->text = grown;
		s->room = room;
	}
	memcpy(s->text + s->len, bytes, size);
	s->len += size;
	return size;
}

bool text_stream_open(struct text_stream *s)
{
	*s = (struct text_stream){ 0 };
	s->file = fopencookie(s, "w", (cookie_io_functions_t){ .write = append });
	return s->file;
}

char *text_stream_close(struct text_stream *s)
{
	putc('\0', s->file);
	fclose(s->file);
	if (!s->failed)
		return s->text;
	free(s->text);
	return NULL;
}
