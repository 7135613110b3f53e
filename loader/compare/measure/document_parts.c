// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Adds parts to the document: texts, numbers, errors, and sections with rows and answers. */
#include "loader/compare/measure/compare_internal.h"
#include "loader/sys/names.h"

bool compare_add_text(struct json_object *object, const char *key, const char *text)
{
	return value_add_string(object, key, text && text[0] ? text : NULL);
}

struct json_object *compare_error(const struct error *err)
{
	struct json_object *o = json_object_new_object();

	compare_add_text(o, "text", err->what);
	compare_add_text(o, "where", err->where);
	compare_add_text(o, "hint", err->hint);
	compare_add_text(o, "reason", err->reason);
	compare_add_text(o, "call", err->call);
	compare_add_text(o, "errno", err->code ? sys_errno_name(-err->code) : NULL);
	return o;
}

struct json_object *compare_list(struct json_object *object, const char *key)
{
	struct json_object *list;

	if (json_object_object_get_ex(object, key, &list))
		return list;
	list = json_object_new_array();
	return value_add(object, key, list) ? list : NULL;
}

struct json_object *compare_section(struct json_object *event, const char *id, const char *title)
{
	struct json_object *section = json_object_new_object(),
			   *sections = compare_list(event, "sections");

	compare_add_text(section, "id", id);
	compare_add_text(section, "title", title);
	value_add(section, "rows", json_object_new_array());
	return value_append(sections, section) ? section : NULL;
}

struct json_object *compare_row(struct json_object *section, const char *id, const char *what)
{
	struct json_object *row = json_object_new_object(), *rows = compare_list(section, "rows");

	compare_add_text(row, "id", id);
	compare_add_text(row, "what", what);
	value_add(row, "cells", json_object_new_object());
	return value_append(rows, row) ? row : NULL;
}

bool compare_answer(struct json_object *row, const struct compare_cell *cell, const char *answer,
		    const char *detail, const struct error *err)
{
	struct json_object *o = json_object_new_object(), *cells;

	compare_add_text(o, "answer", answer);
	if (detail)
		compare_add_text(o, "detail", detail);
	if (err)
		value_add(o, "error", compare_error(err));
	json_object_object_get_ex(row, "cells", &cells);
	return value_add(cells, cell->name, o);
}
