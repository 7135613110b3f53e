// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The --output file, which is created atomically, and only on success. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/magic.h>

#include "loader/base/output/output_file.h"
#include "loader/base/calls/create_file.h"
#include "loader/core/sys/number.h"

#define LINKS_MAX 40	/* symbolic links that the kernel follows: MAXSYMLINKS */
#define NAMES_MAX 100	/* random names to try */

static int failed(const char *path, int code, const char *reason, struct error *err)
{
	error_set(err, code, "%s", error_strerror(code));
	error_reason(err, reason);
	if (code == ENOENT)
		error_hint(err, path[0] ? "its directory does not exist" :
					  "the file name is empty");
	else
		error_hint(err, "choose a file in a directory where you may create files");
	return error_where(err, "%s", path);
}

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino &&
	       (a->st_mode & S_IFMT) == (b->st_mode & S_IFMT);
}

/* --- find the file --- */

/* The file, link or directory at the end of a path. */
struct target {
	int dir_fd;		/* owned */
	int fd;			/* owned; the file, opened with O_PATH; -1: it does not exist */
	char path[PATH_MAX];	/* rest of the path, relative to @dir_fd */
	const char *name;	/* name in @dir_fd; part of @path */
	struct stat st;		/* of @fd */
	bool in_proc;		/* the last link is in procfs and may name a descriptor */
	bool is_planted;	/* refused, because another user put it there */
};

/* Open the directory of t->path. */
static int enter_directory(struct sys *sys, struct target *t)
{
	const char *slash = strrchr(t->path, '/');
	char dir[PATH_MAX] = ".";
	int fd;

	t->name = slash ? slash + 1 : t->path;
	if (!t->path[0])
		return -ENOENT;
	if (!t->name[0] || !strcmp(t->name, ".") || !strcmp(t->name, ".."))
		return -EISDIR;
	if (slash)
		snprintf(dir, sizeof(dir), "%.*s", (int)(slash + 1 - t->path), t->path);
	fd = sys_openat(sys, t->dir_fd, dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return fd;
	if (t->dir_fd >= 0)
		sys_close(sys, t->dir_fd);
	t->dir_fd = fd;
	return 0;
}

/*
 * Return true if another user put t->fd into a shared directory such as /tmp. With a link, that
 * user would choose where the output goes; with a file, that user would own the output. See
 * may_follow_link() and may_create_in_sticky() in fs/namei.c, which check this if
 * fs.protected_symlinks, fs.protected_regular and fs.protected_fifos are set.
 */
static bool is_planted(struct sys *sys, const struct target *t)
{
	struct stat dir;

	if (!S_ISLNK(t->st.st_mode) && !S_ISREG(t->st.st_mode) && !S_ISFIFO(t->st.st_mode))
		return false;
	return sys_fstat(sys, t->dir_fd, &dir) < 0 ||
	       (dir.st_mode & S_ISVTX && dir.st_mode & (S_IWGRP | S_IWOTH) &&
		t->st.st_uid != geteuid() && t->st.st_uid != dir.st_uid);
}

static bool is_in_proc(struct sys *sys, int fd)
{
	struct statfs fs;

	return sys_fstatfs(sys, fd, &fs) >= 0 && fs.f_type == PROC_SUPER_MAGIC;
}

/* Follow t->path to a file that is not a link, to one that does not exist, or to a procfs link. */
static int find_target(struct sys *sys, struct target *t)
{
	ssize_t n;
	int ret;

	for (int links = 0; links <= LINKS_MAX; links++) {
		ret = enter_directory(sys, t);
		if (ret < 0)
			return ret;
		ret = sys_openat(sys, t->dir_fd, t->name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
		if (ret < 0)
			return ret == -ENOENT ? 0 : ret;
		t->fd = ret;
		ret = sys_fstat(sys, t->fd, &t->st);
		if (ret < 0)
			return ret;
		t->is_planted = is_planted(sys, t);
		if (t->is_planted)
			return -EACCES;
		t->in_proc = S_ISLNK(t->st.st_mode) && is_in_proc(sys, t->fd);
		if (!S_ISLNK(t->st.st_mode) || t->in_proc)
			return 0;
		n = sys_read_link_of(sys, t->fd, t->path, sizeof(t->path));
		if (n < 0 || n == sizeof(t->path))
			return n < 0 ? n : -ENAMETOOLONG;
		t->path[n] = '\0';
		sys_close_fd(sys, &t->fd);
	}
	return -ELOOP;
}

/* --- a file written directly --- */

/*
 * If t->name is the number of a descriptor of this process, such as "1", return it; otherwise -1.
 */
static int own_descriptor(struct sys *sys, const struct target *t)
{
	struct stat st;
	uint32_t fd;

	if (number_parse_id(t->name, &fd) || fd == STDIN_FILENO)
		return -1;
	return sys_fstat(sys, fd, &st) >= 0 && is_same(&st, &t->st) ? (int)fd : -1;
}

/*
 * Open a device, a pipe, or the target of a procfs link. If that is a regular file, a shell and its
 * other commands write to it, too, so do not replace or truncate it. If it is a directory, it is
 * t->dir_fd: the user named a closed descriptor, whose number it got.
 */
static int open_direct(struct sys *sys, struct target *t)
{
	int flags = O_WRONLY | O_NOCTTY | O_CLOEXEC | (t->in_proc ? 0 : O_NOFOLLOW);
	int fd = -1, ret = 0;
	struct stat st;

	if (t->in_proc) {
		sys_close_fd(sys, &t->fd);
		t->fd = ret = sys_openat(sys, t->dir_fd, t->name, O_PATH | O_CLOEXEC);
		if (ret >= 0)
			ret = sys_fstat(sys, t->fd, &t->st);
		if (ret < 0)
			return ret;
		fd = S_ISDIR(t->st.st_mode) ? -EISDIR : own_descriptor(sys, t);
	}
	if (S_ISREG(t->st.st_mode))
		flags |= O_APPEND;
	if (fd == -1)
		fd = sys_openat(sys, t->dir_fd, t->name, flags);
	if (fd < 0)
		return fd;
	ret = sys_fstat(sys, fd, &st);
	if (ret >= 0 && is_same(&st, &t->st))
		return fd;
	sys_close(sys, fd);
	return ret < 0 ? ret : -ESTALE;	/* it was replaced in the meantime */
}

/* --- a file to be replaced --- */

/* Fail now if the file cannot be replaced at the end. */
static int check_replaceable(struct sys *sys, const struct target *t)
{
	struct stat dir = { 0 };
	int fd;

	/* See __check_sticky() in fs/namei.c. */
	if (sys_fstat(sys, t->dir_fd, &dir) >= 0 && dir.st_mode & S_ISVTX && geteuid() &&
	    t->st.st_uid != geteuid() && dir.st_uid != geteuid())
		return -EPERM;
	/* EPERM: it is immutable or append-only. */
	fd = sys_openat(sys, t->dir_fd, t->name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd >= 0)
		sys_close(sys, fd);
	return fd == -EPERM ? -EPERM : 0;
}

/*
 * Give @fd the owner, group and mode of @old. If the group cannot be kept, give it only the
 * permissions of others.
 */
static void keep_owner_and_mode(struct sys *sys, int fd, const struct stat *old)
{
	mode_t mode = old->st_mode & 0777;
	struct stat now = { 0 };
	bool same;

	same = sys_fstat(sys, fd, &now) >= 0 && now.st_uid == old->st_uid &&
	       now.st_gid == old->st_gid;
	if (!same && sys_fchown(sys, fd, old->st_uid, old->st_gid) < 0 &&
	    sys_fchown(sys, fd, -1, old->st_gid) < 0)
		mode &= ~070 | (mode & 07) << 3;
	sys_fchmod(sys, fd, mode);
}

/* A random name, so that other users cannot create it in advance. */
static int choose_name(struct sys *sys, struct output_file *file)
{
	uint64_t random;
	const ssize_t n = sys_getrandom(sys, &random, sizeof(random));

	if (n != sizeof(random))
		return n < 0 ? n : -EIO;
	snprintf(file->temporary, sizeof(file->temporary), ".pload-%016llx",
		 (unsigned long long)random);
	return 0;
}

/* linkat(2) gives an unnamed file a name through its link in /proc. */
static bool can_be_named(struct sys *sys, int fd, char link[64])
{
	struct stat st = { 0 }, same = { 0 };
	int path_fd;
	bool can;

	snprintf(link, 64, "/proc/self/fd/%d", fd);
	path_fd = sys_openat(sys, AT_FDCWD, link, O_PATH | O_CLOEXEC);
	can = path_fd >= 0 && sys_fstat(sys, fd, &st) >= 0 &&
	      sys_fstat(sys, path_fd, &same) >= 0 && is_same(&st, &same);
	sys_close_fd(sys, &path_fd);
	return can;
}

/* Open an unnamed file in file->dir_fd or, if that is not supported, one with a random name. */
static int open_temporary(struct sys *sys, struct output_file *file, mode_t mode)
{
	char link[64];
	int ret, fd = sys_create(sys, file->dir_fd, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);

	if (fd >= 0 && can_be_named(sys, fd, link))
		return fd;
	if (fd >= 0)
		sys_close(sys, fd);
	fd = -EEXIST;
	for (int i = 0; fd == -EEXIST && i < NAMES_MAX; i++) {
		ret = choose_name(sys, file);
		fd = ret < 0 ? ret : sys_create(sys, file->dir_fd, file->temporary,
						O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode);
	}
	if (fd < 0)
		file->temporary[0] = '\0';
	return fd;
}

static int open_replacement(struct sys *sys, struct output_file *file, struct target *t)
{
	const bool exists = t->fd >= 0;
	const int ret = exists ? check_replaceable(sys, t) : 0;

	if (ret < 0)
		return ret;
	file->name = strdup(t->name);
	if (!file->name)
		return -ENOMEM;
	file->dir_fd = t->dir_fd;
	t->dir_fd = -1;
	file->fd = open_temporary(sys, file, exists ? 0600 : 0666);
	if (file->fd >= 0 && exists)
		keep_owner_and_mode(sys, file->fd, &t->st);
	return file->fd;
}

static int planted(const struct target *t, const char *path, struct error *err)
{
	error_set(err, EACCES, "user %u put this %s into a shared directory",
		  t->st.st_uid, S_ISLNK(t->st.st_mode) ? "link" : "file");
	error_reason(err, "output/open");
	error_hint(err, "use another file name, or remove this one if that is safe");
	return error_where(err, "%s", path);
}

int output_file_open(struct output_file *file, const char *path, struct error *err)
{
	struct sys *sys = sys_linux();	/* even a dry run really writes its output, untraced */
	struct target t = { .dir_fd = AT_FDCWD, .fd = -1 };
	int ret;

	*file = OUTPUT_FILE_STDOUT;
	if (!strcmp(path, "-"))
		return 0;
	file->fd = -1;
	file->path = strdup(path);
	ret = !file->path ? -ENOMEM : strlen(path) >= sizeof(t.path) ? -ENAMETOOLONG : 0;
	if (!ret) {
		strcpy(t.path, path);
		ret = find_target(sys, &t);
	}
	if (!ret && (t.fd < 0 || (S_ISREG(t.st.st_mode) && t.st.st_nlink)))
		ret = open_replacement(sys, file, &t);
	else if (!ret)
		ret = file->fd = open_direct(sys, &t);
	sys_close_fd(sys, &t.fd);
	if (t.dir_fd >= 0)
		sys_close(sys, t.dir_fd);
	if (ret >= 0)
		return 0;
	output_file_close(file);
	return t.is_planted ? planted(&t, path, err) : failed(path, -ret, "output/open", err);
}

/* --- the end --- */

/* Give an unnamed file its name or, if that is taken, a random one. */
static int name_file(struct sys *sys, struct output_file *file, bool *done)
{
	char link[64];
	int ret;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", file->fd);
	ret = sys_linkat(sys, link, file->dir_fd, file->name);
	*done = ret >= 0;
	for (int i = 0; ret == -EEXIST && i < NAMES_MAX; i++) {
		ret = choose_name(sys, file);
		if (ret >= 0)
			ret = sys_linkat(sys, link, file->dir_fd, file->temporary);
	}
	if (ret < 0)
		file->temporary[0] = '\0';
	return ret;
}

/* The file is complete: keep it under its current name. */
static int not_renamed(struct sys *sys, struct output_file *file, int code, struct error *err)
{
	char link[64], dir[PATH_MAX];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", file->dir_fd);
	n = sys_readlinkat(sys, link, dir, sizeof(dir));
	failed(file->path, code, "output/failed", err);
	error_hint(err, "the complete output is in %.*s/%s", n > 0 ? (int)n : 1,
		   n > 0 ? dir : ".", file->temporary);
	file->temporary[0] = '\0';
	return -code;
}

int output_file_finish(struct output_file *file, struct error *err)
{
	struct sys *sys = sys_linux();
	bool done = file->dir_fd < 0;
	int ret = 0, closed = 0;

	if (!done) {
		/* A disk may turn out to be full, or fail, long after write(2) succeeded. */
		ret = sys_fsync(sys, file->fd);
		if ((ret >= 0 || ret == -EINVAL) && !file->temporary[0])
			ret = name_file(sys, file, &done);
	}
	if (file->fd > STDERR_FILENO)
		closed = sys_close(sys, file->fd);	/* a network file system may fail here */
	file->fd = -1;
	ret = ret < 0 && ret != -EINVAL ? ret : closed;
	if (ret < 0)
		return failed(file->path, -ret, "output/failed", err);
	if (done)
		return 0;
	ret = sys_renameat(sys, file->dir_fd, file->temporary, file->name);
	if (ret < 0)
		return not_renamed(sys, file, -ret, err);
	file->temporary[0] = '\0';
	return 0;
}

void output_file_close(struct output_file *file)
{
	struct sys *sys = sys_linux();

	if (file->fd > STDERR_FILENO)
		sys_close(sys, file->fd);
	if (file->temporary[0])
		sys_remove_in(sys, file->dir_fd, file->temporary);
	sys_close_fd(sys, &file->dir_fd);
	free(file->path);
	free(file->name);
	*file = (struct output_file){ .fd = -1, .dir_fd = -1 };
}
