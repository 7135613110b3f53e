/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The document of pload compare (docs/compare.md), from which text, page and JSON are made: typed
 * access to members, and sections of rows with an answer per cell.
 */
#ifndef PLOAD_COMPARE_DOCUMENT_DOCUMENT_H
#define PLOAD_COMPARE_DOCUMENT_DOCUMENT_H

#include "elf/error.h"
#include "loader/core/value/value.h"

/* --- members by type; a member of another type counts as absent --- */

struct json_object *doc_get(struct json_object *value, const char *key);
struct json_object *doc_object(struct json_object *value, const char *key);
struct json_object *doc_array(struct json_object *value, const char *key);
const char *doc_text(struct json_object *value, const char *key);	/* NULL: absent */
bool doc_number(struct json_object *value, const char *key, uint64_t *number);
bool doc_true(struct json_object *value, const char *key);

/* doc_is() - Return true if the member is a string and equals @text. */
bool doc_is(struct json_object *value, const char *key, const char *text);

/* doc_len() - Return the length of @array, 0 for NULL. doc_at() - Return element @i or NULL. */
size_t doc_len(struct json_object *array);
struct json_object *doc_at(struct json_object *array, size_t i);

/* doc_find() - Return the first element of @array whose member @key is @text, or NULL. */
struct json_object *doc_find(struct json_object *array, const char *key, const char *text);

/*
 * doc_add_copied() - Like value_add(), but with a copy of @key, which may be freed before @object.
 */
bool doc_add_copied(struct json_object *object, const char *key, struct json_object *member);

/* doc_finish() - Return @value; if not @ok, free it and return NULL. */
struct json_object *doc_finish(struct json_object *value, bool ok);

/* doc_string() - Convert @text to a new string and free it; NULL for NULL and if out of memory. */
struct json_object *doc_string(char *text);

/* --- parts --- */

/**
 * doc_add_text() - Add a string, or null for NULL and "".
 *
 * Return: false when there is no memory.
 */
bool doc_add_text(struct json_object *object, const char *key, const char *text);

/**
 * doc_list() - Get the array @key of @object, creating it if necessary.
 *
 * Return: borrowed; NULL when there is no memory.
 */
struct json_object *doc_list(struct json_object *object, const char *key);

/**
 * doc_section() - Append a section {"id", "title", "rows": []} to "sections" of @event.
 * doc_row() - Append a row {"id", "what", "cells": {}} to a section.
 *
 * Return: borrowed; NULL when there is no memory.
 */
struct json_object *doc_section(struct json_object *event, const char *id, const char *title);
struct json_object *doc_row(struct json_object *section, const char *id, const char *what);

/**
 * doc_answer() - Add the answer of @cell, such as "type+link", to a row.
 * @answer: a short word.
 * @detail: a sentence, or NULL.
 * @err: a failure, or NULL.
 *
 * Return: false when there is no memory.
 */
bool doc_answer(struct json_object *row, const char *cell, const char *answer,
		    const char *detail, const struct error *err);

/** doc_error() - Create {"text", "where", "hint", "reason", "call", "errno"}, or NULL. */
struct json_object *doc_error(const struct error *err);

#endif
