// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Set the initial value of a variable from text, according to its type. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/objects/variables/find_variable.h"
#include "loader/core/sys/number.h"

struct target {
	const struct bpf_object *obj;
	const char *path, *text;
	struct variable var;
	unsigned char *bytes;	/* offset of the variable in the map's contents */
};

static void put(const struct target *t, uint64_t value)
{
	const bool big = t->obj->image.big_endian;

	for (uint32_t i = 0; i < t->var.size; i++)
		t->bytes[big ? t->var.size - 1 - i : i] = value >> 8 * i;
}

static bool is_number(const char *text)
{
	return text[0] >= '0' && text[0] <= '9';
}

/* Parse a decimal, 0x hexadecimal or 0 octal number with an optional '-', or a character 'c'. */
static int set_number(const struct target *t, bool is_signed, struct error *err)
{
	const unsigned int bits = 8 * t->var.size;
	const uint64_t half = 1ull << (bits - 1), most = is_signed ? half - 1 : half - 1 + half;
	const bool minus = t->text[0] == '-';
	uint64_t value = 0;
	int ret;

	if (t->text[0] == '\'' && t->text[1] && t->text[2] == '\'' && !t->text[3]) {
		put(t, (unsigned char)t->text[1]);
		return 0;
	}
	ret = number_parse_base(t->text + minus, strlen(t->text + minus), NUMBER_AS_IN_C, &value);
	if (ret == -EINVAL)
		return error_set(err, EINVAL, "'%s' is not a number", t->text);
	if (ret || value > (minus ? (is_signed ? half : 0) : most)) {
		if (is_signed)
			return error_set(err, ERANGE,
					 "%s does not fit: use a number from -%llu to %llu",
					 t->text, (unsigned long long)half,
					 (unsigned long long)most);
		return error_set(err, ERANGE, "%s does not fit: use a number from 0 to %llu",
				 t->text, (unsigned long long)most);
	}
	put(t, minus ? -value : value);
	return 0;
}

static bool is_int_size(uint32_t size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

static int set_int(const struct target *t, const struct btf_type_view *type, struct error *err)
{
	const uint32_t encoding = BTF_INT_ENCODING(type->extra);
	const bool yes = !strcmp(t->text, "true") || !strcmp(t->text, "1");

	if (!(encoding & BTF_INT_BOOL))
		return set_number(t, encoding & BTF_INT_SIGNED, err);
	if (!yes && strcmp(t->text, "false") && strcmp(t->text, "0")) {
		error_set(err, EINVAL, "'%s' is not true or false", t->text);
		return error_hint(err, "use true or 1, false or 0 for a %s", type->name);
	}
	put(t, yes);
	return 0;
}

static int set_enum(const struct target *t, const struct btf_type_view *type, struct error *err)
{
	struct names_near near = { .want = t->text, .want_len = strlen(t->text) };
	const struct btf *btf = &t->obj->btf;

	for (uint32_t i = 0; i < type->vlen; i++) {
		struct btf_enumerator_view e = btf_enumerator(btf, type, i);

		if (!strcmp(e.name, t->text)) {
			put(t, e.value);
			return 0;
		}
		names_near_add(&near, e.name);
	}
	if (is_number(t->text + (t->text[0] == '-')))
		return set_number(t, type->kind_flag, err);
	error_set(err, EINVAL, "enum %s has no constant '%s'", type->name, t->text);
	return names_near_hint(&near, err);
}

/* A string must fit including its zero byte; the rest of the array becomes zero. */
static int set_array(const struct target *t, const struct btf_type_view *type, struct error *err)
{
	const struct btf *btf = &t->obj->btf;
	struct btf_array_view array = btf_array(btf, type);
	struct btf_type_view of = btf_skip(btf, array.type);
	const size_t len = strlen(t->text);

	if (of.kind != BTF_KIND_INT || of.size != 1 || BTF_INT_ENCODING(of.extra) & BTF_INT_BOOL) {
		error_set(err, EINVAL, "it is an array of %u elements", array.nelems);
		return error_hint(err, "set one of them: --set '%s[0]=%s'", t->path, t->text);
	}
	if (len >= t->var.size)
		return error_set(err, ERANGE,
				 "\"%s\" is %zu characters long, but there is room for only %u "
				 "plus a zero byte",
				 t->text, len, t->var.size ? t->var.size - 1 : 0);
	memset(t->bytes, 0, t->var.size);
	memcpy(t->bytes, t->text, len);
	return 0;
}

static int set_by_type(const struct target *t, struct error *err)
{
	struct btf_type_view type = btf_skip(&t->obj->btf, t->var.type);

	switch (type.kind) {
	case BTF_KIND_INT:
		if (is_int_size(t->var.size))
			return set_int(t, &type, err);
		return error_set(err, ENOTSUP, "it is a %u-byte number", t->var.size);
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		if (is_int_size(t->var.size))
			return set_enum(t, &type, err);
		return error_set(err, ENOTSUP, "it is a %u-byte enum", t->var.size);
	case BTF_KIND_ARRAY:
		return set_array(t, &type, err);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		error_set(err, EINVAL, "it is a %s", btf_kind_name(type.kind));
		return error_hint(err, "set one of its members: --set '%s.MEMBER=%s'", t->path,
				  t->text);
	case BTF_KIND_PTR:
		error_set(err, ENOTSUP,
			  "it is a pointer, but nothing it could point to has an address yet");
		return error_hint(err, "programs set pointers themselves");
	default:
		return error_set(err, ENOTSUP, "it has kind %s, whose values cannot be set",
				 btf_kind_name(type.kind));
	}
}

static int set_by_size(const struct target *t, struct error *err)
{
	if (is_int_size(t->var.size))
		return set_number(t, t->text[0] == '-', err);
	error_set(err, ENOTSUP, "it has %u bytes, which no BTF describes", t->var.size);
	return error_hint(err, "compile with -g");
}

/* Return the initial contents of the map, allocating them if all zero. */
static unsigned char *content(struct object_map *map)
{
	if (!map->content)
		map->content = calloc(1, map->data_size ? map->data_size : 1);
	return map->content;
}

int object_set_variable(struct bpf_object *obj, const char *path, const char *text,
			struct error *err)
{
	struct target t = { .obj = obj, .path = path, .text = text };
	int ret = variable_find(obj, path, &t.var, err);

	if (ret)
		return ret;
	t.bytes = content(&obj->maps[t.var.map]);
	if (!t.bytes)
		return error_set(err, ENOMEM, "no memory for the contents of map '%s'",
				 obj->maps[t.var.map].name);
	t.bytes += t.var.offset;
	return t.var.type ? set_by_type(&t, err) : set_by_size(&t, err);
}
