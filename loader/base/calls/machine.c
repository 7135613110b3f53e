// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* This machine: its kernel release and its CPU flags. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "loader/base/calls/machine.h"

bool sys_is_before(struct sys *sys, unsigned int major, unsigned int minor)
{
	unsigned int is_major, is_minor;
	char release[128];
	int ret = sys_read_text(sys, AT_FDCWD, "/proc/sys/kernel/osrelease", release,
				sizeof(release));

	if (ret < 0 || sscanf(release, "%u.%u", &is_major, &is_minor) != 2)
		return false;
	return is_major < major || (is_major == major && is_minor < minor);
}

const char *cpu_flags_read(struct sys *sys, char text[CPU_FLAGS_SIZE])
{
	static const char begin[] = "\nflags\t\t:";
	int fd = sys_openat(sys, AT_FDCWD, "/proc/cpuinfo", O_RDONLY | O_CLOEXEC);
	ssize_t size = 0, n = 1;
	char *flags;

	while (fd >= 0 && n > 0 && size < CPU_FLAGS_SIZE - 1) {
		n = sys_read(sys, fd, text + size, CPU_FLAGS_SIZE - 1 - size);
		size += n > 0 ? n : 0;
	}
	sys_close_fd(sys, &fd);
	text[size] = '\0';
	flags = strstr(text, begin);
	if (!flags)
		return NULL;
	flags += strlen(begin);
	flags[strcspn(flags, "\n")] = '\0';
	return flags;
}
