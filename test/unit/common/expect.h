/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Asserts the code, context, words, hint and reason of an error, which tables of broken input list.
 */
#ifndef PLOAD_TEST_UNIT_EXPECT_H
#define PLOAD_TEST_UNIT_EXPECT_H

#include <check.h>
#include <string.h>

#include "elf/error.h"

/* Members at the end of a row are left out if they are not checked. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

/* Substrings that an error is to have, and its whole reason; NULL: not looked at. */
struct expect {
	int code;	/* positive errno */
	const char *where, *what, *hint, *reason;
};

/*
 * expect_error() - fail the test unless @ret and @err are as @e says; clears @err. @row names what
 * was tried.
 */
static inline void expect_error(const char *row, int ret, struct error *err, const struct expect *e)
{
	ck_assert_msg(ret == -e->code, "%s: returned %d, not %d (%s: %s)", row, ret, -e->code,
		      err->where, err->what);
	ck_assert_msg(err->code == -e->code, "%s: code %d", row, err->code);
	ck_assert_msg(!e->where || strstr(err->where, e->where), "%s: at '%s', not '%s'", row,
		      err->where, e->where);
	ck_assert_msg(!e->what || strstr(err->what, e->what), "%s: '%s' lacks '%s'", row, err->what,
		      e->what);
	ck_assert_msg(!e->hint || strstr(err->hint, e->hint), "%s: hint '%s' lacks '%s'", row,
		      err->hint, e->hint);
	ck_assert_msg(!e->reason || (err->reason && !strcmp(err->reason, e->reason)),
		      "%s: reason '%s', not '%s'", row, err->reason ? err->reason : "", e->reason);
	error_clear(err);
}

#endif
