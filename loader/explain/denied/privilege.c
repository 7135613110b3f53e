// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The privileges of this process, read only when the kernel has refused something. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "loader/explain/denied/privilege.h"

/* PROC_USER_INIT_INO in include/linux/proc_ns.h; USER_NS_INIT_INO of nsfs.h since Linux 6.18. */
#define FIRST_USER_NS 0xEFFFFFFDu

/* The longer of the two keys. */
#define KEY_MAX sizeof("Seccomp:")

static void take_line(const char *line, struct sys_privilege *has)
{
	if (!strncmp(line, "CapEff:", strlen("CapEff:")))
		has->effective = strtoull(line + strlen("CapEff:"), NULL, 16);
	else if (!strncmp(line, "Seccomp:", strlen("Seccomp:")))
		has->seccomp = strtoul(line + strlen("Seccomp:"), NULL, 10);
}

/* Parse the complete lines of @text and move the rest to its start. Return: length of the rest. */
static size_t take_lines(char *text, struct sys_privilege *has)
{
	char *line = text, *end;

	for (; (end = strchr(line, '\n')); line = end + 1)
		take_line(line, has);
	memmove(text, line, strlen(line));
	return strlen(line);
}

/*
 * A process may be in 65,536 groups, which makes that line more than half a megabyte long. Keep
 * only the start of a line that does not fit, which is enough to see that it has another key.
 */
static void read_status(struct sys *sys, int fd, struct sys_privilege *has)
{
	char text[4096];
	size_t used = 0;
	ssize_t n;

	while ((n = sys_read(sys, fd, text + used, sizeof(text) - 1 - used)) > 0) {
		text[used + n] = '\0';
		has->known = true;
		used = take_lines(text, has);
		if (used == sizeof(text) - 1)
			used = KEY_MAX;
	}
}

/*
 * The initial user namespace has a fixed inode number; a kernel without namespaces lacks the file.
 */
static bool is_nested(struct sys *sys)
{
	int fd = sys_openat(sys, AT_FDCWD, "/proc/self/ns/user", O_RDONLY | O_CLOEXEC);
	bool nested = false;
	struct stat st;

	if (fd < 0)
		return false;
	if (sys_fstat(sys, fd, &st) == 0)
		nested = st.st_ino != FIRST_USER_NS;
	sys_close_fd(sys, &fd);
	return nested;
}

void sys_privilege_read(struct sys *sys, struct sys_privilege *has)
{
	int fd = sys_openat(sys, AT_FDCWD, "/proc/self/status", O_RDONLY | O_CLOEXEC);

	memset(has, 0, sizeof(*has));
	if (fd < 0)
		return;
	read_status(sys, fd, has);
	sys_close_fd(sys, &fd);
	has->nested = is_nested(sys);
}

bool sys_capable(struct sys *sys, int cap)
{
	struct sys_privilege has;

	sys_privilege_read(sys, &has);
	return has.effective >> cap & 1;
}
