// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Find the function that bpf_throw() calls: a declaration tag on the program names it. No code
 * refers to it; the kernel finds it through the tag and func_info, so it must be linked.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/objects/declared/declared.h"

#define TAG		"exception_callback:"
#define WHOLE_TYPE	UINT32_MAX	/* the component index of a tag that is not on a member
					 * or parameter */

struct exception_callbacks {
	struct bpf_object *obj;
	struct name_index funcs;
	uint32_t *prog_of;	/* owned; from progs_by_func() */
};

static int index_funcs(struct exception_callbacks *c, struct error *err)
{
	const struct bpf_object *obj = c->obj;

	c->prog_of = progs_by_func(obj);
	if (!c->prog_of || name_index_init(&c->funcs, obj->nr_funcs))
		return error_set(err, ENOMEM, "no memory for %u functions", obj->nr_funcs);
	for (uint32_t i = 0; i < obj->nr_funcs; i++)
		name_index_add(&c->funcs, obj->funcs[i].name, i);
	return 0;
}

/* Refuse only @prog, because of @why: most sessions do not load optional programs. */
static int refuse(struct exception_callbacks *c, struct object_prog *prog, struct error *why,
		  struct error *err)
{
	if (prog->refused)
		return 0;
	if (object_refuse(c->obj, why, err))
		return err->code;
	prog->refused = c->obj->nr_refused;
	return 0;
}

/* Ignore a tag on a function that is not a program: only programs have callbacks. */
static int apply_tag(struct exception_callbacks *c, struct btf_type_view tag, struct error *err)
{
	const struct bpf_object *obj = c->obj;
	const char *name = tag.name + strlen(TAG);
	const int64_t prog_func =
		name_index_find(&c->funcs, btf_type(&obj->btf, tag.type).name);
	const int64_t callback = name_index_find(&c->funcs, name);
	struct object_prog *prog;
	struct error why = { 0 };

	if (prog_func < 0 || !c->prog_of[prog_func])
		return 0;
	prog = &obj->progs[c->prog_of[prog_func] - 1];
	if (callback < 0) {
		error_set(&why, ENOENT,
			  "its exception callback '%s' is not a function of this object", name);
		error_hint(&why, "define it: int %.64s(__u64 cookie), not static and without a "
				 "section",
			   name);
	} else if (prog->exception_cb && prog->exception_cb != 1 + callback) {
		error_set(&why, EINVAL, "two exception callbacks, '%s' and '%s'",
			  obj->funcs[prog->exception_cb - 1].name, name);
		error_hint(&why, "a program has one at most");
	} else {
		prog->exception_cb = 1 + callback;
		return 0;
	}
	error_reason(&why, "object/program");
	error_where(&why, "program '%s'", prog->name);
	return refuse(c, prog, &why, err);
}

static int parse_exceptions(struct parse *p, struct error *err)
{
	struct exception_callbacks c = { .obj = p->obj };
	uint32_t nr = p->obj->has_btf ? p->obj->btf.nr_types : 0;
	int ret = 0;

	for (uint32_t id = 1; id < nr && !ret; id++) {
		struct btf_type_view t;

		if (btf_kind_of(&p->obj->btf, id) != BTF_KIND_DECL_TAG)
			continue;
		t = btf_type(&p->obj->btf, id);
		if (t.extra != WHOLE_TYPE || strncmp(t.name, TAG, strlen(TAG)))
			continue;
		if (!c.prog_of)
			ret = index_funcs(&c, err);
		if (!ret)
			ret = apply_tag(&c, t, err);
	}
	name_index_free(&c.funcs);
	free(c.prog_of);
	return ret;
}

const struct object_feature object_exceptions = {
	.reason = "object/program", .parse = { [PARSE_PROGS] = parse_exceptions },
};
