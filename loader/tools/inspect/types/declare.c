// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * C declarations, written from the name outwards:
 *
 *	ARRAY 3 of PTR to const FUNC_PROTO(int) returning PTR to char, called f
 *	f -> f[3] -> *f[3] -> (*f[3])(int) -> *(*f[3])(int) -> char *(*f[3])(int)
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/tools/inspect/types/types_internal.h"

/* The part of a declaration around its name, and the qualifiers of the next type. */
struct declarator {
	struct c_text text, quals;
	bool is_pointer;	/* text begins with '*': an array or a function needs parentheses */
};

/* Replace the text by @before, itself and @after. */
static void wrap(struct c_types *c, struct declarator *d, const char *before, const char *after)
{
	struct c_text text = { 0 };

	c_put(c, &text, "%s%s%s", before, d->text.s ? d->text.s : "", after);
	free(d->text.s);
	d->text = text;
}

static void add_qualifier(struct c_types *c, struct declarator *d, const struct btf_type_view *t)
{
	static const char *const words[] = {
		[BTF_KIND_CONST] = "const", [BTF_KIND_VOLATILE] = "volatile",
		[BTF_KIND_RESTRICT] = "restrict",
	};

	/* An array has the qualifiers of its elements, which BTF may repeat. */
	if (d->quals.size && t->kind != BTF_KIND_TYPE_TAG && strstr(d->quals.s, words[t->kind]))
		return;
	if (d->quals.size)
		c_put(c, &d->quals, " ");
	if (t->kind != BTF_KIND_TYPE_TAG) {
		c_put(c, &d->quals, "%s", words[t->kind]);
		return;
	}
	c_put(c, &d->quals, t->kind_flag ? "__attribute__((" : "__attribute__((btf_type_tag(\"");
	c_put_name(c, &d->quals, t->name);
	c_put(c, &d->quals, t->kind_flag ? "))" : "\")))");
}

static void add_pointer(struct c_types *c, struct declarator *d)
{
	const bool spaced = d->quals.size && d->text.size;
	struct c_text before = { 0 };

	c_put(c, &before, "*%s%s%s", d->quals.size ? " " : "", d->quals.size ? d->quals.s : "",
	      spaced ? " " : "");
	wrap(c, d, before.s ? before.s : "", "");
	free(before.s);
	d->quals.size = 0;
	d->is_pointer = true;
}

static void add_parameters(struct c_types *c, struct declarator *d, const struct btf_type_view *t,
			   unsigned int level, unsigned int depth)
{
	struct c_text list = { 0 };

	c_put(c, &list, "%s(", d->is_pointer ? ")" : "");
	if (!t->vlen || (t->vlen == 1 && !checked_param(c->btf, t, 0)))
		c_put(c, &list, "void");
	for (uint32_t i = 0; i < t->vlen && !c_stopped(c); i++) {
		const uint32_t type = checked_param(c->btf, t, i);
		const char *name = btf_param(c->btf, t, i).name;

		c_put(c, &list, i ? ", " : "");
		if (type)
			c_declare(c, &list, type, name && name[0] ? name : NULL, level, depth + 1);
		else if (t->vlen > 1)
			c_put(c, &list, i + 1 < t->vlen ? "void *" : "...");
	}
	c_put(c, &list, ")");
	wrap(c, d, d->is_pointer ? "(" : "", list.s ? list.s : "");
	free(list.s);
	d->is_pointer = false;
}

static void add_dimension(struct c_types *c, struct declarator *d, const struct btf_type_view *t)
{
	char after[32];

	snprintf(after, sizeof(after), "%s[%" PRIu32 "]", d->is_pointer ? ")" : "",
		 btf_array(c->btf, t).nelems);
	wrap(c, d, d->is_pointer ? "(" : "", after);
	d->is_pointer = false;
}

/* The innermost type: "const struct x", or the whole of an unnamed struct. */
static void put_base(struct c_types *c, struct c_text *to, const struct declarator *d,
		     const struct btf_type_view *t, unsigned int level, unsigned int depth)
{
	static const char *const tags[NR_BTF_KINDS] = {
		[BTF_KIND_STRUCT] = "struct", [BTF_KIND_UNION] = "union", [BTF_KIND_ENUM] = "enum",
		[BTF_KIND_ENUM64] = "enum",
	};
	const char *tag = t->kind == BTF_KIND_FWD ? (t->kind_flag ? "union" : "struct")
						  : tags[t->kind];
	const bool attribute = d->quals.size && strstr(d->quals.s, "__attribute__");

	if (d->quals.size && !attribute)
		c_put(c, to, "%s ", d->quals.s);
	if (tag)
		c_put(c, to, "%s ", tag);
	if (tag && !t->name[0])
		c_define_members(c, to, t, level, depth);
	else if (t->kind == BTF_KIND_UNKN)
		c_put(c, to, "void");
	else
		c_put_type_name(c, to, t);
	if (attribute)
		c_put(c, to, " %s", d->quals.s);
}

/* Take one step outwards from the name. Return true if there is another. */
static bool step(struct c_types *c, struct declarator *d, const struct btf_type_view *t,
		 unsigned int level, unsigned int depth, uint32_t *next)
{
	*next = t->type;
	switch (t->kind) {
	case BTF_KIND_CONST:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_TYPE_TAG:
		add_qualifier(c, d, t);
		return true;
	case BTF_KIND_PTR:
		add_pointer(c, d);
		return true;
	case BTF_KIND_ARRAY:
		*next = btf_array(c->btf, t).type;
		add_dimension(c, d, t);
		return true;
	case BTF_KIND_FUNC_PROTO:
		d->quals.size = 0;	/* a function has no qualifiers */
		add_parameters(c, d, t, level, depth);
		return true;
	case BTF_KIND_FUNC:
	case BTF_KIND_VAR:
	case BTF_KIND_DECL_TAG:
		return true;	/* hostile: not the type of a value */
	default:
		return false;
	}
}

void c_declare(struct c_types *c, struct c_text *to, uint32_t id, const char *name,
	       unsigned int level, unsigned int depth)
{
	struct btf_type_view t = checked_type(c->btf, id);
	struct declarator d = { 0 };

	if (name)
		c_put_name(c, &d.text, name);
	for (unsigned int i = 0; step(c, &d, &t, level, depth, &id); i++)
		t = checked_type(c->btf, i + depth < C_DEPTH_MAX ? id : 0);
	put_base(c, to, &d, &t, level, depth + 1);
	if (d.text.size)
		c_put(c, to, " %s", d.text.s);
	free(d.text.s);
	free(d.quals.s);
}
