// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* --target-map: the map of sockets that a program attaches to, or the map that it iterates over. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "elf/error.h"
#include "loader/objects/targets/targets.h"
#include "loader/core/kernel/attr.h"
#include "loader/base/text/names.h"

/* Data sections and inner map templates do not qualify. */
static bool fits(const struct object_map *map, uint64_t types)
{
	return map->kind != OBJECT_MAP_DATA && map->section && map->type < 64 &&
	       types >> map->type & 1;
}

static const char *type_name(uint32_t type)
{
	const char *name = sys_map_type_name(type);

	return name ? name + strlen("BPF_MAP_TYPE_") : "map of an unknown type";
}

/* Write "SOCKMAP, SOCKHASH". */
static const char *type_names(uint64_t types, char *buf, size_t size)
{
	size_t len = 0;

	buf[0] = '\0';
	for (uint32_t type = 0; type < 64 && len < size; type++)
		if (types >> type & 1)
			len += snprintf(buf + len, size - len, "%s%s", len ? ", " : "",
					type_name(type));
	return buf;
}

/* Write the object's maps of these types as "a, b". Return: their number. */
static unsigned int map_names(const struct bpf_object *obj, uint64_t types, char *buf, size_t size)
{
	unsigned int nr = 0;
	size_t len = 0;

	buf[0] = '\0';
	for (uint32_t i = 0; i < obj->nr_maps; i++) {
		if (!fits(&obj->maps[i], types))
			continue;
		if (len < size)
			len += snprintf(buf + len, size - len, "%s%s", nr ? ", " : "",
					obj->maps[i].name);
		nr++;
	}
	return nr;
}

/* "sk_msg", "iter/bpf_map_elem" */
static const char *target_name(const struct bpf_object *obj, const struct plan_entry *entry,
			      char buf[64])
{
	const char *target = obj->progs[entry->prog].target;
	const bool iter = entry->target->kind == TARGET_ITER;

	snprintf(buf, 64, "%s%s%s", entry->target->name, iter ? "/" : "", iter ? target : "");
	return buf;
}

const char *plan_map_name(const struct options *o, const struct bpf_object *obj,
			  const struct plan_entry *entry)
{
	if (!link_target_map_types(entry->target, obj->progs[entry->prog].target))
		return NULL;
	return entry->map < 0 ? o->target.map : obj->maps[entry->map].name;
}

static int hint_maps(const struct bpf_object *obj, uint64_t types, struct error *err)
{
	char names[256];

	if (map_names(obj, types, names, sizeof(names)))
		return error_hint(err, "use --target-map=NAME: suitable maps are %s", names);
	return error_hint(err, "use --target-map=PATH for one pinned in bpffs");
}

static int not_one(const struct bpf_object *obj, const struct plan_entry *entry, uint64_t types,
		   struct error *err)
{
	char names[256], wanted[256], name[64];
	const unsigned int nr = map_names(obj, types, names, sizeof(names));

	type_names(types, wanted, sizeof(wanted));
	error_set(err, EINVAL, "%s needs one map, but the object has %s of its types (%s)",
		  target_name(obj, entry, name), nr ? "several" : "none", wanted);
	error_reason(err, "attach/no-target");
	return hint_maps(obj, types, err);
}

static int no_such_map(const struct options *o, const struct bpf_object *obj, uint64_t types,
		     struct error *err)
{
	char names[NEAREST_MAX * (NEAREST_NAME + 2)];
	struct nearest near;

	nearest_init(&near, o->target.map);
	for (uint32_t i = 0; i < obj->nr_maps; i++)
		nearest_offer(&near, obj->maps[i].name);
	error_set(err, ENOENT, "the object has no map '%s'", o->target.map);
	error_reason(err, "attach/no-target");
	if (near.nr)
		error_hint(err, "did you mean %s?", nearest_text(&near, names, sizeof(names)));
	else
		hint_maps(obj, types, err);
	return error_where(err, "--target-map");
}

static bool is_id(const char *text)
{
	return text[0] && !text[strspn(text, "0123456789")] && strlen(text) <= 10 &&
	       strtoull(text, NULL, 10) <= UINT32_MAX;
}

static int by_name(const struct options *o, const struct bpf_object *obj, uint64_t types,
		   struct plan_entry *entry, struct error *err)
{
	char wanted[256], name[64];

	for (uint32_t i = 0; i < obj->nr_maps; i++) {
		if (strcmp(obj->maps[i].name, o->target.map))
			continue;
		entry->map = i;
		if (fits(&obj->maps[i], types))
			return 1;
		error_set(err, EINVAL, "map '%s' is a %s, but %s needs %s", o->target.map,
			  type_name(obj->maps[i].type), target_name(obj, entry, name),
			  type_names(types, wanted, sizeof(wanted)));
		error_reason(err, "attach/no-target");
		hint_maps(obj, types, err);
		return error_where(err, "--target-map");
	}
	if (strchr(o->target.map, '/') || is_id(o->target.map))
		return 1;
	return no_such_map(o, obj, types, err);
}

int plan_map(const struct options *o, const struct bpf_object *obj, struct plan_entry *entry,
	     struct error *err)
{
	const uint64_t types = link_target_map_types(entry->target, obj->progs[entry->prog].target);

	entry->map = -1;
	if (!types)
		return 0;
	if (o->target.map)
		return by_name(o, obj, types, entry, err);
	for (uint32_t i = 0; i < obj->nr_maps; i++) {
		if (!fits(&obj->maps[i], types))
			continue;
		if (entry->map >= 0)
			return not_one(obj, entry, types, err);
		entry->map = i;
	}
	return entry->map < 0 ? not_one(obj, entry, types, err) : 1;
}

static int open_map(struct session *s, const char *text, struct error *err)
{
	const bool id = is_id(text);
	const char *call = id ? "BPF_MAP_GET_FD_BY_ID" : "BPF_OBJ_GET";
	union bpf_attr attr;
	int ret;

	memset(&attr, 0, sizeof(attr));
	if (id)
		attr.map_id = strtoull(text, NULL, 10);
	else
		attr.pathname = attr_pointer(text);
	ret = sys_bpf(s->sys, id ? BPF_MAP_GET_FD_BY_ID : BPF_OBJ_GET, &attr,
		      id ? ATTR_SIZE(map_id) : ATTR_SIZE(file_flags));
	if (ret < 0) {
		error_set(err, -ret, "%s: %s", call, error_strerror(-ret));
		error_reason(err, "attach/no-target");
		return error_hint(err, "bpftool map list -f shows ids and pins of maps");
	}
	s->map_fd = ret;
	return ret;
}

int session_target_map(struct session *s, const struct plan_entry *entry, struct error *err)
{
	int ret = s->map_fd;

	if (entry->map >= 0)
		return s->load.kernel.maps[entry->map].fd;
	if (ret < 0)
		ret = open_map(s, s->options->target.map, err);
	return ret < 0 ? error_where(err, "--target-map=%s", s->options->target.map) : ret;
}
