// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Print a JSON tree as text (RFC 8259). */
#include <stdlib.h>
#include <string.h>

#include "loader/core/value/json_internal.h"
#include "loader/core/value/put.h"

struct json_text {
	char *text;	/* owned; NULL: none yet, or out of memory */
	size_t len, room;
	bool pretty, failed;
};

/* Make room for @size more bytes and return their address, or NULL. */
static char *make_room(struct json_text *t, size_t size)
{
	const size_t needed = t->len + size + 1, room = needed > t->room ? needed * 2 : t->room;
	char *text;

	if (t->failed)
		return NULL;
	text = room == t->room ? t->text : realloc(t->text, room);
	if (!text) {
		t->failed = true;
		return NULL;
	}
	t->text = text;
	t->room = room;
	return text + t->len;
}

static void add(struct json_text *t, const char *s, size_t size)
{
	char *to = make_room(t, size);

	if (to) {
		memcpy(to, s, size);
		t->len += size;
	}
}

static void add_word(struct json_text *t, const char *word)
{
	add(t, word, strlen(word));
}

static void add_string(struct json_text *t, const char *s, size_t len)
{
	char *to = make_room(t, PUT_STRING_MAX(len));

	if (to)
		t->len = put_json_string(to, s, len) - t->text;
}

static void add_number(struct json_text *t, const struct json_object *value)
{
	char text[PUT_DOUBLE_MAX], *end;

	if (value->type == json_type_double)
		end = put_double(text, value->d);
	else
		end = value->is_unsigned ? put_u64(text, value->u) : put_s64(text, value->i);
	add(t, text, end - text);
}

static void new_line(struct json_text *t, unsigned int depth)
{
	if (!t->pretty)
		return;
	add(t, "\n", 1);
	while (depth--)
		add(t, "  ", 2);
}

static void add_value(struct json_text *t, const struct json_object *value, unsigned int depth);

static void add_members(struct json_text *t, const struct json_object *value, unsigned int depth)
{
	const bool object = value->type == json_type_object;

	add(t, object ? "{" : "[", 1);
	for (uint32_t i = 0; i < value->nr; i++) {
		const struct json_member *m = &value->members[i];

		if (i)
			add(t, ",", 1);
		new_line(t, depth + 1);
		if (m->key) {
			add_string(t, m->key, strlen(m->key));
			add(t, ":", 1);
		}
		add_value(t, m->value, depth + 1);
	}
	if (value->nr)
		new_line(t, depth);
	add(t, object ? "}" : "]", 1);
}

static void add_value(struct json_text *t, const struct json_object *value, unsigned int depth)
{
	switch (json_object_get_type(value)) {
	case json_type_null:
		add_word(t, "null");
		break;
	case json_type_boolean:
		add_word(t, value->b ? "true" : "false");
		break;
	case json_type_double:
		if (value->text) {
			add_word(t, value->text);
			break;
		}
		/* fall through */
	case json_type_int:
		add_number(t, value);
		break;
	case json_type_string:
		add_string(t, value->text, value->len);
		break;
	default:
		add_members(t, value, depth);
	}
}

const char *json_object_to_json_string_length(struct json_object *value, bool pretty, size_t *len)
{
	struct json_text t = { .pretty = pretty };

	if (len)
		*len = strlen("null");
	if (!value)
		return "null";
	add_value(&t, value, 0);
	if (t.failed) {
		free(t.text);
		return NULL;
	}
	t.text[t.len] = '\0';
	free(value->json);
	value->json = t.text;
	if (len)
		*len = t.len;
	return value->json;
}
