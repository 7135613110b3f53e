// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Rewrite an object's BTF for older kernels. Newer kinds are replaced with older ones of the same
 * size, so that type ids do not change.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/object/parse.h"

#define WORD(field)	(offsetof(struct btf_type, field))
#define INFO(kind, vlen) ((uint32_t)(kind) << 24 | (vlen))

/* KSYM_NAME_LEN: no kernel accepts a longer name. */
#define NAME_MAX_LEN 512

/* Appended to the types: a one-byte INT, the type of union members. */
#define EXTRA (sizeof(struct btf_type) + sizeof(uint32_t))

static unsigned char *types_of(const struct btf_compat *o)
{
	return o->raw + BTF_HEADER_PLAIN;
}

static void put(const struct btf_compat *o, size_t at, uint32_t v)
{
	memcpy(types_of(o) + at, &v, sizeof(v));
}

static uint32_t get(const struct btf_compat *o, size_t at)
{
	uint32_t v;

	memcpy(&v, types_of(o) + at, sizeof(v));
	return v;
}

static int copy_btf(const struct btf *btf, struct btf_compat *o)
{
	struct btf_header header = {
		.magic = BTF_MAGIC, .version = BTF_VERSION, .hdr_len = BTF_HEADER_PLAIN,
		.type_len = btf->types.size + EXTRA, .str_off = btf->types.size + EXTRA,
		.str_len = btf->strings.size,
	};

	o->btf = btf;
	o->size = BTF_HEADER_PLAIN + btf->types.size + EXTRA + btf->strings.size;
	o->raw = malloc(o->size);
	if (!o->raw)
		return -ENOMEM;
	memcpy(o->raw, &header, BTF_HEADER_PLAIN);
	memcpy(types_of(o), btf->types.data, btf->types.size);
	memcpy(types_of(o) + header.str_off, btf->strings.data, btf->strings.size);
	put(o, btf->types.size + WORD(name_off), 0);
	put(o, btf->types.size + WORD(info), INFO(BTF_KIND_INT, 0));
	put(o, btf->types.size + WORD(size), 1);
	put(o, btf->types.size + sizeof(struct btf_type), 8);
	return 0;
}

/*
 * --- the steps: each gets type @t at offset @at, and returns true if it changed it ---
 */

/* Return the size of the entries if they start with a name. */
static size_t named_entry(uint32_t kind)
{
	switch (kind) {
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return sizeof(struct btf_member);
	case BTF_KIND_ENUM:
		return sizeof(struct btf_enum);
	case BTF_KIND_ENUM64:
		return sizeof(struct btf_enum64);
	case BTF_KIND_FUNC_PROTO:
		return sizeof(struct btf_param);
	default:
		return 0;
	}
}

static bool fix_name(const struct btf_compat *o, uint32_t off, bool dots)
{
	char *name = (char *)types_of(o) + o->types_size + off;
	bool changed = false;

	for (size_t i = 0; name[i] && i < NAME_MAX_LEN; i++) {
		if (name[i] == '_' || (dots && name[i] == '.') ||
		    (i ? isalnum((unsigned char)name[i]) : isalpha((unsigned char)name[i])))
			continue;
		name[i] = '_';
		changed = true;
	}
	return changed;
}

/*
 * Names must be C identifiers; Rust, C++ and compilers use others. Section names may contain dots.
 */
static bool fix_names(const struct btf_compat *o, const struct btf_type_view *t, size_t at)
{
	const size_t each = named_entry(t->kind);
	bool changed = false;

	if (t->kind != BTF_KIND_INT && t->kind != BTF_KIND_FLOAT && t->kind != BTF_KIND_DECL_TAG &&
	    t->kind != BTF_KIND_TYPE_TAG)
		changed = fix_name(o, get(o, at + WORD(name_off)), t->kind == BTF_KIND_DATASEC);
	for (uint32_t i = 0; each && i < t->vlen; i++)
		changed |= fix_name(o, get(o, at + sizeof(struct btf_type) + i * each), false);
	return changed;
}

/* The layout part (Linux 7.1) is not in the copy: see copy_btf(). */
static bool without_layouts(const struct btf_compat *o, const struct btf_type_view *t, size_t at)
{
	(void)t;
	(void)at;
	return o->btf->layouts.size;
}

/* ENUM64 and signed enums need Linux 6.0. The members of a UNION have the same size and names. */
static bool without_enum64(const struct btf_compat *o, const struct btf_type_view *t, size_t at)
{
	if (t->kind == BTF_KIND_ENUM && t->kind_flag) {
		put(o, at + WORD(info), INFO(BTF_KIND_ENUM, t->vlen));
		return true;
	}
	if (t->kind != BTF_KIND_ENUM64)
		return false;
	put(o, at + WORD(info), INFO(BTF_KIND_UNION, t->vlen));
	at += sizeof(struct btf_type);
	for (uint32_t i = 0; i < t->vlen; i++, at += sizeof(struct btf_member)) {
		put(o, at + offsetof(struct btf_member, type), o->extra_type);
		put(o, at + offsetof(struct btf_member, offset), 0);
	}
	return true;
}

/* TYPE_TAG needs Linux 5.17. */
static bool without_type_tag(const struct btf_compat *o, const struct btf_type_view *t, size_t at)
{
	if (t->kind != BTF_KIND_TYPE_TAG)
		return false;
	put(o, at + WORD(name_off), 0);
	put(o, at + WORD(info), INFO(BTF_KIND_CONST, 0));
	return true;
}

static bool make_int(const struct btf_compat *o, size_t at)
{
	put(o, at + WORD(info), INFO(BTF_KIND_INT, 0));
	put(o, at + WORD(size), 1);
	put(o, at + sizeof(struct btf_type), 8);
	return true;
}

/*
 * Argument tags (Linux 6.8) state the requirements of a global function. A static function is
 * verified with its actual arguments instead.
 */
static bool without_arg_tag(const struct btf_compat *o, const struct btf_type_view *t, size_t at)
{
	struct btf_type_view func;

	(void)at;
	if (t->kind != BTF_KIND_DECL_TAG || strncmp(t->name, "arg:", 4))
		return false;
	func = btf_type(o->btf, t->type);
	if (func.kind != BTF_KIND_FUNC || func.extra == BTF_FUNC_STATIC)
		return false;
	put(o, o->btf->offsets[func.id] + WORD(info), INFO(BTF_KIND_FUNC, BTF_FUNC_STATIC));
	return true;
}

/*
 * In BTF, which has no address spaces, a pointer into an arena looks like any other, so the kernel
 * needs a tag on the argument. A newer kernel may detect it in other ways, but not this one.
 */
static bool without_pointer(const struct btf_compat *o, const struct btf_type_view *t, size_t at)
{
	struct btf_type_view proto;

	if (t->kind != BTF_KIND_FUNC || t->extra == BTF_FUNC_STATIC)
		return false;
	proto = btf_type(o->btf, t->type);
	for (uint32_t i = 0; i < proto.vlen; i++) {
		const size_t param = o->btf->offsets[proto.id] + sizeof(struct btf_type) +
				     i * sizeof(struct btf_param);
		const uint32_t type = get(o, param + offsetof(struct btf_param, type));

		if (btf_skip(o->btf, type).kind != BTF_KIND_PTR)
			continue;
		put(o, at + WORD(info), INFO(BTF_KIND_FUNC, BTF_FUNC_STATIC));
		return true;
	}
	return false;
}

/* DECL_TAG needs Linux 5.16, on typedefs 5.17. */
static bool without_decl_tag(const struct btf_compat *o, const struct btf_type_view *t, size_t at)
{
	if (t->kind != BTF_KIND_DECL_TAG)
		return false;
	without_arg_tag(o, t, at);
	return make_int(o, at);
}

/* FLOAT needs Linux 5.13. */
static bool without_float(const struct btf_compat *o, const struct btf_type_view *t, size_t at)
{
	if (t->kind != BTF_KIND_FLOAT)
		return false;
	put(o, at + WORD(name_off), 0);
	put(o, at + WORD(info), INFO(BTF_KIND_STRUCT, 0));
	return true;
}

/* Global functions need Linux 5.6; older kernels verify all functions like static ones. */
static bool without_global_func(const struct btf_compat *o, const struct btf_type_view *t,
				size_t at)
{
	if (t->kind != BTF_KIND_FUNC || t->extra == BTF_FUNC_STATIC)
		return false;
	put(o, at + WORD(info), INFO(BTF_KIND_FUNC, BTF_FUNC_STATIC));
	return true;
}

/* VAR and DATASEC need Linux 5.2. A struct of the variables describes the map's value. */
static bool without_variables(const struct btf_compat *o, const struct btf_type_view *t, size_t at)
{
	if (t->kind == BTF_KIND_VAR)
		return make_int(o, at);
	if (t->kind != BTF_KIND_DATASEC)
		return false;
	put(o, at + WORD(name_off), 0);
	put(o, at + WORD(info), INFO(BTF_KIND_STRUCT, t->vlen));
	at += sizeof(struct btf_type);
	for (uint32_t i = 0; i < t->vlen; i++, at += sizeof(struct btf_member)) {
		const uint32_t var = get(o, at), offset = get(o, at + 4);

		put(o, at + offsetof(struct btf_member, name_off), 0);
		put(o, at + offsetof(struct btf_member, type), var);
		put(o, at + offsetof(struct btf_member, offset), offset * 8);
	}
	return true;
}

/* FUNC and FUNC_PROTO need Linux 5.0. */
static bool without_funcs(const struct btf_compat *o, const struct btf_type_view *t, size_t at)
{
	if (t->kind == BTF_KIND_FUNC_PROTO) {
		put(o, at + WORD(info), INFO(BTF_KIND_ENUM, t->vlen));
		put(o, at + WORD(size), sizeof(uint32_t));
		return true;
	}
	if (t->kind != BTF_KIND_FUNC)
		return false;
	put(o, at + WORD(info), INFO(BTF_KIND_TYPEDEF, 0));
	return true;
}

/* Newest first: kernels are more often a few years old than many. */
static const struct {
	bool (*change)(const struct btf_compat *o, const struct btf_type_view *t, size_t at);
	const char *feature;
	bool for_maps_only;	/* leaves nothing that describes programs */
} steps[] = {
	{ without_layouts, "layouts (Linux 7.1)", false },
	{ fix_names, "names that are not C identifiers", false },
	{ without_enum64, "64-bit and signed enums (6.0)", false },
	{ without_type_tag, "type tags (5.17)", false },
	{ without_decl_tag, "declaration tags (5.16)", false },
	{ without_float, "floats (5.13)", false },
	{ without_global_func, "global functions (5.6)", false },
	{ without_variables, "variables (5.2)", false },
	{ without_funcs, "functions (5.0)", true },
};

#define NR_STEPS (sizeof(steps) / sizeof(steps[0]))

static int begin(const struct bpf_object *obj, struct btf_compat *o)
{
	const struct btf *btf = &obj->btf;

	/* A header in foreign byte order means a damaged file. */
	if (btf->swap || btf->types.size > UINT32_MAX - EXTRA - btf->strings.size)
		return 0;
	if (!o->raw && copy_btf(btf, o))
		return -ENOMEM;
	o->types_size = btf->types.size + EXTRA;
	o->extra_type = btf->nr_types;
	return 1;
}

static bool change_all(const struct btf_compat *o,
		       bool (*change)(const struct btf_compat *o, const struct btf_type_view *t,
				      size_t at))
{
	bool changed = false;

	for (uint32_t id = 1; id < o->btf->nr_types; id++) {
		struct btf_type_view t = btf_type(o->btf, id);

		changed |= change(o, &t, o->btf->offsets[id]);
	}
	return changed;
}

int btf_compat_next(const struct bpf_object *obj, struct btf_compat *o)
{
	int ret = begin(obj, o);

	while (ret > 0 && o->step < NR_STEPS) {
		const unsigned int step = o->step++;

		if (!change_all(o, steps[step].change))
			continue;
		o->changed |= 1u << step;
		o->for_maps_only |= steps[step].for_maps_only;
		return 1;
	}
	return ret < 0 ? ret : 0;
}

const char *btf_compat_feature(unsigned int step)
{
	return step < NR_STEPS ? steps[step].feature : NULL;
}

static bool has_arena(const struct bpf_object *obj)
{
	for (uint32_t i = 0; i < obj->nr_maps; i++)
		if (obj->maps[i].type == BPF_MAP_TYPE_ARENA)
			return true;
	return false;
}

int btf_compat_untag(const struct bpf_object *obj, struct btf_compat *o)
{
	int ret = begin(obj, o);

	if (ret > 0)
		ret = change_all(o, has_arena(obj) ? without_pointer : without_arg_tag);
	return ret;
}

void btf_compat_free(struct btf_compat *o)
{
	free(o->raw);
	memset(o, 0, sizeof(*o));
}
