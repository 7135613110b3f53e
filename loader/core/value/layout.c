// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Compile a BTF type into the fields of its values. */
#include <errno.h>
#include <stdlib.h>

#include "loader/core/value/layout.h"
#include "loader/core/value/value.h"

/* A value whose text could be longer than this is printed through a tree. */
#define MAX_ROOM (1U << 20)

struct compiler {
	struct layout *l;
	const struct btf *btf;
	uint64_t nodes;		/* budget spent so far */
	uint64_t own_bytes;	/* bytes of the value that no field has printed yet */
	uint64_t repeat;	/* times that a value repeats what is compiled: arrays */
	unsigned int depth;
	bool is_short;		/* the value is shorter than the struct */
	uint32_t flexible;	/* id of the array that takes the bytes after the struct; 0: none */
	uint64_t size, type_size;	/* in bytes: size of the value, and of its type */
	uint32_t lead;		/* the lead of the next field starts here in l->text */
	struct json_object *keys;	/* owned: keys of the object being filled */
};

static bool compile(struct compiler *c, const struct btf_type_view *t, uint32_t offset);

static int64_t size_of(const struct btf *btf, const struct btf_type_view *t)
{
	return t->size ? t->size : t->kind == BTF_KIND_PTR ? 8 : btf_size(btf, t->id);
}

static bool is_struct(const struct btf_type_view *t)
{
	return t->kind == BTF_KIND_STRUCT || t->kind == BTF_KIND_UNION;
}

static bool is_enum(const struct btf_type_view *t)
{
	return t->kind == BTF_KIND_ENUM || t->kind == BTF_KIND_ENUM64;
}

/* --- the budget --- */

/* Each printed value costs a node, as do every 16 characters of a name. */
static bool spend(struct compiler *c, uint64_t nodes)
{
	c->nodes += nodes * c->repeat;
	return c->nodes <= VALUE_MAX_NODES;
}

/* Raw bytes are free the first time; repetitions cost a node per 16 bytes. */
static bool spend_bytes(struct compiler *c, uint64_t size)
{
	if (size * c->repeat > c->own_bytes)
		return spend(c, size / 16 + 1);
	c->own_bytes -= size * c->repeat;
	return true;
}

/* Account for @more characters of text. */
static void add_room(struct layout *l, uint64_t more)
{
	l->room = more > MAX_ROOM - l->room ? MAX_ROOM : l->room + more;
}

/* --- texts and fields --- */

/* Return room for @size more characters of text, or NULL if out of memory. */
static char *text_room(struct compiler *c, uint64_t size)
{
	struct layout *l = c->l;
	const uint64_t needed = l->text_size + size + PUT_SLACK;
	char *text;

	if (needed <= l->text_room)
		return l->text + l->text_size;
	text = needed > UINT32_MAX / 2 ? NULL : realloc(l->text, 2 * needed);
	if (!text)
		return NULL;
	l->text = text;
	l->text_room = 2 * needed;
	return text + l->text_size;
}

/* Append to the lead of the next field. */
static bool add_text(struct compiler *c, const char *text)
{
	char *to;

	if (c->l->style == LAYOUT_TREE)
		return true;
	to = text_room(c, strlen(text));
	if (to)
		c->l->text_size = put(to, text, strlen(text)) - c->l->text;
	return to;
}

/* Append a name, escaped as when printed. */
static bool add_name(struct compiler *c, const char *name)
{
	const size_t size = strlen(name);
	char *to = text_room(c, PUT_STRING_MAX(size));

	if (!to)
		return false;
	to = c->l->style == LAYOUT_JSON ? put_json_string(to, name, size) :
	     c->l->style == LAYOUT_TEXT ? put_text(to, name, size, 0) : put(to, name, size);
	c->l->text_size = to - c->l->text;
	return true;
}

/* Add a field whose value takes at most @max characters. */
static struct field *add_field(struct compiler *c, enum field_kind kind, uint32_t offset,
			       uint32_t size, uint64_t max)
{
	struct layout *l = c->l;
	struct field *f = array_grow(l->fields, l->nr_fields, sizeof(*f));

	if (!f)
		return NULL;
	l->fields = f;
	f += l->nr_fields++;
	*f = (struct field){
		.kind = kind,
		.lead = c->lead,
		.lead_size = l->text_size - c->lead,
		.offset = offset,
		.size = size,
	};
	add_room(l, f->lead_size + max);
	/* In a tree, bytes that are not text use the key of the text. */
	if (kind != FIELD_CHARS || l->style != LAYOUT_TREE)
		c->lead = l->text_size;
	return f;
}

/* --- numbers --- */

static bool is_signed(const struct btf_type_view *t)
{
	return t->kind == BTF_KIND_INT ? BTF_INT_ENCODING(t->extra) & BTF_INT_SIGNED : t->kind_flag;
}

/* An INT with fewer bits than its size is a bit field if the struct has no kind_flag. */
static bool is_old_bit_field(const struct btf_type_view *t)
{
	return t->kind == BTF_KIND_INT && BTF_INT_BITS(t->extra) < 8 * (uint64_t)t->size;
}

static int by_value(const void *a, const void *b)
{
	const struct field_name *x = a, *y = b;	/* names in the text are in source order */

	return x->value != y->value ? (x->value > y->value) - (x->value < y->value) :
				      (x->text > y->text) - (x->text < y->text);
}

/* Add the names of an enum. If several share a value, the first one is used. */
static bool add_names(struct compiler *c, const struct btf_type_view *t, uint32_t field)
{
	struct layout *l = c->l;
	struct field_name *names = reallocarray(l->names, (size_t)l->nr_names + t->vlen + 1,
						sizeof(*names));
	uint32_t longest = 0, nr = 0;

	if (!names)
		return false;
	l->names = names;
	names += l->nr_names;
	for (uint32_t i = 0; i < t->vlen; i++) {
		const struct btf_enumerator_view e = btf_enumerator(c->btf, t, i);

		names[i] = (struct field_name){ .value = e.value, .text = l->text_size };
		if (!add_name(c, e.name))
			return false;
		names[i].text_size = l->text_size - names[i].text;
		longest = names[i].text_size > longest ? names[i].text_size : longest;
	}
	qsort(names, t->vlen, sizeof(*names), by_value);
	for (uint32_t i = 0; i < t->vlen; i++)
		if (!nr || names[nr - 1].value != names[i].value)
			names[nr++] = names[i];
	l->fields[field].names = l->nr_names;
	l->fields[field].nr_names = nr;
	l->nr_names += nr;
	add_room(l, longest);
	c->lead = l->text_size;
	c->nodes += t->vlen / 64;
	return spend(c, longest / 16);
}

static bool add_bits(struct compiler *c, const struct btf_type_view *t, uint32_t offset,
		     uint32_t size, uint64_t first_bit, unsigned int bits)
{
	struct field *f;

	if (!bits || bits > 64 || first_bit + bits > 8 * (uint64_t)size ||
	    (!is_enum(t) && t->kind != BTF_KIND_INT))
		return false;
	f = add_field(c, FIELD_NUMBER, offset, size, 20);
	if (!f)
		return false;
	f->first_bit = first_bit;
	f->bits = bits;
	f->is_signed = is_signed(t);
	f->is_bool = !is_enum(t) && BTF_INT_ENCODING(t->extra) & BTF_INT_BOOL;
	return !is_enum(t) || add_names(c, t, f - c->l->fields);
}

static bool add_number(struct compiler *c, const struct btf_type_view *t, uint32_t offset)
{
	static const enum field_kind plain[2][9] = {
		{ [1] = FIELD_U8, [2] = FIELD_U16, [4] = FIELD_U32, [8] = FIELD_U64 },
		{ [1] = FIELD_S8, [2] = FIELD_S16, [4] = FIELD_S32, [8] = FIELD_S64 },
	};

	if (is_old_bit_field(t))
		return add_bits(c, t, offset, t->size, BTF_INT_OFFSET(t->extra),
				BTF_INT_BITS(t->extra));
	if (t->size == 16)	/* no JSON reader can represent it exactly as a number */
		return add_field(c, FIELD_WIDE, offset, 16, 36);
	if (t->size != 1 && t->size != 2 && t->size != 4 && t->size != 8)
		return false;
	if (t->kind != BTF_KIND_INT || BTF_INT_ENCODING(t->extra) & BTF_INT_BOOL)
		return add_bits(c, t, offset, t->size, 0, 8 * t->size);
	return add_field(c, plain[is_signed(t)][t->size], offset, t->size, 20);
}

/* --- arrays --- */

static bool is_char(const struct btf_type_view *byte)
{
	return !is_old_bit_field(byte) && (!strcmp(byte->name, "char") ||
					   BTF_INT_ENCODING(byte->extra) & BTF_INT_CHAR);
}

/* Add an array of @count elements of @size bytes. */
static bool add_elements(struct compiler *c, const struct btf_type_view *element, uint32_t offset,
			 uint32_t size, uint32_t count)
{
	const uint64_t repeat = c->repeat;
	const uint32_t at = c->l->nr_fields;
	size_t room;

	if (count > VALUE_MAX_NODES || !add_field(c, FIELD_ARRAY, offset, size, 2))
		return false;
	room = c->l->room;
	c->repeat *= count;
	if ((count && !compile(c, element, 0)) || !add_field(c, FIELD_END, 0, 0, 0))
		return false;
	c->repeat = repeat;
	c->l->fields[at].count = count;
	c->l->fields[at].next = c->l->nr_fields;
	/* One more element, with which the text compares, and the number of equal ones. */
	add_room(c->l, (c->l->room - room + 2) * count + 42);
	return true;
}

/* The numbers or hex digits printed in place of text cost nothing. */
static bool add_chars(struct compiler *c, const struct btf_type_view *element, uint32_t offset,
		      uint32_t size)
{
	const uint32_t at = c->l->nr_fields;
	const uint64_t repeat = c->repeat;
	bool ok;

	if (!add_field(c, FIELD_CHARS, offset, size, PUT_STRING_MAX(size)))
		return false;
	c->repeat = 0;
	ok = size > VALUE_MAX_BYTE_LIST ?
		     add_field(c, FIELD_BYTES, offset, size, PUT_HEX_MAX(size)) != NULL :
		     add_elements(c, element, offset, 1, size);
	c->repeat = repeat;
	if (ok)
		c->l->fields[at].next = c->l->nr_fields;
	return ok;
}

static bool add_array(struct compiler *c, const struct btf_type_view *t, uint32_t offset)
{
	struct btf_array_view a = btf_array(c->btf, t);
	const struct btf_type_view element = btf_skip(c->btf, a.type);
	const int64_t size = size_of(c->btf, &element);
	const bool is_byte = element.kind == BTF_KIND_INT && size == 1;

	if (size < 0 || size > UINT32_MAX ||
	    !bytes_hold(size_of(c->btf, t), 0, (uint64_t)size * a.nelems))
		return false;
	if (t->id == c->flexible && c->depth == 2 && size && c->size > c->type_size) {
		a.nelems = (c->size - c->type_size) / size;
		offset = c->type_size;
	}
	if (is_byte && is_char(&element))
		return spend_bytes(c, a.nelems) && add_chars(c, &element, offset, a.nelems);
	if (is_byte && a.nelems > VALUE_MAX_BYTE_LIST)
		return spend_bytes(c, a.nelems) &&
		       add_field(c, FIELD_BYTES, offset, a.nelems, PUT_HEX_MAX(a.nelems));
	return add_elements(c, &element, offset, size, a.nelems);
}

/* --- structs and unions --- */

/*
 * Append ,"name": or , .name = or name to the lead of the next field. An empty or duplicate name is
 * made unique with the member's offset.
 */
static bool add_key(struct compiler *c, const char *name, uint32_t bit)
{
	const bool json = c->l->style == LAYOUT_JSON, first = !json_object_object_length(c->keys);
	char key[160];

	if (!name[0] || json_object_object_get_ex(c->keys, name, NULL)) {
		snprintf(key, sizeof(key), "%.120s@%u", name, bit / 8);
		if (bit % 8)
			snprintf(key + strlen(key), 3, ".%u", bit % 8);
		name = key;
	}
	if (json_object_object_get_ex(c->keys, name, NULL) ||
	    json_object_object_add(c->keys, name, NULL))
		return false;
	if (c->l->style != LAYOUT_TREE)
		return add_text(c, json ? first ? "" : "," : first ? "." : ", .") &&
		       add_name(c, name) && add_text(c, json ? ":" : " = ");
	if (!add_name(c, name))
		return false;
	c->l->text[c->l->text_size++] = '\0';
	return true;
}

static bool add_members(struct compiler *c, const struct btf_type_view *t, uint32_t offset,
			uint32_t bit);

/*
 * @offset: offset of the struct in bytes from the start of the value or element.
 * @bit: offset of an unnamed struct in the object that receives its members.
 */
static bool add_member(struct compiler *c, const struct btf_type_view *in,
		       const struct btf_member_view *m, uint32_t offset, uint32_t bit)
{
	const struct btf_type_view t = btf_skip(c->btf, m->type);
	const bool old = !m->bitfield_size && is_old_bit_field(&t);
	const int64_t size = size_of(c->btf, &t);
	const uint64_t first = m->bit_offset + (old ? BTF_INT_OFFSET(t.extra) : 0ULL);
	const uint64_t bits = m->bitfield_size ? m->bitfield_size :
			      old ? BTF_INT_BITS(t.extra) : 8 * (uint64_t)size;
	bool ok;

	if (size < 0 || !spend(c, 1 + strlen(m->name) / 16))
		return false;
	if (c->is_short && first + bits > 8 * (uint64_t)in->size)
		return true;
	if (m->bitfield_size || old)
		return add_key(c, m->name, bit + m->bit_offset) &&
		       add_bits(c, &t, offset, in->size, first, bits);
	if (m->bit_offset % 8 || !bytes_hold(in->size, m->bit_offset / 8, size))
		return false;
	offset += m->bit_offset / 8;
	bit += m->bit_offset;
	if (m->name[0] || !is_struct(&t))
		return add_key(c, m->name, bit) && compile(c, &t, offset);
	if (c->depth == VALUE_MAX_DEPTH)
		return false;
	c->depth++;
	ok = add_members(c, &t, offset, bit);	/* flatten it, like C */
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
	const bool tree = c->l->style == LAYOUT_TREE;
	const uint32_t at = c->l->nr_fields;
	bool ok;

	c->keys = json_object_new_object();
	ok = c->keys && (!tree || add_field(c, FIELD_OBJECT, 0, 0, 0)) && add_text(c, "{") &&
	     add_members(c, t, offset, 0) && add_text(c, "}") &&
	     (!tree || add_field(c, FIELD_END, 0, 0, 0));
	if (ok && tree)
		c->l->fields[at].next = c->l->nr_fields;
	json_object_put(c->keys);
	c->keys = outer;
	return ok;
}

/* --- the whole type --- */

/* Add the fields of a value of type @t at @offset, all of whose bytes are present. */
static bool compile(struct compiler *c, const struct btf_type_view *t, uint32_t offset)
{
	bool ok = false;

	if (c->depth++ == VALUE_MAX_DEPTH || !spend(c, 1))
		return false;	/* final: depth no longer matters */
	if (t->kind == BTF_KIND_INT || is_enum(t))
		ok = add_number(c, t, offset);
	else if (t->kind == BTF_KIND_FLOAT && (t->size == 4 || t->size == 8))
		ok = add_field(c, FIELD_FLOAT, offset, t->size, PUT_DOUBLE_MAX);
	else if (t->kind == BTF_KIND_PTR)
		ok = add_field(c, FIELD_POINTER, offset, 8, 20);
	else if (t->kind == BTF_KIND_ARRAY)
		ok = add_array(c, t, offset);
	else if (is_struct(t))
		ok = add_struct(c, t, offset);
	c->depth--;
	return ok;
}

uint32_t layout_flexible_array(const struct btf *btf, const struct btf_type_view *t)
{
	struct btf_type_view last;

	if (t->kind != BTF_KIND_STRUCT || !t->vlen)
		return 0;
	last = btf_skip(btf, btf_member(btf, t, t->vlen - 1).type);
	return last.kind == BTF_KIND_ARRAY && !btf_array(btf, &last).nelems ? last.id : 0;
}

static bool compile_value(struct compiler *c, struct btf_type_view *t, size_t size)
{
	const int64_t type_size = size_of(c->btf, t);
	struct layout *l = c->l;
	const struct field *f;

	l->bytes = size;
	if (type_size < 0 || type_size > UINT32_MAX)
		return false;
	c->size = size;
	c->type_size = type_size;
	c->is_short = size < c->type_size;
	c->flexible = layout_flexible_array(c->btf, t);
	l->takes_more = !c->flexible && !c->is_short;
	if (l->takes_more)
		l->bytes = type_size;
	c->own_bytes = l->bytes;
	if (c->is_short) {
		if (!size || !is_struct(t))
			return false;
		t->size = size;
	}
	if (!compile(c, t, 0) || !add_field(c, FIELD_END, 0, 0, 0))
		return false;
	f = l->fields;
	if (l->style == LAYOUT_TEXT && !f->lead_size &&
	    f[f->kind == FIELD_CHARS].kind == FIELD_BYTES)
		l->room = MAX_ROOM;	/* a multi-line dump */
	l->room = l->room == MAX_ROOM ? 0 : l->room + PUT_SLACK;
	return true;
}

struct layout *layout_new(const struct btf *btf, uint32_t id, size_t size, enum layout_style style)
{
	struct layout *l = calloc(1, sizeof(*l));
	struct compiler c = { .l = l, .btf = btf, .repeat = 1 };
	struct btf_type_view t;

	if (!l)
		return NULL;
	l->style = style;
	l->takes_more = true;
	if (!btf || !id || id >= btf->nr_types)
		return l;
	t = btf_skip(btf, id);
	if (t.kind == BTF_KIND_VAR)
		t = btf_skip(btf, t.type);
	errno = 0;	/* set by any function that runs out of memory */
	if (compile_value(&c, &t, size))
		return l;
	free(l->fields);
	l->fields = NULL;
	if (errno != ENOMEM)
		return l;
	layout_free(l);
	return NULL;
}

void layout_free(struct layout *l)
{
	if (!l)
		return;
	free(l->names);
	free(l->fields);
	free(l->text);
	free(l);
}
