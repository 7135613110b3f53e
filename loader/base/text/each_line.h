/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Read the lines of a text file, through struct sys. */
#ifndef PLOAD_BASE_TEXT_EACH_LINE_H
#define PLOAD_BASE_TEXT_EACH_LINE_H

#include "loader/core/sys/sys.h"

/**
 * sys_each_line() - Call @line with each line of @fd, starting at its file position. The line has
 * no newline and may be modified. Lines longer than 8 KB are truncated.
 *
 * sys_each_line_of() - The same for the file @path.
 *
 * Return: 0, -errno, or the first nonzero value returned by the callback, which ends the iteration.
 */
int sys_each_line(struct sys *sys, int fd, int (*line)(void *arg, char *line), void *arg);
int sys_each_line_of(struct sys *sys, int dirfd, const char *path,
		     int (*line)(void *arg, char *line), void *arg);

/**
 * sys_unescape() - Unescape "/a\040b" to "/a b" in place, up to the first blank: a field of
 * /proc/PID/mounts or mountinfo, in which seq_path() in fs/seq_file.c escapes blanks, newlines and
 * backslashes.
 */
void sys_unescape(char *text);

#endif
