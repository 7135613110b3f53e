// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The id of a tracepoint, from a mounted tracefs or from our own detached mount. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include <linux/magic.h>

#include "loader/core/event/steps.h"

const char *const tracefs_mounts[TRACEFS_MOUNTS] = {
	"/sys/kernel/tracing", "/sys/kernel/debug/tracing",
};

static int read_id(struct sys *sys, int dirfd, const char *root, const char *category,
		   const char *name, uint64_t *id)
{
	char path[2 * EVENT_NAME_MAX + 64], text[32];
	int ret;

	snprintf(path, sizeof(path), "%s%sevents/%s/%s/id", root, root[0] ? "/" : "", category,
		 name);
	ret = sys_read_text(sys, dirfd, path, text, sizeof(text));
	if (ret < 0)
		return ret;
	return number_parse(text, ret, id) ? -EIO : 0;
}

static int offer(void *near, const char *name)
{
	nearest_offer(near, name);
	return 0;
}

/* Offer the entries of events/ (@category is NULL) or events/CATEGORY. Return: 0 or -errno. */
static int offer_from(struct sys *sys, int dirfd, const char *root, const char *category,
		      struct nearest *near)
{
	char path[EVENT_NAME_MAX + 64];

	snprintf(path, sizeof(path), "%s%sevents%s%s", root, root[0] ? "/" : "",
		 category ? "/" : "", category ? category : "");
	return sys_each_entry(sys, dirfd, path, offer, near);
}

/* Return where tracefs is mounted, or NULL. */
static const char *find_mount(struct sys *sys)
{
	struct statfs fs;

	for (size_t i = 0; i < TRACEFS_MOUNTS; i++)
		if (!sys_statfs(sys, tracefs_mounts[i], &fs) &&
		    (uint32_t)fs.f_type == TRACEFS_MAGIC)
			return tracefs_mounts[i];
	return NULL;
}

/* The file is readable by root and, depending on the mount options, by a group. */
static int hint_group(struct sys *sys, const char *mount, struct error *err)
{
	int fd = sys_openat(sys, AT_FDCWD, mount, O_PATH | O_CLOEXEC);
	struct stat st = { 0 };

	if (fd >= 0)
		sys_fstat(sys, fd, &st);
	sys_close_fd(sys, &fd);
	if (st.st_gid && (st.st_mode & 050) == 050)
		return error_hint(err, "reading it requires CAP_DAC_READ_SEARCH (root has it), or "
				       "group %u, to which %s belongs", st.st_gid, mount);
	return error_hint(err, "reading it requires CAP_DAC_READ_SEARCH (root has it), or group "
			       "access: as root, mount -o remount,gid=GROUP,mode=750 %s", mount);
}

int tracefs_failed(struct sys *sys, int code, struct error *err)
{
	const bool denied = code == EACCES || code == EPERM;
	const char *mount;
	int fd;

	error_set(err, code, "cannot read tracefs: %s", error_strerror(code));
	if (own_limit_failed(sys, code, "event/fd-limit", err))
		return -code;
	error_reason(err, "event/no-tracefs");
	mount = find_mount(sys);
	fd = mount ? -1 : sys_open_detached(sys, "tracefs");
	if (denied && mount)
		hint_group(sys, mount, err);
	else if (denied && fd >= 0)
		error_hint(err, "reading it requires CAP_DAC_READ_SEARCH (root has it)");
	else if (denied)
		error_hint(err, "it is not mounted, and mounting it requires CAP_SYS_ADMIN: as "
				"root, mount -t tracefs tracefs /sys/kernel/tracing");
	else if (!mount && fd < 0)
		error_hint(err, "mount it: mount -t tracefs tracefs /sys/kernel/tracing");
	sys_close_fd(sys, &fd);
	return -code;
}

/*
 * Report that the tracefs @root below @dirfd has no such event, whether the category or the name is
 * missing, and similar names.
 */
static int unknown(struct sys *sys, int dirfd, const char *root, const char *category,
		   const char *name, struct error *err)
{
	char names[NEAREST_MAX * NEAREST_NAME];
	struct nearest near;
	int ret;

	nearest_init(&near, name);
	ret = offer_from(sys, dirfd, root, category, &near);
	if (ret == 0) {
		error_set(err, ENOENT, "tracepoint category '%s' has no event '%s'", category,
			  name);
	} else if (ret == -ENOENT || ret == -ENOTDIR) {
		nearest_init(&near, category);
		offer_from(sys, dirfd, root, NULL, &near);
		error_set(err, ENOENT, "this kernel has no tracepoint category '%s'", category);
	} else {
		return tracefs_failed(sys, -ret, err);
	}
	if (near.nr && !near.distance[0])	/* the category exists */
		return tracefs_failed(sys, ENOENT, err);
	error_reason(err, "event/unknown");
	if (near.nr)
		error_hint(err, "did you mean %s?", nearest_text(&near, names, sizeof(names)));
	else
		error_hint(
			err,
			"tracefs lists the tracepoints in events/: mount -t tracefs tracefs "
			"/sys/kernel/tracing");
	return -ENOENT;
}

bool tracefs_is_at(struct sys *sys, const char *root)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "%s/events", root);
	fd = sys_openat(sys, AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0)
		sys_close(sys, fd);
	return fd >= 0;
}

static int id_from_detached(struct sys *sys, const char *category, const char *name, uint64_t *id,
			    struct error *err)
{
	int dir_fd = sys_open_detached(sys, "tracefs"), ret;

	if (dir_fd < 0)
		return tracefs_failed(sys, -dir_fd, err);
	ret = read_id(sys, dir_fd, "", category, name, id);
	if (ret == -ENOENT)
		ret = unknown(sys, dir_fd, "", category, name, err);
	else if (ret < 0)
		tracefs_failed(sys, -ret, err);
	sys_close(sys, dir_fd);
	return ret;
}

int tracepoint_id(struct sys *sys, const char *category, const char *name, uint64_t *id,
			struct error *err)
{
	for (size_t i = 0; i < TRACEFS_MOUNTS; i++) {
		int ret = read_id(sys, AT_FDCWD, tracefs_mounts[i], category, name, id);

		if (ret == 0)
			return 0;
		if (ret != -ENOENT)
			return tracefs_failed(sys, -ret, err);
		if (tracefs_is_at(sys, tracefs_mounts[i]))
			return unknown(sys, AT_FDCWD, tracefs_mounts[i], category, name, err);
	}
	return id_from_detached(sys, category, name, id, err);
}
