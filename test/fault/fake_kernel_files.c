// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The fake kernel's files: the test's table, followed by a built-in one. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "test/fault/fake_kernel_parts.h"

#define DEVICES "/sys/bus/event_source/devices/"

/* Fields 5 to 21 of /proc/PID/stat. */
#define ZEROS " 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 "

static const struct fake_path built_in[] = {
	{ "/sys/devices/system/cpu/possible", "0-3\n", 0, 0 },
	{ DEVICES "software/type", "1\n", 0, 0 },
	{ DEVICES "tracepoint/type", "2\n", 0, 0 },
	{ DEVICES "breakpoint/type", "5\n", 0, 0 },
	{ DEVICES "cpu_clock/type", "6\n", 0, 0 },
	{ DEVICES "task_clock/type", "7\n", 0, 0 },
	{ DEVICES "kprobe/type", "8\n", 0, 0 },
	{ DEVICES "kprobe/format/retprobe", "config:0\n", 0, 0 },
	{ DEVICES "uprobe/type", "9\n", 0, 0 },
	{ DEVICES "uprobe/format/retprobe", "config:0\n", 0, 0 },
	{ DEVICES "uprobe/format/ref_ctr_offset", "config:32-63\n", 0, 0 },
	{ "/proc/self/stat", "42 (pload (x) y) R 1" ZEROS "777 0 0\n", 0, 0 },
	{ "/proc/self/ns/pid", "", 0, 0 },
	{ "tracefs:/events/sched/sched_switch/id", "314\n", 0, 0 },
	{ "tracefs:/available_filter_functions_addrs",
	  "ffffffff81000004 vfs_read\nffffffff81000104 vfs_write\n", 0, 0 },
	{ "/proc/kallsyms", "ffffffff81000000 T vfs_read\nffffffff81000100 T vfs_write\n", 0, 0 },
	{ "/sys/fs/cgroup/cgroup.procs", "1\n", 0, 0 },
	{ "/proc/40/status", "Name:\tinit\nTgid:\t40\nUid:\t0\t1000\t1000\t1000\n", 0, 0 },
	{ "/proc/40/task/40/comm", "one\n", 0, 0 },
	{ "/proc/40/task/41/comm", "two\n", 0, 0 },
	{ "/proc/50/status", "Name:\tsh\nTgid:\t50\nUid:\t0\t0\t0\t0\n", 0, 0 },
	{ "/proc/50/task/50/comm", "sh\n", 0, 0 },
	{ "/proc/41/status", "Name:\tinit\nTgid:\t40\n", 0, 0 },
	{ "/proc/41/task/41/comm", "two\n", 0, 0 },
	{ "/etc/passwd", "root:x:0:0::/:\nalice:x:1000:1000::/:\n", 0, 0 },
	{ "/proc/self/mountinfo", "41 31 0:38 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n", 0, 0 },
	{ "/sys/fs/cgroup/a/cgroup.procs", "", 0, 0 },
	{ "/sys/fs/cgroup/b/cgroup.procs", "", 0, 0 },
	{ NULL, NULL, 0, 0 },
};

/* Return the part of @path relative to directory @dir, or NULL if it is not inside it. */
static const char *below(const char *path, const char *dir)
{
	const size_t len = strlen(dir);

	if (strncmp(path, dir, len) != 0)
		return NULL;
	if (len && dir[len - 1] == '/')
		return path + len;
	return path[len] == '/' ? path + len + 1 : NULL;
}

static const struct fake_path *find(const struct fake_path *table, const char *path, bool *is_dir)
{
	for (; table && table->path; table++) {
		if (strcmp(table->path, path) == 0)
			return table;
		if (below(table->path, path))
			*is_dir = true;
	}
	return NULL;
}

/* Combine dirfd and path into one path. */
static int full_path(struct fake_kernel *k, const unsigned long arg[6], char *path, size_t size)
{
	const char *name = (const char *)arg[1];
	const struct fake_fd *dir = sim_fd_get(&k->fds, arg[0]);
	size_t len;

	if (name[0] == '/' || (int)arg[0] == AT_FDCWD)
		len = snprintf(path, size, "%s", name);
	else if (!dir)
		return -EBADF;
	else if (dir->kind != SIM_DIR)
		return -ENOTDIR;
	else
		len = snprintf(path, size, "%s/%s", dir->path, name);
	if (len >= size)
		return -ENAMETOOLONG;
	while (len > 1 && path[len - 1] == '/')
		path[--len] = '\0';
	return 0;
}

const char *fake_path_link(const struct fake_kernel *k, const char *path)
{
	for (const struct fake_path *p = k->paths; p && p->path; p++)
		if (p->error == FAKE_SYMLINK && !strcmp(p->path, path))
			return p->data;
	return NULL;
}

/* A file that is already open, by its descriptor. */
static long reopen(struct fake_kernel *k, const char *path)
{
	const struct fake_fd *from = sim_fd_get(&k->fds, atoi(path + strlen("/proc/self/fd/")));
	struct fake_fd *fd;
	int nr;

	if (!from)
		return -ENOENT;
	nr = fake_fd_new(k, from->kind, &fd);
	if (nr < 0)
		return nr;
	from = sim_fd_get(&k->fds, atoi(path + strlen("/proc/self/fd/")));
	fd->file = from->file;
	memcpy(fd->path, from->path, sizeof(fd->path));
	return nr;
}

long fake_openat(struct fake_kernel *k, const unsigned long arg[6])
{
	const struct fake_path *file;
	bool is_dir = false;
	struct fake_fd *fd;
	char path[256];
	int nr = full_path(k, arg, path, sizeof(path));

	if (nr < 0)
		return nr;
	if (below(path, "/proc/self/fd"))
		return reopen(k, path);
	nr = fake_open_lines(k, path, arg[2]);
	if (nr)
		return nr;
	if (fake_too_old(k, FAKE_NO_PROBES | FAKE_NO_PROBE_PMU) &&
	    (!strncmp(path, DEVICES "kprobe", sizeof(DEVICES "kprobe") - 1) ||
	     !strncmp(path, DEVICES "uprobe", sizeof(DEVICES "uprobe") - 1)))
		return -ENOENT;
	if ((arg[2] & O_ACCMODE) != O_RDONLY)
		return -EACCES;
	if (!(arg[2] & O_CLOEXEC))
		fake_violation(k, "call %u: open of %s without O_CLOEXEC", k->nr_calls, path);
	file = find(k->paths, path, &is_dir);
	if (!file)
		file = fake_cpu_file(k, path);
	if (!file)
		file = find(built_in, path, &is_dir);
	if (!file && (fake_pins_dir(k, path) || (arg[2] & O_PATH && fake_pins_has(k, path))))
		is_dir = true;
	if (file && file->error)
		return file->error == FAKE_SYMLINK ? -ELOOP : -file->error;
	if (!file && !is_dir)
		return -ENOENT;
	if (file && (arg[2] & O_DIRECTORY))
		return -ENOTDIR;
	nr = fake_fd_new(k, file ? SIM_FILE : SIM_DIR, &fd);
	if (nr < 0)
		return nr;
	fd->file = file;
	memcpy(fd->path, path, sizeof(path));
	return nr;
}

static size_t file_size(const struct fake_path *file)
{
	return file->size ? file->size : strlen(file->data);
}

long fake_read_at(const struct fake_fd *fd, void *buf, size_t size, size_t off)
{
	const size_t all = file_size(fd->file), left = off < all ? all - off : 0;

	if (size > left)
		size = left;
	if (size)
		memcpy(buf, (const char *)fd->file->data + off, size);
	return size;
}

long fake_read_file(struct fake_fd *fd, void *buf, size_t size)
{
	const long n = fake_read_at(fd, buf, size, fd->pos);

	fd->pos += n;
	return n;
}

struct names {
	char (*name)[64];	/* owned */
	size_t nr;
};

static void add_name(struct names *names, const char *name, size_t len)
{
	if (!len || len >= sizeof(names->name[0]))
		return;
	for (size_t i = 0; i < names->nr; i++)
		if (strlen(names->name[i]) == len && memcmp(names->name[i], name, len) == 0)
			return;
	names->name = fake_grow(names->name, names->nr, sizeof(names->name[0]));
	memcpy(names->name[names->nr++], name, len);
}

/* The first component of each path in @dir, once. */
static void list(const struct fake_path *table, const char *dir, struct names *names)
{
	for (; table && table->path; table++) {
		const char *rest = below(table->path, dir);

		add_name(names, rest, rest ? strcspn(rest, "/") : 0);
	}
}

static void list_all(struct fake_kernel *k, const char *dir, struct names *names)
{
	const char *name;

	add_name(names, ".", 1);
	add_name(names, "..", 2);
	list(k->paths, dir, names);
	list(built_in, dir, names);
	for (unsigned int i = 0; (name = fake_pins_entry(k, dir, i)); i++)
		add_name(names, name, strlen(name));
}

/* struct linux_dirent64: u64 d_ino, s64 d_off, u16 d_reclen, u8 d_type, d_name; 8 bytes aligned. */
static size_t put_entry(char *at, size_t room, const char *name)
{
	enum { RECLEN = 16, NAME = 19 };
	const uint16_t reclen = (NAME + strlen(name) + 1 + 7) & ~7u;

	if (reclen > room)
		return 0;
	memset(at, 0, reclen);
	memcpy(at + RECLEN, &reclen, sizeof(reclen));
	memcpy(at + NAME, name, strlen(name));
	return reclen;
}

long fake_getdents64(struct fake_kernel *k, const unsigned long arg[6])
{
	struct fake_fd *fd = sim_fd_get(&k->fds, arg[0]);
	struct names names = { 0 };
	size_t len = 0, one = 1;

	if (!fd)
		return -EBADF;
	if (fd->kind != SIM_DIR)
		return -ENOTDIR;
	list_all(k, fd->path, &names);
	while (fd->pos < names.nr) {
		one = put_entry((char *)arg[1] + len, arg[2] - len, names.name[fd->pos]);
		if (!one)
			break;
		len += one;
		fd->pos++;
	}
	free(names.name);
	return one || len ? (long)len : -EINVAL;
}

long fake_fstat(struct fake_kernel *k, const unsigned long arg[6])
{
	const struct fake_fd *fd = sim_fd_get(&k->fds, arg[0]);
	struct stat *st = (struct stat *)arg[1];

	if (!fd)
		return -EBADF;
	memset(st, 0, sizeof(*st));
	st->st_mode = fd->kind == SIM_DIR ? S_IFDIR | 0755 : 0600;
	if (fd->kind == SIM_FILE)
		st->st_mode = S_IFREG | 0555;
	st->st_size = fd->kind == SIM_FILE ? file_size(fd->file) : 0;
	return 0;
}
