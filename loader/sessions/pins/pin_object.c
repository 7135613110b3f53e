// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The pins of an object that is only loaded, not attached: pload load --pin. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "loader/sessions/pins/pin_files.h"

static int add(struct pins *pins, const char *dir, const char *kind, const char *name, int fd,
	       struct error *err)
{
	char file[NAME_MAX];

	if (fd < 0)
		return 0;
	pins_name(file, sizeof(file), name);
	return pins_add(pins, (struct pin){ .kind = kind, .name = name, .fd = fd }, err,
			"%s/%s%s", dir, strcmp(kind, "map") ? "" : "maps/", file);
}

static int compare(const void *a, const void *b)
{
	return strcmp(((const struct pin *)a)->path, ((const struct pin *)b)->path);
}

/* Two pins must not share a path, and no program may use that of the directory "maps". */
static int check_names(struct pins *pins, const char *dir, bool any_map, struct error *err)
{
	const struct pin *pin = pins->list;
	char maps[PATH_MAX];

	snprintf(maps, sizeof(maps), "%s/maps", dir);
	if (pins->nr)
		qsort(pins->list, pins->nr, sizeof(*pins->list), compare);
	for (uint32_t i = 0; i < pins->nr; i++, pin++) {
		if (any_map && !strcmp(pin->path, maps)) {
			error_set(err, EEXIST, "'%s' is the directory of the maps", maps);
		} else if (i && !strcmp(pin->path, pin[-1].path)) {
			error_set(err, EEXIST, "'%s' is the pin of %s '%s', too", pin->path,
				  pin[-1].kind, pin[-1].name);
		} else {
			continue;
		}
		error_reason(err, "pin/name");
		error_where(err, "%s '%s'", pin->kind, pin->name);
		return error_hint(err, "rename one of them, or leave it out with --prog");
	}
	return 0;
}

/* An inner map template has no variable of its own, only the name of its map of maps. */
static bool is_template(const struct object_map *map)
{
	return map->kind == OBJECT_MAP_BTF && !map->section;
}

static int plan(struct pins *pins, const struct loading *l, const char *dir, struct error *err)
{
	const struct bpf_object *obj = &l->object;
	uint32_t nr_progs;
	int ret = 0;

	for (uint32_t i = 0; !ret && i < obj->nr_progs; i++)
		ret = add(pins, dir, "prog", obj->progs[i].name, l->kernel.progs[i].fd, err);
	nr_progs = pins->nr;
	for (uint32_t i = 0; !ret && i < obj->nr_maps; i++)
		if (!is_template(&obj->maps[i]))
			ret = add(pins, dir, "map", obj->maps[i].name, l->kernel.maps[i].fd, err);
	return ret ? ret : check_names(pins, dir, pins->nr > nr_progs, err);
}

int pins_of_object(struct sys *sys, const struct loading *l, const char *dir, struct error *err)
{
	struct pins pins = { .sys = sys };
	int ret = plan(&pins, l, dir, err);

	if (!ret)
		ret = pins_make(&pins, err);
	if (ret)
		error_where(err, "%s", l->object.name);
	pins_free(&pins);
	return ret;
}
