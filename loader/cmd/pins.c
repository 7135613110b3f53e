// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What stays of an object when pload has ended: its programs and maps, as files in bpffs. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <linux/magic.h>

#include "loader/cmd/pins.h"

/* One pin: planned, and from done on there. */
struct pin {
	char *path; /* owned */
	const char *kind, *name; /* "prog" or "map", and which: for messages */
	int fd; /* borrowed */
};

struct pins {
	struct sys *sys;
	struct pin *list; /* owned */
	uint32_t nr, done;
	char *dirs[64]; /* owned; those that were made, in this order */
	unsigned int nr_dirs;
};

/* --- where --- */

int pins_check(struct sys *sys, const char *dir, struct error *err)
{
	char path[PATH_MAX], *slash;
	struct statfs fs = { 0 };
	int ret;

	if (snprintf(path, sizeof(path), "%s", dir) >= PATH_MAX || !dir[0]) {
		error_set(err, EINVAL, "this is no path of a directory");
		return error_where(err, "--pin=%.64s", dir);
	}
	while ((ret = sys_statfs(sys, path, &fs)) == -ENOENT) {
		slash = strrchr(path, '/');
		if (!slash)
			strcpy(path, ".");
		else
			slash[slash == path] = '\0';
	}
	if (ret < 0) {
		error_set(err, -ret, "'%s': %s", path, error_strerror(-ret));
		if (strchr(path, '.'))
			error_hint(err, "bpffs takes no name with a '.' in it");
		else if (ret == -EACCES)
			error_hint(err, "look at the owner and the mode of the directory");
		return error_where(err, "--pin=%s", dir);
	}
	if ((uint32_t)fs.f_type == BPF_FS_MAGIC)
		return 0;
	error_set(err, EINVAL, "'%s' is in no file system of type bpf, and only those take pins",
		  path);
	error_reason(err, "pin/no-bpffs");
	error_hint(err, "mount -t bpf bpf /sys/fs/bpf, and --pin=/sys/fs/bpf/NAME");
	return error_where(err, "--pin=%s", dir);
}

void pins_name(char *out, size_t size, const char *name)
{
	size_t n = 0;

	if (name[0] == '.' && name[1])
		name++;
	for (; *name && n < size - 1; name++) {
		const unsigned char c = *name;

		out[n++] = isalnum(c) || c == '_' || c == '-' ? c : '_';
	}
	out[n] = '\0';
}

/* --- what --- */

static int plan_pin(struct pins *pins, const char *dir, const char *kind, const char *name, int fd,
		    struct error *err)
{
	struct pin *pin = &pins->list[pins->nr];
	const bool map = !strcmp(kind, "map");
	char file[NAME_MAX];

	if (fd < 0)
		return 0;
	pins_name(file, sizeof(file), name);
	if (asprintf(&pin->path, "%s/%s%s", dir, map ? "maps/" : "", file) < 0)
		return error_set(err, ENOMEM, "no memory for the paths of pins");
	pin->kind = kind;
	pin->name = name;
	pin->fd = fd;
	pins->nr++;
	return 0;
}

static int compare(const void *a, const void *b)
{
	return strcmp(((const struct pin *)a)->path, ((const struct pin *)b)->path);
}

/* A program and the directory "maps" are in each other's way like two of the same name. */
static int check_names(struct pins *pins, const char *dir, bool any_map, struct error *err)
{
	const struct pin *pin = pins->list;
	char maps[PATH_MAX];

	snprintf(maps, sizeof(maps), "%s/maps", dir);
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
		return error_hint(err, "call one of them otherwise, or leave it out with --prog");
	}
	return 0;
}

static int plan(struct pins *pins, const struct loading *l, const char *dir, struct error *err)
{
	const struct bpf_object *obj = &l->object;
	uint32_t nr_progs;
	int ret = 0;

	pins->list = calloc((size_t)obj->nr_progs + obj->nr_maps + 1, sizeof(*pins->list));
	if (!pins->list)
		return error_set(err, ENOMEM, "no memory for the paths of pins");
	for (uint32_t i = 0; !ret && i < obj->nr_progs; i++)
		ret = plan_pin(pins, dir, "prog", obj->progs[i].name, l->kernel.progs[i].fd, err);
	nr_progs = pins->nr;
	for (uint32_t i = 0; !ret && i < obj->nr_maps; i++)
		ret = plan_pin(pins, dir, "map", obj->maps[i].name, l->kernel.maps[i].fd, err);
	return ret ? ret : check_names(pins, dir, pins->nr > nr_progs, err);
}

/* --- there and back --- */

static int make_dir(struct pins *pins, const char *path, struct error *err)
{
	int ret = sys_mkdirat(pins->sys, path, 0700);

	if (ret == -EEXIST)
		return 0;
	if (ret < 0) {
		error_set(err, -ret, "mkdir '%s': %s", path, error_strerror(-ret));
		error_reason(err, "pin/refused");
		return error_hint(
			err, strchr(path, '.')
				     ? "bpffs takes no name with a '.' in it"
				     : "look at the owner and the mode of the directory above");
	}
	if (pins->nr_dirs < sizeof(pins->dirs) / sizeof(pins->dirs[0]))
		pins->dirs[pins->nr_dirs] = strdup(path);
	if (pins->nr_dirs < sizeof(pins->dirs) / sizeof(pins->dirs[0]) &&
	    pins->dirs[pins->nr_dirs]) {
		pins->nr_dirs++;
		return 0;
	}
	sys_rmdir(pins->sys, path); /* what is not remembered could not be undone */
	return error_set(err, ENOMEM, "no memory for the names of directories");
}

/* Each directory that @path (of a file) goes through. */
static int make_dirs(struct pins *pins, const char *path, struct error *err)
{
	char dir[PATH_MAX];
	int ret = 0;

	for (const char *slash = strchr(path + 1, '/'); !ret && slash;
	     slash = strchr(slash + 1, '/')) {
		if (slash[-1] == '/')
			continue;
		snprintf(dir, sizeof(dir), "%.*s", (int)(slash - path), path);
		ret = make_dir(pins, dir, err);
	}
	return ret;
}

static int make_pin(struct pins *pins, const struct pin *pin, struct error *err)
{
	int ret = kernel_pin(pins->sys, pin->fd, pin->path);

	if (ret >= 0)
		return 0;
	error_set(err, -ret, "BPF_OBJ_PIN '%s': %s", pin->path, error_strerror(-ret));
	error_reason(err, ret == -EEXIST ? "pin/exists" : "pin/refused");
	if (ret == -EEXIST)
		error_hint(err, "something is pinned there: rm it, or name another directory");
	else if (ret == -EPERM || ret == -EACCES)
		error_hint(err, "look at the owner and the mode of the directory");
	return error_where(err, "%s '%s'", pin->kind, pin->name);
}

static void undo(struct pins *pins)
{
	while (pins->done)
		sys_unlinkat(pins->sys, pins->list[--pins->done].path);
	for (unsigned int i = pins->nr_dirs; i-- > 0;)
		sys_rmdir(pins->sys, pins->dirs[i]);
}

int pins_make(struct sys *sys, const struct loading *l, const char *dir, struct error *err)
{
	struct pins pins = { .sys = sys };
	const char *last = "";
	int ret = plan(&pins, l, dir, err);

	for (; !ret && pins.done < pins.nr; pins.done += !ret) {
		const struct pin *pin = &pins.list[pins.done];
		const size_t len = strrchr(pin->path, '/') - pin->path;

		/* Sorted: those of one directory follow each other. */
		if (strncmp(last, pin->path, len + 1))
			ret = make_dirs(&pins, pin->path, err);
		last = pin->path;
		if (!ret)
			ret = make_pin(&pins, pin, err);
	}
	if (ret) {
		undo(&pins);
		error_where(err, "%s", l->object.name);
	}
	for (unsigned int i = 0; i < pins.nr_dirs; i++)
		free(pins.dirs[i]);
	for (uint32_t i = 0; i < pins.nr; i++)
		free(pins.list[i].path);
	free(pins.list);
	return ret;
}
