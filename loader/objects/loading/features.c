// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The features of an object that take part in its loading: rows of the table in load.c. */
#include "loader/objects/loading/loading.h"

/* --- CO-RE relocations --- */

static void open_types(struct loading_types *types, struct sys *sys, const struct load_options *o)
{
	kernel_types_init(&types->running, sys, NULL);
	kernel_types_init(&types->other, sys, o->btf);
}

static void close_types(struct loading_types *types)
{
	kernel_types_free(&types->other);
	kernel_types_free(&types->running);
}

static int check_btf(struct loading_types *types, const struct load_options *o, struct error *err)
{
	const struct btf *btf;

	if (!o->btf || !kernel_types_vmlinux(&types->other, &btf, err))
		return 0;
	return error_where(err, "--btf");
}

static int parsed_co_re(struct loading *l, struct error *err)
{
	(void)err;
	co_re_init(&l->core, l->options->btf ? &l->types->other : &l->types->running, &l->object,
		   l->options->core_by_kernel);
	return 0;
}

static void begin_prog_co_re(struct loading *l)
{
	co_re_begin_prog(&l->core);
}

static void explain_co_re(const struct loading *l, const struct prog_code *code, struct error *err)
{
	co_re_explain(&l->core, code, err);
}

static void end_co_re(struct loading *l)
{
	co_re_free(&l->core);
}

const struct load_feature load_co_re = {
	.open_types = open_types, .close_types = close_types,
	.check = check_btf, .at = { [LOADING_PARSED] = parsed_co_re },
	.begin_prog = begin_prog_co_re, .explain = explain_co_re, .end = end_co_re,
};

/* --- externs --- */

static int check_kconfig(struct loading_types *types, const struct load_options *o,
			 struct error *err)
{
	return o->kconfig ? externs_check_kconfig(types->other.sys, o->kconfig, err) : 0;
}

static int parsed_externs(struct loading *l, struct error *err)
{
	(void)err;
	externs_init(&l->externs, l->sys, &l->types->running, &l->object, l->options->kconfig);
	return 0;
}

static int read_kconfig(struct loading *l, struct error *err)
{
	return externs_read_kconfig(&l->externs, err);
}

static void begin_prog_externs(struct loading *l)
{
	externs_begin_prog(&l->externs);
}

static void explain_externs(const struct loading *l, const struct prog_code *code,
			    struct error *err)
{
	(void)code;
	externs_explain(&l->externs, err);
}

static bool try_externs_again(struct loading *l, struct error *err)
{
	return externs_try_compat(&l->externs, err);
}

static void end_externs(struct loading *l)
{
	externs_free(&l->externs);
}

const struct load_feature load_externs = {
	.check = check_kconfig,
	.at = { [LOADING_PARSED] = parsed_externs, [LOADING_MAPS] = read_kconfig },
	.begin_prog = begin_prog_externs, .explain = explain_externs, .again = try_externs_again,
	.end = end_externs,
};

/* --- structs of functions --- */

static int parsed_struct_ops(struct loading *l, struct error *err)
{
	(void)err;
	struct_ops_init(&l->ops, l->sys, &l->types->running, &l->object);
	return 0;
}

static int find_structs(struct loading *l, struct error *err)
{
	return struct_ops_find(&l->ops, l->wanted, err);
}

static int target_in_struct(struct loading *l, uint32_t prog, struct error *err)
{
	if (l->object.progs[prog].kind->names != NAMES_STRUCT)
		return 0;
	return struct_ops_target(&l->ops, prog, &l->kernel.progs[prog].target, err);
}

static void end_struct_ops(struct loading *l)
{
	struct_ops_free(&l->ops);
}

const struct load_feature load_struct_ops = {
	.at = { [LOADING_PARSED] = parsed_struct_ops, [LOADING_MAPS] = find_structs },
	.target = target_in_struct, .end = end_struct_ops,
};

/* --- load targets --- */

static void begin_load_target(struct loading *l)
{
	load_targets_init(&l->targets, l->sys, &l->object, NULL, &l->types->running,
			  l->options->target_prog);
}

static int check_load_target(struct loading *l, uint32_t prog, struct error *err)
{
	struct prog_target target;

	l->targets.wanted = l->wanted;
	return load_targets_get(&l->targets, prog, &target, err);
}

static int target_of_section(struct loading *l, uint32_t prog, struct error *err)
{
	if (l->object.progs[prog].kind->names == NAMES_STRUCT)
		return 0;
	l->targets.wanted = l->wanted;
	return load_targets_get(&l->targets, prog, &l->kernel.progs[prog].target, err);
}

static void end_load_target(struct loading *l)
{
	load_targets_free(&l->targets);
}

const struct load_feature load_load_target = {
	.begin = begin_load_target, .check_target = check_load_target,
	.target = target_of_section, .end = end_load_target,
};

/* --- how programs use maps, and what their records contain --- */

static int linked_usage(struct loading *l, uint32_t prog, struct prog_code *code,
			struct error *err)
{
	int ret = 0;

	(void)prog;
	if (code->helpers & HELPER_MAPS)
		ret = map_usage_scan(code, l->usage, &l->failures, l->object.maps, err);
	if (!ret && l->stack_fields)
		ret = stack_fields_scan(&l->object, code, l->stack_fields, err);
	return ret;
}

const struct load_feature load_usage = { .linked = linked_usage };

/* --- jump tables --- */

static int linked_jump_tables(struct loading *l, uint32_t prog, struct prog_code *code,
			      struct error *err)
{
	const int ret = kernel_load_jump_tables(l->sys, code, err);

	return ret < 0 ? error_where(err, "prog '%s'", l->object.progs[prog].name) : ret;
}

static void close_jump_tables(struct loading *l, struct prog_code *code)
{
	kernel_close_jump_tables(l->sys, code);
}

const struct load_feature load_jump_tables = {
	.linked = linked_jump_tables, .end_prog = close_jump_tables,
};

/* --- program arrays --- */

static void note_empty_slots(const struct loading *l, const struct object_map *map)
{
	const struct object_slot *first = NULL;
	uint32_t nr = 0;

	for (uint32_t i = 0; i < map->nr_slots; i++) {
		if (l->kernel.progs[map->slots[i].target].fd >= 0)
			continue;
		first = first ? first : &map->slots[i];
		nr++;
	}
	if (nr == 1)
		note(l->out, "map '%s': slot %u stays empty: program '%s' is not loaded", map->name,
		     first->index, l->object.progs[first->target].name);
	else if (nr)
		note(l->out, "map '%s': slot %u and %u more stay empty: "
		     "program '%s' and others are not loaded",
		     map->name, first->index, nr - 1, l->object.progs[first->target].name);
}

static int fill_prog_arrays(struct loading *l, struct error *err)
{
	const struct bpf_object *obj = &l->object;
	const int ret = kernel_fill_prog_arrays(l->sys, &l->kernel, err);

	for (uint32_t i = 0; !ret && i < obj->nr_maps; i++)
		if (obj->maps[i].type == BPF_MAP_TYPE_PROG_ARRAY)
			note_empty_slots(l, &obj->maps[i]);
	return ret;
}

const struct load_feature load_prog_arrays = { .at = { [LOADING_LOADED] = fill_prog_arrays } };
