// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The parser of JSON: each form of RFC 8259, texts that are no JSON, and the location of errors. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/base/json/parse_json.h"
#include "test/unit/common/suite.h"

/* Parse a copy that ends where an allocation does, so that a byte beyond it is noticed. */
static int parse(const char *text, size_t size, struct json_object **value, struct error *err)
{
	char *copy = malloc(size ? size : 1);
	int ret;

	memcpy(copy, text, size);
	ret = json_parse(copy, size, value, err);
	free(copy);
	return ret;
}

static const struct {
	const char *text, *printed;
} good[] = {
	{ "null", "null" }, { "true", "true" }, { "false", "false" },
	{ " \t\r\n[ ] \n", "[]" }, { "{ }", "{}" }, { "[[],{}]", "[[],{}]" },
	{ "[1 , 2,3]", "[1,2,3]" }, { "[null,null]", "[null,null]" },
	{ "{\"a\":1, \"b\" : {\"c\":[]}}", "{\"a\":1,\"b\":{\"c\":[]}}" },
	{ "{\"a\":1,\"a\":2}", "{\"a\":2}" }, { "{\"\":null}", "{\"\":null}" },
	{ "0", "0" }, { "-0", "0" }, { "-1", "-1" }, { "10", "10" },
	{ "9223372036854775807", "9223372036854775807" },
	{ "9223372036854775808", "9223372036854775808" },
	{ "18446744073709551615", "18446744073709551615" },
	{ "18446744073709551616", "18446744073709551615" },
	{ "-9223372036854775808", "-9223372036854775808" },
	{ "-9223372036854775809", "-9223372036854775808" },
	{ "0.1", "0.1" }, { "-1.50", "-1.50" }, { "1e5", "1e5" }, { "1E+05", "1E+05" },
	{ "2.5e-3", "2.5e-3" }, { "0e0", "0e0" },
	{ "\"\"", "\"\"" }, { "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\\"\\\\/\\b\\f\\n\\r\\t\"" },
	{ "\"\\u0041\\u00e9\\u20ac\\uD83D\\ude00\"", "\"A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"" },
	{ "\"\\u0000x\"", "\"\\u0000x\"" }, { "\"\xc3\xa9\x7f\"", "\"\xc3\xa9\\u007f\"" },
	{ "\"\\uffff\\u07ff\\u0800\"", "\"\xef\xbf\xbf\xdf\xbf\xe0\xa0\x80\"" },
	{ "[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]",
	  "[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]" },
};

TEST_ROWS(is_json, good)
{
	struct json_object *value;
	struct error err = { 0 };
	const char *text;

	ck_assert_msg(!parse(good[_i].text, strlen(good[_i].text), &value, &err), "%s: %s",
		      good[_i].text, err.what);
	text = json_object_to_json_string(value);
	ck_assert_str_eq(text, good[_i].printed);
	json_object_put(value);
}

static const struct {
	const char *text, *wrong;
} bad[] = {
	{ "", "it ends too early at byte 0" }, { "  ", "it ends too early at byte 2" },
	{ "nul", "no value starts like this at byte 0" }, { "nulL", "at byte 0" },
	{ "True", "at byte 0" }, { "NaN", "at byte 0" }, { "Infinity", "at byte 0" },
	{ "'a'", "at byte 0" }, { "/**/1", "at byte 0" }, { "\xef\xbb\xbf" "1", "at byte 0" },
	{ "1 2", "trailing text after the value at byte 2" }, { "[]x", "at byte 2" },
	{ "[", "it ends too early at byte 1" }, { "[1", "it ends too early at byte 2" },
	{ "[1,", "it ends too early at byte 3" }, { "[1,]", "at byte 3" }, { "[,1]", "at byte 1" },
	{ "[1 2]", "neither ',' nor ']' at byte 3" }, { "[1}", "neither ',' nor ']'" },
	{ "{", "it ends too early at byte 1" }, { "{1:2}", "a string is missing at byte 1" },
	{ "{\"a\"", "it ends too early at byte 4" }, { "{\"a\" 1}", "no ':' after a name at byte 5" },
	{ "{\"a\":}", "at byte 5" }, { "{\"a\":1", "it ends too early" },
	{ "{\"a\":1,}", "a string is missing at byte 7" }, { "{\"a\":1 \"b\":2}", "neither ',' nor '}'" },
	{ "01", "at byte 0" }, { "-", "at byte 0" }, { "+1", "at byte 0" }, { ".5", "at byte 0" },
	{ "1.", "at byte 0" }, { "1.e5", "at byte 0" }, { "1e", "at byte 0" }, { "1e+", "at byte 0" },
	{ "-x", "at byte 0" }, { "0x10", "trailing text after the value at byte 1" },
	{ "\"", "it ends too early at byte 1" }, { "\"a", "it ends too early at byte 2" },
	{ "\"\\", "it ends too early at byte 2" }, { "\"\\\"", "it ends too early at byte 3" },
	{ "\"\\x\"", "invalid escape at byte 2" }, { "\"\\U0041\"", "at byte 2" },
	{ "\"\\u", "it ends too early at byte 3" }, { "\"\\u12\"", "four hex digits are missing at byte 5" },
	{ "\"\\u12g4\"", "at byte 5" }, { "\"\\u\x10" "234\"", "at byte 3" },
	{ "\"\\ud800\"", "a half of a character" }, { "\"\\udc00\\ud800\"", "a half of a character" },
	{ "\"\\ud800\\u0041\"", "a half of a character" }, { "\"\\ud800\\u", "it ends too early" },
	{ "\"a\nb\"", "control character in a string at byte 2" }, { "\"\x1f\"", "at byte 1" },
	{ "\"\xff\"", "invalid UTF-8 at byte 1" }, { "\"\xc3\"", "at byte 1" },
	{ "\"\xed\xa0\x80\"", "at byte 1" }, { "{\"\xc0\xaf\":1}", "at byte 2" },
	{ "[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]", "it is nested too deeply at byte 24" },
	{ "[1,[2,{\"a\":[3,{\"b\":x}]}]]", "at byte 19" },
};

TEST_ROWS(is_no_json, bad)
{
	struct json_object *value = (void *)1;
	struct error err = { 0 };

	ck_assert_int_eq(parse(bad[_i].text, strlen(bad[_i].text), &value, &err), -EINVAL);
	ck_assert_ptr_null(value);
	ck_assert_msg(strstr(err.what, bad[_i].wrong), "%s: '%s', not '%s'", bad[_i].text, err.what,
		      bad[_i].wrong);
	error_clear(&err);
}

/* A NUL is no end. */
TEST(zero_is_no_json)
{
	struct json_object *value;
	struct error err = { 0 };

	ck_assert_int_eq(parse("1\0", 2, &value, &err), -EINVAL);
	ck_assert_int_eq(parse("\0", 1, &value, &err), -EINVAL);
	ck_assert_int_eq(parse("\"\0\"", 3, &value, &err), -EINVAL);
	ck_assert_int_eq(parse("\"\\\0\"", 4, &value, &err), -EINVAL);
	ck_assert_int_eq(parse("1e\0", 3, &value, &err), -EINVAL);
	error_clear(&err);
}
