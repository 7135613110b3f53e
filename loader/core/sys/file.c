// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A file in memory whose blocks are read on demand. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "loader/core/sys/file.h"

#define BLOCK		4096u	/* unit of reading */
#define FIRST_READ	(64u << 10)
#define HUGE_PAGE	(UINT64_C(2) << 20)

static bool is_present(const struct file *f, uint64_t block)
{
	return f->present[block / 8] >> block % 8 & 1;
}

/* Read the blocks from @first up to @end, none of which has been read yet. */
static int read_blocks(struct file *f, uint64_t first, uint64_t end, struct error *err)
{
	uint64_t at = first * BLOCK, to = end * BLOCK;

	if (to > f->source.size)
		to = f->source.size;
	while (at < to) {
		ssize_t n = sys_pread(f->sys, f->fd, f->data + at, to - at, at);

		if (n < 0)
			return error_set(err, -n, "read: %s", error_strerror(-n));
		if (n == 0) {
			error_set(err, EBADMSG,
				  "the file now ends at 0x%" PRIx64 " but had 0x%" PRIx64
				  " bytes when it was opened",
				  at, f->source.size);
			return error_hint(err, "another process is writing it: try again later");
		}
		at += n;
	}
	for (uint64_t i = first; i < end; i++)
		f->present[i / 8] |= 1 << i % 8;
	return 0;
}

static int get(void *arg, uint64_t off, uint64_t len, struct bytes *out, struct error *err)
{
	struct file *f = arg;
	uint64_t block = off / BLOCK, end = len ? (off + len - 1) / BLOCK + 1 : block;
	int ret = 0;

	while (!ret && block < end) {
		uint64_t first = block;

		while (block < end && !is_present(f, block))
			block++;
		if (block > first)
			ret = read_blocks(f, first, block, err);
		else
			block++;
	}
	*out = (struct bytes){ f->data + off, len };
	return ret;
}

static int check_regular(const struct stat *st, uint64_t size_max, struct error *err)
{
	if (!S_ISREG(st->st_mode))
		return error_set(err, S_ISDIR(st->st_mode) ? EISDIR : EINVAL,
				 "is %s, not a regular file",
				 S_ISDIR(st->st_mode) ? "a directory" :
				 S_ISFIFO(st->st_mode) ? "a FIFO" : "a device or socket");
	if ((uint64_t)st->st_size > size_max) {
		error_set(err, EFBIG, "is too large (%lld bytes)",
			  (long long)st->st_size);
		return error_hint(err, "the limit is %" PRIu64, size_max);
	}
	return 0;
}

/*
 * Allocate as much memory as the file is long; untouched pages cost nothing. Large files get huge
 * pages, because the page fault for a small page takes longer than reading its contents.
 */
static bool allocate(struct file *f, uint64_t size)
{
	const uint64_t align = size < HUGE_PAGE ? 1 : HUGE_PAGE;
	const uint64_t whole = (size + align - 1) / align * align;

	f->memory = malloc(whole + align);
	if (!f->memory)
		return false;
	/* Start at an aligned address, after malloc()'s own header page. */
	f->data = f->memory + (align - (uintptr_t)f->memory % align) % align;
	if (align > 1)
		sys_madvise(f->sys, f->data, whole, MADV_HUGEPAGE);
	return true;
}

static int prepare(struct file *f, uint64_t size_max, struct error *err)
{
	struct bytes unused;
	struct stat st;
	int ret = sys_fstat(f->sys, f->fd, &st);

	if (ret < 0)
		return error_set(err, -ret, "fstat: %s", error_strerror(-ret));
	ret = check_regular(&st, size_max, err);
	if (ret)
		return ret;
	f->source.size = st.st_size;
	f->present = calloc(f->source.size / BLOCK / 8 + 1, 1);
	if (!f->present || !allocate(f, f->source.size))
		return error_set(err, ENOMEM, "no memory for %" PRIu64 " bytes", f->source.size);
	return get(f, 0, f->source.size < FIRST_READ ? f->source.size : FIRST_READ, &unused, err);
}

int file_open(struct file *file, struct sys *sys, const char *path, uint64_t size_max,
	      struct error *err)
{
	/* Without O_NONBLOCK, opening a FIFO without a writer would block forever. */
	const int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK;
	int ret;

	*file = (struct file){ .source = { .get = get, .arg = file }, .sys = sys };
	file->fd = sys_openat(sys, AT_FDCWD, path, flags);
	if (file->fd < 0)
		ret = error_set(err, -file->fd, "%s", error_strerror(-file->fd));
	else
		ret = prepare(file, size_max, err);
	if (ret)
		file_close(file);
	return ret;
}

void file_done(struct file *file)
{
	if (file->sys)
		sys_close_fd(file->sys, &file->fd);
}

void file_close(struct file *file)
{
	file_done(file);
	free(file->present);
	free(file->memory);
	*file = (struct file){ 0 };
}
