// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The list of fields that contain stacks, and fields found by declaration tags or names. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "loader/objects/analysis/stack_fields.h"

/* Maximum nesting of structs, deeper than any that people write. */
#define NESTING_MAX 8
#define MEMBERS_MAX 65536

int stack_fields_add(struct stack_fields *fields, const struct stack_field *field,
		     struct error *err)
{
	struct stack_field *list, *old;

	for (uint32_t i = 0; i < fields->nr; i++) {
		old = &fields->list[i];
		if (old->map != field->map || old->part != field->part ||
		    old->offset != field->offset)
			continue;
		if (field->source > old->source && field->source != STACK_FIELD_BY_NAME)
			*old = *field;
		else if (field->source == old->source &&
			 (old->role != field->role || old->stacks != field->stacks ||
			  old->user != field->user))
			old->role = STACK_FIELD_MIXED;
		return 0;
	}
	list = array_grow(fields->list, fields->nr, sizeof(*list));
	if (!list)
		return error_set(err, ENOMEM, "no memory for stack fields");
	fields->list = list;
	fields->list[fields->nr++] = *field;
	return 0;
}

bool stack_fields_have(const struct stack_fields *fields, enum stack_field_role role)
{
	for (uint32_t i = 0; i < fields->nr; i++)
		if (fields->list[i].role == role)
			return true;
	return false;
}

static bool has_role(const struct stack_fields *fields, uint32_t map, enum stack_field_part part,
		     enum stack_field_role role)
{
	for (uint32_t i = 0; i < fields->nr; i++)
		if (fields->list[i].map == map && fields->list[i].part == part &&
		    fields->list[i].role == role)
			return true;
	return false;
}

void stack_fields_free(struct stack_fields *fields)
{
	free(fields->list);
	*fields = (struct stack_fields){ 0 };
}

/* --- members of structs --- */

struct member {
	char path[128];		/* "a.b" */
	uint32_t offset;	/* in bytes */
	uint32_t type;
	uint32_t struct_id, index;	/* the struct that contains it, and its index there */
};

/* Called for each member; returning true ends the iteration. */
typedef bool (*visit_member)(void *arg, const struct btf *btf, const struct member *m);

static bool is_struct(const struct btf_type_view *t)
{
	return t->kind == BTF_KIND_STRUCT || t->kind == BTF_KIND_UNION;
}

struct visit {
	const struct btf *btf;
	visit_member member;
	void *arg;
	uint32_t left;		/* members of nested unions could be exponentially many */
};

static bool visit_struct(struct visit *v, uint32_t id, const struct member *outer, int depth)
{
	const struct btf_type_view t = btf_skip(v->btf, id);
	struct member m = *outer;
	struct btf_member_view view;

	for (uint32_t i = 0; is_struct(&t) && depth < NESTING_MAX && i < t.vlen && v->left; i++) {
		v->left--;
		view = btf_member(v->btf, &t, i);
		if (view.bitfield_size || view.bit_offset % 8)
			continue;
		snprintf(m.path, sizeof(m.path), "%.60s%s%.60s", outer->path,
			 outer->path[0] && view.name[0] ? "." : "", view.name);
		m.offset = outer->offset + view.bit_offset / 8;
		m.type = view.type;
		m.struct_id = t.id;
		m.index = i;
		if (v->member(v->arg, v->btf, &m) || visit_struct(v, m.type, &m, depth + 1))
			return true;
	}
	return false;
}

static bool visit_members(const struct btf *btf, uint32_t type, visit_member member, void *arg)
{
	struct visit v = { .btf = btf, .member = member, .arg = arg, .left = MEMBERS_MAX };
	const struct member none = { 0 };

	return btf && type && type < btf->nr_types && visit_struct(&v, type, &none, 0);
}

static uint32_t part_type(const struct object_map *map, enum stack_field_part part)
{
	return part == STACK_FIELD_KEY ? map->key_type :
	       part == STACK_FIELD_VALUE ? map->value_type : 0;
}

static uint32_t member_size(const struct btf *btf, const struct member *m)
{
	const int64_t size = btf_size(btf, m->type);

	return size > 0 && size <= UINT32_MAX ? (uint32_t)size : 0;
}

/* --- names --- */

struct at_offset {
	uint32_t offset;
	char *name;
	size_t size;
};

/* The innermost member at an offset is not a struct. */
static bool is_at_offset(void *arg, const struct btf *btf, const struct member *m)
{
	const struct at_offset *at = arg;
	const struct btf_type_view t = btf_skip(btf, m->type);

	if (m->offset != at->offset || is_struct(&t))
		return false;
	snprintf(at->name, at->size, "%s", m->path);
	return true;
}

void stack_field_name(const struct btf *btf, uint32_t type, uint32_t offset, char *name,
		      size_t size)
{
	struct at_offset at = { .offset = offset, .name = name, .size = size };

	name[0] = '\0';
	if (!visit_members(btf, type, is_at_offset, &at) && offset)
		snprintf(name, size, "@%u", offset);
}

struct by_name {
	struct stack_fields *fields;
	struct stack_field field;	/* what the fields to add have in common */
	bool tgid, pid, comm;	/* roles that are searched for */
	int ret;
	struct error *err;
};

static bool add_named(void *arg, const struct btf *btf, const struct member *m)
{
	struct by_name *by = arg;
	const struct btf_type_view t = btf_skip(btf, m->type);
	const char *dot = strrchr(m->path, '.'), *name = dot ? dot + 1 : m->path;
	struct stack_field field = by->field;

	field.offset = m->offset;
	field.size = member_size(btf, m);
	if (t.kind == BTF_KIND_ARRAY && by->comm && !strcmp(name, "comm")) {
		field.role = STACK_FIELD_COMM;
		by->comm = false;
	} else if (t.kind == BTF_KIND_INT && field.size == 4 &&
		   ((by->tgid && !strcmp(name, "tgid")) || (by->pid && !strcmp(name, "pid")))) {
		field.role = STACK_FIELD_TGID;
		by->tgid = by->pid = false;
	} else {
		return false;
	}
	by->ret = stack_fields_add(by->fields, &field, by->err);
	return by->ret;
}

int stack_fields_by_names(const struct btf *btf, uint32_t type, uint32_t map,
			  enum stack_field_part part, struct stack_fields *fields,
			  struct error *err)
{
	const bool tgid = !has_role(fields, map, part, STACK_FIELD_TGID);
	struct by_name by = {
		.fields = fields, .err = err, .tgid = tgid,
		.comm = !has_role(fields, map, part, STACK_FIELD_COMM),
		.field = { .map = map, .part = part, .source = STACK_FIELD_BY_NAME },
	};

	/* Many use "pid" for the tgid, but not if there is also a "tgid". */
	visit_members(btf, type, add_named, &by);
	by.pid = by.tgid;
	if (!by.ret && by.pid)
		visit_members(btf, type, add_named, &by);
	return by.ret;
}

/* --- declaration tags --- */

static int64_t find_stacks(const struct bpf_object *obj, const char *name)
{
	for (uint32_t i = 0; i < obj->nr_maps; i++)
		if (obj->maps[i].type == BPF_MAP_TYPE_STACK_TRACE &&
		    !strcmp(obj->maps[i].name, name))
			return i;
	return -1;
}

static int no_stacks(const char *name, struct error *err)
{
	error_set(err, EINVAL, "the object has no stack trace map '%s'", name);
	error_reason(err, "output/stack-field");
	return error_hint(err, "it is a map of type BPF_MAP_TYPE_STACK_TRACE");
}

struct tagged {
	struct stack_fields *fields;
	struct stack_field field;
	uint32_t struct_id, index;
	int ret;
	struct error *err;
};

static bool add_tagged(void *arg, const struct btf *btf, const struct member *m)
{
	struct tagged *tagged = arg;
	struct stack_field field = tagged->field;

	if (m->struct_id != tagged->struct_id || m->index != tagged->index)
		return false;
	field.offset = m->offset;
	field.size = member_size(btf, m);
	tagged->ret = stack_fields_add(tagged->fields, &field, tagged->err);
	return tagged->ret;
}

static int apply_tag(const struct bpf_object *obj, const struct btf_type_view *tag,
		     struct stack_fields *fields, struct error *err)
{
	const char *name = tag->name + strlen("stack_id:");
	const int64_t stacks = find_stacks(obj, name);
	struct tagged tagged = {
		.fields = fields, .err = err,
		.struct_id = btf_skip(&obj->btf, tag->type).id, .index = tag->extra,
	};

	if (stacks < 0) {
		no_stacks(name, err);
		return error_where(err, "declaration tag \"%s\"", tag->name);
	}
	for (uint32_t i = 0; !tagged.ret && i < obj->nr_maps; i++) {
		for (int part = STACK_FIELD_KEY; part <= STACK_FIELD_VALUE; part++) {
			tagged.field = (struct stack_field){
				.map = i, .part = part, .stacks = stacks,
				.source = STACK_FIELD_BY_TAG,
			};
			visit_members(&obj->btf, part_type(&obj->maps[i], part), add_tagged,
				      &tagged);
		}
	}
	return tagged.ret;
}

int stack_fields_by_tags(const struct bpf_object *obj, struct stack_fields *fields,
			 struct error *err)
{
	struct btf_type_view tag;
	int ret = 0;

	for (uint32_t i = 1; obj->has_btf && !ret && i < obj->btf.nr_types; i++) {
		if (btf_kind_of(&obj->btf, i) != BTF_KIND_DECL_TAG)
			continue;
		tag = btf_type(&obj->btf, i);
		if (!strncmp(tag.name, "stack_id:", strlen("stack_id:")))
			ret = apply_tag(obj, &tag, fields, err);
	}
	return ret;
}
