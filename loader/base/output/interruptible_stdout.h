/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A standard output whose writes can be interrupted while blocked, so that a session always ends.
 */
#ifndef PLOAD_BASE_OUTPUT_INTERRUPTIBLE_STDOUT_H
#define PLOAD_BASE_OUTPUT_INTERRUPTIBLE_STDOUT_H

#include "loader/core/print/output.h"

/**
 * stdout_watch_show() - Show @text on the terminal @fd, replacing earlier text, until something
 * else is written. Shows nothing while the terminal is stopped (^S).
 * @erase: sequence that erases it; static.
 */
void stdout_watch_show(struct stdout_watch *watch, int fd, const char *text, const char *erase);

/**
 * interruptible_stdout() - Open @watch->fd as a stream that polls @watch while a write blocks.
 * @watch: borrowed until fclose().
 *
 * Return: the stream, or NULL (ENOMEM).
 */
FILE *interruptible_stdout(struct stdout_watch *watch);

#endif
