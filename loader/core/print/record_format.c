// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Choose the BTF type of the records of a map. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/print/record.h"
#include "loader/core/value/layout.h"
#include "loader/core/value/value.h"

/* A struct of which only the name is known, and a line of the source that has it. */
struct missing_struct {
	char name[64];
	const char *file;	/* borrowed from the BTF */
	uint32_t line;
};

/*
 * missing_struct_find() - Find the struct that lines of the programs' source name and the BTF of
 * @obj does not describe. Return: false if there is none, or more than one.
 */
static bool missing_struct_find(const struct bpf_object *obj, struct missing_struct *found);

#define MAX_DEPTH 32

/*
 * Mark type @id and the types of its by-value members, but not those that pointers refer to. The
 * depth is bounded because BTF may be hostile; no compiler nests that deeply.
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

/* Mark the map definitions, which are variables of their own section. */
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
 * Return true for struct bpf_timer and similar types of map values, whose contents are opaque
 * (include/uapi/linux/bpf.h).
 */
static bool is_opaque(const struct btf *btf, const struct btf_type_view *t)
{
	return t->vlen && !strcmp(btf_member(btf, t, 0).name, "__opaque");
}

/* Return @id if it is a struct with a name of its own or of a typedef, else 0. */
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

/* Mark the members of struct @id once, although several typedefs may name it. */
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

/* Return the first id from @id on whose struct has @size bytes and is not marked, or 0. */
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

/* Name the line that makes the compiler describe a struct that is local to a function. */
static void note_missing(const struct bpf_object *obj, const struct record_format *format,
			 char *note, size_t note_size)
{
	struct missing_struct missing;
	const char *slash;
	int n = snprintf(note, note_size,
			 "its records of %u bytes are shown as hex: the object's BTF has no struct "
			 "of that size", format->size);

	if (n < 0 || (size_t)n >= note_size)
		return;
	if (!missing_struct_find(obj, &missing)) {
		snprintf(note + n, note_size - n, " (a global pointer to one puts it there)");
		return;
	}
	slash = strrchr(missing.file, '/');
	snprintf(note + n, note_size - n,
		 ", nor struct %s, which %.64s:%u uses. A global line after its definition puts it "
		 "there: struct %s *unused __attribute__((unused));", missing.name,
		 slash ? slash + 1 : missing.file, missing.line, missing.name);
}

static void note_candidates(const struct bpf_object *obj, const struct record_format *format,
			    const bool *marks, char *note, size_t note_size)
{
	const struct btf *btf = &obj->btf;
	uint32_t id = next_candidate(btf, 1, format->size, marks);
	int n;

	if (!id) {
		note_missing(obj, format, note, note_size);
		return;
	}
	n = snprintf(note, note_size,
		     "its records of %u bytes are shown as hex: they could be any of",
		     format->size);
	for (const char *sep = ""; id && n >= 0 && (size_t)n < note_size; sep = ",") {
		n += snprintf(note + n, note_size - n, "%s %s", sep, btf_type(btf, id).name);
		id = next_candidate(btf, id + 1, format->size, marks);
	}
}

/* Take the only candidate; if there is none or more than one, explain it in the note. */
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

/* Take type @id, which ends in an array of no elements or does not. Return false without a size. */
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
	return error_hint(err, "name a struct of the object; a global pointer to it makes the "
			       "compiler describe it");
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
			 "its programs write records of several sizes, or of one that only they "
			 "know: shown as hex; --record=MAP:TYPE names their type");
	return format->size && obj->has_btf ? guess_type(format, obj, note, note_size, err) : 0;
}

#define LINES_MAX 65536

static bool is_identifier(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Find the next "struct NAME" of a line from *@text on. Return the length of the name, or 0. */
static size_t next_struct(const char **text, const char *line)
{
	const char *at = *text;
	size_t len;

	while ((at = strstr(at, "struct "))) {
		const bool begins = at == line || !is_identifier(at[-1]);

		at += strlen("struct ");
		for (len = 0; is_identifier(at[len]);)
			len++;
		*text = at;
		if (begins && len)
			return len;
	}
	return 0;
}

/* Look at one line. Return false if there is a second struct, so that none can be named. */
static bool look_at(const struct btf *btf, const struct btf_line_info *info,
		    struct missing_struct *found)
{
	const char *line = btf_string(btf, info->line_off), *text = line;
	char name[sizeof(found->name)];
	size_t len;

	if (!line || !btf_string(btf, info->file_name_off))
		return true;
	for (; (len = next_struct(&text, line)); text += len) {
		if (len >= sizeof(name))
			continue;
		memcpy(name, text, len);
		name[len] = '\0';
		if (!strcmp(name, found->name) || btf_find(btf, BTF_KIND_STRUCT, name))
			continue;
		if (found->name[0])
			return false;
		strcpy(found->name, name);
		found->file = btf_string(btf, info->file_name_off);
		found->line = info->line_col >> 10;
	}
	return true;
}

static bool missing_struct_find(const struct bpf_object *obj, struct missing_struct *found)
{
	const struct btf_ext_info *lines = &obj->ext.line_info;
	uint32_t left = LINES_MAX;

	*found = (struct missing_struct){ .file = "" };
	for (uint32_t s = 0; s < lines->nr_secs; s++)
		for (uint32_t i = 0; i < lines->secs[s].num; i++) {
			const struct btf_line_info info =
				btf_ext_line(&obj->ext, &lines->secs[s], i);

			if (!left-- || !look_at(&obj->btf, &info, found))
				return false;
		}
	return found->name[0];
}
