// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Choose the BTF type of the records of a map. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/print/record.h"
#include "loader/core/value/layout.h"
#include "loader/core/value/value.h"

#define MAX_DEPTH 32

/*
 * Mark type @id and the types of its members, but not the targets of pointers. The depth is limited
 * because BTF may be hostile; no compiler nests that deeply.
 */
static void mark(const struct btf *btf, uint32_t id, bool *marks, unsigned int depth)
{
	struct btf_type_view t = btf_skip(btf, id);
	struct btf_member_view m;

	if (depth == MAX_DEPTH)
		return;
	if (t.kind == BTF_KIND_ARRAY)
		mark(btf, btf_array(btf, &t).type, marks, depth + 1);
	if ((t.kind != BTF_KIND_STRUCT && t.kind != BTF_KIND_UNION) || marks[t.id])
		return;
	marks[t.id] = true;
	for (uint32_t i = 0; i < t.vlen; i++) {
		m = btf_member(btf, &t, i);
		mark(btf, m.type, marks, depth + 1);
	}
}

/* Mark the map definitions, which are variables in their own section. */
static void mark_maps(const struct btf *btf, const char *section, bool *marks)
{
	uint32_t id = btf_find(btf, BTF_KIND_DATASEC, section);
	struct btf_type_view t = btf_type(btf, id), var;

	for (uint32_t i = 0; id && i < t.vlen; i++) {
		var = btf_type(btf, btf_datasec_var(btf, &t, i).type);
		if (var.kind == BTF_KIND_VAR)
			mark(btf, var.type, marks, 0);
	}
}

/* Mark the type that the first parameter of function @name points to: the program context. */
static void mark_context(const struct btf *btf, const char *name, bool *marks)
{
	uint32_t id = btf_find(btf, BTF_KIND_FUNC, name);
	struct btf_type_view t;

	if (!id)
		return;
	t = btf_skip(btf, btf_type(btf, id).type);
	if (t.kind != BTF_KIND_FUNC_PROTO || !t.vlen)
		return;
	t = btf_skip(btf, btf_param(btf, &t, 0).type);
	if (t.kind == BTF_KIND_PTR)
		mark(btf, t.type, marks, 0);
}

/*
 * Return true for struct bpf_timer and similar types in map values, whose contents are opaque
 * (include/uapi/linux/bpf.h).
 */
static bool is_opaque(const struct btf *btf, const struct btf_type_view *t)
{
	return t->vlen && !strcmp(btf_member(btf, t, 0).name, "__opaque");
}

/* Return @id if it is a struct with a name or a typedef, otherwise 0. */
static uint32_t named_struct(const struct btf *btf, uint32_t id)
{
	struct btf_type_view t = btf_type(btf, id), to;

	if (t.kind == BTF_KIND_STRUCT && t.name[0])
		return is_opaque(btf, &t) ? 0 : id;
	if (t.kind != BTF_KIND_TYPEDEF)
		return 0;
	to = btf_type(btf, t.type);
	return to.kind == BTF_KIND_STRUCT && !to.name[0] ? to.id : 0;
}

/* Mark the members of struct @id only once, although several typedefs may name it. */
static void mark_members(const struct btf *btf, uint32_t id, bool *marks, bool *visited)
{
	struct btf_type_view t = btf_type(btf, id);
	struct btf_member_view m;

	if (visited[id])
		return;
	visited[id] = true;
	for (uint32_t i = 0; i < t.vlen; i++) {
		m = btf_member(btf, &t, i);
		mark(btf, m.type, marks, 0);
	}
}

/* Return the first unmarked struct of @size bytes from id @id on, or 0. */
static uint32_t next_candidate(const struct btf *btf, uint32_t id, uint32_t size, const bool *marks)
{
	uint32_t type;

	for (; id < btf->nr_types; id++) {
		type = named_struct(btf, id);
		if (type && !marks[type] && btf_type(btf, type).size == size)
			return id;
	}
	return 0;
}

static void note_candidates(const struct bpf_object *obj, struct record_format *format,
			    const bool *marks, char *note, size_t note_size)
{
	const struct btf *btf = &obj->btf;
	uint32_t id = next_candidate(btf, 1, format->size, marks);
	int n;

	if (!id) {
		format->no_struct = true;
		snprintf(note, note_size,
			 "its %u-byte records are printed as hex: the object's BTF has no struct "
			 "of that size (declare a global pointer to one)", format->size);
		return;
	}
	n = snprintf(note, note_size,
		     "its %u-byte records are printed as hex: they could be any of",
		     format->size);
	for (const char *sep = ""; id && n >= 0 && (size_t)n < note_size; sep = ",") {
		n += snprintf(note + n, note_size - n, "%s %s", sep, btf_type(btf, id).name);
		id = next_candidate(btf, id + 1, format->size, marks);
	}
}

/* Take the only candidate; if there is none or more than one, explain that in the note. */
static int guess_type(struct record_format *format, const struct bpf_object *obj, char *note,
		      size_t note_size, struct error *err)
{
	const struct btf *btf = &obj->btf;
	bool *marks = calloc(2 * (size_t)btf->nr_types, sizeof(*marks));
	bool *visited = marks + (marks ? btf->nr_types : 0);
	uint32_t id, only;

	if (!marks)
		return error_set(err, ENOMEM, "no memory for %u types", btf->nr_types);
	mark_maps(btf, ".maps", marks);
	mark_maps(btf, "maps", marks);
	for (uint32_t i = 0; i < obj->nr_progs; i++)
		mark_context(btf, obj->progs[i].name, marks);
	/* A struct and its only member have the same size: take the outer one. */
	for (id = 1; (id = next_candidate(btf, id, format->size, marks)); id++)
		mark_members(btf, named_struct(btf, id), marks, visited);
	id = next_candidate(btf, 1, format->size, marks);
	only = id ? named_struct(btf, id) : 0;
	if (only && !next_candidate(btf, id + 1, format->size, marks))
		format->type = only;
	else
		note_candidates(obj, format, marks, note, note_size);
	free(marks);
	return 0;
}

/* Take type @id, with or without a flexible array at its end. Return false if it has no size. */
static bool take_type(struct record_format *format, const struct btf *btf, uint32_t id)
{
	const struct btf_type_view t = btf_skip(btf, id);
	const int64_t size = id ? btf_size(btf, id) : -ENOENT;

	if (size <= 0 || size > UINT32_MAX)
		return false;
	format->type = id;
	format->size = size;
	format->flexible = layout_flexible_array(btf, &t);
	return true;
}

static int find_type(struct record_format *format, const struct bpf_object *obj, const char *name,
		     struct error *err)
{
	static const struct {
		const char *prefix;
		uint32_t kind;
	} kinds[] = {
		{ "struct ", BTF_KIND_STRUCT },
		{ "union ", BTF_KIND_UNION },
		{ "", BTF_KIND_TYPEDEF },
		{ "enum ", BTF_KIND_ENUM },
		{ "enum ", BTF_KIND_ENUM64 },
		{ "", BTF_KIND_INT },
	};
	const char *bare = name;
	uint32_t id = 0;
	size_t n;

	if (!obj->has_btf) {
		error_set(err, EINVAL, "records as '%s': the object has no BTF", name);
		return error_reason(err, "output/no-type");
	}
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]) && !id; i++) {
		n = strlen(kinds[i].prefix);
		bare = strncmp(name, kinds[i].prefix, n) ? name : name + n;
		id = btf_find(&obj->btf, kinds[i].kind, bare);
	}
	if (take_type(format, &obj->btf, id))
		return 0;
	error_set(err, ENOENT, "records as '%s': the object's BTF has no such type%s", name,
		  id ? " with a size" : "");
	error_reason(err, "output/no-type");
	return error_hint(err, "use a struct of the object; declare a global pointer to it to get "
			       "it into the BTF");
}

int record_format_init(struct record_format *format, const struct record_source *source, char *note,
		       size_t note_size, struct error *err)
{
	const struct bpf_object *obj = source->obj;
	const struct map_usage *usage = source->usage;
	const struct object_map *map = &obj->maps[source->map];

	*format = (struct record_format){
		.map = map->name,
		.map_index = source->map,
		.btf = obj->has_btf ? &obj->btf : NULL,
		.payload = usage->payload && !usage->record_varies,
	};
	if (note_size)
		note[0] = '\0';
	if (source->type_name)
		return find_type(format, obj, source->type_name, err);
	if (map->type == BPF_MAP_TYPE_RINGBUF && obj->has_btf &&
	    take_type(format, &obj->btf, map->value_type))
		return 0;
	if (!usage->record_varies)
		format->size = usage->record_size;
	else if (obj->has_btf)
		snprintf(note, note_size,
			 "its records are printed as hex, because their size varies or is "
			 "unknown: set their type with --record=MAP:TYPE");
	return format->size && obj->has_btf ? guess_type(format, obj, note, note_size, err) : 0;
}
