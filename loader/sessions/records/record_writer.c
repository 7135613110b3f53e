// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Write one record, producing the same bytes as its message. */
#include <errno.h>
#include <stdlib.h>

#include "loader/sessions/records/record_writer.h"
#include "loader/core/value/put.h"

struct record_writer *record_writer_new(const struct record_format *format, enum record_style style)
{
	static const char json_head[] = "{\"type\":\"record\",\"map\":";
	const size_t size = strlen(format->map);
	struct record_writer *w = calloc(1, sizeof(*w));
	char *to;

	if (!w)
		return NULL;
	w->format = format;
	w->style = style == RECORDS_AS_JSON ? LAYOUT_JSON :
		   style == RECORDS_AS_TEXT ? LAYOUT_TEXT : LAYOUT_TREE;
	/* A record that is shorter than its type, or has a dump, is printed as a message. */
	w->least = w->style == LAYOUT_TREE ? SIZE_MAX : format->type ? format->size : 0;
	w->most_payload = w->style == LAYOUT_TEXT ? VALUE_MAX_INLINE_BYTES : SIZE_MAX;
	w->head = malloc(sizeof(json_head) + PUT_STRING_MAX(size) + PUT_SLACK);
	if (!w->head) {
		free(w);
		return NULL;
	}
	if (w->style == LAYOUT_JSON)
		to = put_json_string(put(w->head, json_head, sizeof(json_head) - 1), format->map,
				     size);
	else
		to = put_text(w->head, format->map, size, 0);
	w->head_size = to - w->head;
	return w;
}

void record_writer_free(struct record_writer *w)
{
	if (!w)
		return;
	layout_free(w->layout);
	free(w->head);
	free(w);
}

static inline const struct layout *layout_for(struct record_writer *w, size_t size)
{
	w->layout = layout_fit(w->layout, w->format->btf, w->format->type, size, w->style);
	return w->layout;
}

/* Return a record's value for a message. @w: may be NULL. */
static struct json_object *tree_of(struct record_writer *w, const struct record_format *format,
				   struct bytes value)
{
	const struct layout *l;

	if (!w || w->style != LAYOUT_TREE)
		return value_decode(format->btf, format->type, value);
	l = layout_for(w, value.size);
	return l ? layout_tree(l, value) : NULL;
}

size_t record_writer_room(struct record_writer *w, const struct record_parts *r)
{
	const struct layout *l;
	size_t room;

	if (r->value.size < w->least || r->payload.size > w->most_payload)
		return 0;
	l = layout_for(w, r->value.size);
	room = l ? layout_room(l, r->value.size) : 0;
	return room ? w->head_size + 64 + PUT_SLACK + room + 3 * r->payload.size : 0;
}

char *record_writer_put(const struct record_writer *w, char *to, const struct record_parts *r)
{
	const bool json = w->style == LAYOUT_JSON;

	to = put_short(to, w->head, w->head_size);
	if (r->cpu >= 0) {
		to = json ? put(to, ",\"cpu\":", 7) : put(to, " cpu ", 5);
		to = put_u32(to, r->cpu);
	}
	if (!json)
		*to++ = ':';
	if (r->has_value) {
		to = json ? put(to, ",\"value\":", 9) : put(to, " ", 1);
		to = layout_write(w->layout, to, r->value);
	}
	if (r->has_payload) {
		to = json ? put(to, ",\"payload\":\"", 12) : put(to, " payload ", 9);
		to = put_bytes(to, r->payload, !json);
		if (json)
			*to++ = '"';
	}
	if (json)
		*to++ = '}';
	*to++ = '\n';
	return to;
}

int record_write(void *printer, const struct record *record, struct error *err)
{
	struct writing_printer *p = printer;
	struct output *out = p->plain.out;
	const struct record_parts parts = record_parts_of(&p->plain.format, record);
	const size_t room = p->writer ? record_writer_room(p->writer, &parts) : 0;
	struct json_object *value = NULL;
	char *to = NULL;
	const int ret = room ? output_room(out, room, &to, err) : 0;

	if (ret)
		return ret;
	if (to) {
		output_wrote(out, record_writer_put(p->writer, to, &parts));
		return 0;
	}
	if (parts.has_value && !(out->only_stacks && record_stacks_of(out, &p->plain.format)))
		value = tree_of(p->writer, &p->plain.format, parts.value);
	return record_print_message(&p->plain, &parts, value, err);
}

static void end(void *printer)
{
	struct writing_printer *p = printer;

	output_free_room(p->plain.out);
	record_writer_free(p->writer);
	free(p);
}

int writing_printer(struct record_sink *sink, struct output *out,
		    const struct record_format *format, struct error *err)
{
	struct writing_printer *p = malloc(sizeof(*p));

	if (!p)
		return error_set(err, ENOMEM, "no memory to print its records");
	*p = (struct writing_printer){ .plain = { .out = out, .format = *format } };
	p->writer = record_writer_new(&p->plain.format, record_stacks_of(out, format) ?
					RECORDS_AS_MESSAGES : out->format->records);
	*sink = (struct record_sink){ .record = record_write, .end = end, .arg = p };
	return 0;
}
