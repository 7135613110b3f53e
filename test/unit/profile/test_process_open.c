// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Open a path as a process with another root directory does: links stay below it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "loader/base/calls/regular_file.h"
#include "loader/objects/symbols/process_files.h"
#include "test/unit/common/suite.h"

static char base[64];	/* base/root is the root directory of the process */

static void name(char path[128], const char *below)
{
	snprintf(path, 128, "%s/%s", base, below);
}

static void write_file(const char *below, const char *text)
{
	char path[128];
	FILE *file;

	name(path, below);
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	fclose(file);
}

static void link_to(const char *below, const char *target)
{
	char path[128];

	name(path, below);
	ck_assert_int_eq(symlink(target, path), 0);
}

static void make_dir(const char *below)
{
	char path[128];

	name(path, below);
	ck_assert_int_eq(mkdir(path, 0755), 0);
}

static const char *const files[] = {
	"root/lib/a", "root/lib/to-a", "root/abs", "root/up", "root/loop", "root/out", "root/fifo",
	"root/chain0", "root/chain1", "a", "root/lib64", "root/to-dev", "root/lib/deep/b",
};
static const char *const dirs[] = { "root/lib/deep", "root/lib", "root", "" };

static void begin(void)
{
	char path[128];

	strcpy(base, "/tmp/pload-open-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(base));
	for (int i = NR(dirs) - 1; i-- > 0;)
		make_dir(dirs[i]);
	write_file("a", "outside");
	write_file("root/lib/a", "inside");
	write_file("root/lib/deep/b", "deep");
	link_to("root/lib/to-a", "a");
	link_to("root/abs", "/lib/a");
	link_to("root/up", "../../../../../lib/a");
	link_to("root/loop", "loop");
	link_to("root/out", "../a");
	link_to("root/lib64", "/lib");
	link_to("root/chain0", "lib64/deep/..//./chain1");
	link_to("root/chain1", "abs");
	link_to("root/to-dev", "/../../../../dev/zero");
	name(path, "root/fifo");
	ck_assert_int_eq(mkfifo(path, 0600), 0);
}

static void end(void)
{
	char path[128];

	for (int i = 0; i < NR(files); i++) {
		name(path, files[i]);
		unlink(path);
	}
	for (int i = 0; i < NR(dirs); i++) {
		name(path, dirs[i]);
		rmdir(path);
	}
}

TEST_FIXTURE(begin, end)

static const struct {
	const char *path, *text;	/* text NULL: it cannot be opened */
	int flags, error;
} rows[] = {
	{ "/lib/a", "inside", 0, 0 },
	{ "lib//a", "inside", 0, 0 },
	{ "/./lib/./a", "inside", O_NOFOLLOW, 0 },
	{ "/lib/to-a", "inside", 0, 0 },
	{ "/lib64/a", "inside", 0, 0 },
	{ "/lib64/a", "inside", O_NOFOLLOW, 0 },
	{ "/lib64/deep/b", "deep", 0, 0 },
	{ "/lib64/../lib/deep/../a", "inside", 0, 0 },
	{ "/abs", "inside", 0, 0 },
	{ "/up", "inside", 0, 0 },
	{ "/../../lib/a", "inside", 0, 0 },
	{ "/abs", NULL, O_NOFOLLOW, ELOOP },
	{ "/loop", NULL, 0, ELOOP },
	{ "/out", NULL, 0, ENOENT },
	{ "/a", NULL, 0, ENOENT },
	{ "/../a", NULL, 0, ENOENT },
	{ "/chain0", NULL, 0, ENOENT },
	{ "/chain1", "inside", 0, 0 },
	{ "/to-dev", NULL, 0, ENOENT },
	{ "/lib", NULL, 0, EISDIR },
	{ "/fifo", NULL, 0, EINVAL },
	{ "/lib/a/b", NULL, 0, ENOTDIR },
	{ "/", NULL, 0, EISDIR },
};

TEST_ROWS(paths_below_a_root, rows)
{
	char root[128], text[16] = "";
	int fd;

	name(root, "root");
	fd = process_open(sys_linux(), root, rows[_i].path, rows[_i].flags);
	ck_assert_msg(rows[_i].text ? fd >= 0 : fd == -rows[_i].error, "%s: %d", rows[_i].path, fd);
	if (fd < 0)
		return;
	ck_assert_int_gt(read(fd, text, sizeof(text) - 1), 0);
	ck_assert_str_eq(text, rows[_i].text);
	close(fd);
}

/* Nothing stays open, whatever was found. */
TEST(descriptors_that_are_closed)
{
	char root[128];
	const int before = dup(0);

	close(before);
	name(root, "root");
	for (int i = 0; i < NR(rows); i++) {
		const int fd = process_open(sys_linux(), root, rows[i].path, rows[i].flags);

		if (fd >= 0)
			close(fd);
	}
	ck_assert_int_eq(dup(0), before);
	close(before);
}

static const struct {
	const char *path;
	int error;
} others[] = {
	{ "/dev/zero", EINVAL }, { "/dev/tty", EINVAL }, { "/tmp", EISDIR }, { "/none", ENOENT },
};

/* Opening a terminal could make it that of this process, and opening a device start it. */
TEST_ROWS(only_regular_files_are_opened, others)
{
	ck_assert_int_eq(sys_open_regular(sys_linux(), AT_FDCWD, others[_i].path, 0),
			 -others[_i].error);
}
