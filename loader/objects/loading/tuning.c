// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* --map and --set: change maps and variables before an object is loaded. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/objects/loading/loading.h"
#include "loader/objects/variables/find_variable.h"
#include "loader/core/sys/number.h"

/* Check that @text has the form NAME=VALUE. */
static int check_pair(const char *text, struct error *err)
{
	const char *equals = strchr(text, '=');

	if (equals && equals != text)
		return 0;
	return error_set(err, EINVAL, "%s", equals ? "no name before the '='" :
						     "no '=' and value");
}

/* Copy @text and split it at the first '='; *@value points into the copy. */
static char *split(const char *text, char **value, struct error *err)
{
	char *copy;

	if (check_pair(text, err))
		return NULL;
	copy = strdup(text);
	if (!copy) {
		error_set(err, ENOMEM, "no memory for it");
		return NULL;
	}
	*value = strchr(copy, '=');
	*(*value)++ = '\0';
	return copy;
}

static int set(struct bpf_object *obj, const char *text, struct error *err)
{
	char *value, *path = split(text, &value, err);
	int ret = path ? object_set_variable(obj, path, value, err) : -EINVAL;

	if (!path)
		error_hint(err, "as in --set NAME=VALUE");
	free(path);
	return ret;
}

/* Find the only map with this name. Inner map templates have no names. */
static struct object_map *find_map(struct bpf_object *obj, const char *name, struct error *err)
{
	struct names_near near = { .want = name, .want_len = strlen(name) };
	struct object_map *found = NULL;

	for (uint32_t i = 0; i < obj->nr_maps; i++) {
		struct object_map *map = &obj->maps[i];

		if (!map->section)
			continue;
		names_near_add(&near, map->name);
		if (strcmp(map->name, name))
			continue;
		if (found) {
			error_set(err, EEXIST, "several maps have the name '%s'", name);
			error_hint(err, "give them different names");
			return NULL;
		}
		found = map;
	}
	if (!found) {
		error_set(err, ENOENT, "no map '%s'", name);
		names_near_hint(&near, err);
	} else if (found->kind != OBJECT_MAP_BTF && found->kind != OBJECT_MAP_LEGACY) {
		error_set(err, EINVAL, "'%s' is a data section: an array with one element",
			  name);
		error_hint(err, "use --set NAME=VALUE to change a variable in it");
		return NULL;
	}
	return found;
}

static int set_number(const char *text, uint64_t max, uint64_t *number, struct error *err)
{
	if (number_parse_base(text, strlen(text), NUMBER_AS_IN_C, number) || *number > max)
		return error_set(err, EINVAL, "'%s' is not a whole number from 0 to %llu", text,
				 (unsigned long long)max);
	return 0;
}

static int set_pin(struct object_map *map, const char *path, struct error *err)
{
	const bool none = !strcmp(path, "none");

	if (!path[0]) {
		error_set(err, EINVAL, "it has no path");
		return error_hint(err,
				  "as in --map NAME.pin=/sys/fs/bpf/NAME, or --map NAME.pin=none");
	}
	map->pin_by_name = false;
	map->pin_path = none ? NULL : path;
	return 0;
}

static int no_field(const char *field, struct error *err)
{
	static const char *const fields[] = {
		"max_entries", "key_size", "value_size", "map_flags", "map_extra", "numa_node",
		"pin",
	};
	char names[NEAREST_MAX * NEAREST_NAME];
	struct nearest near;

	nearest_init(&near, field);
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		nearest_offer(&near, fields[i]);
	error_set(err, EINVAL, "'%s' is not a map field that can be changed", field);
	if (near.nr)
		return error_hint(err, "did you mean %s?",
				  nearest_text(&near, names, sizeof(names)));
	return error_hint(err, "use max_entries, key_size, value_size, map_flags, map_extra, "
			       "numa_node or pin");
}

static int set_field(struct object_map *map, const char *field, const char *text, struct error *err)
{
	const struct {
		const char *name;
		uint32_t *to;
	} fields[] = {
		{ "max_entries", &map->max_entries },
		{ "map_flags", &map->map_flags },
		{ "numa_node", &map->numa_node },
		{ "key_size", &map->key_size },
		{ "value_size", &map->value_size },
	};
	const uint32_t key_size = map->key_size, value_size = map->value_size;
	uint64_t number = 0;
	int ret;

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		if (strcmp(field, fields[i].name))
			continue;
		ret = set_number(text, UINT32_MAX, &number, err);
		*fields[i].to = ret ? *fields[i].to : (uint32_t)number;
		if (!ret && fields[i].to == &map->numa_node)
			map->map_flags |= BPF_F_NUMA_NODE;
		/* The kernel checks the BTF types against the sizes, so drop both types. */
		if (map->key_size != key_size || map->value_size != value_size)
			map->key_type = map->value_type = 0;
		return ret;
	}
	if (!strcmp(field, "map_extra"))
		return set_number(text, UINT64_MAX, &map->map_extra, err);
	if (!strcmp(field, "pin"))
		return set_pin(map, text, err);
	return no_field(field, err);
}

static int change_map(struct bpf_object *obj, const char *text, struct error *err)
{
	const char *value = strchr(text, '=') ? strchr(text, '=') + 1 : "";
	char *rest, *name = split(text, &rest, err), *dot = name ? strrchr(name, '.') : NULL;
	struct object_map *map;
	int ret = -EINVAL;

	if (name && (!dot || dot == name))
		error_set(err, EINVAL, "'%s' does not have the form MAP.FIELD", name);
	if (!dot || dot == name) {
		error_hint(err, "as in --map NAME.max_entries=1024");
	} else {
		*dot = '\0';
		map = find_map(obj, name, err);
		ret = map ? set_field(map, dot + 1, value, err) : err->code;
	}
	free(name);
	return ret;
}

static int apply(struct bpf_object *obj, const struct option_list *list, const char *option,
		 int (*change)(struct bpf_object *, const char *, struct error *),
		 const char *reason, const char *hint, struct error *err)
{
	for (unsigned int i = 0; i < list->nr; i++) {
		if (!change(obj, list->text[i], err))
			continue;
		if (!err->hint[0])
			error_hint(err, "%s", hint);
		error_reason_default(err, reason);
		error_where(err, "%s %s", option, list->text[i]);
		return error_where(err, "%s", obj->name);
	}
	return 0;
}

static int check_pairs(const struct option_list *list, const char *option, const char *hint,
		       struct error *err)
{
	for (unsigned int i = 0; i < list->nr; i++) {
		if (!check_pair(list->text[i], err))
			continue;
		error_hint(err, "%s", hint);
		return error_where(err, "%s %s", option, list->text[i]);
	}
	return 0;
}

int tuning_check(const struct load_options *o, struct error *err)
{
	int ret = check_pairs(&o->maps, "--map", "as in --map NAME.max_entries=1024", err);

	if (!ret)
		ret = check_pairs(&o->sets, "--set", "as in --set NAME=VALUE", err);
	return ret;
}

int tuning_apply(struct bpf_object *obj, const struct load_options *o, struct error *err)
{
	int ret = apply(obj, &o->maps, "--map", change_map, "object/map-option",
			"as in --map NAME.max_entries=1024", err);

	if (!ret)
		ret = apply(obj, &o->sets, "--set", set, "object/set",
			    "as in --set NAME=1, NAME[2]=0x10, NAME.MEMBER=true, NAME=ENUMERATOR, "
			    "NAME=text", err);
	return ret;
}

static int change_object(struct loading *l, struct error *err)
{
	return tuning_apply(&l->object, l->options, err);
}

const struct load_feature load_options = { .at = { [LOADING_PARSED] = change_object } };
