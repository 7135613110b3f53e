// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The cgroups of -G: directories in cgroup v2, or in v1 if the perf_event controller is there.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/magic.h>

#include "elf/bytes.h"
#include "loader/base/text/each_line.h"
#include "loader/events/scope/scope_internal.h"

#define MOUNTINFO "/proc/self/mountinfo"

/* The mounts of cgroup hierarchies with the perf_event controller. */
struct mounts {
	char v1[PATH_MAX], v2[PATH_MAX];	/* "": nowhere */
};

/* Return true if @word is in a comma-separated list. */
static bool has_option(const char *list, const char *word)
{
	const size_t len = strlen(word);

	for (; *list; list += strcspn(list, ","), list += *list == ',')
		if (strncmp(list, word, len) == 0 && (list[len] == ',' || list[len] == '\0'))
			return true;
	return false;
}

/*
 * Parse a line of mountinfo, modifying it:
 *
 *	36 35 0:29 ROOT MOUNT-POINT OPTIONS [TAGS...] - TYPE SOURCE SUPER-OPTIONS
 */
static int mount_line(void *arg, char *line)
{
	struct mounts *mounts = arg;
	char *field[5], *type = strstr(line, " - "), *super, *to = NULL;

	if (!type)
		return 0;
	*type = '\0';
	type += 3;
	for (int i = 0; i < 5; i++)
		field[i] = strsep(&line, " ");
	super = strchr(type, ' ');
	if (!field[4] || !super)
		return 0;
	*super++ = '\0';
	super = strrchr(super, ' ');	/* after the source */
	if (strcmp(type, "cgroup2") == 0)
		to = mounts->v2;
	else if (strcmp(type, "cgroup") == 0 && super && has_option(super + 1, "perf_event"))
		to = mounts->v1;
	if (!to || to[0] || strlen(field[4]) >= PATH_MAX)
		return 0;
	sys_unescape(field[4]);
	memcpy(to, field[4], strlen(field[4]) + 1);
	return 0;
}

static int find_mounts(struct sys *sys, struct mounts *mounts, struct error *err)
{
	const int ret = sys_each_line_of(sys, AT_FDCWD, MOUNTINFO, mount_line, mounts);

	if (ret < 0) {
		error_set(err, -ret, "cannot be read: %s", error_strerror(-ret));
		if (!own_limit_failed(sys, -ret, "pload/fd-limit", err)) {
			error_reason(err, "scope/no-cgroup");
			error_hint(err, "an absolute path works without the list of mounts");
		}
		return error_where(err, "%s", MOUNTINFO);
	}
	return 0;
}

static int not_a_cgroup(const char *path, int code, struct error *err)
{
	error_set(err, code, "%s is %s, not a cgroup", path,
		  code == ENOTDIR ? "a file" : "a directory in another file system");
	error_reason(err, "scope/not-a-cgroup");
	return error_hint(err, "cgroups are directories below a mount of type cgroup2, or of type "
			       "cgroup with perf_event: grep cgroup " MOUNTINFO);
}

/* Return the directory if it is a cgroup. -ENOENT leaves @err alone. */
static int open_path(struct sys *sys, const char *path, struct error *err)
{
	struct statfs fs;
	int fd = sys_openat(sys, AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), ret;

	if (fd == -ENOENT)
		return fd;
	if (fd == -ENOTDIR)
		return not_a_cgroup(path, ENOTDIR, err);
	ret = fd < 0 ? fd : sys_statfs(sys, path, &fs);
	if (ret < 0) {
		sys_close_fd(sys, &fd);
		error_set(err, -ret, "%s cannot be opened: %s", path, error_strerror(-ret));
		return error_reason(err, "scope/no-cgroup");
	}
	if ((uint32_t)fs.f_type == CGROUP_SUPER_MAGIC ||
	    (uint32_t)fs.f_type == CGROUP2_SUPER_MAGIC)
		return fd;
	sys_close(sys, fd);
	return not_a_cgroup(path, EINVAL, err);
}

/* Open @name below @mount; "" means not mounted. */
static int open_below(struct sys *sys, const char *mount, const char *name, struct error *err)
{
	char path[PATH_MAX];

	if (!mount[0] || snprintf(path, sizeof(path), "%s/%s", mount, name) >= (int)sizeof(path))
		return -ENOENT;
	return open_path(sys, path, err);
}

/*
 * First try an absolute path as is; if it does not exist, try it relative to the mount, as in
 * /proc/PID/cgroup. If v1 has the perf_event controller, v2 does not.
 */
static int open_cgroup(struct sys *sys, const char *name, struct mounts *mounts,
		       struct error *err)
{
	int fd = name[0] == '/' ? open_path(sys, name, err) : -ENOENT, ret;

	if (fd != -ENOENT)
		return fd;
	ret = find_mounts(sys, mounts, err);
	if (ret < 0)
		return ret;
	fd = open_below(sys, mounts->v1, name, err);
	if (fd == -ENOENT)
		fd = open_below(sys, mounts->v2, name, err);
	if (fd != -ENOENT)
		return fd;
	error_set(err, ENOENT, "no such cgroup");
	error_reason(err, "scope/no-cgroup");
	if (mounts->v1[0] || mounts->v2[0])
		return error_hint(err, "cgroups are directories below %s%s%s", mounts->v1,
				  mounts->v1[0] && mounts->v2[0] ? " and " : "", mounts->v2);
	return error_hint(err, "no cgroups are mounted: mount -t cgroup2 none /sys/fs/cgroup");
}

static int add_cgroup(struct event_scope *scope, const char *name, int fd)
{
	struct event_cgroup *list =
		array_grow(scope->cgroups, scope->nr_cgroups, sizeof(*list));

	if (!list)
		return -ENOMEM;
	scope->cgroups = list;
	list += scope->nr_cgroups;
	list->name = strdup(name);
	if (!list->name)
		return -ENOMEM;
	list->fd = fd;
	scope->nr_cgroups++;
	return 0;
}

static int open_one(struct sys *sys, struct event_scope *scope, const char *name,
		    struct mounts *mounts, struct error *err)
{
	int fd, ret;

	if (!name[0]) {
		error_set(err, EINVAL, "a name is empty");
		error_reason(err, "scope/grammar");
		return error_hint(err, "write cgroup names, separated by commas: -G a,b");
	}
	fd = open_cgroup(sys, name, mounts, err);
	if (fd < 0)
		return fd;
	ret = add_cgroup(scope, name, fd);
	if (!ret)
		return 0;
	sys_close(sys, fd);
	return error_set(err, -ret, "no memory for a cgroup");
}

int scope_open_cgroups(struct sys *sys, struct event_scope *scope, const char *names,
		       struct error *err)
{
	struct mounts *mounts = calloc(1, sizeof(*mounts));
	char *copy = strdup(names), *rest = copy, *name;
	int ret = 0;

	if (!mounts || !copy)
		ret = error_set(err, ENOMEM, "no memory for the list of cgroups");
	while (!ret && (name = strsep(&rest, ","))) {
		ret = open_one(sys, scope, name, mounts, err);
		if (ret < 0)
			error_where(err, "cgroup '%.128s'", name);
	}
	free(copy);
	free(mounts);
	return ret;
}
