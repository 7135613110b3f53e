// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A cgroup by its id, in directories that a table of mounts of our own calls cgroup2. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>

#include "loader/tools/inventory/mounts.h"
#include "test/unit/common/suite.h"

static char root[] = "/tmp/pload-mounts-XXXXXX", table[64];

/* Everything is real but the table of mounts. */
static long enter(struct sys *sys, long nr, const unsigned long arg[6])
{
	unsigned long args[6];

	(void)sys;
	memcpy(args, arg, sizeof(args));
	if (nr == __NR_openat && !strcmp((const char *)arg[1], "/proc/self/mounts"))
		args[1] = (unsigned long)table;
	return sys_linux()->enter(sys_linux(), nr, args);
}

static void in_root(const char *name, char path[PATH_MAX])
{
	snprintf(path, PATH_MAX, "%s/%.256s", root, name);
}

static void make(const char *name)
{
	char path[PATH_MAX];

	in_root(name, path);
	ck_assert_int_eq(mkdir(path, 0700), 0);
}

static void begin(const char *mounts)
{
	FILE *file;

	strcpy(root + strlen(root) - 6, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(root));
	snprintf(table, sizeof(table), "%s/mounts", root);
	make("one");
	make("one/b");
	make("one/b/deep");
	make("one/c");
	make("one/c/deep");
	make("a b");
	make("a b/c");
	file = fopen(table, "w");
	ck_assert_ptr_nonnull(file);
	for (const char *p = mounts; *p; p++)
		if (*p == '@')
			fputs(root, file);
		else
			putc(*p, file);
	fclose(file);
}

static void end(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -r %s", root);
	ck_assert_int_eq(system(command), 0);
}

#define BOTH "proc /proc proc rw 0 0\ncgroup @/none cgroup rw 0 0\n" \
	     "cgroup2 @/one cgroup2 rw 0 0\nx @/a\\040b cgroup2 rw 0 0\n"

static const struct {
	const char *mounts, *name;	/* whose id is looked for */
	bool found;
} rows[] = {
	{ BOTH, "one", true }, { BOTH, "one/b", true }, { BOTH, "one/b/deep", true },
	{ BOTH, "one/c", true }, { BOTH, "one/c/deep", true },
	{ BOTH, "a b", true }, { BOTH, "a b/c", true },
	{ "cgroup2 @/one cgroup2 rw 0 0\n", "a b/c", false },
	{ "cgroup @/one cgroup rw 0 0\n", "one/c", false },
	{ "x @/one cgroup22 rw 0 0\n", "one/c", false },
	{ "", "one/c", false },
};

TEST_ROWS(found_by_its_id, rows)
{
	struct sys sys = { .enter = enter };
	char wanted[PATH_MAX], path[PATH_MAX] = "";
	struct stat st;

	begin(rows[_i].mounts);
	in_root(rows[_i].name, wanted);
	ck_assert_int_eq(stat(wanted, &st), 0);
	ck_assert_int_eq(mounts_find_cgroup(&sys, st.st_ino, path, sizeof(path)), rows[_i].found);
	ck_assert_str_eq(path, rows[_i].found ? wanted : "");
	ck_assert(!mounts_find_cgroup(&sys, 0, path, sizeof(path)));
	end();
}

/* Directories below each other are searched to a depth of 32. */
TEST_EACH(too_deep, 2)
{
	struct sys sys = { .enter = enter };
	char name[256] = "one", path[PATH_MAX];
	struct stat st;

	begin("x @/one cgroup2 rw 0 0\n");
	for (int i = 0; i < 32 + _i; i++) {
		strcat(name, "/x");
		make(name);
	}
	in_root(name, path);
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_int_eq(mounts_find_cgroup(&sys, st.st_ino, path, sizeof(path)), !_i);
	end();
}
