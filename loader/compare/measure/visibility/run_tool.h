/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Run another program, such as bpftool, and search its JSON output. */
#ifndef PLOAD_COMPARE_MEASURE_VISIBILITY_RUN_TOOL_H
#define PLOAD_COMPARE_MEASURE_VISIBILITY_RUN_TOOL_H

#include <stdbool.h>

#include "elf/error.h"
#include "loader/core/sys/sys.h"

/** tool_find() - Search the system's directories for @name. Return: false if not found. */
bool tool_find(struct sys *sys, const char *name, char *path, size_t size);

/**
 * tool_run() - Run @path with @argv, in an environment of its own, and read its standard output.
 * @text: receives the output, malloc'ed; owned by the caller even after failure.
 *
 * The time is limited to 5 seconds without output, the size to 4 MB.
 * Return: 0 or -errno; -ECHILD if it does not exit with status 0.
 */
int tool_run(struct sys *sys, const char *path, char *const argv[], char **text, struct error *err);

/**
 * tool_lists() - Search the JSON array @text for an object with these two numbers.
 * @key2: NULL to compare only the first.
 *
 * Return: 1 if found, 0 if not, -EBADMSG if @text is not a JSON array.
 */
int tool_lists(const char *text, const char *key, int64_t number, const char *key2,
	       int64_t number2);

#endif
