// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Walk over the fields of a layout and the bytes of a value, which becomes text, JSON or a tree. */
#include <math.h>

#include "loader/core/value/layout.h"
#include "loader/core/value/value.h"

/* Text has a run of at least so many equal elements once, as value_print() does. */
#define RUN_MIN 8

struct tree {
	struct json_object *in;		/* borrowed: what values are added to; NULL: none */
	struct json_object *whole;	/* owned: the value */
	const char *key;		/* of the next value; NULL: @in is an array */
};

/* --- the sinks: how each kind of value is printed, and what it is in a tree --- */

/*
 * The sink is a tree, or a buffer if @tree is NULL: then @to is where to write, and the end of that
 * is returned. The walk is compiled once for each, so that no field asks which it is.
 */
#define WALK static inline __attribute__((always_inline))

/* Add @value, which is owned. If memory is short for it, what lacks it is marked. */
static char *add(struct tree *tree, struct json_object *value)
{
	if (!tree->in)
		tree->whole = value;
	else if (tree->key)
		value_add_copied(tree->in, tree->key, value);
	else
		value_append(tree->in, value);
	return NULL;
}

WALK char *put_lead(struct tree *tree, char *to, const struct layout *l, const struct field *f)
{
	if (!tree)
		return put_short(to, l->text + f->lead, f->lead_size);
	tree->key = f->lead_size ? l->text + f->lead : NULL;
	return NULL;
}

WALK char *put_unsigned(struct tree *tree, char *to, uint64_t v)
{
	if (tree)
		return add(tree, json_object_new_uint64(v));
	return v <= UINT32_MAX ? put_u32(to, v) : put_u64(to, v);
}

WALK char *put_signed(struct tree *tree, char *to, int64_t v)
{
	return tree ? add(tree, json_object_new_int64(v)) : put_s64(to, v);
}

/* JSON has quotes around what is no number. */
static inline char *put_quote(char *to, const struct layout *l)
{
	*to = '"';
	return to + (l->style == LAYOUT_JSON);
}

static char *put_word(struct tree *tree, char *to, const struct layout *l, const char *s, size_t n)
{
	return tree ? add(tree, value_string(VALUE_WORD, s, n)) :
		      put_quote(put(put_quote(to, l), s, n), l);
}

WALK char *put_pointer(struct tree *tree, char *to, const struct layout *l, uint64_t v)
{
	return tree ? add(tree, value_address(v)) :
		      put_quote(put_address(put_quote(to, l), v), l);
}

static char *put_hex_bytes(struct tree *tree, char *to, const struct layout *l, struct bytes bytes)
{
	return tree ? add(tree, value_hex(bytes)) :
		      put_quote(put_bytes(put_quote(to, l), bytes, l->style == LAYOUT_TEXT), l);
}

WALK char *put_chars(struct tree *tree, char *to, const struct layout *l, const char *s, size_t n)
{
	return tree			? add(tree, value_string(VALUE_TEXT, s, n)) :
	       l->style == LAYOUT_JSON	? put_json_string(to, s, n) : put_text(to, s, n, '"');
}

/* --- the kinds of fields --- */

#define LOAD(type, from) ({ type value_; memcpy(&value_, from, sizeof(value_)); value_; })

/*
 * Return the @bits (1 to 64) bits from bit @start of @from on, as the compiler numbers them: from
 * the lowest bit of the first byte if the machine is little-endian, else from the highest.
 */
static uint64_t load_bits(const unsigned char *from, uint64_t start, unsigned int bits)
{
	const size_t first = start / 8, n = (start + bits + 7) / 8 - first;
	unsigned int shift = start % 8;
	unsigned __int128 v = 0;

	for (size_t i = 0; i < n; i++) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
		v |= (unsigned __int128)from[first + i] << 8 * i;
#else
		v = v << 8 | from[first + i];
#endif
	}
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
	shift = n * 8 - shift - bits;
#endif
	v >>= shift;
	return bits < 64 ? (uint64_t)v & ((1ULL << bits) - 1) : (uint64_t)v;
}

static const struct field_name *find_name(const struct layout *l, const struct field *f, uint64_t v)
{
	const struct field_name *names = l->names + f->names;
	uint32_t first = 0, end = f->nr_names;

	while (first < end) {
		const uint32_t middle = first + (end - first) / 2;

		if (names[middle].value == v)
			return &names[middle];
		if (names[middle].value < v)
			first = middle + 1;
		else
			end = middle;
	}
	return NULL;
}

WALK char *put_number(struct tree *tree, char *to, const struct layout *l, const struct field *f,
		      const unsigned char *from)
{
	uint64_t v = load_bits(from, f->first_bit, f->bits);
	const struct field_name *name;

	if (f->is_signed && f->bits < 64 && v >> (f->bits - 1))
		v |= ~0ULL << f->bits;
	name = find_name(l, f, v);
	if (name)	/* with quotes if it needs them */
		return tree ? put_word(tree, to, l, l->text + name->text, name->text_size) :
			      put_short(to, l->text + name->text, name->text_size);
	if (f->is_bool && v < 2)
		return tree ? add(tree, json_object_new_boolean(v)) :
			      put(to, v ? "true" : "false", v ? 4 : 5);
	return f->is_signed ? put_signed(tree, to, v) : put_unsigned(tree, to, v);
}

/*
 * No JSON reader keeps a number of 16 bytes exact. This is not inlined, since with its buffer each
 * walk would have to check the stack.
 */
static __attribute__((noinline)) char *put_wide(struct tree *tree, char *to,
						const struct layout *l, unsigned __int128 v)
{
	char text[34] = "0x";

	put_hex(put_hex(text + 2, v >> 64, 16), v, 16);
	return put_word(tree, to, l, text, sizeof(text));
}

static char *put_float(struct tree *tree, char *to, const struct layout *l, const struct field *f,
		       const unsigned char *from)
{
	const double v = f->size == 4 ? (double)LOAD(float, from) : LOAD(double, from);

	if (isfinite(v))
		return tree ? add(tree, json_object_new_double(v)) : put_double(to, v);
	/* JSON has no number for these. */
	return isnan(v) ? put_word(tree, to, l, "nan", 3) :
	       v < 0	? put_word(tree, to, l, "-inf", 4) : put_word(tree, to, l, "inf", 3);
}

/*
 * A char array is text up to its first NUL; the bytes after it are usually stale. An array that
 * begins with NUL and has other bytes is not text.
 */
static bool are_text(const unsigned char *s, size_t size)
{
	if (size && !s[0])
		for (size_t i = 1; i < size; i++)
			if (s[i])
				return false;
	return true;
}

static char *write_fields(const struct layout *l, char *to, const struct field *f,
			  const unsigned char *from);
static void add_fields(const struct layout *l, struct tree *tree, const struct field *f,
		       const unsigned char *from);

/* As text: {5, 0 <repeats 63 times>}. */
static char *write_elements(const struct layout *l, char *to, const struct field *f,
			    const unsigned char *from)
{
	for (uint32_t i = 0, run; i < f->count; i += run) {
		char *const begin = i ? put(to, ", ", 2) : to;
		size_t size;

		to = write_fields(l, begin, f + 1, from + (size_t)i * f->size);
		size = to - begin;
		for (run = 1; i + run < f->count; run++) {
			const char *end =
				write_fields(l, to, f + 1, from + (size_t)(i + run) * f->size);

			if ((size_t)(end - to) != size || memcmp(begin, to, size))
				break;
		}
		if (run < RUN_MIN)
			run = 1;
		else
			to = put(put_u64(put(to, " <repeats ", 10), run), " times>", 7);
	}
	return to;
}

static char *write_array(const struct layout *l, char *to, const struct field *f,
			 const unsigned char *from)
{
	if (l->style == LAYOUT_TEXT)
		return put(write_elements(l, put(to, "{", 1), f, from), "}", 1);
	*to++ = '[';
	for (uint32_t i = 0; i < f->count; i++, from += f->size) {
		if (i)
			*to++ = ',';
		to = write_fields(l, to, f + 1, from);
	}
	*to++ = ']';
	return to;
}

static char *add_array(struct tree *tree, const struct layout *l, const struct field *f,
		       const unsigned char *from)
{
	struct tree elements = { .in = json_object_new_array() };

	for (uint32_t i = 0; elements.in && i < f->count; i++, from += f->size)
		add_fields(l, &elements, f + 1, from);
	return add(tree, elements.in);
}

/* Only a layout for trees has objects as fields: others have the braces in their leads. */
static char *add_object(struct tree *tree, const struct layout *l, const struct field *f,
			const unsigned char *from)
{
	struct tree members = { .in = json_object_new_object() };

	if (members.in)
		add_fields(l, &members, f + 1, from);
	return add(tree, members.in);
}

/* --- the walk --- */

/* Pass the fields from @f on to the sink, up to the end of the value, element or object. */
WALK char *walk(struct tree *tree, char *to, const struct layout *l, const struct field *f,
		const unsigned char *from)
{
	for (;; f++) {
		const unsigned char *at = from + f->offset;

		to = put_lead(tree, to, l, f);
		switch (f->kind) {
		case FIELD_U8:	to = put_unsigned(tree, to, *at); break;
		case FIELD_U16:	to = put_unsigned(tree, to, LOAD(uint16_t, at)); break;
		case FIELD_U32:	to = put_unsigned(tree, to, LOAD(uint32_t, at)); break;
		case FIELD_U64:	to = put_unsigned(tree, to, LOAD(uint64_t, at)); break;
		case FIELD_S8:	to = put_signed(tree, to, (int8_t)*at); break;
		case FIELD_S16:	to = put_signed(tree, to, LOAD(int16_t, at)); break;
		case FIELD_S32:	to = put_signed(tree, to, LOAD(int32_t, at)); break;
		case FIELD_S64:	to = put_signed(tree, to, LOAD(int64_t, at)); break;
		case FIELD_NUMBER: to = put_number(tree, to, l, f, at); break;
		case FIELD_WIDE: to = put_wide(tree, to, l, LOAD(unsigned __int128, at)); break;
		case FIELD_POINTER: to = put_pointer(tree, to, l, LOAD(uint64_t, at)); break;
		case FIELD_FLOAT: to = put_float(tree, to, l, f, at); break;
		case FIELD_BYTES:
			to = put_hex_bytes(tree, to, l, (struct bytes){ at, f->size });
			break;
		case FIELD_CHARS:
			if (!are_text(at, f->size))
				break;	/* by the field after it */
			to = put_chars(tree, to, l, (const char *)at,
				       strnlen((const char *)at, f->size));
			f = l->fields + f->next - 1;
			break;
		case FIELD_ARRAY:
			to = tree ? add_array(tree, l, f, at) : write_array(l, to, f, at);
			f = l->fields + f->next - 1;
			break;
		case FIELD_OBJECT:
			to = tree ? add_object(tree, l, f, from) : to;
			f = l->fields + f->next - 1;
			break;
		case FIELD_END:
			return to;
		}
	}
}

static char *write_fields(const struct layout *l, char *to, const struct field *f,
			  const unsigned char *from)
{
	return walk(NULL, to, l, f, from);
}

static void add_fields(const struct layout *l, struct tree *tree, const struct field *f,
		       const unsigned char *from)
{
	walk(tree, NULL, l, f, from);
}

char *layout_write(const struct layout *l, char *to, struct bytes bytes)
{
	return l->fields ? write_fields(l, to, l->fields, bytes.data) :
			   put_hex_bytes(NULL, to, l, bytes);
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
