// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Explain a failed relocation: what the kernel's types lack, and what is most similar. */
#include <stdio.h>
#include <string.h>

#include "loader/objects/co_re/co_re_internal.h"

/* Offer the members of a struct, and those of its anonymous members, or the enumerators. */
static void offer_parts(struct nearest *near, const struct btf *btf, uint32_t id,
			unsigned int depth)
{
	const struct btf_type_view t = checked_skip(btf, id);

	for (uint32_t i = 0; btf_kind_is_enum(t.kind) && i < t.vlen; i++)
		nearest_offer(near, checked_enumerator(btf, &t, i).name);
	for (uint32_t i = 0; btf_kind_is_composite(t.kind) && i < t.vlen; i++) {
		const struct btf_member_view m = checked_member(btf, &t, i);

		if (m.name[0])
			nearest_offer(near, m.name);
		else if (depth < CO_RE_DEPTH_MAX)
			offer_parts(near, btf, m.type, depth + 1);
	}
}

static void offer_types(struct nearest *near, const struct btf *btf, uint32_t kind)
{
	for (uint32_t id = 1; btf_has(btf, id); id++)
		if (co_re_kinds_compatible(btf_kind_of(btf, id), kind))
			nearest_offer(near, checked_type(btf, id).name);
}

/* The type that lacks the next step of the path. */
struct gap {
	const struct btf *btf;	/* NULL: no candidate */
	uint32_t type;
	uint32_t nr;		/* number of steps that it has */
};

/* Return the type at the end of path @spec, in which the next step is taken. */
static uint32_t last_type(const struct co_re_spec *spec)
{
	const struct co_re_access *a;
	struct btf_type_view t;

	if (!spec->nr)
		return spec->root;
	a = &spec->access[spec->nr - 1];
	if (!a->name)
		return a->type;
	t = checked_type(spec->btf, a->type);
	return checked_member(spec->btf, &t, a->index).type;
}

/* Find the candidate that has the most steps of the path. */
static void find_gap(struct co_re_pair *pair, const struct co_re_candidates *names,
		     const struct co_re_spec *local, struct gap *gap)
{
	const struct btf_type_view l = checked_type(pair->local, local->root);
	uint32_t at = co_re_candidates_first(names, l.name);

	for (; at; at = names->list[at].next) {
		struct co_re_spec prefix = *local, there;
		const uint32_t id = names->list[at].type;

		pair->target = names->list[at].btf;
		if (!co_re_kinds_compatible(l.kind, checked_type(pair->target, id).kind))
			continue;
		if (!gap->btf)
			*gap = (struct gap){ pair->target, id, 0 };
		for (prefix.nr = 1; co_re_kind_is_field(local->kind) && prefix.nr < local->nr;
		     prefix.nr++) {
			if (co_re_spec_match(pair, &prefix, id, &there) <= 0)
				break;
			if (prefix.nr > gap->nr)
				*gap = (struct gap){ pair->target, last_type(&there), prefix.nr };
		}
	}
}

static void suggest(const struct nearest *near, char *hint, size_t size)
{
	char names[NEAREST_MAX * NEAREST_NAME];

	if (near->nr)
		snprintf(hint, size, "did you mean %s?", nearest_text(near, names, sizeof(names)));
}

static void explain_part(const struct co_re_spec *local, const struct gap *gap,
			 struct co_re_missing *out)
{
	const char *wanted = local->nr > gap->nr ? local->access[gap->nr].name : NULL;
	const struct btf_type_view t = checked_skip(gap->btf, gap->type);
	struct nearest near;

	if (!wanted)
		return;
	snprintf(out->word, sizeof(out->word), "%s", wanted);
	nearest_init(&near, wanted);
	offer_parts(&near, gap->btf, gap->type, 0);
	if (near.nr && !near.distance[0]) {
		snprintf(out->what, sizeof(out->what), "this kernel's %s '%.80s' has a different "
						       "kind of '%.80s'",
						       btf_kind_name(t.kind), t.name, wanted);
		return;
	}
	snprintf(out->what, sizeof(out->what), "this kernel's %s '%.80s' has no %s '%.80s'",
		 btf_kind_name(t.kind), t.name,
		 btf_kind_is_enum(t.kind) ? "enumerator" : "member", wanted);
	suggest(&near, out->hint, sizeof(out->hint));
}

void co_re_explain_missing(struct co_re_pair *pair, const struct co_re_candidates *names,
			   const struct btf *vmlinux, struct btf_core_relo relo,
			   struct co_re_missing *out)
{
	const struct btf_type_view t = checked_type(pair->local, relo.type_id);
	struct co_re_spec local;
	struct gap gap = { 0 };
	struct nearest near;
	char wanted[TYPE_NAME_MAX];

	*out = (struct co_re_missing){ 0 };
	if (co_re_spec_parse(&local, pair->local, relo, NULL))
		return;
	find_gap(pair, names, &local, &gap);
	if (gap.btf) {
		explain_part(&local, &gap, out);
		return;
	}
	snprintf(wanted, sizeof(wanted), "%.*s", (int)type_name_essential(t.name), t.name);
	snprintf(out->what, sizeof(out->what), "this kernel has no %s '%.80s'",
		 btf_kind_name(t.kind), wanted);
	nearest_init(&near, wanted);
	offer_types(&near, vmlinux, t.kind);
	suggest(&near, out->hint, sizeof(out->hint));
	if (local.nr && local.access[local.nr - 1].name)
		snprintf(out->word, sizeof(out->word), "%s", local.access[local.nr - 1].name);
}
