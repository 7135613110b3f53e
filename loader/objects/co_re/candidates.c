// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Collect the kernel's types whose names an object's relocations use.
 *
 * A candidate for local "task_struct___v2" is every type "task_struct" or "task_struct___x" of the
 * same kind: "___" starts a flavour, which is not part of the name.
 *
 *	wanted: "task_struct" -> list: [3] vmlinux 145 -> [9] module 70102 -> 0
 *		"nf_conn"     -> 0 (none)
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "loader/objects/co_re/co_re_internal.h"

static void add_names(struct type_names *wanted, const struct btf *local, const struct btf_ext *ext)
{
	const uint32_t enums = UINT32_C(1) << BTF_KIND_ENUM | UINT32_C(1) << BTF_KIND_ENUM64;

	for (uint32_t s = 0; s < ext->core_relo.nr_secs; s++) {
		const struct btf_ext_sec *sec = &ext->core_relo.secs[s];

		for (uint32_t i = 0; i < sec->num; i++) {
			struct btf_type_view t =
				checked_type(local, btf_ext_core(ext, sec, i).type_id);

			type_names_add(wanted, t.name,
				       btf_kind_is_enum(t.kind) ? enums : UINT32_C(1) << t.kind);
		}
	}
}

/* As in libbpf, a type found in vmlinux is not looked up in modules. */
static bool vmlinux_has(const struct co_re_candidates *names, const struct type_name *n,
			uint32_t kind)
{
	for (uint32_t at = n->first; at; at = names->list[at].next) {
		const struct co_re_candidate *c = &names->list[at];

		if (c->btf->base)	/* a module's; all of vmlinux's come first */
			break;
		if (co_re_kinds_compatible(checked_type(c->btf, c->type).kind, kind))
			return true;
	}
	return false;
}

static int add_candidate(void *arg, struct type_name *n, uint32_t kind, uint32_t id)
{
	struct co_re_candidates *names = arg;
	struct co_re_candidate *list;

	if (names->target->base && vmlinux_has(names, n, kind))
		return 0;
	list = array_grow(names->list, names->nr, sizeof(*list));
	if (!list)
		return -ENOMEM;
	names->list = list;
	list[names->nr] = (struct co_re_candidate){ .btf = names->target, .type = id };
	if (n->last)
		names->list[n->last].next = names->nr;
	else
		n->first = names->nr;
	n->last = names->nr++;
	return 0;
}

static int no_memory(struct error *err)
{
	return error_set(err, ENOMEM, "no memory for the types that relocations refer to");
}

static int init_wanted(struct co_re_candidates *names, const struct btf *local,
		       const struct btf_ext *ext, struct error *err)
{
	uint64_t nr = 0;
	int ret;

	for (uint32_t s = 0; s < ext->core_relo.nr_secs; s++)
		nr += ext->core_relo.secs[s].num;
	*names = (struct co_re_candidates){ .nr = 1 };
	ret = type_names_init(&names->wanted, nr, true);
	names->list = calloc(1, sizeof(*names->list));
	if (ret || !names->list) {
		co_re_candidates_free(names);
		return no_memory(err);
	}
	add_names(&names->wanted, local, ext);
	return 0;
}

int co_re_candidates_add_module(struct co_re_candidates *names, const struct btf *module,
				struct error *err)
{
	names->target = module;
	if (!type_names_visit(&names->wanted, module, add_candidate, names))
		return 0;
	return no_memory(err);
}

int co_re_candidates_find(struct co_re_candidates *names, const struct btf *local,
			  const struct btf_ext *ext, const struct btf *target, struct error *err)
{
	int ret = init_wanted(names, local, ext, err);

	if (!ret)
		ret = co_re_candidates_add_module(names, target, err);
	if (ret)
		co_re_candidates_free(names);
	return ret;
}

uint32_t co_re_candidates_first(const struct co_re_candidates *names, const char *name)
{
	return type_names_get(&names->wanted, name)->first;
}

void co_re_candidates_free(struct co_re_candidates *names)
{
	type_names_free(&names->wanted);
	free(names->list);
	memset(names, 0, sizeof(*names));
}
