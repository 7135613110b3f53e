// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Visit the mount points of a file system type, and search them for a cgroup. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "loader/base/text/each_line.h"
#include "loader/core/sys/read.h"
#include "loader/tools/inventory/mounts.h"
#include "loader/core/event/event.h"

/* --- mounts --- */

struct finder {
	const char *type;
	int (*visit)(void *arg, const char *path);
	void *arg;
};

/*
 * A line of /proc/self/mounts, see proc_pid_mounts(5) and fstab(5):
 *
 *	cgroup2 /sys/fs/cgroup cgroup2 rw,nosuid,nodev,noexec,relatime 0 0
 *	SOURCE  MOUNT-POINT    TYPE    OPTIONS                         - -
 */
static int take_line(void *arg, char *line)
{
	const struct finder *f = arg;
	char *path = strchr(line, ' ');
	const char *type = path ? strchr(path + 1, ' ') : NULL;
	const size_t len = strlen(f->type);

	if (!type || strncmp(type + 1, f->type, len) || type[1 + len] != ' ')
		return 0;
	sys_unescape(++path);
	return strlen(path) < PATH_MAX ? f->visit(f->arg, path) : 0;
}

int mounts_visit(struct sys *sys, const char *type, int (*visit)(void *arg, const char *path),
		 void *arg)
{
	struct finder f = { type, visit, arg };

	return sys_each_line_of(sys, AT_FDCWD, "/proc/self/mounts", take_line, &f);
}

/* --- cgroups --- */

/* More than on any real machine. The stack has a frame per directory level. */
#define ENTRIES_MAX (1u << 20)
#define DEPTH_MAX 32

struct search {
	struct sys *sys;
	uint64_t id;
	char path[PATH_MAX];
	unsigned int depth, entries;
};

static int search_in(struct search *s);

static int search_entry(void *arg, const char *name)
{
	struct search *s = arg;
	const size_t len = strlen(s->path), room = sizeof(s->path) - len;
	int n = snprintf(s->path + len, room, "/%s", name), ret = 0;

	if (++s->entries > ENTRIES_MAX)
		return -E2BIG;
	if (n > 0 && (size_t)n < room)
		ret = search_in(s);
	if (ret <= 0)
		s->path[len] = '\0';
	return ret;
}

/* Return 1 if s->path (usually not a directory) or a directory below it has the id; otherwise 0. */
static int search_in(struct search *s)
{
	int fd = sys_openat(s->sys, AT_FDCWD, s->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), ret;
	struct stat st = { 0 };

	if (fd < 0)
		return 0;
	ret = sys_fstat(s->sys, fd, &st);
	sys_close_fd(s->sys, &fd);
	if (ret >= 0 && st.st_ino == s->id)	/* the inode number is kernfs_id() */
		return 1;
	if (ret < 0 || s->depth == DEPTH_MAX)
		return 0;
	s->depth++;
	ret = sys_each_entry(s->sys, AT_FDCWD, s->path, search_entry, s);
	s->depth--;
	return ret == -E2BIG || ret > 0 ? ret : 0;
}

static int search_mount(void *arg, const char *path)
{
	struct search *s = arg;

	snprintf(s->path, sizeof(s->path), "%s", path);
	return search_in(s);
}

bool mounts_find_cgroup(struct sys *sys, uint64_t id, char *path, size_t size)
{
	struct search s = { .sys = sys, .id = id };

	if (!id || mounts_visit(sys, "cgroup2", search_mount, &s) <= 0)
		return false;
	snprintf(path, size, "%s", s.path);
	return true;
}
