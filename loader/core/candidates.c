// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The types of a kernel that have one of the names an object asks for: one walk over a hundred
 * thousand types, which looks at the names of those kinds only that somebody asked for.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "loader/core/parts.h"

/* FNV-1a, of the name without its flavour. */
static uint32_t hash(const char *name, size_t len)
{
	uint32_t h = 2166136261u;

	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)name[i]) * 16777619u;
	return h;
}

/* The place of @name in the table, taken or free. There is always a free one. */
static struct core_name *place(const struct core_names *names, const char *name)
{
	size_t len = core_essential(name);

	for (uint32_t i = hash(name, len);; i++) {
		struct core_name *n = &names->names[i & names->mask];

		if (!n->name || (core_essential(n->name) == len && !memcmp(n->name, name, len)))
			return n;
	}
}

/*
 * Most names of a kernel are none of those wanted, and most of these differ at once. The second
 * character may be the 0 behind the first.
 */
static uint32_t begin_of(const char *name)
{
	return (unsigned char)name[0] << 8 | (unsigned char)name[1];
}

static bool may_be_wanted(const struct core_names *names, const char *name)
{
	return name[0] && names->begins[begin_of(name) / 8] >> begin_of(name) % 8 & 1;
}

static void add_names(struct core_names *names, const struct btf *local, const struct btf_ext *ext)
{
	for (uint32_t s = 0; s < ext->core_relo.nr_secs; s++) {
		const struct btf_ext_sec *sec = &ext->core_relo.secs[s];

		for (uint32_t i = 0; i < sec->num; i++) {
			struct btf_type_view t =
				core_type(local, btf_ext_core(ext, sec, i).type_id);

			names->kinds |= UINT32_C(1) << t.kind;
			place(names, t.name)->name = t.name;
			if (t.name[0])
				names->begins[begin_of(t.name) / 8] |= 1 << begin_of(t.name) % 8;
		}
	}
	if (names->kinds & (1u << BTF_KIND_ENUM | 1u << BTF_KIND_ENUM64))
		names->kinds |= 1u << BTF_KIND_ENUM | 1u << BTF_KIND_ENUM64;
}

static int add_candidate(struct core_names *names, struct core_name *n, uint32_t id)
{
	/* Room grows by doubling: one more than a power of two elements is the moment. */
	if (!(names->nr & (names->nr - 1))) {
		void *list = realloc(names->list, 2 * names->nr * sizeof(*names->list));

		if (!list)
			return -ENOMEM;
		names->list = list;
	}
	names->list[names->nr] = (struct core_candidate){ .type = id };
	if (n->last)
		names->list[n->last].next = names->nr;
	else
		n->first = names->nr;
	n->last = names->nr++;
	return 0;
}

static int walk(struct core_names *names, const struct btf *target)
{
	int ret = 0;

	for (uint32_t id = 1; !ret && id < target->nr_types; id++) {
		size_t at = target->offsets[id];
		uint32_t info = bytes_u32(target->types, at + offsetof(struct btf_type, info),
					  target->swap);
		struct core_name *n;
		const char *name;

		if (!(names->kinds >> BTF_INFO_KIND(info) & 1))
			continue;
		name = btf_string(target, bytes_u32(target->types, at, target->swap));
		if (!name || !may_be_wanted(names, name))
			continue;
		n = place(names, name);
		if (n->name)
			ret = add_candidate(names, n, id);
	}
	return ret;
}

int core_names_find(struct core_names *names, const struct btf *local, const struct btf_ext *ext,
		    const struct btf *target, struct error *err)
{
	uint64_t nr = 1, size = 2;
	int ret = -ENOMEM;

	for (uint32_t s = 0; s < ext->core_relo.nr_secs; s++)
		nr += ext->core_relo.secs[s].num;
	while (size < 2 * nr)
		size *= 2;
	*names = (struct core_names){ .mask = size - 1, .nr = 1 };
	names->names = calloc(size, sizeof(*names->names));
	names->list = calloc(1, sizeof(*names->list));
	if (names->names && names->list) {
		add_names(names, local, ext);
		ret = walk(names, target);
	}
	if (!ret)
		return 0;
	core_names_free(names);
	return error_set(err, ENOMEM, "no memory for the names of %" PRIu64 " relocations", nr - 1);
}

uint32_t core_names_first(const struct core_names *names, const char *name)
{
	return place(names, name)->first;
}

void core_names_free(struct core_names *names)
{
	free(names->names);
	free(names->list);
	memset(names, 0, sizeof(*names));
}
