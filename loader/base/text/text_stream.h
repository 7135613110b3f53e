/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A stream whose output becomes a string, and which reports that memory has run out. */
#ifndef PLOAD_BASE_TEXT_TEXT_STREAM_H
#define PLOAD_BASE_TEXT_TEXT_STREAM_H

#include <stdbool.h>
#include <stdio.h>

struct text_stream {
	FILE *file;	/* owned; for printing */
	char *text;	/* owned; not terminated */
	size_t len, room;
	bool failed;	/* memory has run out, and text is missing */
};

/**
 * text_stream_open() - Open a stream into an empty string; return false for ENOMEM.
 *
 * open_memstream(3) of glibc cannot be used: it drops what it has no memory for without an error
 * of the stream, and fclose(3) succeeds even if there is no string at all.
 */
bool text_stream_open(struct text_stream *s);

/**
 * text_stream_close() - Close the stream and return the string, for free(3).
 *
 * Return: NULL if memory has run out at any time; then there is nothing to free.
 */
char *text_stream_close(struct text_stream *s);

#endif
