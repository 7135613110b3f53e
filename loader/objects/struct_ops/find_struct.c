// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Find the kernel's counterpart of each struct of the object, by name. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/objects/struct_ops/struct_ops_internal.h"

/* Source: include/linux/bpf.h, STRUCT_OPS_VALUE_PREFIX; kernel/bpf/bpf_struct_ops.c. */
#define PREFIX "bpf_struct_ops_"

/* Values in real kernels are a few hundred bytes. */
#define VALUE_SIZE_MAX (1u << 20)

void struct_ops_init(struct struct_ops *ops, struct sys *sys, struct kernel_types *types,
		     const struct bpf_object *obj)
{
	*ops = (struct struct_ops){ .sys = sys, .obj = obj, .types = types };
}

/* Return the name of the kernel's struct: the object's name without the flavour. */
static const char *struct_name(const struct struct_ops *ops, uint32_t map)
{
	return ops->values[map].name + strlen(PREFIX);
}

static int name_value(struct struct_ops *ops, uint32_t map, struct error *err)
{
	const char *name = btf_type(&ops->obj->btf, ops->obj->maps[map].struct_type).name;
	const int len = type_name_essential(name);

	if (asprintf(&ops->values[map].name, PREFIX "%.*s", len, name) >= 0)
		return 0;
	ops->values[map].name = NULL;
	return error_set(err, ENOMEM, "no memory for the name of a struct");
}

/* An optional struct is needed if any optional program that it points to is wanted. */
static bool is_needed(const struct struct_ops *ops, uint32_t map, const bool *wanted)
{
	const struct object_map *m = &ops->obj->maps[map];
	bool needed = !m->optional;

	for (uint32_t i = 0; i < m->nr_slots && !needed; i++)
		needed = wanted[m->slots[i].target] && ops->obj->progs[m->slots[i].target].optional;
	return needed;
}

/* Find the member of the value that is the struct itself, "data". */
static int find_data(const struct struct_ops *ops, uint32_t map, struct ops_type *type,
		     struct error *err)
{
	for (uint32_t i = 0; type->value.kind == BTF_KIND_STRUCT && i < type->value.vlen; i++) {
		struct btf_member_view m = checked_member(type->btf, &type->value, i);

		type->data = checked_skip(type->btf, m.type);
		if (type->data.kind != BTF_KIND_STRUCT ||
		    strcmp(type->data.name, struct_name(ops, map)))
			continue;
		type->data_at = m.bit_offset / 8;
		return 0;
	}
	return error_set(err, EBADMSG, "the kernel's struct '%s' does not contain a struct '%s'",
			 ops->values[map].name, struct_name(ops, map));
}

static int lay_out(struct struct_ops *ops, uint32_t map, const struct type_query *query,
		   struct error *err)
{
	struct ops_type type = { 0 };
	int ret = 0;

	if (!query->id) {
		error_set(err, ENOENT,
			  "the kernel has no struct_ops '%s'",
			  struct_name(ops, map));
		error_reason(err, "struct-ops/no-type");
		return error_hint(err,
				  "it may belong to another kernel version, an option that is not "
				  "enabled, or a module that is not loaded");
	}
	type.btf = kernel_types_btf(ops->types, query->module);
	type.value = checked_type(type.btf, query->id);
	if (type.value.size > VALUE_SIZE_MAX)
		return error_set(err, EBADMSG, "the kernel's struct '%s' is %u bytes long",
				 type.value.name, type.value.size);
	if (query->module >= 0)
		ret = kernel_types_module_fd(ops->types, query->module, err);
	type.btf_fd = ret;
	if (ret >= 0)
		ret = find_data(ops, map, &type, err);
	return ret < 0 ? ret : ops_value_lay_out(ops, map, &type, err);
}

static int find_all(struct struct_ops *ops, struct type_query *queries, struct error *err)
{
	const struct bpf_object *obj = ops->obj;
	uint32_t nr = 0;
	int ret;

	for (uint32_t i = 0; i < obj->nr_maps; i++)
		if (ops->values[i].name)
			queries[nr++] = (struct type_query){
				.name = ops->values[i].name,
				.kinds = UINT32_C(1) << BTF_KIND_STRUCT,
			};
	ret = kernel_types_find(ops->types, queries, nr, err);
	for (uint32_t i = 0; !ret && i < obj->nr_maps; i++) {
		if (!ops->values[i].name)
			continue;
		ret = lay_out(ops, i, queries++, err);
		if (ret)
			error_where(err, "map '%s'", obj->maps[i].name);
	}
	return ret;
}

static int alloc_all(struct struct_ops *ops, struct error *err)
{
	ops->maps = calloc(ops->obj->nr_maps, sizeof(*ops->maps));
	ops->values = calloc(ops->obj->nr_maps, sizeof(*ops->values));
	ops->targets = calloc(ops->obj->nr_progs + 1, sizeof(*ops->targets));
	if (ops->maps && ops->values && ops->targets)
		return 0;
	return error_set(err, ENOMEM, "no memory for %u structs", ops->obj->nr_maps);
}

int struct_ops_find(struct struct_ops *ops, const bool *wanted, struct error *err)
{
	const struct bpf_object *obj = ops->obj;
	struct type_query *queries;
	uint32_t i = 0;
	int ret;

	while (i < obj->nr_maps && obj->maps[i].kind != OBJECT_MAP_STRUCT_OPS)
		i++;
	if (i == obj->nr_maps)
		return 0;
	ret = alloc_all(ops, err);
	for (; !ret && i < obj->nr_maps; i++)
		if (obj->maps[i].kind == OBJECT_MAP_STRUCT_OPS && is_needed(ops, i, wanted))
			ret = name_value(ops, i, err);
	if (ret)
		return error_reason_default(err, "struct-ops/layout");
	queries = calloc(obj->nr_maps, sizeof(*queries));
	if (!queries)
		return error_set(err, ENOMEM, "no memory for %u structs", obj->nr_maps);
	ret = find_all(ops, queries, err);
	free(queries);
	return ret < 0 ? error_reason_default(err, "struct-ops/layout") : ret;
}

int struct_ops_target(const struct struct_ops *ops, uint32_t prog, struct prog_target *target,
		      struct error *err)
{
	const struct object_prog *p = &ops->obj->progs[prog];

	*target = ops->targets ? ops->targets[prog] : (struct prog_target){ 0 };
	if (target->btf_id || p->kind->prog_type != BPF_PROG_TYPE_STRUCT_OPS)
		return 0;
	error_set(err, EINVAL, "no struct in section \".struct_ops\" points to it");
	error_where(err, "prog '%s'", p->name);
	error_reason(err, "struct-ops/no-member");
	return error_hint(err, "assign it to a member of the struct: .MEMBER = (void *)%s",
			  p->name);
}

void struct_ops_free(struct struct_ops *ops)
{
	for (uint32_t i = 0; ops->values && i < ops->obj->nr_maps; i++) {
		free(ops->values[i].name);
		free(ops->values[i].bytes);
		free(ops->values[i].slots);
	}
	free(ops->values);
	free(ops->maps);
	free(ops->targets);
	memset(ops, 0, sizeof(*ops));
}
