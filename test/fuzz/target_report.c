// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Fuzzes the report of a document of pload compare: differences, text, the page, and the changes
 * since another document. The input is one document, which is compared with a complete one.
 */
#include <stdio.h>
#include <string.h>

#include "loader/compare/report/report.h"
#include "test/fuzz/target.h"
#include "test/unit/compare/report_fixture.h"

static struct json_object *whole(void)
{
	static struct json_object *doc;
	struct error err = { 0 };

	if (!doc)
		promise(walk_error(report_parse(FIXTURE, sizeof(FIXTURE) - 1, &doc, &err), &err));
	return doc;
}

/*
 * Write into memory, and check every byte. A page has two script elements, whatever the document
 * contains.
 */
static void show(bool (*how)(FILE *file, struct json_object *doc), struct json_object *doc)
{
	unsigned int nr_scripts;
	char *text = NULL;
	size_t size = 0;
	FILE *to = open_memstream(&text, &size);

	promise(to);
	promise(how(to, doc));
	promise(!fclose(to));
	nr_scripts = walk_text(text, size, "</script");
	promise(how != report_html || nr_scripts == 2);
	free(text);
}

static void add(struct json_object *doc, const char *key, struct json_object *value)
{
	promise(value && !json_object_object_add(doc, key, value));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct json_object *doc;
	struct error err = { 0 };
	const int ret = report_parse((const char *)data, size, &doc, &err);

	if (ret)
		error_where(&err, "fuzz.json");
	if (!walk_error(ret, &err))
		return 0;
	/* Replace the differences in the file with computed ones, as pload does. */
	add(doc, "differences", report_differences(doc));
	add(doc, "verdict", report_verdict(doc));
	json_object_put(report_against(doc, whole()));
	add(doc, "against", report_against(whole(), doc));
	show(report_text, doc);
	show(report_text_all_rows, doc);
	show(report_html, doc);
	json_object_put(doc);
	return 0;
}
