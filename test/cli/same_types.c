// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Compares the BTF of a file with that of what a compiler made of its types as C. Each struct, union,
 * enum and typedef of the first that has a name has to be in the second, with the same members at
 * the same offsets. A second type of a name is NAME___2 there.
 *
 *	same_types FILE COMPILED...	prints each type that no other file has, and the number compared
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/objects/kernel_types/kernel_types.h"
#include "loader/objects/kernel_types/checked_types.h"

static const struct btf *left, *right;

static bool is_named(const struct btf_type_view *t)
{
	return t->name[0] && (t->kind == BTF_KIND_STRUCT || t->kind == BTF_KIND_UNION ||
			      t->kind == BTF_KIND_ENUM || t->kind == BTF_KIND_ENUM64 ||
			      t->kind == BTF_KIND_TYPEDEF || t->kind == BTF_KIND_FWD);
}

/* Return the C name for @name: letters, digits and '_'. */
static bool same_name(const char *a, const char *b)
{
	const size_t n = type_name_essential(b);
	size_t i;

	if (!b[0])
		return !a[0];
	for (i = 0; a[i] && i < n; i++)
		if (a[i] != b[i] && b[i] != '_')
			return false;
	return (!a[i] && i == n) || !strcmp(a, b);
}

static bool is_enum(uint32_t kind)
{
	return kind == BTF_KIND_ENUM || kind == BTF_KIND_ENUM64;
}

/* If a struct is only pointed to, just "struct x;" is left of it. */
static bool same_kind(const struct btf_type_view *a, const struct btf_type_view *b)
{
	const bool declared = a->kind == BTF_KIND_FWD || b->kind == BTF_KIND_FWD;

	if (declared)
		return is_named(a) && is_named(b);
	return a->kind == b->kind || (is_enum(a->kind) && is_enum(b->kind));
}

static bool same_body(const struct btf_type_view *a, const struct btf_type_view *b, int depth);

static bool is_qualifier(uint32_t kind)
{
	return kind == BTF_KIND_CONST || kind == BTF_KIND_VOLATILE || kind == BTF_KIND_RESTRICT;
}

/* An array of const is const. Compilers write either, so qualifiers of arrays are ignored. */
static struct btf_type_view get(const struct btf *btf, uint32_t id, bool element)
{
	struct btf_type_view t = checked_type(btf, id), under = t;

	while (is_qualifier(under.kind))
		under = checked_type(btf, under.type);
	/* clang omits the const of a member that is an unnamed struct. */
	if ((under.kind == BTF_KIND_STRUCT || under.kind == BTF_KIND_UNION) && !under.name[0])
		return under;
	return element || under.kind == BTF_KIND_ARRAY || under.kind == BTF_KIND_FUNC_PROTO ? under
											    : t;
}

static bool same_type(uint32_t a_id, uint32_t b_id, bool element, int depth)
{
	const struct btf_type_view a = get(left, a_id, element), b = get(right, b_id, element);
	struct btf_array_view a_array, b_array;

	if (depth > 64 || !same_kind(&a, &b))
		return false;
	if (is_named(&a))
		return same_name(a.name, b.name);
	switch (a.kind) {
	case BTF_KIND_UNKN:
		return true;
	case BTF_KIND_ARRAY:
		a_array = btf_array(left, &a);
		b_array = btf_array(right, &b);
		return a_array.nelems == b_array.nelems &&
		       same_type(a_array.type, b_array.type, true, depth + 1);
	default:
		return same_body(&a, &b, depth + 1);
	}
}

static bool same_members(const struct btf_type_view *a, const struct btf_type_view *b, int depth)
{
	for (uint32_t i = 0; i < a->vlen; i++) {
		const struct btf_member_view x = checked_member(left, a, i),
					     y = checked_member(right, b, i);

		if (!same_name(x.name, y.name) || x.bit_offset != y.bit_offset ||
		    x.bitfield_size != y.bitfield_size ||
		    !same_type(x.type, y.type, false, depth + 1))
			return false;
	}
	return true;
}

static bool same_enumerators(const struct btf_type_view *a, const struct btf_type_view *b)
{
	for (uint32_t i = 0; i < a->vlen; i++) {
		const struct btf_enumerator_view x = checked_enumerator(left, a, i),
						 y = checked_enumerator(right, b, i);
		const uint64_t mask = a->size < 8 ? (1ULL << 8 * a->size) - 1 : ~0ULL;

		if (!same_name(x.name, y.name) || (x.value ^ y.value) & mask)
			return false;
	}
	return true;
}

static bool same_parameters(const struct btf_type_view *a, const struct btf_type_view *b, int depth)
{
	for (uint32_t i = 0; i < a->vlen; i++)
		if (!same_type(checked_param(left, a, i), checked_param(right, b, i), false,
			       depth + 1))
			return false;
	return same_type(a->type, b->type, false, depth + 1);
}

static bool same_body(const struct btf_type_view *a, const struct btf_type_view *b, int depth)
{
	if (a->kind != b->kind && !is_enum(a->kind))
		return false;
	switch (a->kind) {
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return a->size == b->size && a->vlen == b->vlen && same_members(a, b, depth);
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		return a->size == b->size && a->vlen == b->vlen && same_enumerators(a, b);
	case BTF_KIND_FUNC_PROTO:
		return a->vlen == b->vlen && same_parameters(a, b, depth);
	case BTF_KIND_INT:	/* compilers differ in the order of the words */
		return a->size == b->size &&
		       (a->extra >> 24 == b->extra >> 24 || !strcmp(a->name, b->name));
	case BTF_KIND_FLOAT:
		return a->size == b->size;
	default:
		return same_type(a->type, b->type, false, depth + 1);
	}
}

/* Types of the second file by name; each entry is a list. */
static uint32_t *heads, *nexts;
#define BUCKETS (1u << 16)

static uint32_t bucket(const char *name, size_t n)
{
	uint32_t hash = 5381;

	for (size_t i = 0; i < n; i++)
		hash = hash * 33 + (unsigned char)name[i];
	return hash % BUCKETS;
}

static bool find(const struct btf_type_view *a)
{
	char name[TYPE_NAME_MAX];
	size_t n = 0;

	for (; a->name[n] && n + 1 < sizeof(name); n++)
		name[n] = strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_",
				 a->name[n]) ? a->name[n] : '_';
	name[n] = '\0';
	for (uint32_t id = heads[bucket(name, type_name_essential(name))]; id; id = nexts[id]) {
		const struct btf_type_view b = checked_type(right, id);

		if (b.kind != BTF_KIND_FWD && same_kind(a, &b) && same_name(a->name, b.name) &&
		    same_body(a, &b, 0))
			return true;
	}
	return false;
}

static bool is_compared(const struct btf_type_view *t)
{
	return is_named(t) && t->kind != BTF_KIND_FWD && strcmp(t->name, "__builtin_va_list");
}

/* Mark in @found which types of @left the file contains. Return: false if it cannot be read. */
static bool look_into(const char *path, bool *found)
{
	struct error err = { 0 };
	struct btf_file file;

	if (btf_file_open(sys_linux(), path, &file, &err)) {
		fprintf(stderr, "same_types FILE COMPILED...: %s\n", err.what);
		return false;
	}
	right = &file.btf;
	heads = calloc(BUCKETS, sizeof(*heads));
	nexts = calloc(btf_nr_types(right) + 1, sizeof(*nexts));
	for (uint32_t id = btf_nr_types(right) - 1; heads && nexts && id; id--) {
		const struct btf_type_view t = checked_type(right, id);
		const uint32_t at = bucket(t.name, type_name_essential(t.name));

		nexts[id] = heads[at];
		heads[at] = id;
	}
	for (uint32_t id = 1; id < btf_nr_types(left); id++) {
		const struct btf_type_view t = checked_type(left, id);

		if (!found[id] && is_compared(&t))
			found[id] = find(&t);
	}
	free(heads);
	free(nexts);
	btf_file_close(sys_linux(), &file);
	return true;
}

int main(int argc, char **argv)
{
	struct btf_file file;
	struct error err = { 0 };
	unsigned int compared = 0, differ = 0;
	bool *found, complete = true;

	if (argc < 3 || btf_file_open(sys_linux(), argv[1], &file, &err)) {
		fprintf(stderr, "same_types FILE COMPILED...: %s\n", err.what);
		return 2;
	}
	left = &file.btf;
	found = calloc(btf_nr_types(left), sizeof(*found));
	for (int i = 2; complete && i < argc; i++)
		complete = found && look_into(argv[i], found);
	for (uint32_t id = 1; complete && id < btf_nr_types(left); id++) {
		const struct btf_type_view t = checked_type(left, id);

		if (!is_compared(&t))
			continue;
		compared++;
		if (found[id])
			continue;
		differ++;
		printf("type %u %s '%s' is missing, or differs\n", id, btf_kind_name(t.kind),
		       t.name);
	}
	printf("%u compared\n", compared);
	free(found);
	btf_file_close(sys_linux(), &file);
	return complete ? differ > 0 : 2;
}
