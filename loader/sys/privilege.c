// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What this process may do: looked at only after the kernel has refused something. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "loader/sys/privilege.h"

static const char key[] = "CapEff:";

/* The whole lines of @text are looked at; what is left over moves to its begin: so many bytes. */
static size_t take_lines(char *text, uint64_t *effective)
{
	char *line = text, *end;

	for (; (end = strchr(line, '\n')); line = end + 1)
		if (!strncmp(line, key, sizeof(key) - 1))
			*effective = strtoull(line + sizeof(key) - 1, NULL, 16);
	memmove(text, line, strlen(line));
	return strlen(line);
}

/*
 * A process may be in 65,536 groups, and then the line before has more than half a megabyte. Of a
 * line that does not fit the begin stays, which tells it from the one wanted.
 */
static void read_effective(struct sys *sys, int fd, uint64_t *effective)
{
	char text[4096];
	size_t used = 0;
	ssize_t n;

	while ((n = sys_read(sys, fd, text + used, sizeof(text) - 1 - used)) > 0) {
		text[used + n] = '\0';
		used = take_lines(text, effective);
		if (used == sizeof(text) - 1)
			used = sizeof(key);
	}
}

bool sys_capable(struct sys *sys, int cap)
{
	uint64_t effective = 0;
	int fd;

	fd = sys_openat(sys, AT_FDCWD, "/proc/self/status", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	read_effective(sys, fd, &effective);
	sys_close_fd(sys, &fd);
	return effective >> cap & 1;
}
