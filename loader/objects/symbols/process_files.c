// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Access files of another process: its root directory, and its mappings. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "loader/base/calls/regular_file.h"
#include "loader/base/text/each_line.h"
#include "loader/objects/symbols/symbols_internal.h"
#include "loader/core/sys/read.h"

/* MAXSYMLINKS in the kernel's include/linux/namei.h */
#define LINKS_MAX 40

static int no_process(pid_t pid, int code, struct error *err)
{
	error_set(err, code == ENOENT ? ESRCH : code, "cannot examine process %d: %s", pid,
		  error_strerror(code == ENOENT ? ESRCH : code));
	error_reason(err, "symbols/no-process");
	if (code == EACCES || code == EPERM)
		error_hint(err, "seeing the files of other users' processes requires "
				"CAP_SYS_PTRACE");
	else if (code == ENOENT || code == ESRCH)
		error_hint(err, "-p takes the pid of a running process");
	return err ? err->code : -code;
}

static int read_link(struct sys *sys, const char *path, char *to, size_t size)
{
	const ssize_t n = sys_readlinkat(sys, path, to, size);

	if (n < 0)
		return n;
	if ((size_t)n == size)
		return -ENAMETOOLONG;
	to[n] = '\0';
	return 0;
}

int process_root(struct sys *sys, pid_t pid, char root[32], struct error *err)
{
	char link[64], ours[64], theirs[64];
	int ret;

	snprintf(root, 32, "/proc/%d/root", pid);
	ret = read_link(sys, root, link, sizeof(link));
	if (ret == -ENAMETOOLONG)
		return 0;
	if (ret < 0)
		return no_process(pid, -ret, err);
	if (strcmp(link, "/"))
		return 0;
	/* It is the root of its mount namespace, which may be pload's. */
	snprintf(link, sizeof(link), "/proc/%d/ns/mnt", pid);
	if (!read_link(sys, link, theirs, sizeof(theirs)) &&
	    !read_link(sys, "/proc/self/ns/mnt", ours, sizeof(ours)) && !strcmp(ours, theirs))
		root[0] = '\0';
	return 0;
}

/* Remove the first component of *@rest. Return its length; 0 at the end. */
static size_t take_name(const char **rest, const char **name)
{
	*rest += strspn(*rest, "/");
	*name = *rest;
	*rest += strcspn(*rest, "/");
	return *rest - *name;
}

/* Replace a symbolic link with its target, followed by the remaining path. */
static int prepend_target(char rest[EVENT_PATH_MAX], const char *link, const char *left)
{
	char joined[EVENT_PATH_MAX];
	const size_t len = snprintf(joined, sizeof(joined), "%s/%s", link, left);

	if (len >= sizeof(joined))
		return -ENAMETOOLONG;
	memcpy(rest, joined, len + 1);
	return 0;
}

/*
 * Resolve component by component, as the kernel does for a process with that root: if opened from
 * outside, absolute symbolic links would be relative to pload's root.
 */
int process_path(struct sys *sys, const char *root, const char *path, char out[EVENT_PATH_MAX])
{
	char rest[EVENT_PATH_MAX], link[EVENT_PATH_MAX];
	const size_t root_len = strlen(root);
	const char *p = rest, *name;
	size_t len, out_len = root_len;
	unsigned int links = 0;

	if ((size_t)snprintf(rest, sizeof(rest), "%s", path) >= sizeof(rest))
		return -ENAMETOOLONG;
	memcpy(out, root, root_len + 1);
	if (!root_len) {	/* same root: the kernel follows links when opening the path */
		strcpy(out, rest);
		return 0;
	}
	while ((len = take_name(&p, &name))) {
		if (len == 1 && name[0] == '.')
			continue;
		if (len == 2 && name[0] == '.' && name[1] == '.') {
			while (out_len > root_len && out[out_len - 1] != '/')
				out_len--;
			out_len -= out_len > root_len;
			out[out_len] = '\0';
			continue;
		}
		if (out_len + 1 + len >= EVENT_PATH_MAX)
			return -ENAMETOOLONG;
		out[out_len] = '/';
		memcpy(out + out_len + 1, name, len);
		out[out_len + 1 + len] = '\0';
		/* If it is not a link or does not exist, opening it will report that. */
		if (read_link(sys, out, link, sizeof(link))) {
			out_len += 1 + len;
			continue;
		}
		if (++links > LINKS_MAX)
			return -ELOOP;
		if (link[0] == '/')
			out_len = root_len;
		out[out_len] = '\0';
		if (prepend_target(rest, link, p))
			return -ENAMETOOLONG;
		p = rest;
	}
	return 0;
}

/*
 * Opening is more careful than process_path(): the owner of a directory may swap its entries at any
 * time, so open every component by itself, and read links instead of following them.
 *
 *	/proc/7/root  usr  lib -> /lib64  libc.so
 *	              ^    ^ is a link: begin again with /lib64/libc.so
 *	              '-- O_PATH | O_NOFOLLOW
 */

/* A path being resolved: up to @done it consists of directories. */
struct resolving {
	char path[EVENT_PATH_MAX];
	size_t done;
};

/* Replace everything up to the end of the component of @len bytes after r->done with @prefix. */
static int begin_again(struct resolving *r, const char *prefix, size_t prefix_len, size_t len)
{
	char joined[EVENT_PATH_MAX];
	const int size = snprintf(joined, sizeof(joined), "%.*s/%s", (int)prefix_len, prefix,
				  r->path + r->done + len);

	if (size >= (int)sizeof(joined))
		return -ENAMETOOLONG;
	memcpy(r->path, joined, size + 1);
	r->done = 0;
	return 1;
}

/* Leave the last resolved directory. */
static int parent(struct resolving *r)
{
	size_t end = r->done;

	while (end && r->path[end - 1] == '/')
		end--;
	while (end && r->path[end - 1] != '/')
		end--;
	return begin_again(r, r->path, end, strlen(".."));
}

/* Read the link @fd, and substitute it for the component of @len bytes. */
static int follow(struct sys *sys, int fd, struct resolving *r, size_t len)
{
	char link[EVENT_PATH_MAX], joined[2 * EVENT_PATH_MAX];
	const ssize_t size = sys_readlink_of(sys, fd, link, sizeof(link));

	if (size < 0)
		return size;
	if (link[0] == '/')
		return begin_again(r, link, size, len);
	snprintf(joined, sizeof(joined), "%.*s%.*s", (int)r->done, r->path, (int)size, link);
	return begin_again(r, joined, r->done + size, len);
}

/*
 * Open the next component below *@dir, which it replaces. Return 0, 1 to start over, or -errno.
 * @last: it is the last one
 */
static int descend(struct sys *sys, int *dir, struct resolving *r, size_t len, bool last, int flags)
{
	char name[256];
	struct stat st;
	int fd, ret;

	if (len == 2 && !memcmp(r->path + r->done, "..", 2))
		return parent(r);
	if (len >= sizeof(name))
		return -ENAMETOOLONG;
	memcpy(name, r->path + r->done, len);
	name[len] = '\0';
	fd = sys_openat(sys, *dir, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return fd;
	ret = sys_fstat(sys, fd, &st);
	if (!ret && S_ISLNK(st.st_mode))
		ret = last && flags & O_NOFOLLOW ? -ELOOP : follow(sys, fd, r, len);
	else
		r->done += len;
	if (ret) {
		sys_close_fd(sys, &fd);
		return ret;
	}
	sys_close_fd(sys, dir);
	*dir = fd;
	return 0;
}

/* Resolve from @dir, the root. Return 0, 1 to start over, or -errno. */
static int resolve(struct sys *sys, int *dir, struct resolving *r, int flags)
{
	int ret = 0;

	while (!ret) {
		const char *at = r->path + r->done, *name;
		const size_t len = take_name(&at, &name);
		const bool last = !at[strspn(at, "/")];

		r->done = name - r->path;
		if (!len)
			break;
		if (len == 1 && name[0] == '.')
			r->done++;
		else
			ret = descend(sys, dir, r, len, last, flags);
	}
	return ret;
}

int process_open(struct sys *sys, const char *root, const char *path, int flags)
{
	struct resolving r = { .done = 0 };

	if (snprintf(r.path, sizeof(r.path), "%s", path) >= (int)sizeof(r.path))
		return -ENAMETOOLONG;
	for (unsigned int again = 0; again < LINKS_MAX; again++) {
		int dir = sys_openat(sys, AT_FDCWD, root, O_PATH | O_DIRECTORY | O_CLOEXEC), ret;

		if (dir < 0)
			return dir;
		ret = resolve(sys, &dir, &r, flags);
		if (!ret)
			return sys_reopen_regular(sys, dir);
		sys_close_fd(sys, &dir);
		if (ret < 0)
			return ret;
	}
	return -ELOOP;
}

/* "7f00-7f10 r-xp 00001000 08:01 1234    /usr/lib/libc.so.6" */
static bool parse_mapping(char *line, struct process_mapping *m)
{
	static const char deleted[] = " (deleted)";
	unsigned long long start, end, offset, inode;
	const char *perms = strchr(line, ' ');
	int at = 0;
	size_t len;

	/* Most mappings contain no code, and a process may have many with long paths. */
	if (!perms || strnlen(perms, 5) < 5 || perms[3] != 'x' ||
	    sscanf(line, "%llx-%llx %*s %llx %x:%x %llu %n", &start, &end, &offset, &m->major,
		   &m->minor, &inode, &at) != 6 ||
	    !at)
		return false;
	m->start = start;
	m->end = end;
	m->offset = offset;
	m->inode = inode;
	m->path = line + at;
	len = strlen(m->path);
	m->deleted = len > strlen(deleted) && !strcmp(m->path + len - strlen(deleted), deleted);
	if (m->deleted)
		line[at + len - strlen(deleted)] = '\0';
	return true;
}

struct mapping_visitor {
	int (*each)(void *arg, const struct process_mapping *m);
	void *arg;
};

static int visit_mapping(void *arg, char *line)
{
	const struct mapping_visitor *v = arg;
	struct process_mapping m;

	return parse_mapping(line, &m) ? v->each(v->arg, &m) : 0;
}

int process_each_mapping(struct sys *sys, pid_t pid,
			 int (*each)(void *arg, const struct process_mapping *m), void *arg,
			 struct error *err)
{
	struct mapping_visitor visitor = { each, arg };
	char path[32];
	int ret;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	ret = sys_each_line_of(sys, AT_FDCWD, path, visit_mapping, &visitor);
	return ret < 0 ? no_process(pid, -ret, err) : ret;
}

struct mapped {
	const struct symbol_file *file;
	const char *base;	/* its name without directories */
	uint64_t offset;
	uint64_t *addresses;
	uint32_t nr, max;
};

static int add_mapped(void *arg, const struct process_mapping *m)
{
	struct mapped *found = arg;

	/* Some file systems use different device numbers in stat(2) and in maps. */
	if (m->path[0] != '/' || m->inode != found->file->ino ||
	    (strcmp(path_base(m->path), found->base) &&
	     (m->major != major(found->file->dev) || m->minor != minor(found->file->dev))))
		return 0;
	if (found->offset < m->offset || found->offset - m->offset >= m->end - m->start)
		return 0;
	if (found->nr < found->max)
		found->addresses[found->nr] = m->start + (found->offset - m->offset);
	found->nr++;
	return 0;
}

int symbols_mapped(struct symbols *s, pid_t pid, const char *path, uint64_t offset,
		   uint64_t *addresses, uint32_t max, struct error *err)
{
	struct mapped found = {
		.base = path_base(path), .offset = offset, .addresses = addresses, .max = max
	};
	struct symbol_file *file;
	int ret = symbol_file_get(s, path, &file, err);

	if (ret)
		return ret;
	found.file = file;
	ret = process_each_mapping(s->sys, pid, add_mapped, &found, err);
	return ret ? ret : (int)found.nr;
}
