// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The table of methods: which calls share a row, and what is shown of them. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "loader/base/json/parse_json.h"
#include "loader/observe/step/record.h"
#include "test/unit/common/suite.h"

#define CALL(arg) "{\"call\":\"exit_group\",\"text\":\"\",\"args\":[\"" arg "\",\"ALL\"],\"stage\":\"s\"}"
#define OTHER "{\"call\":\"other\",\"text\":\"\",\"args\":[7],\"stage\":\"s\"}"
#define SET "{\"call\":\"ioctl\",\"text\":\"\",\"args\":[8,\"PERF_EVENT_IOC_SET_BPF\",6],\"stage\":\"s\"}"
#define LINK "{\"call\":\"bpf\",\"text\":\"\",\"args\":[\"BPF_LINK_CREATE\",{\"a\":1},24],\"stage\":\"s\"}"

static const struct {
	const char *steps[3];
	const char *rows;	/* "* " or "  ", then the three texts, for each row */
} tables[] = {
	{ { CALL("A"), CALL("A"), CALL("A") }, "  exit_group|exit_group|exit_group\n" },
	{ { CALL("A"), CALL("A"), CALL("B") }, "* exit_group A|exit_group A|exit_group B\n" },
	{ { CALL("A"), CALL("B"), CALL("A") }, "* exit_group A|exit_group B|exit_group A\n" },
	{ { CALL("B"), CALL("A"), CALL("A") }, "* exit_group B|exit_group A|exit_group A\n" },
	{ { "", CALL("A"), CALL("A") }, "* |exit_group A, ALL|exit_group A, ALL\n" },
	{ { CALL("A"), CALL("A"), "" }, "* exit_group A, ALL|exit_group A, ALL|\n" },
	{ { OTHER "," CALL("A"), CALL("A"), CALL("A") "," OTHER },
	  "* other 7||\n  exit_group|exit_group|exit_group\n* ||other 7\n" },
	{ { SET, SET, LINK },
	  "* PERF_EVENT_IOC_SET_BPF 8, 6|PERF_EVENT_IOC_SET_BPF 8, 6|BPF_LINK_CREATE a=1\n" },
	{ { "", "", "" }, "" },
};

TEST_ROWS(aligns_the_methods, tables)
{
	struct recording list[3] = { { .method = "ioctl" }, { .method = "pmu" }, { .method = "link" } };
	struct json_object *rows;
	char text[512] = "";

	for (int i = 0; i < 3; i++) {
		char steps[1024];

		snprintf(steps, sizeof(steps), "[%s]", tables[_i].steps[i]);
		ck_assert_int_eq(json_parse(steps, strlen(steps), &list[i].steps, NULL), 0);
	}
	rows = methods_align(list, 3);
	ck_assert(rows != NULL);
	for (size_t k = 0; k < json_object_array_length(rows); k++) {
		struct json_object *row = json_object_array_get_idx(rows, k), *names, *differs;

		json_object_object_get_ex(row, "names", &names);
		json_object_object_get_ex(row, "differs", &differs);
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s %s|%s|%s\n",
			 json_object_get_boolean(differs) ? "*" : " ", array_text(names, 0),
			 array_text(names, 1), array_text(names, 2));
	}
	ck_assert_str_eq(text, tables[_i].rows);
	json_object_put(rows);
	for (int i = 0; i < 3; i++)
		json_object_put(list[i].steps);
}

/* More calls than can be aligned are an error of their own. */
TEST(refuses_more_calls_than_it_can_align)
{
	struct recording one = { .method = "ioctl", .steps = json_object_new_array() };
	struct error err = { 0 };

	for (int i = 0; i < 3001; i++)
		json_object_array_add(one.steps, json_object_new_object());
	ck_assert_int_eq(methods_print(stderr, &one, 1, &err), -E2BIG);
	ck_assert_msg(strstr(err.hint, "--dry-run") != NULL, "%s", err.hint);
	json_object_put(one.steps);
}
