// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The limit of open files: how far it is raised, how often, and the original that is remembered. */
#include <errno.h>
#include <string.h>
#include <sys/resource.h>

#include "loader/core/sys/fd_limit.h"
#include "test/unit/common/suite.h"

static struct kernel {
	struct sys sys;
	uint64_t soft, hard, most;	/* @most: what this process may raise the hard one to */
} kernel;

static long enter(struct sys *sys, long nr, const unsigned long arg[6])
{
	const uint64_t *set = (const uint64_t *)arg[2];
	uint64_t *old = (uint64_t *)arg[3];

	(void)sys;
	ck_assert_int_eq(nr, __NR_prlimit64);
	ck_assert_uint_eq(arg[1], RLIMIT_NOFILE);
	if (old) {
		old[0] = kernel.soft;
		old[1] = kernel.hard;
	}
	if (!set)
		return 0;
	if (set[1] > kernel.most)
		return -EPERM;
	kernel.soft = set[0];
	kernel.hard = set[1];
	return 0;
}

/* Each row is raised again and again by 10, until that is refused. */
static const struct {
	uint64_t soft, hard, most;
	uint64_t to[5];		/* 0: it is refused, and stays as it was */
} rows[] = {
	{ 16, 64, 64, { 64 } },
	{ 16, 64, 73, { 64 } },
	{ 16, 64, 74, { 64, 74 } },
	{ 64, 64, 1000, { 74, 84, 94, 104 } },	/* and no fifth time */
	{ 16, 64, 1000, { 64, 74, 84, 94 } },
	{ 64, 64, 64, { 0 } },
};

TEST_ROWS(raised, rows)
{
	struct fd_limit limit = { 0 };
	uint64_t is = rows[_i].soft;
	unsigned int n = 0;

	kernel = (struct kernel){ { .enter = enter }, rows[_i].soft, rows[_i].hard, rows[_i].most };
	for (; rows[_i].to[n]; n++) {
		ck_assert(fd_limit_raise(&kernel.sys, &limit, 10));
		is = rows[_i].to[n];
		ck_assert_uint_eq(kernel.soft, is);
		ck_assert_uint_eq(limit.to, is);
		ck_assert_uint_eq(limit.hard, kernel.hard);
		ck_assert_uint_eq(limit.from, rows[_i].soft);
	}
	ck_assert(!fd_limit_raise(&kernel.sys, &limit, 10));
	ck_assert_uint_eq(kernel.soft, is);
	ck_assert_uint_eq(limit.to, is);
	ck_assert_uint_eq(limit.from, rows[_i].soft);
	ck_assert_uint_eq(limit.nr_raised, n);
}

static const struct {
	int code;
	uint64_t needed;
	bool own;	/* own_limit_failed() */
	const char *reason, *hint;	/* NULL: it is none of the limits */
} failures[] = {
	{ EMFILE, 0, false, "attach/fd-limit", "the limit is 16 (hard: 64): raise it with ulimit -n" },
	{ EMFILE, 90, false, "attach/fd-limit", "ulimit -n 90 as root" },
	{ ENFILE, 90, false, "attach/fd-limit", "raise fs.file-max" },
	{ ENOMEM, 0, false, NULL, NULL },
	{ EINVAL, 0, false, NULL, NULL },
	{ EMFILE, 0, true, "attach/fd-limit", "the limit is 16" },
	{ ENFILE, 0, true, "attach/fd-limit", "raise fs.file-max" },
	{ ENOMEM, 0, true, "pload/no-memory", "memory.max" },
	{ EINVAL, 0, true, NULL, NULL },
};

TEST_ROWS(failed, failures)
{
	struct error err = { 0 };
	bool ret;

	kernel = (struct kernel){ { .enter = enter }, 16, 64, 64 };
	error_set(&err, failures[_i].code, "it failed");
	ret = failures[_i].own ?
		      own_limit_failed(&kernel.sys, failures[_i].code, "attach/fd-limit", &err) :
		      fd_limit_failed(&kernel.sys, failures[_i].code, "attach/fd-limit",
				      failures[_i].needed, &err);
	ck_assert_int_eq(ret, failures[_i].reason != NULL);
	ck_assert_pstr_eq(err.reason, failures[_i].reason);
	if (ret)
		ck_assert_msg(strstr(err.hint, failures[_i].hint) != NULL, "%s", err.hint);
	else
		ck_assert_str_eq(err.hint, "");
	error_clear(&err);
}
