// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What may have been meant by a name that neither the kernel nor a program has. */
#include <errno.h>
#include <string.h>

#include "elf/error.h"
#include "loader/features/load_target/load_target_internal.h"

/* Each time a name is held against some fifty thousand: often enough to learn from. */
#define GUESSES_MAX 4

/* Offers what is called as @naming has it. Returns whether there is any. */
static bool offer(const struct btf *btf, const struct target_naming *naming, struct nearest *near)
{
	const size_t prefix = strlen(naming->prefix);
	bool any = false;

	for (uint32_t id = btf->first_id ? btf->first_id : 1; id < btf->nr_types; id++) {
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

/* How much of "MODULE:NAME" is the module; 0 of "NAME". */
static size_t module_len(const struct object_prog *p)
{
	const char *name = target_name(p);

	return name == p->target ? 0 : name - p->target - 1;
}

/* All types that were opened for the search, or those of the module that the section names. */
static bool offer_all(const struct kernel_types *types, const struct object_prog *p,
		      struct nearest *near)
{
	const size_t len = module_len(p);
	bool any = false;

	for (int i = -1; i < (int)types->nr_modules; i++)
		if (!len || is_module(types, i, p->target, len))
			any |= offer(kernel_types_btf(types, i), target_naming(p->kind->follows),
				     near);
	return any;
}

static void guess(struct load_targets *t, const struct object_prog *p, struct error *err)
{
	const struct target_naming *naming =
		target_naming(target_in_prog(t, p) ? FOLLOWS_PROG_FUNC : p->kind->follows);
	const char *name = target_name(p), *slash = strrchr(name, '/');
	const struct kernel_types *types = target_in_prog(t, p) ? &t->prog_types : t->types;
	char names[NEAREST_MAX * (NEAREST_NAME + 2)];
	struct nearest near;
	bool any;

	/* "tp_btf/sched/sched_switch", as a tracepoint is called elsewhere. */
	nearest_init(&near, slash ? slash + 1 : name);
	any = offer_all(types, p, &near);
	if (!any && p->kind->follows == FOLLOWS_BTF_HOOK)
		error_hint(err, "this kernel lets BPF into no security hook (CONFIG_BPF_LSM)");
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
	const struct target_naming *naming = target_naming(p->kind->follows);
	const char *name = target_name(p);
	const size_t module = module_len(p);
	const int len = module > 100 ? 100 : module;

	if (target_in_prog(t, p)) {
		error_set(err, ENOENT, "program %.100s has no function '%.100s'", t->prog, name);
	} else if (!module) {
		error_set(err, ENOENT, "this kernel's types have no %s '%.100s'", naming->what,
			  name);
	} else if (has_module(t->types, p->target, module)) {
		error_set(err, ENOENT, "the types of '%.*s' have no %s '%.100s'", len, p->target,
			  naming->what, name);
	} else {
		error_set(err, ENOENT, "no module '%.*s' is loaded, or it has no types", len,
			  p->target);
		error_reason(err, "prog-load/no-target");
		return error_hint(
			err,
			"modprobe it first; "
			"/sys/kernel/btf lists those that have types (Linux 5.11)");
	}
	error_reason(err, "prog-load/no-target");
	if (t->guesses++ < GUESSES_MAX)
		guess(t, p, err);
	return err->code;
}
