// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Decode bytes of a BTF type into a JSON object, array, number or string. */
#include <math.h>

#include "loader/print/output.h"
#include "loader/value/value.h"

struct decoder {
	const struct btf *btf;
	uint32_t nodes_left;
	unsigned int depth;
	bool is_short;		/* there are fewer bytes than the struct has: leave members out */
	uint32_t flexible;	/* id of the array that ends the struct, which has @rest; 0: none */
	struct bytes rest;
	bool no_memory;		/* otherwise NULL means: print hex */
};

static struct json_object *decode(struct decoder *d, const struct btf_type_view *t, struct bytes b);

/* Give up: the whole value is printed as hex. */
static struct json_object *as_hex(struct decoder *d)
{
	d->nodes_left = 0;
	return NULL;
}

/* Return @value, and record that memory is short if it is NULL. */
static struct json_object *checked(struct decoder *d, struct json_object *value)
{
	d->no_memory |= !value;
	return value;
}

static bool spend(struct decoder *d, uint64_t nodes)
{
	if (nodes > d->nodes_left) {
		d->nodes_left = 0;
		return false;
	}
	d->nodes_left -= nodes;
	return true;
}

int64_t value_size(const struct btf *btf, const struct btf_type_view *t)
{
	return t->size ? t->size : t->kind == BTF_KIND_PTR ? 8 : btf_size(btf, t->id);
}

/* --- numbers --- */

uint64_t value_sign_extend(uint64_t v, unsigned int bits)
{
	return bits < 64 && v >> (bits - 1) & 1 ? v | ~0ULL << bits : v;
}

bool value_is_number(const struct btf_type_view *t)
{
	return t->kind == BTF_KIND_INT || t->kind == BTF_KIND_ENUM || t->kind == BTF_KIND_ENUM64;
}

bool value_is_signed(const struct btf_type_view *t)
{
	return t->kind == BTF_KIND_INT ? BTF_INT_ENCODING(t->extra) & BTF_INT_SIGNED : t->kind_flag;
}

/* Number @v of @bits bits, read as @t: an INT, ENUM or ENUM64. */
static struct json_object *number(struct decoder *d, const struct btf_type_view *t, uint64_t v,
				  unsigned int bits)
{
	const bool is_enum = t->kind != BTF_KIND_INT, is_signed = value_is_signed(t);
	struct btf_enumerator_view e;

	if (is_signed)
		v = value_sign_extend(v, bits);
	for (uint32_t i = 0; is_enum && i < t->vlen; i++) {
		if (i % 64 == 63 && !spend(d, 1))
			return NULL;
		e = btf_enumerator(d->btf, t, i);
		if (e.value == v)
			return !spend(d, strlen(e.name) / 16) ? NULL :
				checked(d, value_string(VALUE_WORD, e.name, strlen(e.name)));
	}
	if (!is_enum && BTF_INT_ENCODING(t->extra) & BTF_INT_BOOL && v < 2)
		return checked(d, json_object_new_boolean(v));
	return checked(d, is_signed ? json_object_new_int64(v) : json_object_new_uint64(v));
}

uint64_t value_bits(struct bytes b, uint64_t start, unsigned int bits)
{
	size_t first = start / 8, n = (start + bits + 7) / 8 - first;
	unsigned int shift = start % 8;
	unsigned __int128 v = 0;

	for (size_t i = 0; i < n; i++) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
		v |= (unsigned __int128)b.data[first + i] << 8 * i;
#else
		v = v << 8 | b.data[first + i];
#endif
	}
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
	shift = n * 8 - shift - bits;
#endif
	v >>= shift;
	return bits < 64 ? (uint64_t)v & ((1ULL << bits) - 1) : (uint64_t)v;
}

static struct json_object *bit_field(struct decoder *d, const struct btf_type_view *t,
				     struct bytes b,
				     uint64_t start, unsigned int bits)
{
	if (!bits || bits > 64 || start + bits > (uint64_t)b.size * 8)
		return as_hex(d);
	if (!value_is_number(t))
		return as_hex(d);
	return number(d, t, value_bits(b, start, bits), bits);
}

bool value_is_old_bit_field(const struct btf_type_view *t)
{
	return t->kind == BTF_KIND_INT && BTF_INT_BITS(t->extra) < 8 * (uint64_t)t->size;
}

static struct json_object *decode_number(struct decoder *d, const struct btf_type_view *t,
				       struct bytes b)
{
	unsigned __int128 wide;
	char text[40];
	int n;

	if (value_is_old_bit_field(t))
		return bit_field(d, t, b, BTF_INT_OFFSET(t->extra), BTF_INT_BITS(t->extra));
	switch (b.size) {
	case 1:
		return number(d, t, bytes_u8(b, 0), 8);
	case 2:
		return number(d, t, bytes_u16(b, 0, false), 16);
	case 4:
		return number(d, t, bytes_u32(b, 0, false), 32);
	case 8:
		return number(d, t, bytes_u64(b, 0, false), 64);
	case 16:	/* __int128: no JSON reader keeps it exact as a number */
		memcpy(&wide, b.data, sizeof(wide));
		n = snprintf(text, sizeof(text), "0x%016llx%016llx",
			     (unsigned long long)(wide >> 64), (unsigned long long)wide);
		return checked(d, value_string(VALUE_WORD, text, n));
	}
	return as_hex(d);
}

static struct json_object *decode_float(struct decoder *d, const struct btf_type_view *t,
					struct bytes b)
{
	const char *word;
	double f64;
	float f;

	if (b.size == sizeof(f)) {
		memcpy(&f, b.data, sizeof(f));
		f64 = (double)f;
	} else if (b.size == sizeof(f64)) {
		memcpy(&f64, b.data, sizeof(f64));
	} else {
		return as_hex(d);
	}
	(void)t;
	if (isfinite(f64))
		return checked(d, json_object_new_double(f64));
	word = isnan(f64) ? "nan" : f64 < 0 ? "-inf" : "inf";	/* JSON has no number for these */
	return checked(d, value_string(VALUE_WORD, word, strlen(word)));
}

static struct json_object *decode_pointer(struct decoder *d, const struct btf_type_view *t,
					struct bytes b)
{
	(void)t;
	return b.size == 8 ? checked(d, value_address(bytes_u64(b, 0, false))) : as_hex(d);
}

/* --- arrays --- */

bool value_is_chars(const struct btf_type_view *element)
{
	if (element->kind != BTF_KIND_INT || element->size != 1 || value_is_old_bit_field(element))
		return false;
	return !strcmp(element->name, "char") || BTF_INT_ENCODING(element->extra) & BTF_INT_CHAR;
}

bool value_is_bytes(const struct btf_type_view *element, uint32_t nelems)
{
	return element->kind == BTF_KIND_INT && element->size == 1 && nelems > VALUE_MAX_BYTE_LIST;
}

/*
 * A char array is printed up to its first NUL; the bytes after it are usually stale. An array that
 * begins with NUL and has other bytes is not text and is printed as numbers.
 */
static bool is_text(const struct btf_type_view *element, struct bytes b)
{
	if (!value_is_chars(element))
		return false;
	if (b.size && !b.data[0]) {
		for (size_t i = 1; i < b.size; i++)
			if (b.data[i])
				return false;
	}
	return true;
}

static struct json_object *decode_array(struct decoder *d, const struct btf_type_view *t,
					struct bytes b)
{
	struct btf_array_view a = btf_array(d->btf, t);
	struct btf_type_view element = btf_skip(d->btf, a.type);
	int64_t size = value_size(d->btf, &element);
	struct json_object *array;
	struct bytes part;
	size_t len;

	if (d->flexible == t->id && d->depth == 2 && size > 0 && !a.nelems) {
		b = bytes_slice(d->rest, 0, d->rest.size / size * size);
		a.nelems = b.size / size;
	}
	/* the search for bytes after a NUL reads all of them */
	if (b.size && !b.data[0] && !spend(d, b.size / 4096))
		return NULL;
	if (is_text(&element, b)) {
		len = b.size ? strnlen((const char *)b.data, b.size) : 0;
		if (!spend(d, len / 16))
			return NULL;
		return checked(d, value_string(VALUE_TEXT, (const char *)b.data, len));
	}
	if (value_is_bytes(&element, a.nelems))
		return spend(d, b.size / 16) ? checked(d, value_hex(b)) : NULL;
	if (size < 0)
		return as_hex(d);
	array = checked(d, json_object_new_array());
	for (uint32_t i = 0; array && i < a.nelems; i++) {
		part = bytes_slice(b, i * (uint64_t)size, size);
		if (!value_append(array, decode(d, &element, part))) {
			json_object_put(array);
			return NULL;
		}
	}
	return array;
}

/* --- structs and unions --- */

/* A member without a name, or with one that is taken, gets its offset appended. */
static bool add_member(struct decoder *d, struct json_object *object, const char *name,
		       uint32_t bit_offset, struct json_object *value)
{
	char key[160];
	bool ok;

	if (!value)
		return false;
	if (name[0] && !json_object_object_get_ex(object, name, NULL)) {
		ok = value_add(object, name, value);
	} else {
		snprintf(key, sizeof(key), "%.120s@%u", name, bit_offset / 8);
		if (bit_offset % 8)
			snprintf(key + strlen(key), sizeof(key) - strlen(key), ".%u",
				 bit_offset % 8);
		if (json_object_object_get_ex(object, key, NULL)) {
			json_object_put(value);
			as_hex(d);
			return false;
		}
		ok = !json_object_object_add(object, key, value);	/* copies the key */
		if (!ok)
			json_object_put(value);
	}
	d->no_memory |= !ok;
	return ok;
}

static bool decode_members(struct decoder *d, struct json_object *object,
			   const struct btf_type_view *t, struct bytes b, uint32_t at);

/* Return true if the member, of type @t and @size bytes, lies in the first @have bytes. */
static bool member_fits(const struct btf_type_view *t, const struct btf_member_view *m,
			size_t have, int64_t size)
{
	const uint64_t bits = m->bitfield_size	      ? m->bitfield_size :
			      value_is_old_bit_field(t) ? BTF_INT_OFFSET(t->extra) +
								  BTF_INT_BITS(t->extra) :
							  8 * (uint64_t)size;

	return m->bit_offset + bits <= 8 * (uint64_t)have;
}

/* @at: offset in bits of an unnamed struct in the object that its members are added to. */
static bool decode_member(struct decoder *d, struct json_object *object,
			  const struct btf_member_view *m, struct bytes b, uint32_t at)
{
	struct btf_type_view t = btf_skip(d->btf, m->type);
	int64_t size = value_size(d->btf, &t);
	struct json_object *value;
	bool unnamed, ok;

	if (size < 0 || !spend(d, 1 + strlen(m->name) / 16)) {
		as_hex(d);
		return false;
	}
	if (d->is_short && !member_fits(&t, m, b.size, size))
		return true;
	unnamed = !m->name[0] && (t.kind == BTF_KIND_STRUCT || t.kind == BTF_KIND_UNION);
	if (m->bitfield_size) {
		value = bit_field(d, &t, b, m->bit_offset, m->bitfield_size);
	} else if (value_is_old_bit_field(&t)) {
		value = bit_field(d, &t, b, (uint64_t)m->bit_offset + BTF_INT_OFFSET(t.extra),
				  BTF_INT_BITS(t.extra));
	} else if (m->bit_offset % 8 || !bytes_hold(b.size, m->bit_offset / 8, size)) {
		value = as_hex(d);
	} else if (unnamed && d->depth < VALUE_MAX_DEPTH) { /* flatten it, as C does */
		d->depth++;
		ok = decode_members(d, object, &t, bytes_slice(b, m->bit_offset / 8, size),
				  at + m->bit_offset);
		d->depth--;
		return ok;
	} else {
		value = decode(d, &t, bytes_slice(b, m->bit_offset / 8, size));
	}
	return add_member(d, object, m->name, at + m->bit_offset, value);
}

static bool decode_members(struct decoder *d, struct json_object *object,
			   const struct btf_type_view *t, struct bytes b, uint32_t at)
{
	struct btf_member_view m;

	for (uint32_t i = 0; i < t->vlen; i++) {
		m = btf_member(d->btf, t, i);
		if (!decode_member(d, object, &m, b, at))
			return false;
	}
	return true;
}

static struct json_object *decode_struct(struct decoder *d, const struct btf_type_view *t,
				       struct bytes b)
{
	struct json_object *object = checked(d, json_object_new_object());

	if (object && decode_members(d, object, t, b, 0))
		return object;
	json_object_put(object);
	return NULL;
}

/* The other kinds have no bytes of their own. */
static struct json_object *(*const decoders[NR_BTF_KINDS])(struct decoder *d,
							  const struct btf_type_view *t,
							  struct bytes b) = {
	[BTF_KIND_INT] = decode_number,
	[BTF_KIND_ENUM] = decode_number,
	[BTF_KIND_ENUM64] = decode_number,
	[BTF_KIND_FLOAT] = decode_float,
	[BTF_KIND_PTR] = decode_pointer,
	[BTF_KIND_ARRAY] = decode_array,
	[BTF_KIND_STRUCT] = decode_struct,
	[BTF_KIND_UNION] = decode_struct,
};

static struct json_object *decode(struct decoder *d, const struct btf_type_view *t, struct bytes b)
{
	int64_t size = value_size(d->btf, t);
	struct json_object *value;

	if (t->kind >= NR_BTF_KINDS || !decoders[t->kind])
		return as_hex(d);
	if (size < 0 || (uint64_t)size > b.size || d->depth == VALUE_MAX_DEPTH || !spend(d, 1))
		return as_hex(d);
	d->depth++;
	value = decoders[t->kind](d, t, bytes_slice(b, 0, size));
	d->depth--;
	return value;
}

/* Return the id of the array of no elements that struct @t ends in, or 0. */
static uint32_t flexible_array(const struct btf *btf, const struct btf_type_view *t)
{
	struct btf_type_view last;

	if (t->kind != BTF_KIND_STRUCT || !t->vlen)
		return 0;
	last = btf_skip(btf, btf_member(btf, t, t->vlen - 1).type);
	return last.kind == BTF_KIND_ARRAY && !btf_array(btf, &last).nelems ? last.id : 0;
}

bool value_is_flexible(const struct btf *btf, const struct btf_type_view *t)
{
	return flexible_array(btf, t);
}

/* Decode the members of a struct or union of which @bytes are the first. */
static struct json_object *decode_short(struct decoder *d, const struct btf_type_view *t,
					struct bytes bytes)
{
	d->is_short = true;
	d->depth++;
	return decode_struct(d, t, bytes);
}

struct json_object *value_decode(const struct btf *btf, uint32_t id, struct bytes bytes)
{
	struct decoder d = { .btf = btf, .nodes_left = VALUE_MAX_NODES };
	struct json_object *value;
	struct btf_type_view t;
	int64_t size;

	if (!btf || !id || id >= btf->nr_types)
		return value_hex(bytes);
	t = btf_skip(btf, id);
	if (t.kind == BTF_KIND_VAR)
		t = btf_skip(btf, t.type);
	size = value_size(btf, &t);
	if (size >= 0 && (uint64_t)size < bytes.size) {
		d.flexible = flexible_array(btf, &t);
		d.rest = bytes_slice(bytes, size, bytes.size - size);
	}
	if (bytes.size && (t.kind == BTF_KIND_STRUCT || t.kind == BTF_KIND_UNION) &&
	    size > (int64_t)bytes.size)
		value = decode_short(&d, &t, bytes);
	else
		value = decode(&d, &t, bytes);
	return value || d.no_memory ? value : value_hex(bytes);
}
