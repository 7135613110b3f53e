// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Pin programs, maps and links as files in bpffs, all or none. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/magic.h>

#include "loader/sessions/pins/pin_files.h"
#include "loader/core/sys/fd_limit.h"

/* Add the hint, if any, for a call on @path in bpffs that returned @ret. Return: err->code. */
static int hint_refused(struct error *err, int ret, const char *path)
{
	switch (ret) {
	case -EPERM:
		if (strchr(path, '.'))	/* bpf_lookup() in kernel/bpf/inode.c */
			return error_hint(err, "names in bpffs cannot contain '.'");
		/* fallthrough */
	case -EACCES:
		return error_hint(err, "check the owner and the mode of the directory");
	case -ENOSPC:		/* bpf_get_inode(): new_inode() has failed */
	case -ENOMEM:
		return error_hint(err, "the kernel reports that it is out of memory: "
				       "see free, and memory.max of "
				       "the cgroup");
	default:
		return err ? err->code : ret;
	}
}

/* --- the directory --- */

int pins_check_dir(struct sys *sys, const char *dir, int flags, struct error *err)
{
	int fd = sys_openat(sys, AT_FDCWD, dir, O_PATH | O_DIRECTORY | O_CLOEXEC | flags);
	struct stat st;
	int ret = fd < 0 ? fd : sys_fstat(sys, fd, &st);

	sys_close_fd(sys, &fd);
	if (ret == -ENOENT)
		return ret;
	if (ret < 0 && ret != -ENOTDIR) {
		error_set(err, -ret, "'%s': %s", dir, error_strerror(-ret));
		if (own_limit_failed(sys, -ret, "pload/fd-limit", err))
			return ret;
		error_reason(err, "pin/refused");
		return hint_refused(err, ret, dir);
	}
	if (ret < 0)
		error_set(err, EPERM, "'%s' is %s", dir, flags & O_NOFOLLOW ?
			  "a symbolic link or a file exists where pload needs a directory" :
			  "no directory");
	else if (st.st_uid && st.st_uid != geteuid())
		error_set(err, EPERM, "'%s' belongs to user %u", dir, st.st_uid);
	else if ((st.st_mode & (S_IWGRP | S_IWOTH)) && !(st.st_mode & S_ISVTX))
		error_set(err, EPERM, "'%s' is writable by others", dir);
	else
		return 0;
	error_reason(err, "pin/foreign");
	return error_hint(err, "others could replace the pins: use a directory that you own and "
			       "that only you may write to");
}

int pins_check(struct sys *sys, const char *dir, struct error *err)
{
	char path[PATH_MAX], *slash;
	struct statfs fs = { 0 };
	int ret;

	if (snprintf(path, sizeof(path), "%s", dir) >= PATH_MAX || !dir[0]) {
		error_set(err, EINVAL, "not a directory path");
		error_reason(err, "pin/name");
		return error_where(err, "--pin=%.64s", dir);
	}
	while ((ret = sys_statfs(sys, path, &fs)) == -ENOENT && strcmp(path, "/") &&
	       strcmp(path, ".")) {
		slash = strrchr(path, '/');
		if (!slash)
			strcpy(path, ".");
		else
			slash[slash == path] = '\0';
	}
	if (ret < 0) {
		error_set(err, -ret, "'%s': %s", path, error_strerror(-ret));
		error_reason(err, "pin/refused");
		hint_refused(err, ret, path);
		return error_where(err, "--pin=%s", dir);
	}
	if ((uint32_t)fs.f_type == BPF_FS_MAGIC) {
		ret = pins_check_dir(sys, path, 0, err);
		return ret && ret != -ENOENT ? error_where(err, "--pin=%s", dir) : 0;
	}
	error_set(err, EINVAL, "'%s' is not in a file system of type bpf, which pins require",
		  path);
	error_reason(err, "pin/no-bpffs");
	error_hint(err, "mount -t bpf bpf /sys/fs/bpf, and use --pin=/sys/fs/bpf/NAME");
	return error_where(err, "--pin=%s", dir);
}

void pins_name(char *out, size_t size, const char *name)
{
	size_t n = 0;

	if (name[0] == '.' && name[1])
		name++;
	for (; *name && n < size - 1; name++) {
		const unsigned char c = *name;

		out[n++] = isalnum(c) || c == '_' || c == '-' ? c : '_';
	}
	out[n] = '\0';
}

/* --- the plan --- */

int pins_add(struct pins *pins, struct pin pin, struct error *err, const char *fmt, ...)
{
	struct pin *list = array_grow(pins->list, pins->nr, sizeof(*list));
	va_list ap;
	int n;

	if (list)
		pins->list = list;
	va_start(ap, fmt);
	n = list ? vasprintf(&pin.path, fmt, ap) : -1;
	va_end(ap);
	if (n < 0)
		return error_set(err, ENOMEM, "no memory for the paths of pins");
	list[pins->nr++] = pin;
	return 0;
}

void pins_free(struct pins *pins)
{
	for (unsigned int i = 0; i < pins->nr_dirs; i++)
		free(pins->dirs[i]);
	for (uint32_t i = 0; i < pins->nr; i++)
		free(pins->list[i].path);
	free(pins->list);
	*pins = (struct pins){ .sys = pins->sys };
}

/* --- create and remove --- */

static int create_dir(struct pins *pins, const char *path, struct error *err)
{
	int ret = sys_mkdirat(pins->sys, path, 0700);

	if (ret == -EEXIST)
		return 0;
	if (ret < 0) {
		error_set(err, -ret, "mkdir '%s': %s", path, error_strerror(-ret));
		error_reason(err, "pin/refused");
		return hint_refused(err, ret, path);
	}
	if (pins->nr_dirs < sizeof(pins->dirs) / sizeof(pins->dirs[0]))
		pins->dirs[pins->nr_dirs] = strdup(path);
	if (pins->nr_dirs < sizeof(pins->dirs) / sizeof(pins->dirs[0]) &&
	    pins->dirs[pins->nr_dirs]) {
		pins->nr_dirs++;
		return 0;
	}
	sys_rmdir(pins->sys, path); /* without its name it could not be removed later */
	return error_set(err, ENOMEM, "no memory for the names of directories");
}

/*
 * Create the parent directories of @path. Check the last one afterwards, because somebody else may
 * have created it. In a dry run it does not exist.
 */
static int create_dirs(struct pins *pins, const char *path, struct error *err)
{
	char dir[PATH_MAX] = ".";
	int ret = 0;

	for (const char *slash = strchr(path + 1, '/'); !ret && slash;
	     slash = strchr(slash + 1, '/')) {
		if (slash[-1] == '/')
			continue;
		snprintf(dir, sizeof(dir), "%.*s", (int)(slash - path), path);
		ret = create_dir(pins, dir, err);
	}
	if (!ret)
		ret = pins_check_dir(pins->sys, dir, 0, err);
	return ret == -ENOENT ? 0 : ret;
}

static bool is_there(struct sys *sys, const char *path)
{
	int fd = sys_openat(sys, AT_FDCWD, path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	const bool is = fd >= 0;

	sys_close_fd(sys, &fd);
	return is;
}

static int create_pin(struct pins *pins, const struct pin *pin, struct error *err)
{
	int ret = pin->text ? sys_symlinkat(pins->sys, pin->text, pin->path) :
			      kernel_pin(pins->sys, pin->fd, pin->path);
	bool exists;

	if (ret >= 0)
		return 0;
	error_set(err, -ret, "%s '%s': %s", pin->text ? "symlink" : "BPF_OBJ_PIN", pin->path,
		  error_strerror(-ret));
	exists = ret == -EEXIST && is_there(pins->sys, pin->path);
	error_reason(err, exists ? "pin/exists" : "pin/refused");
	if (!pin->text)
		kernel_pin_call(err, pin->fd, pin->path, -ret);
	if (exists)
		error_hint(err, "a pin already exists there: remove it, or use another directory");
	else
		hint_refused(err, ret, pin->path);
	return error_where(err, "%s '%s'", pin->kind, pin->name);
}

static void undo(struct pins *pins)
{
	while (pins->done)
		sys_unlinkat(pins->sys, pins->list[--pins->done].path);
	while (pins->nr_dirs > 0) {
		sys_rmdir(pins->sys, pins->dirs[--pins->nr_dirs]);
		free(pins->dirs[pins->nr_dirs]);
	}
}

int pins_make(struct pins *pins, struct error *err)
{
	const char *last = "";
	int ret = 0;

	for (; !ret && pins->done < pins->nr; pins->done += !ret) {
		const struct pin *pin = &pins->list[pins->done];
		const size_t len = strrchr(pin->path, '/') - pin->path;

		/* The pins of a directory are adjacent. */
		if (strncmp(last, pin->path, len + 1))
			ret = create_dirs(pins, pin->path, err);
		last = pin->path;
		if (!ret)
			ret = create_pin(pins, pin, err);
	}
	if (ret)
		undo(pins);
	return ret;
}
