/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Lists of globs, from the command line or from files. */
#ifndef PLOAD_REGRESS_GLOBS_H
#define PLOAD_REGRESS_GLOBS_H

#include "test/regress/harness/settings.h"

/* globs_add() - add one. globs_free() in any case. */
void globs_add(struct globs *globs, const char *text, bool from_file);
void globs_free(struct globs *globs);

/*
 * globs_take() - parse the argument of -a or -d: "@FILE" or the name of a file, with one glob a
 * line and comments after '#', which may name the last day of the entry; or the globs themselves,
 * divided by commas. false: it cannot be read, which standard error reports.
 */
bool globs_take(struct globs *globs, const char *text);

/* globs_match() - whether an unexpired one matches; all that match are marked. */
bool globs_match(struct globs *globs, const char *group, const char *test, const char *id);

#endif
