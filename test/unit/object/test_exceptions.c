// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Declaration tags that name the exception callback of a program. */
#include <errno.h>

#include "test/unit/common/expect.h"
#include "test/unit/common/object_builder.h"
#include "test/unit/common/suite.h"

enum { WHOLE = -1, FIRST_PARAMETER = 0 };
enum tagged { ONE, MID, ELSEWHERE };

static const struct {
	const char *name;
	struct {
		const char *tag;
		enum tagged func;
		int32_t component;
	} tags[2];
	const char *callback;	/* of program "one"; NULL: none */
	struct expect expect;
} rows[] = {
	{ "a callback", { { "exception_callback:cb", ONE, WHOLE } }, "cb", { 0 } },
	{ "the same twice",
	  { { "exception_callback:cb", ONE, WHOLE }, { "exception_callback:cb", ONE, WHOLE } },
	  "cb", { 0 } },
	{ "another tag", { { "exception:cb", ONE, WHOLE } }, NULL, { 0 } },
	{ "the tag of a parameter",
	  { { "exception_callback:cb", ONE, FIRST_PARAMETER } }, NULL, { 0 } },
	{ "the tag of a function that is no program",
	  { { "exception_callback:cb", MID, WHOLE } }, NULL, { 0 } },
	{ "the tag of a function that is not in the object",
	  { { "exception_callback:cb", ELSEWHERE, WHOLE } }, NULL, { 0 } },
	{ "no such function", { { "exception_callback:caught", ONE, WHOLE } }, NULL,
	  { ENOENT, "program 'one'", "'caught' is not a function", "int caught(" } },
	{ "two of them",
	  { { "exception_callback:cb", ONE, WHOLE }, { "exception_callback:mid", ONE, WHOLE } },
	  NULL, { EINVAL, "program 'one'", "two exception callbacks, 'cb' and 'mid'", "at most" } },
	{ "two that are none",
	  { { "exception_callback:a", ONE, WHOLE }, { "exception_callback:b", ONE, WHOLE } },
	  NULL, { ENOENT, "program 'one'", "'a' is not a function", "int a(" } },
};

TEST_ROWS(tags, rows)
{
	struct error err = { 0 };
	uint32_t funcs[3], callback = 0;
	struct prog_code code;
	struct sample s;
	int ret;

	sample_build(&s, false, false);
	funcs[ONE] = s.type_one;
	funcs[MID] = s.type_one - 2;
	funcs[ELSEWHERE] = bb_func(&s.btf, "elsewhere", 2, BTF_FUNC_GLOBAL);
	for (int i = 0; i < 2 && rows[_i].tags[i].tag; i++)
		bb_decl_tag(&s.btf, rows[_i].tags[i].tag, funcs[rows[_i].tags[i].func],
			    rows[_i].tags[i].component);
	ret = sample_parse(&s, &err);
	ck_assert_msg(!ret, "%s: %s: %s", rows[_i].name, err.where, err.what);
	ret = relocate(&s.obj, 0, NULL, &code, &err);
	prog_code_free(&code);
	if (rows[_i].expect.code) {
		/* It refuses this program only. */
		ck_assert_str_eq(err.reason, "object/program");
		expect_error(rows[_i].name, ret, &err, &rows[_i].expect);
		ck_assert_int_eq(relocate(&s.obj, 1, NULL, &code, &err), 0);
		prog_code_free(&code);
	} else {
		ck_assert_msg(!ret, "%s: %s: %s", rows[_i].name, err.where, err.what);
		for (uint32_t i = 0; rows[_i].callback && i < s.obj.nr_funcs; i++)
			if (!strcmp(s.obj.funcs[i].name, rows[_i].callback))
				callback = i + 1;
		ck_assert_str_eq(s.obj.progs[0].name, "one");
		ck_assert_uint_eq(s.obj.progs[0].exception_cb, callback);
		ck_assert_uint_eq(s.obj.progs[1].exception_cb, 0);
	}
	sample_free(&s);
}
