// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tests of how pload compare begins: its verdict, its counts, and the rows that differ, uncut. */
#include <stdlib.h>

#include "loader/core/value/json_object.h"

#include "loader/compare/report/report_internal.h"
#include "test/unit/common/expect.h"
#include "test/unit/compare/report_fixture.h"
#include "test/unit/common/suite.h"

/* An event in which each cell has the answer of its method to two rows, and a time and a cost. */
#define CELL(name, attach, outcome, cookie, bind_ns, cost_ns) \
	"{\"cell\":\"" name "\",\"attach\":" attach ",\"outcome\":\"" outcome "\"," \
	"\"error\":{\"text\":\"it is not there\",\"reason\":\"attach/link-unsupported\"," \
	"\"hint\":\"take another\"},\"cookie\":{\"given\":\"0x7\",\"seen\":" cookie "}," \
	"\"times\":{\"bind\":{\"median_ns\":" bind_ns ",\"p99_ns\":" bind_ns "}}," \
	"\"cost\":{\"nothing_ns\":900,\"program_ns\":" cost_ns "}}"
#define ANSWERS(ioctl, link) \
	"{\"a\":{\"answer\":\"" ioctl "\"},\"b\":{\"answer\":\"" link "\"}}"
#define EVENT(name, outcome, ioctl_ns, link_ns, link_cost, pin, handed) \
	EVENT_OF(name, "fires", outcome, ioctl_ns, link_ns, link_cost, pin, handed)
#define EVENT_OF(name, by_ioctl, outcome, ioctl_ns, link_ns, link_cost, pin, handed) \
	"{\"event\":\"" name "\",\"cells\":[" \
	CELL("a", "\"ioctl\"", by_ioctl, "\"0x0\"", ioctl_ns, "1000") "," \
	CELL("b", "\"link\"", outcome, "\"0x7\"", link_ns, link_cost) "]," \
	"\"sections\":[{\"id\":\"lifetime\",\"rows\":[{\"id\":\"pin\",\"cells\":" \
	ANSWERS("EINVAL", pin) "},{\"id\":\"event-handed\",\"cells\":" ANSWERS("runs", handed) "}]}]}"
#define DOCUMENT(events) "{\"type\":\"compare\",\"version\":1,\"events\":[" events "]}"

static struct json_object *parse(const char *text)
{
	struct json_object *doc = NULL;

	ck_assert_int_eq(report_parse(text, strlen(text), &doc, NULL), 0);
	json_object_object_add(doc, "differences", report_differences(doc));
	json_object_object_add(doc, "verdict", report_verdict(doc));
	return doc;
}

static char *print(struct json_object *doc)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	ck_assert(report_text(to, doc));
	fclose(to);
	return text;
}

TEST(a_verdict_is_made_from_what_was_measured)
{
	static const struct {
		const char *text, *lines[3];
	} rows[] = {
		{ DOCUMENT(EVENT("x", "fires", "300", "700", "1010", "pinned", "stops")),
		  { "take --attach=link: it can be pinned, passes a cookie; binding takes 400 ns more",
		    "but another method if it has to keep running while another process holds its event (--attach=ioctl does)",
		    "CPU time per event, once attached: the same within 1 %, 1.00 us to 1.01 us; with "
		    "nothing open, 900 ns" } },
		/* No time that differs, nothing that only ioctl can do, and a cost of another size. */
		{ DOCUMENT(EVENT("x", "fires", "300", "310", "9000", "pinned", "runs")),
		  { "take --attach=link: it can be pinned, passes a cookie",
		    "no other method was measured to do what --attach=link does not",
		    "CPU time per event, once attached: up to 9.0 times as much, 1.00 us to 9.00 us; "
		    "with nothing open, 900 ns" } },
		{ DOCUMENT(EVENT("x", "fires", "300", "700", "1000", "pinned", "stops") ","
			   EVENT("y", "fires", "300", "5300", "1200", "pinned", "stops")),
		  { "take --attach=link: it can be pinned, passes a cookie; binding takes 400 ns to "
		    "5.00 us more",
		    "but another method if it has to keep running while another process holds its event (--attach=ioctl does)",
		    "CPU time per event (y), once attached: the same within 20 %, 1.00 us to 1.20 us; "
		    "with nothing open, 900 ns" } },
		/* An ability of a method counts only if the method has it for each event. */
		{ DOCUMENT(EVENT("x", "fires", "300", "300", "1000", "pinned", "runs") ","
			   EVENT("y", "fires", "300", "300", "1000", "EINVAL", "runs")),
		  { "take --attach=link: it passes a cookie",
		    "no other method was measured to do what --attach=link does not",
		    "CPU time per event (x), once attached: the same by each method, 1.00 us; with nothing "
		    "open, 900 ns" } },
		{ DOCUMENT(EVENT("x", "absent", "300", "300", "1000", "pinned", "runs")),
		  { "take --attach=ioctl: no other method fires",
		    "no other method was measured to do what --attach=ioctl does not",
		    "CPU time per event, once attached: the same by each method, 1.00 us; with nothing open, "
		    "900 ns" } },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct json_object *doc = parse(rows[i].text), *lines = doc_array(doc, "verdict");

		ck_assert_uint_eq(doc_len(lines), 3);
		for (size_t j = 0; j < 3; j++)
			ck_assert_str_eq(json_object_get_string(doc_at(lines, j)), rows[i].lines[j]);
		json_object_put(doc);
	}
}

/* Replace each @from after @begin by @to, which is as long. */
static const char *replaced(const char *text, const char *begin, const char *from, const char *to)
{
	static char copy[4096];

	snprintf(copy, sizeof(copy), "%s", text);
	for (char *at = strstr(copy, begin); (at = strstr(at, from)); at += strlen(to))
		memcpy(at, to, strlen(to));
	return copy;
}

/* One of two events, "y", has another answer, or none. */
TEST(events_have_answers_of_their_own)
{
	static const struct {
		const char *y_cost, *from, *to, *first, *last;
	} rows[] = {
		{ "1200", "EINVAL", "pinned", "take --attach=link: it passes a cookie",
		  " (y), once attached: the same within 20 %, 1.00 us to 1.20 us; with nothing open, 900 ns" },
		{ "1200", "\"nothing_ns\"", "\"nothing_no\"", NULL, "within 20 %, 1.00 us to 1.20 us" },
		{ "1200", "\"nothing_ns\":900", "\"nothing_ns\":950", NULL, "with nothing open, 950 ns" },
		{ "1050", "\"nothing_ns\":900", "\"nothing_ns\":950", NULL,
		  " (x), once attached: the same within 10 %, 1.00 us to 1.10 us; with nothing open, 900 ns" },
	};

	for (int i = 0; i < NR(rows); i++) {
		struct json_object *doc, *lines;
		const char *last;
		char text[4096];

		snprintf(text, sizeof(text), DOCUMENT("%s,%s"),
			 EVENT("x", "fires", "300", "300", "1100", "pinned", "runs"),
			 replaced(EVENT("y", "fires", "300", "300", "1050", "pinned", "runs"), "y", "1050",
				  rows[i].y_cost));
		doc = parse(replaced(text, "\"y\"", rows[i].from, rows[i].to));
		lines = doc_array(doc, "verdict");
		if (rows[i].first)
			ck_assert_str_eq(json_object_get_string(doc_at(lines, 0)), rows[i].first);
		last = json_object_get_string(doc_at(lines, 2));
		ck_assert_msg(strlen(last) > strlen(rows[i].last) &&
			      !strcmp(last + strlen(last) - strlen(rows[i].last), rows[i].last), "%s", last);
		json_object_put(doc);
	}
}

/* An event for which the method that is best elsewhere does not fire. */
TEST(a_verdict_has_its_exceptions)
{
	struct json_object *doc = parse(DOCUMENT(
		EVENT("x", "fires", "300", "700", "1000", "pinned", "runs") ","
		EVENT("y", "fires", "300", "700", "1000", "pinned", "runs") ","
		EVENT("z", "absent", "300", "700", "1000", "pinned", "runs")));
	struct json_object *lines = doc_array(doc, "verdict");

	ck_assert_str_eq(json_object_get_string(doc_at(lines, 0)),
			 "take --attach=ioctl: no other method was measured to do more");
	ck_assert_str_eq(json_object_get_string(doc_at(lines, 1)),
			 "but another method if it has to be pinned (--attach=link does), or pass a cookie "
			 "(--attach=link does)");
	json_object_put(doc);
}

/* Those for which the pick does not fire are counted, and the first has a name. */
TEST(events_that_need_another_method_are_counted)
{
#define BOTH EVENT("x", "fires", "300", "300", "1000", "pinned", "runs")
#define ONLY_LINK "," EVENT_OF("y", "absent", "fires", "300", "300", "1000", "pinned", "runs")
#define ONLY_IOCTL(name) "," EVENT(name, "absent", "300", "300", "1000", "pinned", "runs")
	static const struct {
		const char *text, *line;
	} rows[] = {
		{ DOCUMENT(BOTH ONLY_LINK ONLY_IOCTL("p")), "--attach=ioctl for p [" },
		{ DOCUMENT(BOTH ONLY_LINK ONLY_LINK ONLY_IOCTL("p") ONLY_IOCTL("q")),
		  "--attach=ioctl for p and 1 other event [" },
		{ DOCUMENT(BOTH ONLY_LINK ONLY_LINK ONLY_LINK ONLY_IOCTL("p") ONLY_IOCTL("q")
			   ONLY_IOCTL("r")), "--attach=ioctl for p and 2 other events [" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct json_object *doc = parse(rows[i].text), *lines = doc_array(doc, "verdict");
		char line[128];

		snprintf(line, sizeof(line), "unless it does not fire: take %sattach/link-unsupported]",
			 rows[i].line);
		ck_assert_str_eq(json_object_get_string(doc_at(lines, 1)), line);
		json_object_put(doc);
	}
}

TEST(where_nothing_fires_the_cause_is_the_verdict)
{
	struct json_object *doc = parse(DOCUMENT("{\"event\":\"x\",\"cells\":["
		CELL("a", "\"ioctl\"", "denied", "null", "1", "1") "]}"));
	struct json_object *lines = doc_array(doc, "verdict");

	ck_assert_uint_eq(doc_len(lines), 1);
	ck_assert_str_eq(json_object_get_string(doc_at(lines, 0)),
			 "no method fires here: it is not there [attach/link-unsupported]; take another");
	json_object_put(doc);
	/* A document from before the methods had names in it. */
	doc = parse("{\"type\":\"compare\",\"version\":1,\"events\":[{\"event\":\"x\",\"cells\":["
		    "{\"cell\":\"type+ioctl\",\"outcome\":\"fires\"}]}]}");
	ck_assert_uint_eq(doc_len(doc_array(doc, "verdict")), 0);
	json_object_put(doc);
}

TEST(text_begins_with_the_answer_and_has_what_differs)
{
	static const char *const has[] = {
		"\n  --attach=                           type+ioctl      type+link       pmu+ioctl       pmu+link\n",
		" rows differ                 = ioctl         = link          = pmu",
		"\n  A program reads its cookie when it is attached by link, but 0 when it is bound by "
		"ioctl.\n  [differs/cookie]\n"
		"    cookie read                       0               as given        0               "
		"as given\n",
		"\n  Unexplained: no explanation fits these answers.\n    something that nobody expects",
		"    pmu+ioctl: there is no PMU [event/no-pmu]\n",
		"7 differences, 1 of them unexplained; 2 timings differ\n-v prints ",
	};
	static const char *const has_not[] = { "time to enable", "dropped, counted", "system calls, " };
	struct json_object *doc = parse(FIXTURE);
	char *text = print(doc);

	ck_assert_msg(!strncmp(text, "take --attach=link: it passes a cookie; binding takes 700 ns more\n",
			       65), "%s", text);
	for (size_t i = 0; i < sizeof(has) / sizeof(has[0]); i++)
		ck_assert_msg(strstr(text, has[i]), "no '%s' in:\n%s", has[i], text);
	for (size_t i = 0; i < sizeof(has_not) / sizeof(has_not[0]); i++)
		ck_assert_msg(!strstr(text, has_not[i]), "'%s' in:\n%s", has_not[i], text);
	free(text);
	json_object_put(doc);
}

TEST(cells_that_make_the_same_calls_are_named)
{
	static const char *const lines[][2] = {
		{ "\"kind\":\"counted\",\"same_type\":1",
		  "\n  pmu+ioctl makes the calls of type+ioctl, pmu+link those of type+link: "
		  "its PMU is type 1\n" },
		{ "\"kind\":\"traced\",\"same_type\":2",
		  "\n  pmu+ioctl makes the calls of tracefs+ioctl, pmu+link those of "
		  "tracefs+link: its PMU is type 2\n" },
		{ "\"kind\":\"counted\",\"same_type\":null", NULL },
		{ "\"kind\":\"counted\"", NULL },
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		char text[1024], *printed;
		struct json_object *doc;

		snprintf(text, sizeof(text),
			 "{\"type\":\"compare\",\"version\":1,\"events\":[{\"event\":\"x\",%s,"
			 "\"cells\":[{\"cell\":\"type+ioctl\",\"outcome\":\"fires\"}]}]}",
			 lines[i][0]);
		doc = parse(text);
		printed = print(doc);
		if (lines[i][1])
			ck_assert_msg(strstr(printed, lines[i][1]) != NULL, "%s", printed);
		else
			ck_assert_msg(!strstr(printed, "makes the calls"), "%s", printed);
		free(printed);
		json_object_put(doc);
	}
}

/* A cell that cannot be opened for this event is no cause if there is another one. */
TEST(a_cell_that_cannot_be_is_no_cause)
{
#define ERROR(text, reason) "\"error\":{\"text\":\"" text "\",\"reason\":\"" reason "\"}"
#define NONE "{\"cell\":\"a\",\"attach\":\"a\",\"outcome\":\"absent\"," \
	     ERROR("it has no fixed type", "attach/no-cell") "}"
#define OTHER "{\"cell\":\"b\",\"attach\":\"b\",\"outcome\":\"refused\"," \
	      ERROR("it cannot sample", "perf-open/no-sampling") "}"
	struct json_object *doc = parse(DOCUMENT("{\"event\":\"x\",\"cells\":[" NONE "," OTHER "]}"));
	struct json_object *lines = doc_array(doc, "verdict");

	ck_assert_str_eq(json_object_get_string(doc_at(lines, 0)),
			 "no method fires here: it cannot sample [perf-open/no-sampling]");
	json_object_put(doc);
	doc = parse(DOCUMENT("{\"event\":\"x\",\"cells\":[" NONE "]}"));
	lines = doc_array(doc, "verdict");
	ck_assert_str_eq(json_object_get_string(doc_at(lines, 0)),
			 "no method fires here: it has no fixed type [attach/no-cell]");
	json_object_put(doc);
}

/* Whatever the answers are, each word of them is printed, in lines of 100 columns. */
TEST(no_cell_is_cut)
{
	struct json_object *doc = parse(FIXTURE), *cell, *section, *row;
	char *text;

	section = doc_at(doc_array(doc_at(doc_array(doc, "events"), 0), "sections"), 0);
	row = doc_at(doc_array(section, "rows"), 1);
	json_object_object_add(row, "what", json_object_new_string(
		"a question that is so long that it does not fit beside four answers, whatever"));
	cell = doc_object(doc_object(row, "cells"), "type+link");
	json_object_object_add(cell, "answer", json_object_new_string(
		"first second third fourth fifth ENAMEOFANERRORTHATISLONGERTHANACOLUMN_AND_MORE last"));
	json_object_object_add(doc, "differences", report_differences(doc));
	text = print(doc);
	ck_assert_ptr_null(strstr(text, ".."));
	ck_assert_ptr_nonnull(strstr(text, "\n    a question that"));
	ck_assert_ptr_nonnull(strstr(text, "whatever"));
	ck_assert_ptr_nonnull(strstr(text, "  first second"));
	ck_assert_ptr_nonnull(strstr(text, "ENAMEOFANERROR"));
	ck_assert_ptr_nonnull(strstr(text, " last\n"));
	for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
		ck_assert_uint_le(strcspn(line, "\n"), 100);
	free(text);
	json_object_put(doc);
}

/* How many timings differ depends on the run, and is counted apart. */
TEST(times_are_not_counted_as_differences)
{
	static const struct {
		const char *p25, *p75;
		const char *counts;
	} rows[] = {
		/* The quartiles of the fastest are apart from those of the slowest, or not. */
		{ "880", "9000", "; 2 timings differ\n" },
		{ "150", "9000", "; 1 timing differs\n" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct json_object *doc = parse(FIXTURE), *cells, *time;
		char *text;

		cells = doc_array(doc_at(doc_array(doc, "events"), 0), "cells");
		for (size_t j = 1; j < doc_len(cells); j += 2) {
			time = doc_object(doc_object(doc_at(cells, j), "times"), "bind");
			json_object_object_add(time, "p25_ns", json_object_new_int(atoi(rows[i].p25)));
			json_object_object_add(time, "p75_ns", json_object_new_int(atoi(rows[i].p75)));
			json_object_object_add(time, "p99_ns", json_object_new_int(900000));
		}
		json_object_object_add(doc, "differences", report_differences(doc));
		text = print(doc);
		ck_assert_ptr_nonnull(strstr(text, " 7 differences, "));
		ck_assert_msg(strstr(text, rows[i].counts), "%s", text);
		free(text);
		json_object_put(doc);
	}
}

/* The unit is named once, unless a quartile has another; what has none is printed alone. */
TEST(a_time_is_printed_with_its_spread)
{
	static const struct {
		const char *bind, *cost, *text;
	} rows[] = {
		{ "\"p25_ns\":650,\"p75_ns\":720", "\"program_most_ns\":1300", " 700 ns (650-720)" },
		{ "\"p25_ns\":650,\"p75_ns\":1720", "\"program_most_ns\":1300",
		  " 700 ns (650 ns-1.72 us)" },
		{ "\"p25_ns\":650,\"p75_ns\":720", "\"program_most_ns\":1300", " 1.00 us (1.00-1.30)" },
		{ "\"p75_ns\":720", "\"program_most_ns\":1300", " 700 ns  " },
		{ "\"p25_ns\":650,\"p75_ns\":720", "\"program_most\":1", " 1.00 us  " },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char event[1024], *text = NULL;
		struct json_object *doc;
		size_t size;
		FILE *to;

		snprintf(event, sizeof(event), DOCUMENT("{\"event\":\"x\",\"cells\":["
			 "{\"cell\":\"a\",\"attach\":\"ioctl\",\"outcome\":\"fires\",\"times\":{\"bind\":{"
			 "\"median_ns\":700,\"p99_ns\":9000,%s}},\"cost\":{\"program_ns\":1000,%s}},"
			 CELL("b", "\"link\"", "fires", "\"0x7\"", "300", "1000") "]}"),
			 rows[i].bind, rows[i].cost);
		doc = parse(event);
		to = open_memstream(&text, &size);
		ck_assert(report_text_all_rows(to, doc));
		fclose(to);
		ck_assert_msg(strstr(text, rows[i].text) != NULL, "no '%s' in:\n%s", rows[i].text, text);
		free(text);
		json_object_put(doc);
	}
}
