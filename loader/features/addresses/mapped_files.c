// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The files that processes have mapped: which of them there are, and how to open them. The path is
 * that of another process, which may have ended, or have another root directory; the file may have
 * been deleted or replaced since.
 *
 *	/proc/PID/map_files/START-END	the mapping itself, while the process exists
 *	/proc/PID/root/PATH		... the file that has this path for it now
 *	/proc/PARENT/root/PATH		... for its parent, and so on
 *	PATH				... for pload
 *
 * A file that was opened is only used if it has the inode or the build ID that was mapped.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "loader/features/addresses/addresses_internal.h"
#include "loader/features/symbols/process_files.h"

#define FILES_MAX 65536u
#define OPEN_MAX 128u	/* descriptors of files that were opened early */
#define TRIES_MAX 8u
#define PARENTS_MAX 16u

static uint32_t hash(const struct file_identity *id)
{
	uint64_t h = (uintptr_t)id->path / 16 + id->inode * 31;

	for (unsigned int i = 0; i < id->build_id_size; i++)
		h = h * 31 + id->build_id[i];
	return (h ^ h >> 20) % BUCKETS;
}

static bool same(const struct file_identity *a, const struct file_identity *b)
{
	return a->path == b->path && a->inode == b->inode && a->major == b->major &&
	       a->minor == b->minor && a->build_id_size == b->build_id_size &&
	       !memcmp(a->build_id, b->build_id, a->build_id_size);
}

bool mapped_file_same(const struct mapped_file *a, const struct mapped_file *b)
{
	const struct file_identity *x, *y;

	if (a == b || !a || !b)
		return a == b;
	x = &a->id;
	y = &b->id;
	if (x->path != y->path || (x->inode && y->inode && x->inode != y->inode))
		return false;
	return !x->build_id_size || !y->build_id_size || same(x, y);
}

const char *build_id_text(struct addresses *a, const unsigned char *id, size_t size)
{
	char text[2 * 64 + 1];

	for (size_t i = 0; i < size && i < 64; i++)
		snprintf(text + 2 * i, 3, "%02x", id[i]);
	return strings_keep(&a->strings, text, 2 * (size < 64 ? size : 64));
}

struct mapped_file *mapped_file(struct addresses *a, const struct file_identity *id)
{
	struct mapped_file **bucket = &a->files[hash(id)], *file = *bucket;

	while (file && !same(&file->id, id))
		file = file->next;
	if (file)
		return file;
	file = a->nr_files < FILES_MAX ? calloc(1, sizeof(*file)) : NULL;
	if (!file)
		return NULL;
	*file = (struct mapped_file){ .id = *id, .next = *bucket, .fd = -1 };
	if (id->build_id_size)
		file->build_id = build_id_text(a, id->build_id, id->build_id_size);
	*bucket = file;
	a->nr_files++;
	return file;
}

void mapped_files_free(struct addresses *a)
{
	for (uint32_t i = 0; i < BUCKETS; i++) {
		struct mapped_file *file = a->files[i], *next;

		for (; file; file = next) {
			next = file->next;
			sys_close_fd(a->sys, &file->fd);
			free(file);
		}
		a->files[i] = NULL;
	}
}

static bool is_file(const struct mapped_file *file)
{
	return file->id.path[0] == '/' && strncmp(file->id.path, "//", 2) != 0;
}

/* Return true if it is a regular file, and by its inode the one that was mapped. */
static bool is_that_inode(struct addresses *a, const struct mapped_file *file, int fd)
{
	struct stat st;

	if (sys_fstat(a->sys, fd, &st) < 0 || !S_ISREG(st.st_mode))
		return false;
	/*
	 * File systems without a device of their own, whose major number is 0, may report other
	 * numbers for a mapping than stat(2) does.
	 */
	return !file->id.inode || !file->id.major || file->id.inode == st.st_ino;
}

static int open_path(struct addresses *a, const struct mapped_file *file, const char *path)
{
	int fd = sys_openat(a->sys, AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0 || is_that_inode(a, file, fd))
		return fd;
	sys_close_fd(a->sys, &fd);
	return -ESTALE;
}

/* Open the file by its path for process @pid; 0: for pload. */
static int open_below(struct addresses *a, const struct mapped_file *file, uint32_t pid,
		      char path[EVENT_PATH_MAX])
{
	char root[32] = "";

	if (pid && process_root(a->sys, pid, root, NULL))
		return -ESRCH;
	if (process_path(a->sys, root, file->id.path, path))
		return -ENAMETOOLONG;
	return open_path(a, file, path);
}

/* Open the file that process @pid has mapped as @m, or some process with the same files. */
static int open_of(struct addresses *a, const struct mapped_file *file, uint32_t pid,
		   const struct mapping *m, char path[EVENT_PATH_MAX])
{
	char mapped[80];
	int fd = -ENOENT;

	snprintf(path, EVENT_PATH_MAX, "%s", file->id.path);
	if (m) {
		snprintf(mapped, sizeof(mapped), "/proc/%u/map_files/%llx-%llx", pid,
			 (unsigned long long)m->start, (unsigned long long)m->end);
		fd = open_path(a, file, mapped);
	}
	for (unsigned int i = 0; fd < 0 && pid && i < PARENTS_MAX; i++) {
		const struct process *p = process_find(a, pid);

		fd = open_below(a, file, pid, path);
		pid = p ? p->parent : 0;
	}
	return fd < 0 ? open_below(a, file, 0, path) : fd;
}

void mapped_file_open(struct addresses *a, struct mapped_file *file, uint32_t pid,
		      const struct mapping *m)
{
	char path[EVENT_PATH_MAX];
	int fd;

	if (file->fd >= 0 || file->code || a->nr_open >= OPEN_MAX || !is_file(file))
		return;
	fd = open_of(a, file, pid, m, path);
	if (fd < 0)
		return;
	file->fd = fd;
	a->nr_open++;
}

static bool is_that_build_id(const struct mapped_file *file, const struct code *code)
{
	const struct bytes id = code_build_id(code);

	return !file->id.build_id_size || (id.size == file->id.build_id_size &&
					   !memcmp(id.data, file->id.build_id, id.size));
}

static void use_code(struct addresses *a, struct mapped_file *file, struct code *code)
{
	const struct bytes id = code_build_id(code);

	if (!is_that_build_id(file, code)) {
		file->doubt = strings_format(&a->strings, "%.400s has been replaced since: its "
					     "build ID is another one", file->id.path);
		return;
	}
	file->code = code;
	file->doubt = code_doubt(code);
	if (!file->build_id && id.size)
		file->build_id = build_id_text(a, id.data, id.size);
}

static void find_code(struct addresses *a, struct mapped_file *file, uint32_t pid,
		      const struct mapping *m)
{
	char path[EVENT_PATH_MAX];
	struct code *code = NULL;
	int fd = file->fd;

	if (!strcmp(file->id.path, "[vdso]")) {
		code = code_open_vdso(a);
	} else if (is_file(file)) {
		if (fd >= 0)
			snprintf(path, sizeof(path), "%s", file->id.path);
		else
			fd = open_of(a, file, pid, m, path);
		a->nr_open -= file->fd >= 0;
		file->fd = -1;
		if (fd >= 0)
			code = code_open(a, path, fd);
		else
			file->doubt = strings_format(
				&a->strings, fd == -ESTALE ? "%.400s has been replaced since" :
							     "%.400s cannot be read: %s",
				file->id.path, error_strerror(-fd));
	}
	if (code)
		use_code(a, file, code);
}

struct code *mapped_file_code(struct addresses *a, const struct process *process,
			      const struct mapping *m)
{
	struct mapped_file *file = m->file;
	const uint32_t pid = process ? process->pid : 0;

	if (file->code && code_is_loaded(file->code))
		return file->code;
	/* Another process may have it still. */
	if (!file->code && (file->tried == TRIES_MAX || (file->tried && file->tried_pid == pid)))
		return NULL;
	file->code = NULL;
	find_code(a, file, pid, process && process->has_ended ? NULL : m);
	if (!file->code) {
		file->tried++;
		file->tried_pid = pid;
	}
	return file->code;
}
