// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Load the object of pload compare as far as the privileges of this process allow. */
#include "loader/cmd/compare/load_object.h"
#include "loader/sys/refused.h"

int compare_object_read(struct compare_loaded *l, struct sys *sys, struct output *out,
			const struct options *o, const char *path, struct error *err)
{
	int ret;

	loading_types_init(&l->types, sys, &o->load);
	ret = loading_check_files(&l->types, &o->load, err);
	if (!ret)
		ret = loading_begin(&l->load, sys, out, &o->load, &l->types, path, err);
	if (!ret && !l->load.object.license[0])
		note(out,
		     "the object has no license: the kernel refuses helpers that are for "
		     "GPL-compatible programs; --license=GPL declares one");
	return ret;
}

void compare_object_end(struct compare_loaded *l)
{
	loading_end(&l->load);
	if (l->types.running.sys)
		loading_types_free(&l->types);
	error_clear(&l->denied);
}

int compare_object_load(struct compare_loaded *l, struct error *err)
{
	const struct bpf_object *obj = &l->load.object;
	int ret = loading_maps(&l->load, err);

	for (uint32_t i = 0; !ret && i < obj->nr_progs; i++)
		if (l->load.wanted[i])
			ret = load_program(&l->load, i, err);
	if (!ret)
		ret = loading_finish(&l->load, err);
	if (!ret || !sys_is_denial(err->reason))
		return ret;
	l->denied = *err;
	*err = (struct error){ 0 };
	return 0;
}

struct compare_object compare_object_get(const struct compare_loaded *l, uint32_t prog)
{
	const struct object_prog *p = &l->load.object.progs[prog];

	return (struct compare_object){
		.path = l->load.path, .program = p->name, .section = p->section,
		.prog_fd = l->denied.code ? -1 : l->load.kernel.progs[prog].fd,
		.why = &l->denied,
		.prog_type = p->kind->prog_type,
	};
}
