/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The output of a pload command: an atomically created file, or a pipe or terminal. */
#ifndef PLOAD_BASE_OUTPUT_COMMAND_OUTPUT_H
#define PLOAD_BASE_OUTPUT_COMMAND_OUTPUT_H

#include "loader/core/print/output.h"

struct options;

/**
 * output_open() - Open the --output file or standard output as @out->file, in the format of @o,
 * with colors on a terminal. Fails like output_file_open().
 * output_close() - Close @out, and give its file its name unless @ret is a failure. After a
 * failure, discard the buffer: the reader is gone or has stopped reading.
 *
 * Return: output_close() returns @ret, or -errno from output_file_finish().
 */
int output_open(struct output *out, const struct options *o, struct error *err);
int output_close(struct output *out, int ret, struct error *err);

#endif
