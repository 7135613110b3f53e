// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Builds the document of pload compare, and reads its members by type. */
#include <stdlib.h>
#include <string.h>

#include "loader/compare/document/document.h"
#include "loader/base/text/names.h"

/* --- members --- */

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

/* --- parts --- */

bool doc_add_text(struct json_object *object, const char *key, const char *text)
{
	return value_add_string(object, key, text && text[0] ? text : NULL);
}

struct json_object *doc_error(const struct error *err)
{
	struct json_object *o = json_object_new_object();

	doc_add_text(o, "text", err->what);
	doc_add_text(o, "where", err->where);
	doc_add_text(o, "hint", err->hint);
	doc_add_text(o, "reason", err->reason);
	doc_add_text(o, "call", err->call);
	doc_add_text(o, "errno", err->code ? sys_errno_name(-err->code) : NULL);
	return o;
}

struct json_object *doc_list(struct json_object *object, const char *key)
{
	struct json_object *list = doc_get(object, key);

	if (list)
		return list;
	list = json_object_new_array();
	return value_add(object, key, list) ? list : NULL;
}

struct json_object *doc_section(struct json_object *event, const char *id, const char *title)
{
	struct json_object *section = json_object_new_object(),
			   *sections = doc_list(event, "sections");

	doc_add_text(section, "id", id);
	doc_add_text(section, "title", title);
	value_add(section, "rows", json_object_new_array());
	return value_append(sections, section) ? section : NULL;
}

struct json_object *doc_row(struct json_object *section, const char *id, const char *what)
{
	struct json_object *row = json_object_new_object(), *rows = doc_list(section, "rows");

	doc_add_text(row, "id", id);
	doc_add_text(row, "what", what);
	value_add(row, "cells", json_object_new_object());
	return value_append(rows, row) ? row : NULL;
}

bool doc_answer(struct json_object *row, const char *cell, const char *answer,
		    const char *detail, const struct error *err)
{
	struct json_object *o = json_object_new_object();

	doc_add_text(o, "answer", answer);
	if (detail)
		doc_add_text(o, "detail", detail);
	if (err)
		value_add(o, "error", doc_error(err));
	return doc_add_copied(doc_object(row, "cells"), cell, o);
}
