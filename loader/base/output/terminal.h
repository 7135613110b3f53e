/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The terminal that output may go to: its size, and whether to use colors. */
#ifndef PLOAD_BASE_OUTPUT_TERMINAL_H
#define PLOAD_BASE_OUTPUT_TERMINAL_H

#include <stdbool.h>

struct terminal_size {
	unsigned int columns, rows;
};

/**
 * terminal_size() - Set @size. Return true if @fd is a terminal that can move its cursor (TERM).
 */
bool terminal_size(int fd, struct terminal_size *size);

/**
 * terminal_has_color() - Return true if output to @fd is colored: it is a terminal, and NO_COLOR is
 * empty or unset (no-color.org).
 */
bool terminal_has_color(int fd);

#endif
