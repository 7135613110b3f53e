// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What this process may do: looked at only after the kernel has refused something. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "loader/sys/privilege.h"

bool sys_capable(struct sys *sys, int cap)
{
	static const char key[] = "\nCapEff:";
	char text[4096];
	const char *line;
	ssize_t n;
	int fd;

	fd = sys_openat(sys, AT_FDCWD, "/proc/self/status", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = sys_read(sys, fd, text, sizeof(text) - 1);
	sys_close_fd(sys, &fd);
	if (n < 0)
		return false;
	text[n] = '\0';
	line = strstr(text, key);
	return line && strtoull(line + sizeof(key) - 1, NULL, 16) >> cap & 1;
}
