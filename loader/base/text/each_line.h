/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Read the lines of a text file, through struct sys. */
#ifndef PLOAD_BASE_TEXT_EACH_LINE_H
#define PLOAD_BASE_TEXT_EACH_LINE_H

#include "loader/core/sys/sys.h"

/**
 * sys_each_line() - Call @line with each line of @fd from its file position on. The line has no
 * newline and may be modified. A line longer than 8 KB is cut there.
 *
 * sys_each_line_of() - The same for the file @path.
 *
 * Return: 0, -errno, or the first value other than 0 that the callback returned, which ends it.
 */
int sys_each_line(struct sys *sys, int fd, int (*line)(void *arg, char *line), void *arg);
int sys_each_line_of(struct sys *sys, int dirfd, const char *path,
		     int (*line)(void *arg, char *line), void *arg);

/**
 * sys_unescape() - "/a\040b" -> "/a b" up to the first blank, in place: a field of /proc/PID/mounts
 * or mountinfo, in which seq_path() of fs/seq_file.c escapes blanks, newlines and backslashes.
 */
void sys_unescape(char *text);

#endif
