/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A stream that collects its output in a string and reports running out of memory. */
#ifndef PLOAD_BASE_TEXT_TEXT_STREAM_H
#define PLOAD_BASE_TEXT_TEXT_STREAM_H

#include <stdbool.h>
#include <stdio.h>

struct text_stream {
	FILE *file;	/* owned; stream to print to */
	char *text;	/* owned; not terminated */
	size_t len, room;
	bool failed;	/* out of memory: text is missing */
};

/**
 * text_stream_open() - Open a stream with an empty string; return false if out of memory.
 *
 * glibc's open_memstream(3) is not usable: if out of memory, it drops output without setting the
 * stream's error, and fclose(3) succeeds even if there is no string.
 */
bool text_stream_open(struct text_stream *s);

/**
 * text_stream_close() - Close the stream and return the string, for free(3).
 *
 * Return: NULL if memory ran out at any time; there is nothing to free then.
 */
char *text_stream_close(struct text_stream *s);

#endif
