// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Compile the BTF type of the records of a map into the fields that writer.c writes. */
#include <stdlib.h>

#include "loader/value/writer.h"
#include "loader/value/value.h"

/* A value that could take more characters than this is printed as a message. */
#define MAX_VALUE (1U << 20)

struct compiler {
	struct record_writer *w;
	const struct btf *btf;
	uint32_t text;		/* w->text from here on is the text before the next field */
	uint64_t nodes;		/* what value_decode() spends at most */
	unsigned int depth;
	struct json_object *keys;	/* borrowed: of the object that members are added to */
};

static bool compile(struct compiler *c, const struct btf_type_view *t, uint32_t offset);

/* Return room for @size more characters of text, or NULL if memory is short. */
static char *text_room(struct compiler *c, uint64_t size)
{
	char *text = realloc(c->w->text, c->w->text_size + size + WRITER_SLACK);

	if (!text)
		return NULL;
	c->w->text = text;
	return text + c->w->text_size;
}

static bool add_text(struct compiler *c, const char *text)
{
	char *to = text_room(c, strlen(text) + 1);

	if (!to)
		return false;
	strcpy(to, text);
	c->w->text_size += strlen(text);
	return true;
}

/* Add a name as value_json() and value_print() write it. */
static bool add_name(struct compiler *c, const char *name)
{
	const size_t size = strlen(name);
	char *to = text_room(c, PUT_STRING_MAX(size) + 1), *end;

	if (!to)
		return false;
	end = c->w->json ? put_json_string(to, name, size) : put_text(to, name, size, 0);
	c->w->text_size += end - to;
	return true;
}

/* Add a field; its value takes at most @max characters. */
static struct field *add_field(struct compiler *c, enum field_kind kind, uint32_t offset,
			       uint32_t size, uint64_t max)
{
	struct record_writer *w = c->w;
	struct field *fields = array_grow(w->fields, w->nr_fields, sizeof(*fields));

	if (!fields)
		return NULL;
	w->fields = fields;
	fields += w->nr_fields++;
	*fields = (struct field){
		.kind = kind,
		.text = c->text,
		.text_size = w->text_size - c->text,
		.offset = offset,
		.size = size,
	};
	w->max += fields->text_size + max;
	c->text = w->text_size;
	return w->max <= MAX_VALUE ? fields : NULL;
}

static bool spend(struct compiler *c, uint64_t nodes)
{
	c->nodes += nodes;
	return c->nodes <= VALUE_MAX_NODES;
}

/* --- numbers --- */

static int by_value(const void *a, const void *b)
{
	const struct field_name *x = a, *y = b;

	/* The text of the first of several with one value is at the lowest offset. */
	return x->value != y->value ? (x->value > y->value) - (x->value < y->value) :
				      (x->text > y->text) - (x->text < y->text);
}

/* Add the names of an enum. value_decode() takes the first that has the value. */
static bool add_names(struct compiler *c, const struct btf_type_view *t, struct field *f)
{
	struct record_writer *w = c->w;
	struct field_name *names = reallocarray(w->names, (size_t)w->nr_names + t->vlen + 1,
						sizeof(*names));
	uint64_t longest = 0;

	if (!names)
		return false;
	w->names = names;
	f->names = w->nr_names;
	names += f->names;
	for (uint32_t i = 0; i < t->vlen; i++) {
		const struct btf_enumerator_view e = btf_enumerator(c->btf, t, i);

		names[i] = (struct field_name){ .value = e.value, .text = w->text_size };
		if (!add_name(c, e.name))
			return false;
		names[i].text_size = w->text_size - names[i].text;
		longest = names[i].text_size > longest ? names[i].text_size : longest;
	}
	qsort(names, t->vlen, sizeof(*names), by_value);
	for (uint32_t i = 0; i < t->vlen; i++)
		if (!f->nr_names || names[f->nr_names - 1].value != names[i].value)
			names[f->nr_names++] = names[i];
	w->nr_names += f->nr_names;
	w->max += longest;
	c->text = w->text_size;
	return spend(c, t->vlen / 64 + longest / 16);
}

static bool add_bits(struct compiler *c, const struct btf_type_view *t, uint32_t offset,
		     uint32_t size, uint64_t first_bit, unsigned int bits)
{
	struct field *f;

	if (!bits || bits > 64 || first_bit + bits > 8 * (uint64_t)size || !value_is_number(t))
		return false;
	f = add_field(c, FIELD_NUMBER, offset, size, 20);
	if (!f)
		return false;
	f->first_bit = first_bit;
	f->bits = bits;
	f->is_signed = value_is_signed(t);
	if (t->kind != BTF_KIND_INT)
		return add_names(c, t, f);
	f->is_bool = BTF_INT_ENCODING(t->extra) & BTF_INT_BOOL;
	return true;
}

static bool add_number(struct compiler *c, const struct btf_type_view *t, uint32_t offset)
{
	static const enum field_kind plain[2][9] = {
		{ [1] = FIELD_U8, [2] = FIELD_U16, [4] = FIELD_U32, [8] = FIELD_U64 },
		{ [1] = FIELD_S8, [2] = FIELD_S16, [4] = FIELD_S32, [8] = FIELD_S64 },
	};

	if (value_is_old_bit_field(t))
		return add_bits(c, t, offset, t->size, BTF_INT_OFFSET(t->extra),
				BTF_INT_BITS(t->extra));
	if (t->size == 16)
		return add_field(c, FIELD_WIDE, offset, 16, 36);
	if (t->size != 1 && t->size != 2 && t->size != 4 && t->size != 8)
		return false;
	if (t->kind != BTF_KIND_INT || BTF_INT_ENCODING(t->extra) & BTF_INT_BOOL)
		return add_bits(c, t, offset, t->size, 0, 8 * t->size);
	return add_field(c, plain[value_is_signed(t)][t->size], offset, t->size, 20);
}

/* --- arrays --- */

/* The elements of an array, each of @size bytes. */
static bool add_elements(struct compiler *c, const struct btf_type_view *element, uint32_t offset,
			 uint32_t size, uint32_t count)
{
	const struct field *f = add_field(c, FIELD_ARRAY, offset, size, 2);
	const uint32_t at = c->w->nr_fields - 1;
	const uint64_t max = c->w->max, nodes = c->nodes;

	if (!f || !compile(c, element, 0) || !add_field(c, FIELD_END, 0, 0, 0))
		return false;
	c->w->fields[at].count = count;
	c->w->fields[at].next = c->w->nr_fields;
	/* One element more, with which text compares, and the number of equal ones. */
	c->w->max = max + (c->w->max - max + 2) * ((uint64_t)count + 1) + 40;
	c->nodes = nodes + (c->nodes - nodes) * count;
	return c->w->max <= MAX_VALUE && spend(c, 0);
}

static bool add_chars(struct compiler *c, const struct btf_type_view *element, uint32_t offset,
		      uint32_t size)
{
	const uint32_t at = c->w->nr_fields;
	bool ok = add_field(c, FIELD_CHARS, offset, size, PUT_STRING_MAX(size));

	ok = ok && spend(c, size / 16);
	if (ok && value_is_bytes(element, size))
		ok = add_field(c, FIELD_BYTES, offset, size, 3 * (uint64_t)size + 2);
	else if (ok)
		ok = add_elements(c, element, offset, 1, size);
	if (ok)
		c->w->fields[at].next = c->w->nr_fields;
	return ok;
}

static bool add_array(struct compiler *c, const struct btf_type_view *t, uint32_t offset)
{
	const struct btf_array_view a = btf_array(c->btf, t);
	const struct btf_type_view element = btf_skip(c->btf, a.type);
	const int64_t size = value_size(c->btf, &element);

	if (size < 0 || size > UINT32_MAX || !spend(c, (uint64_t)size * a.nelems / 4096))
		return false;
	if (value_is_chars(&element))
		return add_chars(c, &element, offset, a.nelems);
	if (value_is_bytes(&element, a.nelems))
		return spend(c, a.nelems / 16) &&
		       add_field(c, FIELD_BYTES, offset, a.nelems, 3 * (uint64_t)a.nelems + 2);
	return add_elements(c, &element, offset, size, a.nelems);
}

/* --- structs and unions --- */

/* Add ,"name": or , .name = ; a name that is empty or taken gets the offset of the member. */
static bool add_key(struct compiler *c, const char *name, uint32_t bit)
{
	const bool first = !json_object_object_length(c->keys);
	char key[160];

	if (!name[0] || json_object_object_get_ex(c->keys, name, NULL)) {
		snprintf(key, sizeof(key), "%.120s@%u", name, bit / 8);
		if (bit % 8)
			snprintf(key + strlen(key), sizeof(key) - strlen(key), ".%u", bit % 8);
		name = key;
	}
	if (json_object_object_get_ex(c->keys, name, NULL) ||
	    json_object_object_add(c->keys, name, NULL))
		return false;
	if (!first && !add_text(c, c->w->json ? "," : ", "))
		return false;
	if (!add_text(c, c->w->json ? "" : ".") || !add_name(c, name))
		return false;
	return add_text(c, c->w->json ? ":" : " = ");
}

static bool add_members(struct compiler *c, const struct btf_type_view *t, uint32_t offset,
			uint32_t bit);

/*
 * @offset: of the struct, in bytes from the beginning of the record or element.
 * @bit: offset of an unnamed struct in the object that its members are added to.
 */
static bool add_member(struct compiler *c, const struct btf_type_view *in,
		       const struct btf_member_view *m, uint32_t offset, uint32_t bit)
{
	const struct btf_type_view t = btf_skip(c->btf, m->type);
	const int64_t size = value_size(c->btf, &t);
	const bool old = !m->bitfield_size && value_is_old_bit_field(&t);
	bool ok;

	if (size < 0 || !spend(c, 1 + strlen(m->name) / 16))
		return false;
	if (m->bitfield_size || old)
		return add_key(c, m->name, bit + m->bit_offset) &&
		       add_bits(c, &t, offset, in->size,
				(uint64_t)m->bit_offset + (old ? BTF_INT_OFFSET(t.extra) : 0),
				old ? BTF_INT_BITS(t.extra) : m->bitfield_size);
	if (m->bit_offset % 8 || !bytes_hold(in->size, m->bit_offset / 8, size))
		return false;
	if (m->name[0] || (t.kind != BTF_KIND_STRUCT && t.kind != BTF_KIND_UNION))
		return add_key(c, m->name, bit + m->bit_offset) &&
		       compile(c, &t, offset + m->bit_offset / 8);
	if (c->depth == VALUE_MAX_DEPTH)
		return false;
	c->depth++;
	ok = add_members(c, &t, offset + m->bit_offset / 8, bit + m->bit_offset);
	c->depth--;
	return ok;
}

static bool add_members(struct compiler *c, const struct btf_type_view *t, uint32_t offset,
			uint32_t bit)
{
	for (uint32_t i = 0; i < t->vlen; i++) {
		const struct btf_member_view m = btf_member(c->btf, t, i);

		if (!add_member(c, t, &m, offset, bit))
			return false;
	}
	return true;
}

static bool add_struct(struct compiler *c, const struct btf_type_view *t, uint32_t offset)
{
	struct json_object *outer = c->keys;
	bool ok;

	c->keys = json_object_new_object();
	ok = c->keys && add_text(c, "{") && add_members(c, t, offset, 0) && add_text(c, "}");
	json_object_put(c->keys);
	c->keys = outer;
	return ok;
}

/* Add the fields of a value of type @t at @offset. Its bytes are there: see btf_parse(). */
static bool compile(struct compiler *c, const struct btf_type_view *t, uint32_t offset)
{
	bool ok = false;

	if (c->depth == VALUE_MAX_DEPTH || !spend(c, 1))
		return false;
	c->depth++;
	switch (t->kind) {
	case BTF_KIND_INT:
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		ok = add_number(c, t, offset);
		break;
	case BTF_KIND_FLOAT:
		ok = (t->size == 4 || t->size == 8) &&
		     add_field(c, FIELD_FLOAT, offset, t->size, VALUE_DOUBLE_MAX);
		break;
	case BTF_KIND_PTR:
		ok = add_field(c, FIELD_POINTER, offset, 8, 20);
		break;
	case BTF_KIND_ARRAY:
		ok = add_array(c, t, offset);
		break;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		ok = add_struct(c, t, offset);
		break;
	}
	c->depth--;
	return ok;
}

/* A value that is hex as a whole is a dump in text, which messages print. */
static bool is_dump(const struct record_writer *w)
{
	const struct field *f = w->fields;

	if (w->json || f->text_size)
		return false;
	return f->kind == FIELD_BYTES || (f->kind == FIELD_CHARS && f[1].kind == FIELD_BYTES);
}

static bool compile_type(struct compiler *c, uint32_t id)
{
	const struct btf_type_view t = btf_skip(c->btf, id);
	const int64_t size = value_size(c->btf, &t);

	if (size < 0 || size > UINT32_MAX)
		return false;
	c->w->size = size;
	c->w->flexible = value_is_flexible(c->btf, &t);
	return compile(c, &t, 0) && add_field(c, FIELD_END, 0, 0, 0) && !is_dump(c->w);
}

struct record_writer *record_writer_new(const struct record_format *format, enum record_style style)
{
	struct record_writer *w = calloc(1, sizeof(*w));
	struct compiler c = { .w = w, .btf = format->btf };
	bool ok = w;

	if (ok)
		w->json = style == RECORDS_AS_JSON;
	ok = ok && add_text(&c, w->json ? "{\"type\":\"record\",\"map\":" : "") &&
	     add_name(&c, format->map);
	if (ok)
		w->map_size = c.text = w->text_size;
	if (ok && format->btf && format->type && format->type < format->btf->nr_types)
		ok = compile_type(&c, format->type);
	if (ok)
		return w;
	record_writer_free(w);
	return NULL;
}

void record_writer_free(struct record_writer *w)
{
	if (!w)
		return;
	free(w->names);
	free(w->fields);
	free(w->text);
	free(w);
}
