// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Profiles: the call tree, its output in each format, hostile names, many stacks. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/profile/stacks/pictures_internal.h"
#include "test/unit/common/suite.h"

#define LABEL(text) ((struct frame){ .symbol = (text) })
#define FUNCTION(text, of) ((struct frame){ .address = 0x1000, .symbol = (text), .file = (of) })

static void add(struct profile *p, const struct frame *frames, unsigned int nr, uint64_t weight)
{
	struct error err = { 0 };

	ck_assert_int_eq(profile_add(p, frames, nr, weight, &err), 0);
}

/* Print @p in @format; the caller frees the text. */
static char *print(struct profile *p, const char *format)
{
	const struct profile_about about = { .title = "a \"title\"", .unit = "samples", .lost = 3 };
	struct error err = { 0 };
	char *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	ck_assert_int_eq(profile_print(profile_format_find(format), file, p, &about, &err), 0);
	fclose(file);
	return text;
}

static void expect_printed(struct profile *p, const char *format, const char *expected)
{
	char *text = print(p, format);

	ck_assert_str_eq(text, expected);
	free(text);
}

static void expect_part(struct profile *p, const char *format, const char *part)
{
	char *text = print(p, format);

	ck_assert_msg(strstr(text, part), "%s", text);
	free(text);
}

static struct profile *small_profile(void)
{
	struct profile *p = profile_new();
	const struct frame a[] = { LABEL("ls"), FUNCTION("main", "/bin/ls"), FUNCTION("read", NULL) };
	const struct frame b[] = { LABEL("ls"), FUNCTION("main", "/bin/ls"),
				   FUNCTION("sort", "/bin/ls"), FUNCTION("sort", "/bin/ls") };

	ck_assert_ptr_nonnull(p);
	add(p, a, 3, 2);
	add(p, b, 4, 5);
	add(p, b, 3, 1);
	add(p, a, 3, 1);
	return p;
}

TEST(stacks_are_merged_and_heavy_ones_come_first)
{
	struct profile *p = small_profile();

	ck_assert_uint_eq(profile_weight(p), 9);
	expect_printed(p, "folded", "ls;main;sort 1\nls;main;sort;sort 5\nls;main;read 3\n");
	profile_free(p);
}

TEST(recursion_counts_once)
{
	struct profile *p = small_profile();

	expect_part(p, "text", "    self   samples    total   samples  function\n"
		    "  66.67%         6   66.67%         6  sort (/bin/ls)\n"
		    "  33.33%         3   33.33%         3  read\n"
		    "   0.00%         0  100.00%         9  ls\n"
		    "   0.00%         0  100.00%         9  main (/bin/ls)\n");
	profile_free(p);
}

TEST(json_has_functions_and_stacks)
{
	struct profile *p = small_profile();

	expect_printed(p, "json",
		       "{\"type\":\"profile\",\"title\":\"a \\u0022title\\u0022\",\"unit\":"
		       "\"samples\",\"duration_ns\":0,\"period_ns\":0,\"lost\":3,\"total\":9,"
		       "\"functions\":["
		       "{\"symbol\":\"ls\",\"file\":null,\"self\":0,\"total\":9},"
		       "{\"symbol\":\"main\",\"file\":\"/bin/ls\",\"self\":0,\"total\":9},"
		       "{\"symbol\":\"read\",\"file\":null,\"self\":3,\"total\":3},"
		       "{\"symbol\":\"sort\",\"file\":\"/bin/ls\",\"self\":6,\"total\":6}],"
		       "\"stacks\":[[0,1,3],[0,1,3,3],[0,1,2]],\"weights\":[1,5,3]}\n");
	profile_free(p);
}

TEST(text_has_functions_and_a_tree)
{
	struct profile *p = small_profile();

	expect_part(p, "text", "profile: 9 samples in 4 functions; 3 lost\n");
	expect_part(p, "text", "  66.67%         6   66.67%         6  sort (/bin/ls)\n");
	expect_part(p, "text", " 100.00%  main (/bin/ls)\n  66.67%    sort (/bin/ls)\n"
			       "  55.56%    sort (/bin/ls)\n  33.33%    read\n");
	profile_free(p);
}

TEST(small_branches_are_left_out)
{
	struct profile *p = small_profile();
	const struct frame much[] = { LABEL("ls"), FUNCTION("main", "/bin/ls") };
	char *text;

	add(p, much, 2, 591);	/* of 600, the function sort() has exactly 1 % */
	text = print(p, "text");
	ck_assert_ptr_null(strstr(text, "\n   0.50%  read"));
	ck_assert_ptr_nonnull(strstr(text, "\n   1.00%  sort"));
	free(text);
	profile_free(p);
}

/* Branches of 1 % and more are counted, if there is no room for a line. */
TEST(lines_that_have_no_room_are_counted)
{
	struct profile *p = profile_new();
	char name[32];

	for (unsigned int i = 0; i < 85; i++) {
		const struct frame stack[] = { { .address = 1, .symbol = name } };

		snprintf(name, sizeof(name), "f%u", i);
		add(p, stack, 1, i < 80 ? 100 : 1);
	}
	expect_part(p, "text", "  ... and 20 more lines; --format=flamegraph has all\n");
	expect_part(p, "text", "  ... and 65 more functions\n");
	profile_free(p);
}

TEST(names_cannot_leave_their_place)
{
	struct profile *p = profile_new();
	const struct frame frames[] = { LABEL("a;b;c\n"), FUNCTION("=</script>", "/x\"y"),
					{ .address = 1, .file = "/lib/z.so" }, { .address = 2 } };

	add(p, frames, 4, 1);
	expect_printed(p, "folded", "a:b:c\\n;=</script>;[z.so];[unknown] 1\n");
	expect_part(p, "flamegraph", "[\"=\\u003c/script>\",\"/x\\u0022y\"]");
	expect_part(p, "json", "{\"symbol\":\"=\\u003c/script>\",\"file\":\"/x\\u0022y\"");
	profile_free(p);
}

/* These bytes end a line, a field, a string or an element, move a cursor, or are no UTF-8. */
TEST(no_byte_of_a_name_is_special)
{
	struct profile *p = profile_new();
	const struct frame frames[] = { LABEL("l 1\r\n\xff"),
					FUNCTION("\x1b[2J\";,'&\\<!--\xe2\x80\xa8", "@\n\x80/\xc3\xa9") };

	add(p, frames, 2, 1);
	expect_printed(p, "folded",
		       "l 1\\r\\n\\377;\\033[2J\":,'&\\<!--\\342\\200\\250 1\n");
	expect_part(p, "text", "  \\033[2J\";,'&\\<!--\\342\\200\\250 (@\\n\\200/\xc3\xa9)\n");
	expect_part(p, "flamegraph", "[[\"l 1\\u000d\\u000a\\u00ff\",null],"
		    "[\"\\u001b[2J\\u0022;,'&\\u005c\\u003c!--\\u2028\","
		    "\"@\\u000a\\u0080/\xc3\xa9\"]]");
	expect_part(p, "json", "{\"symbol\":\"\\u001b[2J\\u0022;,'&\\u005c\\u003c!--\\u2028\","
		    "\"file\":\"@\\u000a\\u0080/\xc3\xa9\",");
	profile_free(p);
}

TEST(doubts_have_their_weight)
{
	struct profile *p = profile_new();
	struct frame frames[] = { FUNCTION("main", NULL), FUNCTION("f", NULL) };

	add(p, frames, 2, 3);
	frames[0].doubt = "truncated";
	add(p, frames, 2, 1);
	expect_part(p, "text", "in doubt in 25.00%: truncated\n");
	expect_part(p, "json", "\"total\":4,\"doubt\":\"truncated\",\"doubtful\":1}");
	expect_part(p, "flamegraph", "[\"main\",null,\"truncated\"]");
	profile_free(p);
}

/* A doubt has the path of a file. */
TEST(doubts_are_escaped)
{
	struct profile *p = profile_new();
	struct frame frame = FUNCTION("main", NULL);

	frame.doubt = "/\x1b[2J\xff\n cannot be read";
	add(p, &frame, 1, 1);
	expect_part(p, "text", "in doubt in 100.00%: /\\033[2J\\377\\n cannot be read\n");
	expect_part(p, "json", "\"doubt\":\"/\\u001b[2J\\u00ff\\u000a cannot be read\"");
	expect_part(p, "flamegraph", "[\"main\",null,\"/\\u001b[2J\\u00ff\\u000a cannot be read\"]");
	profile_free(p);
}

/* The strings of a frame may be at the address where others were before. */
TEST(strings_are_compared_and_not_their_addresses)
{
	struct profile *p = profile_new();
	char name[] = "one";
	const struct frame frame = LABEL(name);

	add(p, &frame, 1, 1);
	strcpy(name, "two");
	add(p, &frame, 1, 2);
	expect_printed(p, "folded", "two 2\none 1\n");
	profile_free(p);
}

/* Names, or an order, that collide cannot be chosen without the address of the profile. */
TEST(names_and_nodes_are_hashed_with_a_key)
{
	struct profile *p = small_profile(), *q = small_profile();

	ck_assert_uint_ne(p->frames[1].hash, q->frames[1].hash);
	ck_assert_mem_ne(p->node_index.slots, q->node_index.slots,
			 p->node_index.room * sizeof(*p->node_index.slots));
	profile_free(p);
	profile_free(q);
}

TEST(weights_do_not_wrap_around)
{
	struct profile *p = profile_new();
	const struct frame frame = LABEL("x");

	add(p, &frame, 1, UINT64_MAX);
	add(p, &frame, 1, 7);
	ck_assert_uint_eq(profile_weight(p), UINT64_MAX);
	expect_printed(p, "folded", "x 18446744073709551615\n");
	profile_free(p);
}

TEST(an_empty_profile_is_valid)
{
	struct profile *p = profile_new();

	add(p, NULL, 0, 5);
	expect_printed(p, "folded", "");
	expect_printed(p, "text", "");
	expect_part(p, "json", "\"stacks\":[],\"weights\":[]");
	expect_part(p, "flamegraph", "\"frames\":[],\"nodes\":[]}");
	profile_free(p);
}

/* A hundred thousand stacks of 20 frames that share all but the innermost. */
TEST(many_stacks_share_their_callers)
{
	struct profile *p = profile_new();
	struct frame frames[20];
	char name[32], *text;
	size_t lines = 0;

	for (unsigned int i = 0; i < 19; i++)
		frames[i] = FUNCTION("caller", "/bin/x");
	frames[19] = LABEL(name);
	for (unsigned int i = 0; i < 100000; i++) {
		snprintf(name, sizeof(name), "f%u", i);
		add(p, frames, 20, 1);
	}
	ck_assert_uint_eq(p->nr_nodes, 1 + 19 + 100000);
	text = print(p, "folded");
	for (const char *s = text; (s = strchr(s, '\n')); s++)
		lines++;
	ck_assert_uint_eq(lines, 100000);
	free(text);
	profile_free(p);
}
