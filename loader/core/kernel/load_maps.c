// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Create the maps of an object in the kernel: first the BTF, then each map; data maps are filled
 * and frozen.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/kernel/attr.h"
#include "loader/core/kernel/feature.h"
#include "loader/core/sys/refused.h"

static void fill_attr(const struct kernel_object *k, const struct object_map *map,
		      const struct kernel_map *as, int inner_fd, union bpf_attr *attr)
{
	memset(attr, 0, sizeof(*attr));
	attr->map_type = map->type;
	attr->key_size = as->key_size;
	attr->value_size = as->value_size;
	attr->max_entries = as->max_entries;
	attr->map_flags = as->map_flags;
	attr->numa_node = map->numa_node;
	attr->map_extra = map->map_extra;
	if (inner_fd >= 0)
		attr->inner_map_fd = inner_fd;
	if (map->kind == OBJECT_MAP_DATA)
		kernel_data_name(attr->map_name, k->object->name, map->name);
	else
		kernel_name(attr->map_name, map->name);
	if (k->btf_fd >= 0 && (map->key_type || map->value_type) && map_takes_btf(map->type)) {
		attr->btf_fd = k->btf_fd;
		attr->btf_key_type_id = map->key_type;
		attr->btf_value_type_id = map->value_type;
	}
}

/* The value is a kernel struct, whose BTF may be a module's (Linux 6.9). */
static void fill_ops_attr(const struct kernel_object *k, const struct ops_map *ops,
			  union bpf_attr *attr)
{
	attr->value_size = ops->value_size;
	attr->btf_fd = k->btf_fd;	/* the kernel still checks it, although it does not
					 * contain the type of the value */
	attr->btf_vmlinux_value_type_id = ops->value_type;
	if (!ops->btf_fd)
		return;
	attr->value_type_btf_obj_fd = ops->btf_fd;
	attr->map_flags |= BPF_F_VTYPE_BTF_OBJ_FD;
}

unsigned int map_attr_size(const union bpf_attr *attr)
{
	return attr->value_type_btf_obj_fd ? ATTR_SIZE(value_type_btf_obj_fd) :
					     ATTR_SIZE(map_extra);
}

/* Create a map with all attributes. Return: descriptor or -errno. */
static int create(struct sys *sys, struct kernel_object *k, const struct object_map *map,
		  union bpf_attr *attr, unsigned int *without)
{
	const unsigned int size = map_attr_size(attr);
	int ret = sys_bpf(sys, BPF_MAP_CREATE, attr, size);

	while (ret < 0 && kernel_raise_limit(sys, k, ret))
		ret = sys_bpf(sys, BPF_MAP_CREATE, attr, size);
	return kernel_older_map(sys, map, attr, without, ret);
}

static int create_map(struct sys *sys, struct kernel_object *k, uint32_t i,
		      const struct map_options *o, struct error *err);

/*
 * Create the inner map template; the kernel allows one level of nesting. @fd is -1 if @map is not a
 * map of maps.
 */
static int create_inner(struct sys *sys, struct kernel_object *k, const struct object_map *map,
			int *fd, const struct map_options *o, struct error *err)
{
	int ret;

	*fd = -1;
	if (map->inner < 0)
		return 0;
	if (k->object->maps[map->inner].inner >= 0) {
		error_set(err, EINVAL, "its inner map is itself a map of maps");
		error_reason(err, "object/map");
		return error_hint(err, "the kernel allows only one level of nesting");
	}
	ret = create_map(sys, k, map->inner, o, err);
	*fd = k->maps[map->inner].fd;
	return ret;
}

/* Explain in @err why the kernel refused @map, using the attributes of the first attempt. */
static int map_refused(struct sys *sys, const struct kernel_object *k, const struct object_map *map,
		       const union bpf_attr *asked, int code, struct error *err)
{
	const struct refused_map refused = { k->object, map, asked, -code };

	error_set(err, -code, "BPF_MAP_CREATE: %s", error_strerror(-code));
	error_reason(err, "map-create/failed");
	explain_failure(sys, FAILED_MAP, &refused, err);
	if (k->btf_refused && (map_needs_btf(map->type) || map->kind == OBJECT_MAP_STRUCT_OPS))
		error_hint(err, "the kernel refused the object's BTF (%s), which maps of this "
				"type require", k->btf_refused);
	return code;
}

int map_create(struct sys *sys, struct kernel_object *k, uint32_t i, const struct map_options *o,
	       struct error *err)
{
	const struct object_map *map = &k->object->maps[i];
	const struct special_map *special = map_special(map->type);
	struct kernel_map *as = &k->maps[i];
	union bpf_attr attr, asked;
	int inner_fd, ret;

	ret = create_inner(sys, k, map, &inner_fd, o, err);
	if (!ret && special->check)
		ret = special->check(map, as, err);
	if (ret < 0)
		return ret;
	fill_attr(k, map, as, inner_fd, &attr);
	if (map->kind == OBJECT_MAP_STRUCT_OPS)
		fill_ops_attr(k, &o->ops[i], &attr);
	as->value_size = attr.value_size;
	asked = attr;
	ret = create(sys, k, map, &attr, &as->without);
	if (ret < 0)
		return map_refused(sys, k, map, &asked, ret, err);
	as->fd = ret;
	as->map_flags = attr.map_flags;
	return special->created ? special->created(sys, map, as, err) : 0;
}

static int create_map(struct sys *sys, struct kernel_object *k, uint32_t i,
		      const struct map_options *o, struct error *err)
{
	const struct object_map *map = &k->object->maps[i];
	struct kernel_map *as = &k->maps[i], plan;
	int ret;

	if (as->fd >= 0 || (map->kind == OBJECT_MAP_STRUCT_OPS &&
				    !(o->ops && o->ops[i].value_type)))
		return 0;
	plan = map_plan(map, o);
	plan.pin_path = as->pin_path;
	*as = plan;
	ret = kernel_create_map(sys, k, i, o, err);
	if (ret)
		return ret < 0 ? ret : 0;
	if (object_map_is_pinned(map))
		return feature_missing("maps pinned by name", err);
	return map_create(sys, k, i, o, err);
}

/* Write the initial contents, then freeze .rodata, which makes it constant for the verifier. */
static int fill_data(struct sys *sys, const struct object_map *map, struct kernel_map *as,
		     struct error *err)
{
	const uint32_t key = 0;
	union bpf_attr attr;
	int ret;

	if (map->content) {
		sys_why(sys, "the initial values of the variables in section '%s'", map->name);
		ret = map_update(sys, as->fd, &key, map->content, BPF_ANY);
		if (ret < 0) {
			error_set(err, -ret, "the kernel refused its initial contents: %s",
				  error_strerror(-ret));
			return map_update_call(err, as->fd, &key, map->content, -ret);
		}
	}
	if (map->read_only) {
		memset(&attr, 0, sizeof(attr));
		attr.map_fd = as->fd;
		ret = sys_bpf(sys, BPF_MAP_FREEZE, &attr, ATTR_SIZE(map_fd));
		/* BPF_MAP_FREEZE needs Linux 5.2; before that, BPF_F_RDONLY_PROG has to suffice. */
		if (ret < 0 && ret != -EINVAL) {
			error_set(err, -ret, "cannot be frozen: %s", error_strerror(-ret));
			return sys_error_bpf(err, BPF_MAP_FREEZE, &attr, ATTR_SIZE(map_fd), -ret);
		}
		as->without |= ret < 0 ? MAP_WITHOUT_FREEZE : 0;
	}
	return 0;
}

/* Set all descriptors of @k to -1. */
static int init_object(struct kernel_object *k, const struct bpf_object *object, struct error *err)
{
	*k = (struct kernel_object){ .object = object, .btf_fd = -1, .untagged_btf_fd = -1,
				     .stats_fd = -1 };
	k->maps = calloc(object->nr_maps ? object->nr_maps : 1, sizeof(*k->maps));
	k->progs = calloc(object->nr_progs ? object->nr_progs : 1, sizeof(*k->progs));
	if (!k->maps || !k->progs) {
		free(k->maps);
		free(k->progs);
		k->maps = NULL;
		k->progs = NULL;
		return error_set(err, ENOMEM, "no memory for %u maps", object->nr_maps);
	}
	for (uint32_t i = 0; i < object->nr_maps; i++)
		k->maps[i].fd = -1;
	for (uint32_t i = 0; i < object->nr_progs; i++)
		k->progs[i].fd = -1;
	return 0;
}

/* Create map @i, unless a map of maps already created it as its template; fill and freeze data. */
static int load_map(struct sys *sys, struct kernel_object *k, uint32_t i,
		    const struct map_options *o, struct error *err)
{
	const struct object_map *map = &k->object->maps[i];
	int ret = create_map(sys, k, i, o, err);

	if (!ret && map->kind == OBJECT_MAP_DATA)
		ret = fill_data(sys, map, &k->maps[i], err);
	if (ret >= 0)
		return ret;
	error_reason_default(err, map->type == BPF_MAP_TYPE_ARENA ? "map-create/arena" :
								    "map-create/content");
	return error_where(err, "map '%s'", map->name);
}

/* Fill map @i if its type, such as a map of maps, requires all maps to exist first. */
static int fill_special(struct sys *sys, struct kernel_object *k, uint32_t i, struct error *err)
{
	const struct special_map *special = map_special(k->object->maps[i].type);
	int ret;

	if (!special->fill || k->maps[i].reused)
		return 0;
	ret = special->fill(sys, k, i, err);
	if (ret < 0)
		error_where(err, "map '%s'", k->object->maps[i].name);
	return ret;
}

int kernel_load_maps(struct sys *sys, const struct bpf_object *object, const struct map_options *o,
		     struct kernel_object *k, struct error *err)
{
	int ret = init_object(k, object, err);

	if (ret < 0)
		return ret;
	ret = kernel_plan_maps(k, o, err);
	if (ret < 0)
		return error_reason_default(err, "map-pin/name");
	kernel_load_btf(sys, k);
	for (uint32_t i = 0; ret >= 0 && i < object->nr_maps; i++)
		ret = load_map(sys, k, i, o, err);
	for (uint32_t i = 0; ret >= 0 && i < object->nr_maps; i++)
		ret = fill_special(sys, k, i, err);
	return ret < 0 ? ret : 0;
}

void kernel_map_fds(const struct kernel_object *k, struct bpf_object *object, int *fds)
{
	for (uint32_t i = 0; i < object->nr_maps; i++) {
		fds[i] = k->maps[i].fd;
		object->maps[i].data_at = k->maps[i].data_at;
	}
}

void kernel_unload(struct sys *sys, struct kernel_object *k)
{
	if (!k->object)
		return;
	sys_close_fd(sys, &k->stats_fd);
	for (uint32_t i = k->progs ? k->object->nr_progs : 0; i-- > 0;)
		sys_close_fd(sys, &k->progs[i].fd);
	if (k->maps)
		kernel_unload_features(sys, k);
	for (uint32_t i = k->maps ? k->object->nr_maps : 0; i-- > 0;)
		sys_close_fd(sys, &k->maps[i].fd);
	sys_close_fd(sys, &k->untagged_btf_fd);
	sys_close_fd(sys, &k->btf_fd);
	free(k->btf_refused);
	free(k->maps);
	free(k->progs);
	memset(k, 0, sizeof(*k));
	k->btf_fd = k->untagged_btf_fd = k->stats_fd = -1;
}
