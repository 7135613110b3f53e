// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Call the features' hooks while maps are created and programs are loaded. */
#include "loader/core/kernel/feature.h"

/* Return the hooks of a feature; an empty set if it has none. */
static const struct kernel_feature *hooks_of(const struct feature *f)
{
	static const struct kernel_feature none = { .loaded = NULL };

	return f->kernel ? f->kernel : &none;
}

int kernel_older_btf(struct sys *sys, struct kernel_object *k, int code)
{
	for (const struct feature *f = features; code < 0 && f->name; f++)
		if (hooks_of(f)->older_btf)
			code = hooks_of(f)->older_btf(sys, k, code);
	return code;
}

int kernel_older_map(struct sys *sys, const struct object_map *map, union bpf_attr *attr,
		     unsigned int *without, int code)
{
	for (const struct feature *f = features; code < 0 && f->name; f++)
		if (hooks_of(f)->older_map)
			code = hooks_of(f)->older_map(sys, map, attr, without, code);
	return code;
}

int kernel_older_prog(struct prog_load *load, const char *log, int code)
{
	for (const struct feature *f = features; code < 0 && f->name; f++)
		if (hooks_of(f)->older_prog)
			code = hooks_of(f)->older_prog(load, log, code);
	return code;
}

void kernel_loaded(struct sys *sys, struct kernel_object *k, uint32_t prog,
		   const struct prog_code *code)
{
	for (const struct feature *f = features; f->name; f++)
		if (hooks_of(f)->loaded)
			hooks_of(f)->loaded(sys, k, prog, code);
}

const struct special_map *map_special(uint32_t type)
{
	static const struct special_map plain = { .check = NULL };
	const struct special_map *special = NULL;

	for (const struct feature *f = features; !special && f->name; f++)
		if (hooks_of(f)->special)
			special = hooks_of(f)->special(type);
	return special ? special : &plain;
}

int kernel_plan_maps(struct kernel_object *k, const struct map_options *o, struct error *err)
{
	int ret = 0;

	for (const struct feature *f = features; !ret && f->name; f++)
		if (hooks_of(f)->plan_maps)
			ret = hooks_of(f)->plan_maps(k, o, err);
	return ret;
}

int kernel_create_map(struct sys *sys, struct kernel_object *k, uint32_t i,
		      const struct map_options *o, struct error *err)
{
	int ret = 0;

	for (const struct feature *f = features; !ret && f->name; f++)
		if (hooks_of(f)->create_map)
			ret = hooks_of(f)->create_map(sys, k, i, o, err);
	return ret;
}

void kernel_unload_features(struct sys *sys, struct kernel_object *k)
{
	for (const struct feature *f = features; f->name; f++)
		if (hooks_of(f)->unload)
			hooks_of(f)->unload(sys, k);
}
