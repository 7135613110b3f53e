// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The order of types. declare() declares a type, which is enough for a pointer to it; define()
 * defines it, as a member requires. A struct used only through pointers is first declared as
 * "struct x;".
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "loader/tools/inspect/types/types_internal.h"

static void define(struct c_types *c, uint32_t id, unsigned int depth);
static void declare(struct c_types *c, uint32_t id, unsigned int depth);

/* Pass on the text so far, unless a type is incomplete. */
static void flush(struct c_types *c, uint32_t id)
{
	if (c->text.size && !c->ret && !c_stopped(c))
		c->ret = c->print(c->arg, id, c->text.s, c->text.size);
	c->text.size = 0;
}

/* Predefined by the compiler; clang and gcc define it differently. */
static bool is_builtin(const struct btf_type_view *t)
{
	return !strncmp(t->name, "__builtin_va_list", strlen("__builtin_va_list"));
}

static void print_typedef(struct c_types *c, const struct btf_type_view *t)
{
	struct c_text name = { 0 };

	c_put_type_name(c, &name, t);
	c_put(c, &c->text, "typedef ");
	if (!t->type && !strcmp(t->name, "__gnuc_va_list"))
		c_put(c, &c->text, "__builtin_va_list __gnuc_va_list");
	else
		c_declare(c, &c->text, t->type, name.s ? name.s : "", 0, 0);
	c_put(c, &c->text, ";\n\n");
	free(name.s);
}

static void print_composite(struct c_types *c, const struct btf_type_view *t)
{
	c_put(c, &c->text, "%s ", t->kind == BTF_KIND_STRUCT ? "struct" :
				   t->kind == BTF_KIND_UNION  ? "union" : "enum");
	if (t->name[0]) {
		c_put_type_name(c, &c->text, t);
		c_put(c, &c->text, " ");
	}
	c_define_members(c, &c->text, t, 0, 0);
	c_put(c, &c->text, ";\n\n");
}

/* Member types must be defined; types of functions and pointers need only be declared. */
static void define_members(struct c_types *c, const struct btf_type_view *t, unsigned int depth)
{
	for (uint32_t i = 0; i < t->vlen; i++)
		define(c, checked_member(c->btf, t, i).type, depth + 1);
}

static void declare_parameters(struct c_types *c, const struct btf_type_view *t,
			       unsigned int depth)
{
	/* Several pointers to it, and even its own parameters, may lead here. */
	if (c->states[t->id].declared)
		return;
	c->states[t->id].declared = true;
	declare(c, t->type, depth + 1);
	for (uint32_t i = 0; i < t->vlen; i++)
		declare(c, checked_param(c->btf, t, i), depth + 1);
}

static void declare_typedef(struct c_types *c, const struct btf_type_view *t, unsigned int depth)
{
	struct c_type_state *state = &c->states[t->id];

	if (state->declared || is_builtin(t))
		return;
	state->declared = true;
	declare(c, t->type, depth + 1);
	print_typedef(c, t);
}

/* A struct or union, by its tag. Without a tag, it is written out where it is used. */
static void declare_composite(struct c_types *c, const struct btf_type_view *t, unsigned int depth)
{
	struct c_type_state *state = &c->states[t->id];
	const bool is_union = t->kind == BTF_KIND_UNION ||
			      (t->kind == BTF_KIND_FWD && t->kind_flag);

	if (state->declared || state->defined)
		return;
	state->declared = true;
	if (!t->name[0]) {
		define_members(c, t, depth);
		return;
	}
	c_put(c, &c->text, is_union ? "union " : "struct ");
	c_put_type_name(c, &c->text, t);
	c_put(c, &c->text, ";\n\n");
}

static void declare(struct c_types *c, uint32_t id, unsigned int depth)
{
	const struct btf_type_view t = checked_type(c->btf, id);

	if (depth > C_DEPTH_MAX || c_stopped(c) || t.id >= c->nr)
		return;
	switch (t.kind) {
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
	case BTF_KIND_FWD:
		declare_composite(c, &t, depth);
		break;
	case BTF_KIND_TYPEDEF:
		declare_typedef(c, &t, depth);
		break;
	case BTF_KIND_FUNC_PROTO:
		declare_parameters(c, &t, depth);
		break;
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
	case BTF_KIND_ARRAY:	/* C has no arrays of incomplete types */
		define(c, id, depth);
		break;
	case BTF_KIND_PTR:
	case BTF_KIND_CONST:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_TYPE_TAG:
		declare(c, t.type, depth + 1);
		break;
	}
}

static void define_composite(struct c_types *c, const struct btf_type_view *t, unsigned int depth)
{
	struct c_type_state *state = &c->states[t->id];

	if (state->defined || state->busy)
		return;
	state->busy = true;
	define_members(c, t, depth);
	state->busy = false;
	state->defined = true;
	if (t->name[0])
		print_composite(c, t);
}

static void define_enum(struct c_types *c, const struct btf_type_view *t)
{
	struct c_type_state *state = &c->states[t->id];

	if (state->defined || !t->name[0])
		return;
	state->defined = true;
	print_composite(c, t);
}

static void define(struct c_types *c, uint32_t id, unsigned int depth)
{
	const struct btf_type_view t = checked_type(c->btf, id);

	if (depth > C_DEPTH_MAX || c_stopped(c) || t.id >= c->nr)
		return;
	switch (t.kind) {
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		define_composite(c, &t, depth);
		break;
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		define_enum(c, &t);
		break;
	case BTF_KIND_TYPEDEF:
		define(c, t.type, depth + 1);
		declare_typedef(c, &t, depth);
		break;
	case BTF_KIND_ARRAY:
		define(c, btf_array(c->btf, &t).type, depth + 1);
		break;
	case BTF_KIND_CONST:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_TYPE_TAG:
		define(c, t.type, depth + 1);
		break;
	default:
		declare(c, id, depth);
	}
}

/* --- all of them --- */

/* Mark the unnamed enums that are the type of something. The others are printed separately. */
static void mark_references(struct c_types *c)
{
	for (uint32_t id = c->btf->first_id ? c->btf->first_id : 1; id < c->nr; id++) {
		const struct btf_type_view t = checked_type(c->btf, id);
		const bool composite = t.kind == BTF_KIND_STRUCT || t.kind == BTF_KIND_UNION;
		const bool entries = composite || t.kind == BTF_KIND_FUNC_PROTO;

		if (t.type < c->nr)
			c->states[t.type].referenced = true;
		if (t.kind == BTF_KIND_ARRAY && btf_array(c->btf, &t).type < c->nr)
			c->states[btf_array(c->btf, &t).type].referenced = true;
		for (uint32_t i = 0; entries && i < t.vlen; i++) {
			const uint32_t type = composite ? checked_member(c->btf, &t, i).type
							: checked_param(c->btf, &t, i);

			if (type < c->nr)
				c->states[type].referenced = true;
		}
	}
}

static void print_type(struct c_types *c, uint32_t id)
{
	const struct btf_type_view t = checked_type(c->btf, id);
	const bool is_enum = t.kind == BTF_KIND_ENUM || t.kind == BTF_KIND_ENUM64;

	if (t.kind == BTF_KIND_TYPEDEF ||
	    (t.name[0] && (is_enum || t.kind == BTF_KIND_STRUCT || t.kind == BTF_KIND_UNION)))
		define(c, id, 0);
	else if (t.kind == BTF_KIND_FWD && t.name[0])
		declare(c, id, 0);
	else if (is_enum && !t.name[0] && !c->states[id].referenced && t.vlen)
		print_composite(c, &t);
	flush(c, id);
}

int c_types_print(const struct btf *btf,
		  int (*print)(void *arg, uint32_t id, const char *text, size_t size), void *arg,
		  struct error *err)
{
	struct c_types c = { .btf = btf, .nr = btf_nr_types(btf), .print = print, .arg = arg };

	uint32_t id = btf->first_id ? btf->first_id : 1;

	for (const struct btf *b = btf; b; b = b->base)
		c.work_max += C_WORK_PER_BYTE * ((uint64_t)b->types.size + b->strings.size);
	c.work_max += C_WORK_LEAST;
	c.states = calloc(c.nr + UINT64_C(1), sizeof(*c.states));
	c.no_memory = !c.states;
	if (c.states)
		mark_references(&c);
	for (; id < c.nr && !c.ret && !c_stopped(&c); id++)
		print_type(&c, id);
	free(c.states);
	free(c.names);
	free(c.text.s);
	if (c.no_memory)
		return error_set(err, ENOMEM, "no memory for the types");
	if (!c.too_long)
		return c.ret;
	error_set(err, E2BIG, "the types from %" PRIu32 " on are left out: as C they would have "
			      "more than %d characters for each byte of BTF",
		  id - 1, C_WORK_PER_BYTE);
	error_hint(err, "function types, which have no names, contain each other many times over");
	return -E2BIG;
}
