// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Parse an untrusted document. */
#include <errno.h>

#include "loader/compare/report/report_internal.h"
#include "loader/base/json/parse_json.h"

static int other(struct error *err)
{
	error_set(err, EINVAL, "this is JSON, but not a document of pload compare");
	error_reason(err, "report/other");
	return error_hint(err, "pload compare --format=json >FILE writes a document");
}

static bool is_event_too_long(struct json_object *event)
{
	struct json_object *sections = doc_array(event, "sections");

	for (size_t i = 0; i < doc_len(sections) && i < SECTIONS_MAX; i++)
		if (doc_len(doc_array(doc_at(sections, i), "rows")) > ROWS_MAX)
			return true;
	return doc_len(sections) > SECTIONS_MAX || doc_len(doc_array(event, "cells")) > ROWS_MAX;
}

/* The limits bound the run time of report_differences(), which compares rows with rows. */
static bool is_too_long(struct json_object *doc)
{
	struct json_object *events = doc_array(doc, "events");

	for (size_t i = 0; i < doc_len(events) && i < EVENTS_MAX; i++)
		if (is_event_too_long(doc_at(events, i)))
			return true;
	return doc_len(events) > EVENTS_MAX ||
	       doc_len(doc_array(doc, "differences")) > DIFFERENCES_MAX;
}

static int check(struct json_object *doc, struct error *err)
{
	uint64_t version;

	if (!doc_is(doc, "type", "compare") || !doc_number(doc, "version", &version) || !version ||
	    !doc_array(doc, "events"))
		return other(err);
	if (version <= REPORT_VERSION)
		return is_too_long(doc) ? other(err) : 0;
	error_set(err, EINVAL, "the document has version %llu, but pload reads versions up to %u",
		  (unsigned long long)version, REPORT_VERSION);
	error_reason(err, "report/newer");
	return error_hint(err, "it was written by a newer pload, which can read it");
}

static int broken(const char *what, struct error *err)
{
	if (what)
		error_set(err, EINVAL, "%s", what);
	error_reason(err, "report/not-json");
	return error_hint(err, "pload compare --format=json >FILE writes a document");
}

int report_parse(const char *text, size_t size, struct json_object **doc, struct error *err)
{
	int ret;

	*doc = NULL;
	if (!size || size > REPORT_SIZE_MAX)
		return broken(size ? "this is too long for a document" : "this is empty", err);
	ret = json_parse(text, size, doc, err);
	if (!ret)
		ret = check(*doc, err);
	else if (ret == -EINVAL)
		ret = broken(NULL, err);
	if (!ret)
		return 0;
	json_object_put(*doc);
	*doc = NULL;
	return ret;
}
