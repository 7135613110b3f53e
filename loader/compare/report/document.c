// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Parse a document that may contain anything, and read and write its members by type. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/compare/report/parse_json.h"
#include "loader/value/value.h"
#include "loader/compare/report/report_internal.h"

struct json_object *doc_get(struct json_object *value, const char *key)
{
	struct json_object *member = NULL;

	if (json_object_is_type(value, json_type_object))
		json_object_object_get_ex(value, key, &member);
	return member;
}

static struct json_object *typed(struct json_object *value, const char *key, enum json_type type)
{
	struct json_object *member = doc_get(value, key);

	return member && json_object_is_type(member, type) ? member : NULL;
}

struct json_object *doc_object(struct json_object *value, const char *key)
{
	return typed(value, key, json_type_object);
}

struct json_object *doc_array(struct json_object *value, const char *key)
{
	return typed(value, key, json_type_array);
}

const char *doc_text(struct json_object *value, const char *key)
{
	struct json_object *member = typed(value, key, json_type_string);

	return member ? json_object_get_string(member) : NULL;
}

bool doc_number(struct json_object *value, const char *key, uint64_t *number)
{
	struct json_object *member = typed(value, key, json_type_int);

	*number = 0;
	if (!member || (json_object_get_int64(member) < 0))
		return false;
	*number = json_object_get_uint64(member);
	return true;
}

bool doc_true(struct json_object *value, const char *key)
{
	struct json_object *member = typed(value, key, json_type_boolean);

	return member && json_object_get_boolean(member);
}

size_t doc_len(struct json_object *array)
{
	return json_object_is_type(array, json_type_array) ? json_object_array_length(array) : 0;
}

struct json_object *doc_at(struct json_object *array, size_t i)
{
	return i < doc_len(array) ? json_object_array_get_idx(array, i) : NULL;
}

bool doc_is(struct json_object *value, const char *key, const char *text)
{
	const char *is = doc_text(value, key);

	return is && !strcmp(is, text);
}

struct json_object *doc_find(struct json_object *array, const char *key, const char *text)
{
	for (size_t i = 0; i < doc_len(array); i++)
		if (doc_is(doc_at(array, i), key, text))
			return doc_at(array, i);
	return NULL;
}

bool doc_add_copied(struct json_object *object, const char *key, struct json_object *member)
{
	if (object && value_is_complete(member) && !json_object_object_add(object, key, member))
		return true;
	json_object_put(member);
	return false;
}

struct json_object *doc_finish(struct json_object *value, bool ok)
{
	if (ok)
		return value;
	json_object_put(value);
	return NULL;
}

struct json_object *doc_string(char *text)
{
	struct json_object *string = text ? json_object_new_string(text) : NULL;

	free(text);
	return string;
}

/* --- parsing --- */

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

/* The limits bound the time of report_differences(), which compares rows with rows. */
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
	return error_hint(err, "a newer pload has written it, and can read it");
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
