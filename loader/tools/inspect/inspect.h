/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* pload inspect: the contents of an object and how it is linked, without loading it. */
#ifndef PLOAD_TOOLS_INSPECT_INSPECT_H
#define PLOAD_TOOLS_INSPECT_INSPECT_H

#include "loader/core/print/message.h"
#include "loader/core/session/options.h"
#include "loader/core/sys/sys.h"

/* The version of the messages: docs/inspect.schema.json. Incremented like OUTPUT_VERSION. */
#define INSPECT_VERSION 1

/* Text, and an HTML page with all messages. */
extern const struct output_format inspect_formats[];

/**
 * inspect_file() - Print what @o->inspect asks for of one file: an object, or BTF.
 *
 * A damaged file is printed as far as it can be read; then the error is returned.
 * Return: 0, or the error of the file or of bpf_object_read().
 */
int inspect_file(struct sys *sys, const struct options *o, const char *path, struct output *out,
		 struct error *err);

/* inspect_memory() - The same for a file in memory; @path is its name. */
int inspect_memory(struct sys *sys, const struct options *o, const char *path, struct bytes bytes,
		   struct output *out, struct error *err);

#endif
