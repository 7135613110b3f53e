// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A kernel made of a table of files: enough of one for what is read from sysfs, procfs and tracefs.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>

#include "test/unit/common/files_builder.h"

int files_take_fd(struct files *files, const char *path)
{
	for (int i = 0; i < FILES_FD_MAX; i++) {
		if (files->fd[i].used)
			continue;
		files->fd[i].used = true;
		files->fd[i].pos = 0;
		snprintf(files->fd[i].path, sizeof(files->fd[i].path), "%s", path ? path : "");
		files->open++;
		return FILES_FD_BASE + i;
	}
	return -EMFILE;
}

static const struct fake_file *find(const struct files *files, const char *path)
{
	for (const struct fake_file *f = files->table; f && f->path; f++)
		if (strcmp(f->path, path) == 0)
			return f;
	return NULL;
}

static bool is_directory(const struct files *files, const char *path)
{
	size_t len = strlen(path);

	for (const struct fake_file *f = files->table; f && f->path; f++)
		if (strncmp(f->path, path, len) == 0 && f->path[len] == '/')
			return true;
	return false;
}

static long open_file(struct files *files, int dirfd, const char *name)
{
	char path[512];
	const struct fake_file *f;

	if (dirfd == AT_FDCWD)
		snprintf(path, sizeof(path), "%s", name);
	else if (dirfd >= FILES_FD_BASE && dirfd < FILES_FD_BASE + FILES_FD_MAX &&
		 files->fd[dirfd - FILES_FD_BASE].used)
		snprintf(path, sizeof(path), "%.200s/%.300s", files->fd[dirfd - FILES_FD_BASE].path,
			 name);
	else
		return -EBADF;
	f = find(files, path);
	if (f && f->error)
		return -f->error;
	if (!f && !is_directory(files, path))
		return -ENOENT;
	return files_take_fd(files, path);
}

static long read_file(struct files *files, unsigned int i, char *buf, size_t size)
{
	const struct fake_file *f = find(files, files->fd[i].path);
	size_t len = f ? strlen(f->text) : 0, pos = files->fd[i].pos;

	if (!f)
		return -EISDIR;
	if (size > len - pos)
		size = len - pos;
	memcpy(buf, f->text + pos, size);
	files->fd[i].pos += size;
	return size;
}

/* One entry for each call, so that the walk has to ask again. Position counts rows of the table. */
static long next_entry(struct files *files, unsigned int i, char *buf)
{
	const char *dir = files->fd[i].path;
	size_t len = strlen(dir);

	for (const struct fake_file *f = files->table + files->fd[i].pos; f->path; f++) {
		const char *name, *previous = f > files->table ? f[-1].path : "";
		uint16_t reclen;
		size_t name_len;

		files->fd[i].pos++;
		if (strncmp(f->path, dir, len) != 0 || f->path[len] != '/')
			continue;
		name = f->path + len + 1;
		name_len = strcspn(name, "/");
		reclen = (19 + name_len + 1 + 7) & ~7;
		/* Files of one directory stand next to each other in the table. */
		if (strncmp(previous, f->path, len + 1 + name_len) == 0 &&
		    previous[len + 1 + name_len] == '/')
			continue;
		memset(buf, 0, reclen);
		memcpy(buf + 16, &reclen, sizeof(reclen));
		memcpy(buf + 19, name, name_len);
		return reclen;
	}
	return 0;
}

static long files_enter(struct sys *sys, long nr, const unsigned long arg[6])
{
	struct files *files = (struct files *)sys;
	unsigned int i = arg[0] - FILES_FD_BASE;
	bool ours = i < FILES_FD_MAX && files->fd[i].used;

	files->calls++;
	if (nr == __NR_openat)
		return open_file(files, arg[0], (const char *)arg[1]);
	if (nr == __NR_read && ours && files->fd[i].path[0])
		return read_file(files, i, (char *)arg[1], arg[2]);
	if (nr == __NR_getdents64 && ours)
		return next_entry(files, i, (char *)arg[1]);
	if (nr == __NR_close) {
		if (!ours)
			return -EBADF;
		files->fd[i].used = false;
		files->open--;
		return files->other ? (files->other(files, nr, arg), 0) : 0;
	}
	return files->other ? files->other(files, nr, arg) : -ENOSYS;
}

void files_init(struct files *files, const struct fake_file *table)
{
	memset(files, 0, sizeof(*files));
	files->sys.enter = files_enter;
	files->table = table;
}
