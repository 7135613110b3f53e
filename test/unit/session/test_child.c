// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The part of a command's child: where it searches the program, and its message if there is none.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/session/child.h"
#include "test/unit/common/suite.h"

/* A kernel that records the programs that are executed: "PATH=-errno ". */
struct kernel {
	struct sys sys;		/* first: enter() gets it back */
	bool go;		/* there is a byte to read */
	const char *answers;	/* "path=code path=code": others are ENOENT */
	char log[1024];
};

static int answer(const struct kernel *k, const char *path)
{
	char wanted[256];
	const char *at;

	snprintf(wanted, sizeof(wanted), "%s=", path);
	at = strstr(k->answers, wanted);
	return at ? -atoi(at + strlen(wanted)) : -ENOENT;
}

static long enter(struct sys *sys, long nr, const unsigned long arg[6])
{
	struct kernel *k = (struct kernel *)sys;
	const size_t len = strlen(k->log);

	switch (nr) {
	case __NR_read:
		ck_assert_uint_eq(arg[0], 5);
		return k->go ? 1 : 0;
	case __NR_execve:
		ck_assert_ptr_nonnull((void *)arg[2]);
		snprintf(k->log + len, sizeof(k->log) - len, "%s ", (const char *)arg[0]);
		return answer(k, (const char *)arg[0]);
	case __NR_write:
		ck_assert_uint_eq(arg[0], 6);
		ck_assert_uint_eq(arg[2], sizeof(int));
		snprintf(k->log + len, sizeof(k->log) - len, "says %d ", *(const int *)arg[1]);
		return sizeof(int);
	case __NR_exit_group:
		snprintf(k->log + len, sizeof(k->log) - len, "exits %d", (int)arg[0]);
		return 0;
	}
	ck_abort_msg("system call %ld", nr);
}

static const struct {
	bool go;
	const char *path, *name, *answers, *log;
} rows[] = {
	{ false, "/a", "x", "", "exits 0" },
	{ true, "/a:/b", "x", "", "/a/x /b/x says -2 exits 127" },
	{ true, "/a:/b", "dir/x", "", "dir/x says -2 exits 127" },
	{ true, "/a:/b", "./x", "./x=13", "./x says -13 exits 127" },
	/*
	 * EACCES outweighs ENOENT of other directories; a broken program (ENOEXEC) ends the search.
	 */
	{ true, "/a:/b:/c", "x", "/b/x=13", "/a/x /b/x /c/x says -13 exits 127" },
	{ true, "/a:/b:/c", "x", "/b/x=8", "/a/x /b/x says -8 exits 127" },
	{ true, "/a:/b", "x", "/a/x=20", "/a/x /b/x says -2 exits 127" },
	{ true, ":/b:", "x", "", "x /b/x x says -2 exits 127" },
	{ true, "", "x", "", "x says -2 exits 127" },
	{ true, NULL, "x", "", "/bin/x /usr/bin/x says -2 exits 127" },
};

TEST_ROWS(looks_for_the_command, rows)
{
	struct kernel k = { .sys.enter = enter, .go = rows[_i].go, .answers = rows[_i].answers };
	char *argv[] = { (char *)rows[_i].name, NULL };

	if (rows[_i].path)
		setenv("PATH", rows[_i].path, 1);
	else
		unsetenv("PATH");
	child_become(&k.sys, argv, 5, 6);
	ck_assert_str_eq(k.log, rows[_i].log);
}

TEST(place_too_long_is_passed_over)
{
	struct kernel k = { .sys.enter = enter, .go = true, .answers = "" };
	char path[6000], *argv[] = { "x", NULL };

	memset(path, 'a', sizeof(path));
	strcpy(path + sizeof(path) - 4, ":/b");
	setenv("PATH", path, 1);
	child_become(&k.sys, argv, 5, 6);
	ck_assert_str_eq(k.log, "/b/x says -2 exits 127");
}
