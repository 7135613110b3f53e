// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Tests of reports: differences and their reasons, texts that fit their columns, broken documents.
 */
#include <errno.h>
#include <stdlib.h>


#include "loader/explain/reasons/reasons.h"
#include "loader/compare/report/report_internal.h"
#include "test/unit/common/json_of.h"
#include "test/unit/common/expect.h"
#include "test/unit/compare/report_fixture.h"
#include "test/unit/common/suite.h"

static struct json_object *parse(const char *text)
{
	struct json_object *doc = NULL;
	struct error err = { 0 };
	const int ret = report_parse(text, strlen(text), &doc, &err);

	ck_assert_msg(!ret, "%s", err.what);
	return doc;
}

static struct json_object *shown(const char *text)
{
	struct json_object *doc = parse(text);

	json_object_object_add(doc, "differences", report_differences(doc));
	ck_assert_ptr_nonnull(doc_array(doc, "differences"));
	return doc;
}

/* Not inlined: gcc 12 for s390x takes the text for a place on the stack. */
__attribute__((noinline)) static char *
print(bool (*how)(FILE *file, struct json_object *doc), struct json_object *doc)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	ck_assert(how(to, doc));
	fclose(to);
	return text;
}

/* The difference of that event's row; NULL: there is none. */
static struct json_object *difference(struct json_object *doc, const char *event, const char *row)
{
	struct json_object *list = doc_array(doc, "differences");

	for (size_t i = 0; i < doc_len(list); i++)
		if (doc_is(doc_at(list, i), "row", row) &&
		    (event ? doc_is(doc_at(list, i), "event", event) :
			     !doc_text(doc_at(list, i), "event")))
			return doc_at(list, i);
	return NULL;
}

TEST(what_differs_has_its_reason)
{
	static const struct {
		const char *event, *row, *code;
	} rows[] = {
		{ "cpu-clock", "cookie", "differs/cookie" },
		{ "cpu-clock", "open-time", "differs/open-time" },
		{ "cpu-clock", "bind-time", "differs/bind-time" },
		{ "cpu-clock", "open", "differs/open-calls" },
		{ "cpu-clock", "bind", "differs/bind-calls" },
		{ "cpu-clock", "detach", "differs/detach-calls" },
		{ "cpu-clock", "link-fd", "differs/no-link" },
		{ "cpu-clock", "odd", NULL },
		{ "cycles", "outcome", "differs/not-here" },
	};
	struct json_object *doc = shown(FIXTURE), *d;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		d = difference(doc, rows[i].event, rows[i].row);
		ck_assert_msg(d, "%s", rows[i].row);
		if (rows[i].code)
			ck_assert_str_eq(doc_text(d, "explained"), rows[i].code);
		else
			ck_assert_ptr_null(doc_get(d, "explained"));
		/* Each has a page. */
		ck_assert(!rows[i].code || reason_find(rows[i].code));
	}
	ck_assert_ptr_null(difference(doc, "cpu-clock", "outcome"));
	ck_assert_ptr_null(difference(doc, "cpu-clock", "enable"));
	ck_assert_ptr_null(difference(doc, "cpu-clock", "enable-time"));
	ck_assert_ptr_null(difference(doc, "cpu-clock", "returns-0"));
	json_object_put(doc);
}

/* An explanation is for certain answers: a row with other answers is not explained by it. */
TEST(what_is_not_as_explained_is_unexplained)
{
	struct json_object *doc = parse(FIXTURE), *cell;

	cell = doc_at(doc_array(doc_at(doc_array(doc, "events"), 0), "cells"), 1);
	json_object_object_add(doc_object(cell, "cookie"), "seen", json_object_new_string("0x8"));
	json_object_object_add(doc, "differences", report_differences(doc));
	ck_assert_ptr_null(doc_get(difference(doc, "cpu-clock", "cookie"), "explained"));
	json_object_put(doc);
}

/* One call each: the PMU is slower, and not by its calls. */
TEST(slower_without_more_calls_is_unexplained)
{
	struct json_object *doc = parse(FIXTURE), *cells;

	cells = doc_array(doc_at(doc_array(doc, "events"), 0), "cells");
	for (size_t i = 0; i < doc_len(cells); i++) {
		struct json_object *calls = doc_array(doc_at(cells, i), "calls");
		const size_t sysfs = doc_is(doc_at(calls, 0), "call", "openat") ? 3 : 0;

		json_object_array_del_idx(calls, sysfs + 1, doc_len(calls) - sysfs - 1);
		json_object_array_del_idx(calls, 0, sysfs);
		ck_assert_uint_eq(doc_len(calls), 1);
	}
	json_object_object_add(doc, "differences", report_differences(doc));
	ck_assert_ptr_null(doc_get(difference(doc, "cpu-clock", "open-time"), "explained"));
	json_object_put(doc);
}

/* Builds a document of two events with one row, which has these answers of their cells. */
static struct json_object *two_events(const char *section, const char *row, const char *counted,
				      const char *tracefs, const char *pmu)
{
	char text[4096];

	snprintf(text, sizeof(text),
		 "{\"type\":\"compare\",\"version\":1,\"events\":["
		 "{\"event\":\"a\",\"kind\":\"counted\",\"cells\":["
		 "{\"cell\":\"type+ioctl\",\"open\":\"type\",\"bind\":\"ioctl\"}],\"sections\":["
		 "{\"id\":\"%s\",\"rows\":[{\"id\":\"%s\",\"cells\":{\"type+ioctl\":{\"answer\":\"%s\"}}}]}]},"
		 "{\"event\":\"b\",\"kind\":\"traced\",\"cells\":["
		 "{\"cell\":\"tracefs+ioctl\",\"open\":\"tracefs\",\"bind\":\"ioctl\"},"
		 "{\"cell\":\"pmu+ioctl\",\"open\":\"pmu\",\"bind\":\"ioctl\"}],\"sections\":["
		 "{\"id\":\"%s\",\"rows\":[{\"id\":\"%s\",\"cells\":{\"tracefs+ioctl\":{\"answer\":\"%s\"},"
		 "\"pmu+ioctl\":{\"answer\":\"%s\"}}}]}]}]}",
		 section, row, counted, section, row, tracefs, pmu);
	return shown(text);
}

TEST(events_of_two_kinds)
{
	static const struct {
		const char *section, *row, *counted, *tracefs, *pmu;
		const char *event, *code;	/* of the one difference; NULL: unexplained */
	} rows[] = {
		{ "lifetime", "never-enabled", "no runs", "runs", "runs", NULL, "differs/enabled" },
		{ "lifetime", "never-enabled", "runs", "no runs", "no runs", NULL, NULL },
		{ "lifetime", "other-cpu", "no runs", "runs", "runs", NULL, "differs/scope" },
		{ "lifetime", "child-ended", "runs", "stops", "stops", NULL, "differs/inherited" },
		{ "lifetime", "same-program", "runs", "EEXIST", "runs", "b", "differs/probe-own" },
		{ "lifetime", "child-ended", "runs", "stops", "runs", "b", "differs/inherited" },
		{ "lifetime", "child-inherits", "runs", "runs", "no runs", "b",
		  "differs/probe-inherited" },
		{ "visibility", "query-bpf", "EINVAL", "named", "EINVAL", "b", "differs/query-type" },
		{ "visibility", "task-fd-query", "EOPNOTSUPP", "uprobe", "uprobe", NULL,
		  "differs/event-seen" },
		{ "privilege", "none", "load EPERM", "find EACCES", "load EPERM", "b",
		  "differs/tracefs-closed" },
		{ "privilege", "both-open", "ok", "ok", "EACCES", "b", "differs/pmu-admin" },
		{ "privilege", "both-open", "ok", "EACCES", "EPERM", "b", NULL },
		{ "other", "other", "1", "2", "2", NULL, NULL },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct json_object *doc = two_events(rows[i].section, rows[i].row, rows[i].counted,
						     rows[i].tracefs, rows[i].pmu);
		struct json_object *d = difference(doc, rows[i].event, rows[i].row);
		const char *code = doc_text(d, "explained");

		ck_assert_uint_eq(doc_len(doc_array(doc, "differences")), 1);
		ck_assert_msg(d, "%s", rows[i].row);
		ck_assert_msg(!code == !rows[i].code && (!code || !strcmp(code, rows[i].code)),
			      "%s: %s", rows[i].row, code);
		ck_assert(!code || reason_find(code));
		json_object_put(doc);
	}
}

TEST(calls_are_folded_to_what_differs)
{
	struct json_object *doc = parse(FIXTURE);
	struct call_fold folds[FOLDS_MAX];
	struct cells cells;
	int nr;

	cells_read(&cells, doc_at(doc_array(doc, "events"), 0));
	nr = calls_fold(&cells, "open", folds);
	ck_assert_int_eq(nr, 2);
	ck_assert_uint_eq(folds[0].set, 3);
	ck_assert_str_eq(json_object_get_string(doc_at(folds[0].lines, 0)),
			 "perf_event_open(type=PERF_TYPE_SOFTWARE, ...) = event");
	ck_assert_uint_eq(doc_len(folds[1].lines), 4);
	ck_assert_str_eq(json_object_get_string(doc_at(folds[1].lines, 1)),
			 "read(type, buffer, 32) = 2 => \"6\\n\"");
	calls_free(folds, nr);

	nr = calls_fold(&cells, "detach", folds);
	ck_assert_int_eq(nr, 3);
	ck_assert_uint_eq(doc_len(folds[0].lines), 0);
	ck_assert_str_eq(json_object_get_string(doc_at(folds[1].lines, 0)), "close(link) = 0");
	ck_assert(folds[2].same);
	ck_assert_str_eq(json_object_get_string(doc_at(folds[2].lines, 0)), "close(event) = 0");
	calls_free(folds, nr);
	json_object_put(doc);
}

static void expect_width(const char *text)
{
	for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
		const size_t n = strcspn(line, "\n");

		ck_assert_msg(n <= 100, "%zu columns: %.*s", n, (int)n, line);
		ck_assert(line[n]);
	}
}

TEST(text_says_it_all)
{
	static const char *const words[] = {
		"Linux 6.18.0 x86_64, 2 CPUs, medians of 50 rounds with their quartiles\n",
		"2 events, 5 of 6 cells fire; 7 differences, 1 of them unexplained; 2 timings differ\n",
		"                              type+ioctl        pmu+ioctl\n  cycles                      fires  ",
		"  outcome                 fires              fires              fires              fires\n",
		"  time to bind            200 ns             900 ns             210 ns             950 ns\n",
		"64 / 64", "71.0 ms", "dropped, counted", "kept, counted",
		"the link is closed, the event open", "no link",
		"pmu+ioctl: there is no PMU [event/no-pmu]\n",
		"    cookie read: *+ioctl: 0; *+link: as given (cpu-clock)\n",
		"(pload-compare(7), Cookies; pload explain differs/cookie)\n",
		"Unexplained: no explanation fits these answers.\n",
		"    something that nobody expects: type+ioctl: up; type+link, pmu+ioctl, pmu+link: down",
	};
	struct json_object *doc = shown(FIXTURE);
	char *text = print(report_text_all_rows, doc);

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		ck_assert_msg(strstr(text, words[i]), "no '%s' in:\n%s", words[i], text);
	expect_width(text);
	free(text);
	json_object_put(doc);
}

/* Another kernel: one answer, one outcome, one time far off and one that is not; other events. */
TEST(against_an_earlier_one)
{
	struct json_object *then = parse(FIXTURE_DOCUMENT("5.10.0", FIXTURE_CLOCK "," FIXTURE_ABSENT)),
			   *now = parse(FIXTURE), *cell, *against;
	char *text;

	against = report_against(then, now);
	ck_assert_uint_eq(doc_len(doc_array(against, "changes")), 0);
	json_object_object_add(now, "against", against);
	text = print(report_text, now);
	ck_assert_ptr_nonnull(strstr(text, "\nchanged since Linux 5.10.0"));
	ck_assert_ptr_nonnull(strstr(text, "    nothing\n"));
	free(text);

	cell = doc_at(doc_array(doc_at(doc_array(now, "events"), 0), "cells"), 1);
	json_object_object_add(doc_object(cell, "cookie"), "seen", json_object_new_string("0x0"));
	json_object_object_add(doc_object(doc_object(cell, "times"), "bind"), "median_ns",
			       json_object_new_uint64(9000));
	json_object_object_add(doc_object(doc_object(cell, "times"), "open"), "median_ns",
			       json_object_new_uint64(9000));
	cell = doc_at(doc_array(doc_at(doc_array(now, "events"), 1), "cells"), 1);
	json_object_object_add(doc_object(cell, "error"), "reason",
			       json_object_new_string("event/unknown"));
	json_object_array_add(doc_array(now, "events"), json_of("{\"event\":\"x\"}"));
	against = report_against(then, now);
	ck_assert_uint_eq(doc_len(doc_array(against, "changes")), 3);
	json_object_object_add(now, "against", against);
	text = print(report_text, now);
	ck_assert_ptr_nonnull(strstr(text, "    cpu-clock, cookie read, type+link: 0, was as given\n"));
	ck_assert_ptr_nonnull(
		strstr(text, "    cpu-clock, time to bind, type+link: 9.00 us, was 900 ns (a time)\n"));
	ck_assert_ptr_nonnull(strstr(text, "    cycles, outcome, pmu+ioctl: absent [event/unknown], "
					   "was absent [event/no-pmu]\n"));
	ck_assert_ptr_nonnull(strstr(text, "    measured now only: x\n"));
	expect_width(text);
	free(text);
	json_object_put(then);
	json_object_put(now);
}

/* A row that no cell has any more is a change for each cell that had it; and the other way round. */
TEST_EACH(rows_that_one_document_lacks, 2)
{
	struct json_object *with = parse(FIXTURE), *without = parse(FIXTURE), *cells, *against, *changes;
	unsigned int nr = 0;

	cells = doc_array(doc_at(doc_array(without, "events"), 0), "cells");
	for (size_t i = 0; i < doc_len(cells); i++)
		json_object_object_del(doc_at(cells, i), "cookie");
	against = _i ? report_against(without, with) : report_against(with, without);
	changes = doc_array(against, "changes");
	for (size_t i = 0; i < doc_len(changes); i++) {
		nr += doc_is(doc_at(changes, i), "row", "cookie");
		ck_assert_ptr_null(doc_text(doc_at(changes, i), _i ? "then" : "now"));
		ck_assert_ptr_nonnull(doc_text(doc_at(changes, i), _i ? "now" : "then"));
	}
	ck_assert_uint_gt(nr, 0);
	json_object_put(against);
	json_object_put(with);
	json_object_put(without);
}

/*
 * Returns true if the time to bind is among the differences when each cell was timed @rounds times.
 */
static bool bind_time_differs(struct json_object *doc, uint64_t rounds)
{
	struct json_object *cells = doc_array(doc_at(doc_array(doc, "events"), 0), "cells"), *all;
	bool found = false;

	for (size_t i = 0; i < doc_len(cells); i++)
		json_object_object_add(doc_object(doc_object(doc_at(cells, i), "times"), "bind"),
				       "rounds", json_object_new_uint64(rounds));
	all = report_differences(doc);
	for (size_t i = 0; i < doc_len(all); i++)
		found = found || !strcmp(doc_text(doc_at(all, i), "row"), "bind-time");
	json_object_put(all);
	return found;
}

TEST(few_rounds_conclude_nothing)
{
	struct json_object *then = parse(FIXTURE), *now = parse(FIXTURE), *cell, *against;
	char *text;

	ck_assert(bind_time_differs(now, REPORT_TIME_ROUNDS));
	ck_assert(!bind_time_differs(now, REPORT_TIME_ROUNDS - 1));
	cell = doc_at(doc_array(doc_at(doc_array(now, "events"), 0), "cells"), 1);
	json_object_object_add(doc_object(doc_object(cell, "times"), "bind"), "median_ns",
			       json_object_new_uint64(9000));
	against = report_against(then, now);
	ck_assert_uint_eq(doc_len(doc_array(against, "changes")), 0);
	json_object_put(against);
	json_object_object_add(now, "rounds", json_object_new_uint64(REPORT_TIME_ROUNDS - 1));
	text = print(report_text, now);
	ck_assert_ptr_nonnull(strstr(text, "medians of 7 rounds (times are compared from 8 on: "));
	expect_width(text);
	free(text);
	json_object_put(then);
	json_object_put(now);
}

/* The data that the page carries, parsed. */
static struct json_object *page_data(const char *page)
{
	static const char begin[] = "<script type=\"application/json\" id=\"data\">";
	const char *from = strstr(page, begin), *to;
	struct json_object *data;
	char *text;

	ck_assert_ptr_nonnull(from);
	from += sizeof(begin) - 1;
	to = strstr(from, "</script>");
	text = strndup(from, to - from);
	data = json_of(text);
	ck_assert_msg(data, "no JSON: %.200s", text);
	free(text);
	return data;
}

static unsigned int count(const char *text, const char *word)
{
	unsigned int nr = 0;

	for (; (text = strstr(text, word)); text += strlen(word))
		nr++;
	return nr;
}

/* The page has all that page.js renders, whatever the names are, and loads nothing. */
TEST(a_page_is_whole)
{
	static const char *const absent[] = { "http:", "https:", " src=", "url(", "@import", "<link",
					      "<iframe", "innerHTML", "@document@", "@page." };
	static const char hostile[] = "</script><!--<script>alert(1)</script>";
	struct json_object *doc = shown(FIXTURE), *data, *list;
	char *page;

	json_object_object_add(doc_at(doc_array(doc, "events"), 0), "event",
			       json_object_new_string(hostile));
	page = print(report_html, doc);
	for (size_t i = 0; i < sizeof(absent) / sizeof(absent[0]); i++)
		ck_assert_msg(!strstr(page, absent[i]), "%s", absent[i]);
	ck_assert_uint_eq(count(page, "<script"), 2);
	ck_assert_uint_eq(count(page, "</script>"), 2);
	ck_assert_uint_eq(count(page, "<!--"), 2);
	ck_assert_uint_eq(count(page, "<noscript>"), 1);
	data = page_data(page);
	ck_assert(json_object_equal(doc_get(data, "document"), doc));
	ck_assert_str_eq(doc_text(data, "counts"),
			 "2 events, 5 of 6 cells fire; 7 differences, 1 of them unexplained; "
			 "2 timings differ");
	list = doc_array(data, "events");
	ck_assert_uint_eq(doc_len(list), 2);
	ck_assert_uint_eq(doc_len(doc_array(doc_object(doc_at(list, 0), "measured"), "rows")), 12);
	ck_assert_uint_eq(doc_len(doc_array(doc_at(list, 0), "calls")), 8);
	list = doc_array(data, "differences");
	ck_assert_uint_eq(doc_len(list), 9);
	for (size_t i = 0; i < doc_len(list); i++)
		ck_assert_uint_eq(doc_len(doc_array(doc_at(list, i), "lines")), 1);
	ck_assert_str_eq(doc_text(doc_at(doc_array(data, "chapters"), 0), "code"), "differs/cookie");
	ck_assert_ptr_nonnull(doc_text(doc_at(doc_array(data, "chapters"), 0), "remedy"));
	json_object_put(data);
	free(page);
	json_object_put(doc);
}

TEST(files_that_are_no_documents)
{
	static const struct {
		const char *text, *reason, *what;
	} rows[] = {
		{ "", "report/not-json", "empty" },
		{ "{\"type\":\"compare\",", "report/not-json", "too early" },
		{ "pload\n", "report/not-json", "byte 0" },
		{ FIXTURE "x", "report/not-json", NULL },
		{ "[]", "report/other", NULL },
		{ "null\n", "report/other", NULL },
		{ "{}", "report/other", NULL },
		{ "{\"type\":\"summary\",\"version\":1,\"events\":[]}", "report/other", NULL },
		{ "{\"type\":\"compare\",\"version\":1,\"events\":{}}", "report/other", NULL },
		{ "{\"type\":\"compare\",\"version\":0,\"events\":[]}", "report/other", NULL },
		{ "{\"type\":\"compare\",\"version\":2,\"events\":[]}", "report/newer", "version 2" },
	};
	struct json_object *doc;
	struct error err = { 0 };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct expect e = { EINVAL, NULL, rows[i].what, "" };
		const int ret = report_parse(rows[i].text, strlen(rows[i].text), &doc, &err);

		ck_assert_msg(err.reason && !strcmp(err.reason, rows[i].reason), "%s: %s",
			      rows[i].text, err.reason);
		ck_assert_ptr_null(doc);
		ck_assert(err.hint[0]);
		expect_error(rows[i].text, ret, &err, &e);
	}
	json_object_put(parse(FIXTURE "\n"));
}

/* --- documents of which one value is another --- */

static const char *const others[] = {
	"null", "true", "-1", "18446744073709551615", "1e300", "\"\"",
	"\"\\u0000\"", "\"<b>\\\"'&\\u001b[31m\\u202e \\ud55c\"", "[]", "{}", "[[],{},0]",
	"{\"answer\":\"<x>\",\"ns\":0}",
	"\"a(\\\"b\"", "\"))(({{}},,= 5 => \\\"\"",
};

/* All that can be made of a document that report_parse() takes, @other being a whole one. */
static void use(const char *text, struct json_object *other, int at)
{
	struct json_object *doc = NULL, *against;
	bool is_clean = true;
	char *out;

	if (report_parse(text, strlen(text), &doc, NULL))
		return;
	json_object_object_add(doc, "differences", report_differences(doc));
	json_object_object_add(doc, "verdict", report_verdict(doc));
	ck_assert_ptr_nonnull(doc_array(doc, "verdict"));
	against = report_against(doc, other);
	ck_assert_ptr_nonnull(against);
	json_object_put(against);
	against = report_against(other, doc);
	ck_assert_ptr_nonnull(against);
	json_object_object_add(doc, "against", against);
	out = print(at % 2 ? report_text : report_text_all_rows, doc);
	for (const char *c = out; *c; c++)	/* an assert for each would take minutes */
		is_clean = is_clean && ((unsigned char)*c >= 0x20 || *c == '\n');
	ck_assert(is_clean);
	free(out);
	out = print(report_html, doc);
	against = page_data(out);
	ck_assert(json_object_equal(doc_get(against, "document"), doc));
	json_object_put(against);
	ck_assert_uint_eq(count(out, "</script>"), 2);
	free(out);
	json_object_put(doc);
}

/* Replace node @at (counted depth first) of @value by @other; how many nodes there are. */
static int replace(struct json_object *value, int at, int seen, const char *other)
{
	size_t i;

	if (json_object_is_type(value, json_type_array)) {
		for (i = 0; i < doc_len(value); i++) {
			if (seen++ == at) {
				json_object_array_put_idx(value, i, json_of(other));
				return -1;
			}
			seen = replace(json_object_array_get_idx(value, i), at, seen, other);
			if (seen < 0)
				return seen;
		}
	} else if (json_object_is_type(value, json_type_object)) {
		json_object_object_foreach(value, key, member) {
			if (seen++ == at) {
				json_object_object_add(value, key, json_of(other));
				return -1;
			}
			seen = replace(member, at, seen, other);
			if (seen < 0)
				return seen;
		}
	}
	return seen;
}

TEST_EACH(any_value_may_be_another, 2)
{
	const size_t nr = sizeof(others) / sizeof(others[0]);
	struct json_object *doc = parse(FIXTURE), *whole = parse(FIXTURE);
	const int nodes = replace(doc, INT32_MAX, 0, "0");

	ck_assert_int_gt(nodes, 300);
	json_object_put(doc);
	for (int at = 0; at < nodes; at++) {
		doc = parse(FIXTURE);
		replace(doc, at, 0, others[(at + _i) % nr]);
		use(json_object_to_json_string(doc), whole, at / (int)nr);
		json_object_put(doc);
	}
	json_object_put(whole);
}

TEST(long_names_and_many_cells)
{
	struct json_object *doc = parse(FIXTURE), *event = doc_at(doc_array(doc, "events"), 0);
	char name[400], *text;

	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	json_object_object_add(event, "event", json_object_new_string(name));
	for (int i = 0; i < 20; i++) {
		struct json_object *cell = json_object_new_object();

		snprintf(name + 200, 100, "%d", i);
		json_object_object_add(cell, "cell", json_object_new_string(name));
		json_object_object_add(cell, "outcome", json_object_new_string(name));
		json_object_array_add(doc_array(event, "cells"), cell);
	}
	json_object_object_add(doc, "differences", report_differences(doc));
	text = print(report_text, doc);
	expect_width(text);
	ck_assert_ptr_nonnull(strstr(text, "8 cells that are not shown"));
	free(text);
	json_object_put(doc);
}
