// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The terminal that output may go to: its size, and whether to use colors. */
#include <stdlib.h>
#include <string.h>

#include <sys/ioctl.h>

#include "loader/base/output/terminal.h"
#include "loader/core/sys/sys.h"

/* Even a dry run really writes its output, untraced, so ask the real kernel. */
bool terminal_size(int fd, struct terminal_size *size)
{
	const char *term = getenv("TERM");
	struct winsize window = { 0 };

	if (!term || !term[0] || !strcmp(term, "dumb") ||
	    sys_ioctl(sys_linux(), fd, TIOCGWINSZ, (unsigned long)&window) < 0)
		return false;
	/* A serial terminal does not report its size. */
	size->columns = window.ws_col ? window.ws_col : 80;
	size->rows = window.ws_row ? window.ws_row : 24;
	return true;
}

bool terminal_has_color(int fd)
{
	const char *none = getenv("NO_COLOR");
	struct terminal_size size;

	return (!none || !none[0]) && terminal_size(fd, &size);
}
