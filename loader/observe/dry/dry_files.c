// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Files in a dry run: read the real ones, and simulate those that this machine does not expose. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "loader/observe/dry/dry_internal.h"

#define DEVICES "/sys/bus/event_source/devices"
#define CPUS "/sys/devices/system/cpu"
#define SYMBOLS "/proc/kallsyms"

/* Types of PMUs as on x86. Types from 6 on are assigned at boot, so any number is plausible. */
static const struct {
	const char *name;
	const char *type;
} pmus[] = {
	{ "software", "1\n" },
	{ "tracepoint", "2\n" },
	{ "cpu", "4\n" },
	{ "breakpoint", "5\n" },
	{ "cpu_clock", "6\n" },
	{ "task_clock", "7\n" },
	{ "msr", "10\n" },
};

static const struct {
	const char *path, *text;
} probes[] = {
	{ DEVICES "/kprobe/type", "8\n" },
	{ DEVICES "/kprobe/format/retprobe", "config:0\n" },
	{ DEVICES "/uprobe/type", "9\n" },
	{ DEVICES "/uprobe/format/retprobe", "config:0\n" },
	{ DEVICES "/uprobe/format/ref_ctr_offset", "config:32-63\n" },
};

static const char *type_of_pmu(const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < sizeof(pmus) / sizeof(pmus[0]); i++)
		if (strlen(pmus[i].name) == len && memcmp(pmus[i].name, name, len) == 0)
			return pmus[i].type;
	return "11\n";
}

static const char *after(const char *path, const char *prefix)
{
	const size_t len = strlen(prefix);

	return strncmp(path, prefix, len) == 0 ? path + len : NULL;
}

/* "/CATEGORY/NAME/id" */
static bool is_event_id(const char *path)
{
	size_t category, name;

	if (path[0] != '/')
		return false;
	category = strcspn(path + 1, "/");
	path += 1 + category;
	if (!category || path[0] != '/')
		return false;
	name = strcspn(path + 1, "/");
	return name && strcmp(path + 1 + name, "/id") == 0;
}

/* The tracefs file to which probes are written; @path is relative to tracefs. */
static bool is_probe_file(const char *path)
{
	return strcmp(path, "kprobe_events") == 0 || strcmp(path, "uprobe_events") == 0;
}

/* Return the part of @path below a mounted tracefs, or NULL. */
static const char *below_tracefs(const char *path)
{
	static const char *const mounts[] = { "/sys/kernel/tracing/",
					      "/sys/kernel/debug/tracing/" };
	const char *rest = NULL;

	for (size_t i = 0; !rest && i < sizeof(mounts) / sizeof(mounts[0]); i++)
		rest = after(path, mounts[i]);
	return rest;
}

/*
 * Return the usual content of @path, or NULL. The content is simulated only if directory *@dir does
 * not exist or cannot be opened; otherwise a missing file means that the event or PMU does not
 * exist. *@dir is NULL for the PMUs of probes, which always exist here.
 */
static const char *invent(const char *path, const char **dir)
{
	static const char *const events[] = {
		"/sys/kernel/tracing/events", "/sys/kernel/debug/tracing/events",
	};
	const char *rest, *slash;
	size_t i;

	for (i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
		*dir = events[i];
		rest = after(path, events[i]);
		if (rest && is_event_id(rest))
			return "1\n";
	}
	*dir = NULL;
	for (i = 0; i < sizeof(probes) / sizeof(probes[0]); i++)
		if (strcmp(path, probes[i].path) == 0)
			return probes[i].text;
	*dir = DEVICES;
	rest = after(path, DEVICES "/");
	slash = rest ? strchr(rest, '/') : NULL;
	if (slash && slash > rest && strcmp(slash, "/type") == 0)
		return type_of_pmu(rest, slash - rest);
	*dir = CPUS;
	if (strcmp(path, CPUS "/online") == 0 || strcmp(path, CPUS "/possible") == 0)
		return "0-1\n";
	return NULL;
}

static bool can_open(struct dry *dry, const char *dir)
{
	int fd = sys_openat(dry->files, AT_FDCWD, dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return false;
	sys_close(dry->files, fd);
	return true;
}

static long text_fd(struct dry *dry, const char *text)
{
	struct dry_fd *fd;
	int nr = dry_fd_new(dry, SIM_TEXT, &fd);

	if (nr >= 0)
		memcpy(fd->text, text, strlen(text) + 1);
	return nr;
}

static long lines_fd(struct dry *dry)
{
	struct dry_fd *fd;

	return dry_fd_new(dry, SIM_LINES, &fd);
}

static long open_below_tracefs(struct dry *dry, const char *path)
{
	const char *rest = after(path, "events");

	return rest && is_event_id(rest) ? text_fd(dry, "1\n") : -ENOENT;
}

static long open_real(struct dry *dry, int dirfd, const char *path, int flags)
{
	struct dry_fd *fd;
	int real_fd = sys_openat(dry->files, dirfd, path, flags), nr;

	if (real_fd < 0)
		return real_fd;
	nr = dry_fd_new(dry, strcmp(path, SYMBOLS) ? SIM_FILE : SIM_SYMBOLS, &fd);
	if (nr < 0)
		sys_close_fd(dry->files, &real_fd);
	else
		fd->real_fd = real_fd;
	return nr;
}

/*
 * Simulate the files of probes in a mounted tracefs, because no probe is created. A file that the
 * kernel lacks is missing here, too.
 * Return: 0 if @path is another file.
 */
static long open_probe(struct dry *dry, const char *path, const char *rest)
{
	const char *event = after(rest, "events/pload/");
	int fd;

	if (event && is_event_id(rest + strlen("events")))
		return text_fd(dry, "1\n");
	if (!is_probe_file(rest))
		return 0;
	fd = sys_openat(dry->files, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0)
		sys_close(dry->files, fd);
	return fd == -ENOENT ? -ENOENT : lines_fd(dry);
}

long dry_openat(struct dry *dry, const unsigned long arg[6])
{
	struct dry_fd *dir = sim_fd_get(&dry->fds, arg[0]);
	const char *path = (const char *)arg[1], *text, *parent;
	const char *traced;
	const int flags = arg[2];
	int dirfd = AT_FDCWD;
	long ret;

	if (!path)
		return -EFAULT;
	traced = below_tracefs(path);
	ret = traced ? open_probe(dry, path, traced) : 0;
	if (ret)
		return ret;
	if (dir && dir->kind == SIM_DIR && is_probe_file(path))
		return lines_fd(dry);
	if ((flags & O_ACCMODE) != O_RDONLY || flags & (O_CREAT | O_TRUNC))
		return -EROFS;
	if (path[0] != '/' && (int)arg[0] != AT_FDCWD) {
		if (!dir)
			return -EBADF;
		if (dir->kind == SIM_DIR)
			return open_below_tracefs(dry, path);
		if (dir->kind != SIM_FILE)
			return -ENOTDIR;
		dirfd = dir->real_fd;
	}
	ret = open_real(dry, dirfd, path, flags);
	if (ret >= 0)
		return ret;
	text = path[0] == '/' ? invent(path, &parent) : NULL;
	return text && !(parent && can_open(dry, parent)) ? text_fd(dry, text) : ret;
}

static long read_text(struct dry_fd *fd, char *buf, size_t size)
{
	size_t len = strlen(fd->text + fd->pos);

	if (len > size)
		len = size;
	memcpy(buf, fd->text + fd->pos, len);
	fd->pos += len;
	return len;
}

/* Events are never enabled, so all counts and times are 0. */
static long read_event(const struct dry_fd *fd, char *buf, size_t size)
{
	if (size < fd->value_size)
		return -ENOSPC;
	memset(buf, 0, fd->value_size);
	return fd->value_size;
}

/*
 * The kernel hides addresses from unprivileged readers as 0: replace each by a unique address.
 * read(2) of this file returns whole lines: seq_read_iter() in fs/seq_file.c.
 */
static long read_symbols(struct dry *dry, struct dry_fd *fd, char *buf, size_t size)
{
	static const char hidden[] = "0000000000000000 ";
	long n = sys_read(dry->files, fd->real_fd, buf, size);
	char *line = buf, *end = n > 0 ? buf + n : buf;
	char address[sizeof(hidden)];

	while (end - line >= (long)strlen(hidden)) {
		if (!memcmp(line, hidden, strlen(hidden))) {
			snprintf(address, sizeof(address), "ffffffff%08x",
				 0x81000000u + 16 * fd->pos++);
			memcpy(line, address, strlen(address));
		}
		line = memchr(line, '\n', end - line);
		if (!line)
			break;
		line++;
	}
	return n;
}

long dry_read(struct dry *dry, const unsigned long arg[6])
{
	struct dry_fd *fd = sim_fd_get(&dry->fds, arg[0]);
	char *buf = (char *)arg[1];

	if (!fd)
		return -EBADF;
	switch (fd->kind) {
	case SIM_FILE:
		return sys_read(dry->files, fd->real_fd, buf, arg[2]);
	case SIM_SYMBOLS:
		return read_symbols(dry, fd, buf, arg[2]);
	case SIM_TEXT:
		return read_text(fd, buf, arg[2]);
	case SIM_EVENT:
		return read_event(fd, buf, arg[2]);
	case SIM_SIGNAL:
		return -EAGAIN;
	case SIM_LINES:
	case SIM_PIPE:
		return 0;
	case SIM_DIR:
		return -EISDIR;
	default:
		return -EINVAL;
	}
}

/* Only for real files; simulated ones are small and read from the start. */
long dry_pread64(struct dry *dry, const unsigned long arg[6])
{
	struct dry_fd *fd = sim_fd_get(&dry->fds, arg[0]);

	if (!fd)
		return -EBADF;
	if (fd->kind == SIM_FILE)
		return sys_pread(dry->files, fd->real_fd, (void *)arg[1], arg[2], arg[3]);
	return fd->kind == SIM_DIR ? -EISDIR : -ESPIPE;
}

long dry_write(struct dry *dry, const unsigned long arg[6])
{
	const struct dry_fd *fd = sim_fd_get(&dry->fds, arg[0]);

	if (!fd)
		return -EBADF;
	return fd->kind == SIM_LINES || fd->kind == SIM_PIPE ? (long)arg[2] : -EINVAL;
}

long dry_getdents64(struct dry *dry, const unsigned long arg[6])
{
	struct dry_fd *fd = sim_fd_get(&dry->fds, arg[0]);

	if (!fd)
		return -EBADF;
	if (fd->kind == SIM_FILE)
		return sys_getdents64(dry->files, fd->real_fd, (void *)arg[1], arg[2]);
	return fd->kind == SIM_DIR ? 0 : -ENOTDIR;
}

long dry_fstat(struct dry *dry, const unsigned long arg[6])
{
	struct dry_fd *fd = sim_fd_get(&dry->fds, arg[0]);
	struct stat *st = (struct stat *)arg[1];

	if (!fd)
		return -EBADF;
	if (fd->kind == SIM_FILE || fd->kind == SIM_SYMBOLS)
		return sys_fstat(dry->files, fd->real_fd, st);
	memset(st, 0, sizeof(*st));
	st->st_nlink = 1;
	st->st_mode = fd->kind == SIM_DIR ? S_IFDIR | 0755 : S_IFREG | 0444;
	st->st_size = fd->kind == SIM_TEXT ? strlen(fd->text) : 0;
	return 0;
}
