/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the files about visibility share: running a tool, and what it says. */
#ifndef PLOAD_TOOLS_COMPARE_VISIBILITY_RUN_TOOL_H
#define PLOAD_TOOLS_COMPARE_VISIBILITY_RUN_TOOL_H

#include <stdbool.h>

#include "elf/error.h"
#include "loader/sys/sys.h"

/*
 * tool_find() - @name in the directories of PATH; false: it is in none. tool_run() - what it writes
 * to its standard output with @argv; malloc'ed, also on failure. Bounded in time and size. 0 or
 * -errno: -ECHILD when it does not exit with 0.
 */
bool tool_find(struct sys *sys, const char *name, char *path, size_t size);
int tool_run(struct sys *sys, const char *path, char *const argv[], char **text, struct error *err);

/*
 * tool_lists() - whether the JSON array @text has an object with these numbers; @key2 NULL: with
 * the first. 1, 0, or -EBADMSG: it is no such array.
 */
int tool_lists(const char *text, const char *key, int64_t number, const char *key2,
	       int64_t number2);

#endif
