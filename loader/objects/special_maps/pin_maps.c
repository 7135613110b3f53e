// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Pin maps by name in bpffs, so that they outlive the session: open the pinned map if it matches
 * the object's declaration, otherwise create and pin one.
 */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <linux/magic.h>

#include "loader/core/kernel/attr.h"
#include "loader/objects/special_maps/special_maps.h"
#include "loader/core/sys/refused.h"
#include "loader/base/text/names.h"

/* Objects are untrusted: their names must not act as paths or terminal escapes. */
static bool is_file_name(const char *name)
{
	const char *c = name;

	while (isalnum((unsigned char)*c) || *c == '_' || *c == '-')
		c++;
	return c > name && !*c;
}

static char *make_path(const struct object_map *map, const char *dir, struct error *err)
{
	char path[PATH_MAX], *copy;
	int n;

	if (map->pin_path)
		n = snprintf(path, sizeof(path), "%s", map->pin_path);
	else
		n = snprintf(path, sizeof(path), "%s/%s", dir, map->name);
	if (!map->pin_path && !is_file_name(map->name)) {
		error_set(err, EINVAL, "its name cannot be used for a pin, which may contain only "
				       "letters, digits, '_' and '-'");
		error_hint(err,
			   "pin it elsewhere with --map NAME.pin=PATH, or not at all with --map "
			   "NAME.pin=none");
		return NULL;
	}
	if (n < 0 || (size_t)n >= sizeof(path)) {
		error_set(err, ENAMETOOLONG, "the path of its pin is %d characters long", n);
		return NULL;
	}
	copy = strdup(path);
	if (!copy)
		error_set(err, ENOMEM, "no memory for the path of its pin");
	return copy;
}

static int compare_path(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Establishes that all paths differ; otherwise the second map would be mistaken for the first. */
static int check_paths(const struct kernel_object *k, struct error *err)
{
	const char **paths = calloc(k->object->nr_maps + 1, sizeof(*paths));
	uint32_t nr = 0;
	int ret = 0;

	if (!paths)
		return error_set(err, ENOMEM, "no memory for the paths of pins");
	for (uint32_t i = 0; i < k->object->nr_maps; i++)
		if (k->maps[i].pin_path)
			paths[nr++] = k->maps[i].pin_path;
	qsort(paths, nr, sizeof(*paths), compare_path);
	for (uint32_t i = 1; i < nr && !ret; i++) {
		if (strcmp(paths[i], paths[i - 1]))
			continue;
		ret = error_set(err, EEXIST, "two maps would be pinned at '%s'", paths[i]);
		error_hint(err, "pin one of them elsewhere with --map NAME.pin=PATH");
	}
	free(paths);
	return ret;
}

static int pins_plan(struct kernel_object *k, const struct map_options *o, struct error *err)
{
	const char *dir = o->pin_dir ? o->pin_dir : "/sys/fs/bpf";
	bool any = false;

	for (uint32_t i = 0; i < k->object->nr_maps; i++) {
		if (!object_map_is_pinned(&k->object->maps[i]))
			continue;
		any = true;
		k->maps[i].pin_path = make_path(&k->object->maps[i], dir, err);
		if (!k->maps[i].pin_path)
			return error_where(err, "map '%s'", k->object->maps[i].name);
	}
	return any ? check_paths(k, err) : 0;
}

static void fill_path(union bpf_attr *attr, const char *path, int fd)
{
	memset(attr, 0, sizeof(*attr));
	attr->pathname = attr_pointer(path);
	attr->bpf_fd = fd;
}

static int bpf_path(struct sys *sys, int cmd, const char *path, int fd)
{
	union bpf_attr attr;

	fill_path(&attr, path, fd);
	return sys_bpf(sys, cmd, &attr, ATTR_SIZE(file_flags));
}

static int path_call(struct error *err, int cmd, const char *path, int fd, int code)
{
	union bpf_attr attr;

	fill_path(&attr, path, fd);
	return sys_error_bpf(err, cmd, &attr, ATTR_SIZE(file_flags), code);
}

int kernel_pin(struct sys *sys, int fd, const char *path)
{
	return bpf_path(sys, BPF_OBJ_PIN, path, fd);
}

int kernel_obj_get(struct sys *sys, const char *path)
{
	return bpf_path(sys, BPF_OBJ_GET, path, 0);
}

int kernel_pin_call(struct error *err, int fd, const char *path, int code)
{
	return path_call(err, BPF_OBJ_PIN, path, fd, code);
}

int kernel_obj_get_call(struct error *err, const char *path, int code)
{
	return path_call(err, BPF_OBJ_GET, path, 0, code);
}

/* Explain a failed pin after inspecting its directory. Return: -@code. */
static int explain(struct sys *sys, const char *call, const char *path, int code, struct error *err)
{
	const char *slash = strrchr(path, '/');
	char dir[PATH_MAX];
	struct statfs fs;
	int ret;

	snprintf(dir, sizeof(dir), "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
	error_set(err, code, "%s '%s': %s", call, path, error_strerror(code));
	error_reason(err, "map-pin/refused");
	ret = sys_statfs(sys, dir[0] ? dir : "/", &fs);
	if (ret == -ENOENT || ret == -ENOTDIR) {
		error_set(err, code, "the directory '%s' for its pin does not exist", dir);
		error_reason(err, "map-pin/no-directory");
		return error_hint(err, "create it in a file system of type bpf, or use "
				       "--pin-path=DIR");
	}
	if (!ret && (uint32_t)fs.f_type != BPF_FS_MAGIC) {
		error_set(err, code, "'%s' is not in a file system of type bpf", dir);
		error_reason(err, "map-pin/no-bpffs");
		return error_hint(err, "mount -t bpf bpf /sys/fs/bpf, or use --pin-path=DIR with "
				       "a directory in one");
	}
	if (strchr(slash ? slash : path, '.'))
		return error_hint(err, "names in bpffs cannot contain '.'");
	if (code == EPERM || code == EACCES)
		return error_hint(err,
				  "check the owner and the mode of the directory and of the pin");
	return error_hint(err, "pin elsewhere with --pin-path=DIR, or not at all with --map "
			       "NAME.pin=none");
}

/*
 * Remove flags that concern the call rather than the map, and one that the kernel itself adds to
 * device maps (dev_map_alloc() in kernel/bpf/devmap.c).
 */
static uint32_t lasting_flags(uint32_t type, uint32_t flags)
{
	flags &= ~(BPF_F_RDONLY | BPF_F_WRONLY | BPF_F_TOKEN_FD);
	if (type == BPF_MAP_TYPE_DEVMAP || type == BPF_MAP_TYPE_DEVMAP_HASH)
		flags &= ~BPF_F_RDONLY_PROG;
	return flags;
}

/*
 * With per-CPU LRU lists, the kernel rounds max_entries up to a multiple of the number of CPUs.
 */
static uint32_t expected_entries(const struct object_map *map, const struct kernel_map *as,
				 uint32_t theirs)
{
	const bool lru = map->type == BPF_MAP_TYPE_LRU_HASH ||
			 map->type == BPF_MAP_TYPE_LRU_PERCPU_HASH;

	return lru && as->map_flags & BPF_F_NO_COMMON_LRU && theirs > as->max_entries ?
		       theirs : as->max_entries;
}

static int refuse_pin(const char *path, const char *field, const char *is, const char *want,
		      struct error *err)
{
	error_set(err, EEXIST, "the map pinned at '%s' has %s %s, but the object declares %s", path,
		  field, is, want);
	error_reason(err, "map-pin/incompatible");
	return error_hint(err, "remove that pin (rm %s), or pin elsewhere: --pin-path=DIR", path);
}

static int check_type(const char *path, uint32_t is, uint32_t want, struct error *err)
{
	const char *is_name = sys_map_type_name(is), *want_name = sys_map_type_name(want);

	if (is == want)
		return 0;
	return refuse_pin(path, "type", is_name ? is_name : "unknown here",
			  want_name ? want_name : "another", err);
}

/*
 * Establishes that the pinned map has the attributes declared in the object, with which programs
 * are verified.
 */
static int check_like(const struct object_map *map, const struct kernel_map *as,
		      const struct bpf_map_info *info, struct error *err)
{
	const struct {
		const char *name;
		uint64_t is, want;
		bool hex;
	} fields[] = {
		{ "key_size", info->key_size, as->key_size, false },
		{ "value_size", info->value_size, as->value_size, false },
		{ "max_entries", info->max_entries,
		  expected_entries(map, as, info->max_entries), false },
		{ "map_flags", lasting_flags(map->type, info->map_flags),
		  lasting_flags(map->type, as->map_flags), true },
		{ "map_extra", info->map_extra, map->map_extra, true },
	};
	int ret = check_type(as->pin_path, info->type, map->type, err);

	for (size_t i = 0; !ret && i < sizeof(fields) / sizeof(fields[0]); i++) {
		const char *format = fields[i].hex ? "0x%llx" : "%llu";
		char is[32], want[32];

		if (fields[i].is == fields[i].want)
			continue;
		snprintf(is, sizeof(is), format, (unsigned long long)fields[i].is);
		snprintf(want, sizeof(want), format, (unsigned long long)fields[i].want);
		ret = refuse_pin(as->pin_path, fields[i].name, is, want, err);
	}
	return ret;
}

/*
 * Open the map pinned there. Return: 1, 0 if there is none, -EEXIST if it differs, or -errno.
 */
static int take(struct sys *sys, const struct object_map *map, struct kernel_map *as,
		struct error *err)
{
	struct bpf_map_info info;
	uint32_t len = sizeof(info);
	int fd = kernel_obj_get(sys, as->pin_path), ret;

	if (fd == -ENOENT)
		return 0;
	if (fd < 0) {
		explain(sys, "BPF_OBJ_GET", as->pin_path, -fd, err);
		kernel_obj_get_call(err, as->pin_path, -fd);
		return fd;
	}
	memset(&info, 0, sizeof(info));
	ret = kernel_fd_info(sys, fd, &info, &len);
	if (ret < 0) {
		error_set(err, -ret, "BPF_OBJ_GET_INFO_BY_FD of the pin '%s': %s", as->pin_path,
			  error_strerror(-ret));
		error_reason(err, "map-pin/refused");
	} else {
		ret = check_like(map, as, &info, err);
	}
	if (ret < 0) {
		sys_close_fd(sys, &fd);
		return ret;
	}
	as->fd = fd;
	as->max_entries = info.max_entries;
	as->map_flags = info.map_flags;
	as->reused = true;
	return 1;
}

/* Pin the map. Return: 1, 0 if another process was faster, or -errno. */
static int put(struct sys *sys, struct kernel_map *as, struct error *err)
{
	int ret = kernel_pin(sys, as->fd, as->pin_path);

	if (ret < 0 && ret != -EEXIST) {
		explain(sys, "BPF_OBJ_PIN", as->pin_path, -ret, err);
		kernel_pin_call(err, as->fd, as->pin_path, -ret);
		return ret;
	}
	as->pin_is_ours = !ret;
	return !ret;
}

/* Another process may pin its map between our open and our pin, and remove it again. */
#define PIN_TRIES 3

static int pins_create(struct sys *sys, struct kernel_object *k, uint32_t i,
		       const struct map_options *o, struct error *err)
{
	const struct object_map *map = &k->object->maps[i];
	const struct special_map *special = map_special(map->type);
	struct kernel_map *as = &k->maps[i];
	int ret = 0;

	if (!as->pin_path)
		return 0;
	for (int n = 0; n < PIN_TRIES && !ret; n++) {
		ret = take(sys, map, as, err);
		if (ret > 0 && special->taken)
			special->taken(sys, map, as);
		if (ret)
			return ret < 0 ? ret : 1;
		ret = map_create(sys, k, i, o, err);
		if (!ret)
			ret = put(sys, as, err);
		if (ret <= 0)
			sys_close_fd(sys, &as->fd);
	}
	if (ret)
		return ret < 0 ? ret : 1;
	error_set(err, EBUSY, "other processes keep pinning and removing '%s'", as->pin_path);
	error_reason(err, "map-pin/refused");
	return error_hint(err, "stop the others, or use --map NAME.pin=none");
}

void kernel_keep_pins(struct kernel_object *k)
{
	for (uint32_t i = 0; i < k->object->nr_maps; i++)
		k->maps[i].pin_is_ours = false;
}

static void pins_drop(struct sys *sys, struct kernel_object *k)
{
	for (uint32_t i = k->object->nr_maps; i-- > 0;) {
		if (k->maps[i].pin_is_ours)
			sys_unlinkat(sys, k->maps[i].pin_path);
		free(k->maps[i].pin_path);
		k->maps[i].pin_path = NULL;
		k->maps[i].pin_is_ours = false;
	}
}

const struct kernel_feature kernel_pinned_maps = {
	.plan_maps = pins_plan, .create_map = pins_create, .unload = pins_drop,
};
