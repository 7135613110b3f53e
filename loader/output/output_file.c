// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The file of --output, which gets its name when it is complete: it appears whole or not at all. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "loader/output/output_file.h"
#include "loader/sys/sys.h"

static int failed(const char *path, int code, const char *reason, struct error *err)
{
	error_set(err, code, "%s", error_strerror(code));
	error_reason(err, reason);
	error_hint(err, code == ENOENT ? "its directory does not exist" :
					 "name a file in a directory where you may create files");
	return error_where(err, "%s", path);
}

/*
 * Find out what @path is. Return its path without symbolic links, malloc'ed; or NULL: it does not
 * exist, *@direct is set because it is no regular file, or memory is short.
 */
static char *existing_file(struct sys *sys, const char *path, bool *direct)
{
	char link[64], target[PATH_MAX];
	struct stat st = { 0 };
	char *found = NULL;
	ssize_t n;
	int fd = sys_openat(sys, AT_FDCWD, path, O_PATH | O_CLOEXEC);

	if (fd < 0)
		return NULL;
	*direct = sys_fstat(sys, fd, &st) >= 0 && (!S_ISREG(st.st_mode) || !st.st_nlink);
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = *direct ? 0 : sys_readlinkat(sys, link, target, sizeof(target));
	if (n > 0 && n < (ssize_t)sizeof(target))
		found = strndup(target, n);
	sys_close(sys, fd);
	return found;
}

/* Open a file without a name in the directory of @file->path or, if need be, one with a name. */
static int open_temporary(struct sys *sys, struct output_file *file)
{
	const char *slash = strrchr(file->path, '/');
	const int dir_size = slash ? (int)(slash - file->path) + 1 : 0;
	char dir[PATH_MAX];
	int fd;

	if (slash && !slash[1])
		return -EISDIR;
	if (snprintf(dir, sizeof(dir), "%.*s", dir_size, file->path) >= (int)sizeof(dir))
		return -ENAMETOOLONG;
	if (asprintf(&file->temporary, "%s.pload-%d-%s", dir, (int)getpid(),
		     file->path + dir_size) < 0) {
		file->temporary = NULL;
		return -ENOMEM;
	}
	fd = sys_create(sys, dir_size ? dir : ".", O_TMPFILE | O_WRONLY | O_CLOEXEC);
	/* EISDIR: the kernel is older than O_TMPFILE, Linux 3.11. */
	if (fd != -EOPNOTSUPP && fd != -EISDIR)
		return fd;
	fd = sys_create(sys, file->temporary, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC);
	file->named = fd >= 0;
	return fd;
}

int output_file_open(struct output_file *file, const char *path, struct error *err)
{
	struct sys *sys = sys_linux();	/* output is real in a dry run too, and not traced */
	bool direct = false;

	*file = OUTPUT_FILE_STDOUT;
	if (!strcmp(path, "-"))
		return 0;
	file->path = existing_file(sys, path, &direct);
	if (direct) {
		file->fd = sys_openat(sys, AT_FDCWD, path, O_WRONLY | O_CLOEXEC);
	} else {
		if (!file->path)
			file->path = strdup(path);
		file->fd = file->path ? open_temporary(sys, file) : -ENOMEM;
	}
	if (file->fd >= 0)
		return 0;
	failed(path, -file->fd, "output/open", err);
	output_file_close(file);
	return err->code;
}

int output_file_finish(struct output_file *file, struct error *err)
{
	struct sys *sys = sys_linux();
	char unnamed[64];
	int ret = 0;

	if (!file->path)
		return 0;
	snprintf(unnamed, sizeof(unnamed), "/proc/self/fd/%d", file->fd);
	if (!file->named) {
		ret = sys_linkat(sys, unnamed, file->temporary);
		file->named = ret >= 0;
	}
	if (ret >= 0)
		ret = sys_close(sys, file->fd);	/* a network file system may fail here */
	file->fd = -1;
	if (ret >= 0)
		ret = sys_rename(sys, file->temporary, file->path);
	file->named = ret < 0 && file->named;
	return ret < 0 ? failed(file->path, -ret, "output/failed", err) : 0;
}

void output_file_close(struct output_file *file)
{
	struct sys *sys = sys_linux();

	if (file->fd > STDOUT_FILENO)
		sys_close(sys, file->fd);
	if (file->named)
		sys_unlinkat(sys, file->temporary);
	free(file->path);
	free(file->temporary);
	*file = (struct output_file){ .fd = -1 };
}
