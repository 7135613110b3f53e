// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Report a load target that does not exist, with similar names. */
#include <errno.h>
#include <string.h>

#include "elf/error.h"
#include "loader/objects/kernel_types/inline_sites.h"
#include "loader/objects/load_target/load_target_internal.h"

/* A suggestion compares some fifty thousand names, so only the first missing targets get one. */
#define GUESSES_MAX 4

/* Offer all types of @naming to @near. Return true if there are any. */
static bool offer(const struct btf *btf, const struct target_naming *naming, struct nearest *near)
{
	const size_t prefix = strlen(naming->prefix);
	bool any = false;

	for (uint32_t id = btf->first_id ? btf->first_id : 1; btf_has(btf, id); id++) {
		const struct btf_type_view t = btf_type(btf, id);

		if (t.kind != naming->kind || !t.name || strncmp(t.name, naming->prefix, prefix))
			continue;
		any = true;
		nearest_offer(near, t.name + prefix);
	}
	return any;
}

static bool is_module(const struct kernel_types *types, int module, const char *name, size_t len)
{
	const char *there = kernel_types_name(types, module);

	return !strncmp(there, name, len) && !there[len];
}

/* Return the length of MODULE in "MODULE:NAME"; 0 for "NAME". */
static size_t module_len(const struct object_prog *p)
{
	const char *name = target_name(p);

	return name == p->target ? 0 : name - p->target - 1;
}

/* Offer the types of vmlinux and all opened modules, or of the module in the section name. */
static bool offer_all(const struct kernel_types *types, const struct object_prog *p,
		      struct nearest *near)
{
	const size_t len = module_len(p);
	bool any = false;

	for (int i = -1; i < (int)types->nr_modules; i++)
		if (!len || is_module(types, i, p->target, len))
			any |= offer(kernel_types_btf(types, i), target_naming(p->kind->names),
				     near);
	return any;
}

static void guess(struct load_targets *t, const struct object_prog *p, struct error *err)
{
	const struct target_naming *naming =
		target_naming(target_in_prog(t, p) ? NAMES_PROG_FUNC : p->kind->names);
	const char *name = target_name(p), *slash = strrchr(name, '/');
	const struct kernel_types *types = target_in_prog(t, p) ? &t->prog_types : t->types;
	char names[NEAREST_MAX * (NEAREST_NAME + 2)], sites[INLINE_SITES_TEXT];
	struct nearest near;
	bool any;

	if (p->kind->names == NAMES_BTF_FUNC && !target_in_prog(t, p) && !types->path &&
	    inline_sites_text(t->sys, &t->types->symbols, name, sites)) {
		error_hint(err, INLINE_SITES_HINT, sites);
		return;
	}

	/* "tp_btf/sched/sched_switch" has a category, as SEC("tp/") would. */
	nearest_init(&near, slash ? slash + 1 : name);
	any = offer_all(types, p, &near);
	if (!any && p->kind->names == NAMES_BTF_HOOK)
		error_hint(err,
			   "this kernel has no security hooks for BPF, which need CONFIG_BPF_LSM");
	else if (near.nr)
		error_hint(err, "did you mean %s?", nearest_text(&near, names, sizeof(names)));
	else
		error_hint(err, "%s", naming->missing);
}

static bool has_module(const struct kernel_types *types, const char *name, size_t len)
{
	for (int i = -1; i < (int)types->nr_modules; i++)
		if (is_module(types, i, name, len))
			return true;
	return false;
}

int target_missing(struct load_targets *t, const struct object_prog *p, struct error *err)
{
	const struct target_naming *naming = target_naming(p->kind->names);
	const char *name = target_name(p);
	const size_t module = module_len(p);
	const int len = module > 100 ? 100 : module;

	if (target_in_prog(t, p)) {
		error_set(err, ENOENT, "program %.100s has no function '%.100s'", t->prog, name);
	} else if (!module) {
		error_set(err, ENOENT, "this kernel's types have no %s '%.100s'", naming->noun,
			  name);
	} else if (has_module(t->types, p->target, module)) {
		error_set(err, ENOENT, "the types of '%.*s' have no %s '%.100s'", len, p->target,
			  naming->noun, name);
	} else {
		error_set(err, ENOENT, "module '%.*s' is not loaded, or has no types", len,
			  p->target);
		error_reason(err, "prog-load/no-target");
		return error_hint(err, "load it with modprobe; "
				       "/sys/kernel/btf lists modules with types (Linux 5.11)");
	}
	error_reason(err, "prog-load/no-target");
	if (t->guesses++ < GUESSES_MAX)
		guess(t, p, err);
	return err->code;
}
