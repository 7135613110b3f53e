// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The hash table of wanted type names, and the visit over types that looks them up. */
#include <errno.h>
#include <stdlib.h>

#include "loader/features/kernel_types/type_names.h"

/* A flavour begins with the last "___" between two characters that are no underscores. */
size_t type_name_essential(const char *name)
{
	size_t len = strnlen(name, TYPE_NAME_MAX);

	for (size_t i = len; i >= 5; i--) {
		const char *p = name + i - 5;

		if (p[0] != '_' && p[1] == '_' && p[2] == '_' && p[3] == '_' && p[4] != '_')
			return i - 4;
	}
	return len;
}

bool type_names_equal(const char *a, const char *b)
{
	size_t len = type_name_essential(a);

	return len == type_name_essential(b) && !memcmp(a, b, len);
}

int type_names_init(struct type_names *names, uint64_t nr, bool flavours)
{
	uint64_t size = 2;

	while (size <= 2 * nr)
		size *= 2;
	*names = (struct type_names){ .mask = size - 1, .flavours = flavours };
	names->names = calloc(size, sizeof(*names->names));
	return names->names ? 0 : -ENOMEM;
}

void type_names_free(struct type_names *names)
{
	free(names->names);
	memset(names, 0, sizeof(*names));
}

static size_t length(const struct type_names *names, const char *name)
{
	return names->flavours ? type_name_essential(name) : strnlen(name, TYPE_NAME_MAX);
}

/*
 * FNV-1a, seeded with the table's address, so that no object can be built whose names all collide.
 */
static uint32_t hash(const struct type_names *names, const char *name, size_t len)
{
	uint32_t h = 2166136261u ^ (uint32_t)((uintptr_t)names->names >> 4);

	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)name[i]) * 16777619u;
	return h;
}

/* Return the slot of @name, used or free. The table is at most half full. */
struct type_name *type_names_get(const struct type_names *names, const char *name)
{
	size_t len = length(names, name);

	for (uint32_t i = hash(names, name, len);; i++) {
		struct type_name *n = &names->names[i & names->mask];

		if (!n->name || (!strncmp(n->name, name, len) && length(names, n->name) == len))
			return n;
	}
}

/*
 * Return the first two characters of @name, by which most names of a kernel are rejected at once. A
 * name of one character has 0 as its second, also before a flavour.
 */
static uint32_t begin_of(const struct type_names *names, const char *name)
{
	unsigned char second = name[1] == '_' && length(names, name) == 1 ? 0 : name[1];

	return (unsigned char)name[0] << 8 | second;
}

static bool may_be_wanted(const struct type_names *names, const char *name)
{
	uint32_t begin = name[0] ? begin_of(names, name) : 0;

	return begin && names->begins[begin / 8] >> begin % 8 & 1;
}

struct type_name *type_names_add(struct type_names *names, const char *name, uint32_t kinds)
{
	struct type_name *n = type_names_get(names, name);
	uint32_t begin = name[0] ? begin_of(names, name) : 0;

	n->name = name;
	names->kinds |= kinds;
	if (begin)
		names->begins[begin / 8] |= 1 << begin % 8;
	return n;
}

static void visit_type(void *arg, const struct btf *btf, uint32_t id, uint32_t at)
{
	struct type_visit *visit = arg;
	const char *name = btf_string(btf, bytes_u32(btf->types, at, btf->swap));
	struct type_name *n;

	if (visit->result || !name || !may_be_wanted(visit->names, name))
		return;
	n = type_names_get(visit->names, name);
	if (n->name)
		visit->result = visit->found(visit->arg, n, btf_kind_of(btf, id), id);
}

struct btf_visitor type_visit_visitor(struct type_visit *visit)
{
	return (struct btf_visitor){ .kinds = visit->names->kinds,
				     .visit = visit_type,
				     .arg = visit };
}

int type_names_visit(const struct type_names *names, const struct btf *btf,
		     int (*found)(void *arg, struct type_name *name, uint32_t kind, uint32_t id),
		     void *arg)
{
	struct type_visit visit = { .names = names, .found = found, .arg = arg };
	const struct btf_visitor visitor = type_visit_visitor(&visit);

	btf_visit(btf, &visitor);
	return visit.result;
}
