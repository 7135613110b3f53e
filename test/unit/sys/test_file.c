// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Files of which only the requested parts are read: the bytes, the number of reads, and the errors.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "loader/core/sys/file.h"
#include "test/unit/common/expect.h"
#include "test/unit/common/suite.h"

#define BLOCK	4096u
#define SIZE	(200 * 1024 + 123)
#define HUGE	(UINT64_C(5) << 20)
#define FD	7

/* A kernel that has one file, whose bytes change with each read of any. */
static struct {
	struct sys sys;
	mode_t mode;
	uint64_t size;			/* as fstat says */
	uint64_t end;			/* where it ends now */
	uint64_t at_once;		/* a read gives no more bytes than this */
	int open_error, stat_error, read_error;
	unsigned int opened, closed;
	uint64_t huge_at, huge_size;	/* memory that shall have huge pages */
	unsigned int reads;
	unsigned char times[SIZE];	/* that each byte was read */
} kernel;

static unsigned char byte_at(uint64_t off, unsigned int read)
{
	return off * 7 + off / 251 + read;
}

static long on_pread(unsigned char *to, uint64_t size, uint64_t off)
{
	if (kernel.read_error)
		return -kernel.read_error;
	if (off >= kernel.end)
		return 0;
	size = size > kernel.end - off ? kernel.end - off : size;
	size = size > kernel.at_once ? kernel.at_once : size;
	for (uint64_t i = off; i < off + size; i++) {
		to[i - off] = byte_at(i, kernel.reads);
		kernel.times[i]++;
	}
	kernel.reads++;
	return size;
}

static long enter(struct sys *sys, long nr, const unsigned long arg[6])
{
	(void)sys;
	switch (nr) {
	case __NR_openat:
		ck_assert_int_eq(arg[2], O_RDONLY | O_CLOEXEC | O_NONBLOCK);
		if (kernel.open_error)
			return -kernel.open_error;
		kernel.opened++;
		return FD;
	case __NR_fstat:
		memset((struct stat *)arg[1], 0, sizeof(struct stat));
		((struct stat *)arg[1])->st_mode = kernel.mode;
		((struct stat *)arg[1])->st_size = kernel.size;
		return -kernel.stat_error;
	case __NR_pread64:
		ck_assert_int_eq(arg[0], FD);
		return on_pread((unsigned char *)arg[1], arg[2], arg[3]);
	case __NR_close:
		ck_assert_int_eq(arg[0], FD);
		kernel.closed++;
		return 0;
	case __NR_madvise:
		ck_assert_int_eq(arg[2], MADV_HUGEPAGE);
		kernel.huge_at = arg[0];
		kernel.huge_size = arg[1];
		return -EINVAL;	/* as a kernel without them does */
	default:
		ck_abort_msg("system call %ld", nr);
		return -ENOSYS;
	}
}

static void setup(void)
{
	memset(&kernel, 0, sizeof(kernel));
	kernel.sys.enter = enter;
	kernel.mode = S_IFREG | 0644;
	kernel.size = kernel.end = kernel.at_once = SIZE;
}

static void opens(struct file *file)
{
	struct error err = { 0 };
	int ret = file_open(file, &kernel.sys, "prog.o", HUGE, &err);

	ck_assert_msg(!ret, "%d: %s", ret, err.what);
	ck_assert_uint_eq(file->source.size, kernel.size);
}

static struct bytes gives(struct file *file, uint64_t off, uint64_t len)
{
	struct error err = { 0 };
	struct bytes out = { 0 };
	int ret = file->source.get(file->source.arg, off, len, &out, &err);

	ck_assert_msg(!ret, "%d: %s", ret, err.what);
	ck_assert_uint_eq(out.size, len);
	return out;
}

static unsigned int bytes_read(void)
{
	unsigned int nr = 0;

	for (unsigned int i = 0; i < SIZE; i++) {
		ck_assert_uint_le(kernel.times[i], 1);
		nr += kernel.times[i];
	}
	return nr;
}

/* The memory of a large file is asked to have huge pages, and does without them; no other is. */
TEST(huge_pages)
{
	struct file file;
	struct bytes all;

	setup();
	opens(&file);
	ck_assert_uint_eq(kernel.huge_size, 0);
	file_close(&file);
	kernel.size = HUGE;
	opens(&file);
	all = gives(&file, 0, SIZE - SIZE % BLOCK);
	ck_assert_uint_eq(kernel.huge_at % (2u << 20), 0);
	ck_assert_uint_eq(kernel.huge_at, (uintptr_t)all.data);
	ck_assert_uint_ge(kernel.huge_size, HUGE);
	file_close(&file);
}

TEST_FIXTURE(setup, NULL)

TEST_EACH(small_files_are_read_at_once, 2)
{
	struct file file;

	kernel.size = kernel.end = _i ? 64 * 1024 : 1000;
	opens(&file);
	ck_assert_uint_eq(kernel.reads, 1);
	ck_assert_uint_eq(bytes_read(), kernel.size);
	for (uint64_t off = 0; off < kernel.size; off += 100) {
		struct bytes b = gives(&file, off, kernel.size - off < 64 ? kernel.size - off : 64);

		ck_assert_uint_eq(b.data[0], byte_at(off, 0));
	}
	ck_assert_uint_eq(kernel.reads, 1);
	file_close(&file);
	ck_assert_uint_eq(kernel.closed, 1);
}

TEST(nothing_else_is_read)
{
	const uint64_t at = 100 * 1024 + 5, len = 9000;
	struct bytes b;
	struct file file;

	opens(&file);
	ck_assert_uint_eq(bytes_read(), 64 * 1024);
	b = gives(&file, at, len);
	for (uint64_t i = 0; i < len; i++)
		ck_assert_uint_eq(b.data[i], byte_at(at + i, 1));
	ck_assert_uint_eq(kernel.reads, 2);
	ck_assert_uint_eq(bytes_read(), 64 * 1024 + 3 * BLOCK);
	file_close(&file);
}

/*
 * The file changes with each read; bytes that were returned stay, also if later pieces overlap
 * them.
 */
TEST(nothing_is_read_twice)
{
	struct bytes before, all;
	struct file file;

	opens(&file);
	before = gives(&file, 100 * 1024, 10000);
	gives(&file, 150 * 1024, 1);
	all = gives(&file, 0, SIZE);
	ck_assert_uint_eq(bytes_read(), SIZE);
	ck_assert_ptr_eq(before.data, all.data + 100 * 1024);
	ck_assert_uint_eq(before.data[9999], byte_at(100 * 1024 + 9999, 1));
	ck_assert_uint_eq(all.data[150 * 1024], byte_at(150 * 1024, 2));
	ck_assert_uint_eq(all.data[SIZE - 1], byte_at(SIZE - 1, kernel.reads - 1));
	file_done(&file);
	ck_assert_uint_eq(kernel.closed, 1);
	ck_assert_uint_eq(all.data[150 * 1024], byte_at(150 * 1024, 2));
	file_close(&file);
	ck_assert_uint_eq(kernel.closed, 1);
}

TEST(short_reads)
{
	struct bytes b;
	struct file file;

	kernel.at_once = 1000;
	opens(&file);
	b = gives(&file, 0, SIZE);
	ck_assert_uint_eq(bytes_read(), SIZE);
	ck_assert_uint_eq(b.data[0], byte_at(0, 0));
	file_close(&file);
}

TEST(no_bytes)
{
	struct file file;

	opens(&file);
	gives(&file, SIZE, 0);
	gives(&file, 150 * 1024, 0);
	ck_assert_uint_eq(kernel.reads, 1);
	file_close(&file);
	kernel.size = kernel.end = 0;
	opens(&file);
	gives(&file, 0, 0);
	ck_assert_uint_eq(kernel.reads, 1);
	file_close(&file);
}

TEST(becomes_shorter)
{
	static const struct expect e = { EBADMSG, NULL, "the file now ends at 0x19000 but had 0x3207b",
					 "is writing it" };
	struct error err = { 0 };
	struct bytes out;
	struct file file;

	opens(&file);
	kernel.end = 100 * 1024;
	expect_error("get", file.source.get(file.source.arg, 0, SIZE, &out, &err), &err, &e);
	/* The bytes before the new end of the file were read, and are still available. */
	kernel.reads = 0;
	ck_assert_uint_eq(gives(&file, 0, 64 * 1024).data[5], byte_at(5, 0));
	ck_assert_uint_eq(kernel.reads, 0);
	file_close(&file);
}

static const struct {
	int open_error, stat_error, read_error;
	mode_t mode;
	uint64_t size;
	struct expect e;
} refused[] = {
	{ EACCES, 0, 0, 0, 0, { EACCES, NULL, "Permission denied", NULL } },
	{ 0, EIO, 0, 0, 0, { EIO, NULL, "fstat: Input/output error", NULL } },
	{ 0, 0, EIO, 0, 0, { EIO, NULL, "read: Input/output error", NULL } },
	{ 0, 0, 0, S_IFDIR, 0, { EISDIR, NULL, "is a directory, not a regular file", NULL } },
	{ 0, 0, 0, S_IFIFO, 0, { EINVAL, NULL, "is a FIFO, not a regular file", NULL } },
	{ 0, 0, 0, S_IFCHR, 0, { EINVAL, NULL, "is a device or socket, not a regular file", NULL } },
	{ 0, 0, 0, 0, SIZE + 1, { EFBIG, NULL, "(204924 bytes)", "the limit is 204923" } },
};

TEST_ROWS(cannot_be_opened, refused)
{
	struct error err = { 0 };
	struct file file;

	kernel.open_error = refused[_i].open_error;
	kernel.stat_error = refused[_i].stat_error;
	kernel.read_error = refused[_i].read_error;
	kernel.mode = refused[_i].mode ? refused[_i].mode : kernel.mode;
	kernel.size = refused[_i].size ? refused[_i].size : kernel.size;
	expect_error("file_open", file_open(&file, &kernel.sys, "prog.o", SIZE, &err), &err,
		     &refused[_i].e);
	ck_assert_uint_eq(kernel.closed, kernel.opened);
	file_close(&file);
	ck_assert_uint_eq(kernel.closed, kernel.opened);
}
