// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Errors: filled once, with the context of each caller in front, and kept by whoever reads them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "elf/error.h"
#include "test/unit/common/suite.h"

TEST(filled_once)
{
	struct error err = { 0 };

	ck_assert_int_eq(error_set(&err, EBADMSG, "value %d", 7), -EBADMSG);
	ck_assert_int_eq(error_hint(&err, "use %s", "another"), -EBADMSG);
	ck_assert_int_eq(error_reason(&err, "perf-open/no-pmu"), -EBADMSG);
	ck_assert_int_eq(err.code, -EBADMSG);
	ck_assert_str_eq(err.what, "value 7");
	ck_assert_str_eq(err.hint, "use another");
	ck_assert_str_eq(err.reason, "perf-open/no-pmu");
	ck_assert_str_eq(err.where, "");
	error_clear(&err);
}

TEST(places_from_the_inside_out)
{
	struct error err = { 0 };

	error_set(&err, EBADMSG, "x");
	ck_assert_int_eq(error_where(&err, ".relfoo[%d]", 2), -EBADMSG);
	ck_assert_str_eq(err.where, ".relfoo[2]");
	error_where(&err, "%s", "prog.o");
	ck_assert_str_eq(err.where, "prog.o: .relfoo[2]");
}

TEST(set_forgets_what_was)
{
	struct error err = { 0 };

	error_set(&err, EBADMSG, "old");
	error_where(&err, "old place");
	error_hint(&err, "old hint");
	error_log(&err, strdup("old log"));
	error_set(&err, ENOMEM, "new");
	ck_assert_str_eq(err.where, "");
	ck_assert_str_eq(err.hint, "");
	ck_assert_ptr_null(err.log);
	ck_assert_int_eq(err.code, -ENOMEM);
}

TEST(too_long_is_cut)
{
	struct error err = { 0 };
	char text[2000];

	memset(text, 'a', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	error_set(&err, EINVAL, "%s", text);
	error_hint(&err, "%s", text);
	for (int i = 0; i < 3; i++)
		error_where(&err, "%s", text);
	ck_assert_uint_eq(strlen(err.what), sizeof(err.what) - 1);
	ck_assert_uint_eq(strlen(err.hint), sizeof(err.hint) - 1);
	ck_assert_uint_eq(strlen(err.where), sizeof(err.where) - 1);
}

TEST(hostile_names_are_shown)
{
	struct error err = { 0 };
	char text[2000];

	error_set(&err, EBADMSG, "symbol '%s'", "a\x1b[2J\nb\xc2\x9b\x7f");
	error_hint(&err, "%s", "\r");
	error_where(&err, "%s", "\t");
	ck_assert_str_eq(err.what, "symbol 'a\\x1b[2J\\x0ab\\xc2\\x9b\\x7f'");
	ck_assert_str_eq(err.hint, "\\x0d");
	ck_assert_str_eq(err.where, "\\x09");
	memset(text, '\n', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	error_set(&err, EINVAL, "%s", text);
	ck_assert_uint_le(strlen(err.what), sizeof(err.what) - 1);
}

TEST(log_is_owned)
{
	struct error err = { 0 };

	error_set(&err, EACCES, "refused");
	error_log(&err, strdup("first"));
	error_log(&err, strdup("second"));
	ck_assert_str_eq(err.log, "second");
	error_clear(&err);
	ck_assert_ptr_null(err.log);
	ck_assert_int_eq(err.code, 0);
	error_log(NULL, strdup("freed, or the leak checker says so"));
}

TEST(a_failure_nobody_looks_at_stays_one)
{
	ck_assert_int_eq(error_set(NULL, ENOMEM, "x"), -ENOMEM);
	ck_assert_int_lt(error_where(NULL, "x"), 0);
	ck_assert_int_lt(error_hint(NULL, "x"), 0);
	ck_assert_int_lt(error_reason(NULL, "x"), 0);
}

TEST(enotsupp_has_a_name)
{
	ck_assert_ptr_nonnull(strstr(error_strerror(524), "ENOTSUPP"));
	ck_assert_str_eq(error_strerror(ENOENT), strerror(ENOENT));
}
