// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Decode the bytes of a value into a JSON tree, using the fields of its type. */
#include <math.h>

#include "loader/core/value/field.h"
#include "loader/core/value/value.h"

/* A tree under construction. */
struct tree {
	struct json_object *in;		/* borrowed; NULL: the value is the root */
	struct json_object *whole;	/* owned */
	const char *key;		/* key of the next value; NULL: @in is an array */
};

/* Add @value and take ownership. If out of memory, mark the parent as incomplete. */
static void add(struct tree *tree, struct json_object *value)
{
	if (!tree->in)
		tree->whole = value;
	else if (tree->key)
		value_add_copied(tree->in, tree->key, value);
	else
		value_append(tree->in, value);
}

static struct json_object *number(const struct layout *l, const struct field *f,
				  const unsigned char *from)
{
	const uint64_t v = load_number(f, from);
	const struct field_name *name = find_name(l, f, v);

	if (name)
		return value_string(VALUE_WORD, l->text + name->text, name->text_size);
	if (f->is_bool && v < 2)
		return json_object_new_boolean(v);
	return f->is_signed ? json_object_new_int64(v) : json_object_new_uint64(v);
}

/* No JSON reader can represent a 16-byte number exactly. */
static struct json_object *wide(unsigned __int128 v)
{
	char text[34] = "0x";

	put_hex(put_hex(text + 2, v >> 64, 16), v, 16);
	return value_string(VALUE_WORD, text, sizeof(text));
}

static struct json_object *floating(const struct field *f, const unsigned char *from)
{
	const double v = f->size == 4 ? (double)LOAD(float, from) : LOAD(double, from);

	if (isfinite(v))
		return json_object_new_double(v);
	/* JSON has no numbers for these. */
	return isnan(v) ? value_string(VALUE_WORD, "nan", 3) :
	       v < 0	? value_string(VALUE_WORD, "-inf", 4) : value_string(VALUE_WORD, "inf", 3);
}

static struct json_object *scalar(const struct layout *l, const struct field *f,
				  const unsigned char *at)
{
	switch (f->kind) {
	case FIELD_U8:	return json_object_new_uint64(*at);
	case FIELD_U16:	return json_object_new_uint64(LOAD(uint16_t, at));
	case FIELD_U32:	return json_object_new_uint64(LOAD(uint32_t, at));
	case FIELD_U64:	return json_object_new_uint64(LOAD(uint64_t, at));
	case FIELD_S8:	return json_object_new_int64((int8_t)*at);
	case FIELD_S16:	return json_object_new_int64(LOAD(int16_t, at));
	case FIELD_S32:	return json_object_new_int64(LOAD(int32_t, at));
	case FIELD_S64:	return json_object_new_int64(LOAD(int64_t, at));
	case FIELD_NUMBER: return number(l, f, at);
	case FIELD_WIDE: return wide(LOAD(unsigned __int128, at));
	case FIELD_POINTER: return value_address(LOAD(uint64_t, at));
	case FIELD_FLOAT: return floating(f, at);
	default:	return value_hex((struct bytes){ at, f->size });	/* BYTES */
	}
}

static void add_fields(const struct layout *l, struct tree *tree, const struct field *f,
		       const unsigned char *from);

static void add_array(struct tree *tree, const struct layout *l, const struct field *f,
		      const unsigned char *from)
{
	struct tree elements = { .in = json_object_new_array() };

	for (uint32_t i = 0; elements.in && i < f->count; i++, from += f->size)
		add_fields(l, &elements, f + 1, from);
	add(tree, elements.in);
}

static void add_object(struct tree *tree, const struct layout *l, const struct field *f,
		       const unsigned char *from)
{
	struct tree members = { .in = json_object_new_object() };

	if (members.in)
		add_fields(l, &members, f + 1, from);
	add(tree, members.in);
}

/* Add the fields from @f on, up to the end of the value, element or object. */
static void add_fields(const struct layout *l, struct tree *tree, const struct field *f,
		       const unsigned char *from)
{
	for (; f->kind != FIELD_END; f++) {
		const unsigned char *at = from + f->offset;

		tree->key = f->lead_size ? l->text + f->lead : NULL;
		if (f->kind == FIELD_CHARS && !are_text(at, f->size))
			continue;	/* the next field has the same bytes */
		if (f->kind == FIELD_ARRAY)
			add_array(tree, l, f, at);
		else if (f->kind == FIELD_OBJECT)
			add_object(tree, l, f, from);
		else if (f->kind == FIELD_CHARS)
			add(tree, value_string(VALUE_TEXT, (const char *)at,
					       strnlen((const char *)at, f->size)));
		else
			add(tree, scalar(l, f, at));
		if (f->next)
			f = l->fields + f->next - 1;
	}
}

struct json_object *layout_tree(const struct layout *l, struct bytes bytes)
{
	struct tree tree = { 0 };

	if (!l->fields)
		return value_hex(bytes);
	add_fields(l, &tree, l->fields, bytes.data);
	if (value_is_complete(tree.whole))
		return tree.whole;
	json_object_put(tree.whole);
	return NULL;
}

struct json_object *value_decode(const struct btf *btf, uint32_t id, struct bytes bytes)
{
	struct layout *l = layout_new(btf, id, bytes.size, LAYOUT_TREE);
	struct json_object *value = l ? layout_tree(l, bytes) : NULL;

	layout_free(l);
	return value;
}
