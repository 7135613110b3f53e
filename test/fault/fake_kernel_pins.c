// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The fake kernel's bpffs: names in /sys/fs/bpf, and in directories created there. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include <linux/magic.h>

#include "test/fault/fake_kernel_parts.h"

#define MOUNT "/sys/fs/bpf"

static struct fake_pin *find(struct fake_kernel *k, const char *path)
{
	for (unsigned int i = 0; i < k->nr_pins; i++)
		if (!strcmp(k->pins[i].path, path))
			return &k->pins[i];
	return NULL;
}

static struct fake_pin *add(struct fake_kernel *k, const char *path, struct fake_map *map)
{
	k->pins = fake_grow(k->pins, k->nr_pins, sizeof(*k->pins));
	snprintf(k->pins[k->nr_pins].path, sizeof(k->pins[0].path), "%s", path);
	k->pins[k->nr_pins].map = map;
	return &k->pins[k->nr_pins++];
}

/* Return 0 if @path can be created: in the mount, in an existing directory. Else -errno. */
static int check_path(struct fake_kernel *k, const char *path)
{
	const char *slash = strrchr(path, '/');
	const struct fake_pin *parent;
	char dir[256];

	if (strncmp(path, MOUNT "/", strlen(MOUNT "/")) || fake_too_old(k, FAKE_NO_BPFFS) ||
	    strchr(path, '.'))
		return -EPERM;
	snprintf(dir, sizeof(dir), "%.*s", (int)(slash - path), path);
	parent = find(k, dir);
	if (strcmp(dir, MOUNT) && !parent)
		return -ENOENT;
	return parent && !parent->directory ? -ENOTDIR : 0;
}

long fake_obj_pin(struct fake_kernel *k, union bpf_attr *attr)
{
	const char *path = (const char *)attr->pathname;
	const struct fake_fd *fd = sim_fd_get(&k->fds, attr->bpf_fd);
	struct fake_map *map;
	struct fake_pin *pin;
	int code;

	if (!fd)
		return -EBADF;
	if (fd->kind != SIM_MAP && fd->kind != SIM_PROG && fd->kind != SIM_LINK)
		return -EINVAL;
	map = fd->map;
	code = check_path(k, path);
	if (code)
		return code;
	if (k->races && map) {
		k->races--;
		add(k, path, fake_map_new(k, &map->attr));
	}
	if (find(k, path))
		return -EEXIST;
	pin = add(k, path, map);
	pin->prog = fd->prog;
	pin->link = fd->link;
	return 0;
}

long fake_mkdirat(struct fake_kernel *k, const unsigned long arg[6])
{
	const char *path = (const char *)arg[1];
	int code;

	/* The mount point exists, and so do the directories above it. */
	if (find(k, path) || !strncmp(MOUNT, path, strlen(path)))
		return -EEXIST;
	code = check_path(k, path);
	if (code)
		return code;
	add(k, path, NULL)->directory = true;
	return 0;
}

long fake_obj_get(struct fake_kernel *k, union bpf_attr *attr)
{
	const struct fake_pin *pin = find(k, (const char *)attr->pathname);
	struct fake_fd *fd;
	int nr;

	if (!pin)
		return -ENOENT;
	if (pin->directory || pin->text)
		return -EACCES;
	nr = fake_fd_new(k, pin->map ? SIM_MAP : pin->link ? SIM_LINK : SIM_PROG, &fd);
	if (nr < 0)
		return nr;
	fd->map = pin->map;
	fd->prog = pin->prog;
	fd->link = pin->link;
	return nr;
}

long fake_symlinkat(struct fake_kernel *k, const unsigned long arg[6])
{
	const char *path = (const char *)arg[2];
	char *text;
	int code = check_path(k, path);

	if (code)
		return code;
	if (find(k, path))
		return -EEXIST;
	text = strdup((const char *)arg[0]);
	if (!text)
		abort();
	add(k, path, NULL)->text = text;
	return 0;
}

/* Return the target of the link /proc/self/fd/@number, or NULL if this descriptor is not open. */
static const char *fd_name(struct fake_kernel *k, const char *number)
{
	const struct fake_fd *fd = sim_fd_get(&k->fds, strtol(number, NULL, 10));

	switch (fd ? fd->kind : SIM_FREE) {
	case SIM_MAP:
		return "anon_inode:bpf-map";
	case SIM_PROG:
		return "anon_inode:bpf-prog";
	case SIM_LINK:	/* like one that was opened, not created */
		return "anon_inode:bpf-link";
	case SIM_EVENT:
		return "anon_inode:[perf_event]";
	default:
		return fd ? "anon_inode:other" : NULL;
	}
}

long fake_readlinkat(struct fake_kernel *k, const unsigned long arg[6])
{
	const char *path = (const char *)arg[1], *text = fake_path_link(k, path);
	const struct fake_pin *pin = find(k, path);
	size_t len;

	if (pin && !pin->text)
		return -EINVAL;
	if (pin)
		text = pin->text;
	else if (!strncmp(path, "/proc/self/fd/", 14))
		text = fd_name(k, path + 14);
	if (!text)
		return -ENOENT;
	len = strlen(text) < arg[3] ? strlen(text) : arg[3];
	memcpy((void *)arg[2], text, len);
	return len;
}

bool fake_pins_has(struct fake_kernel *k, const char *path)
{
	return find(k, path);
}

bool fake_pins_dir(struct fake_kernel *k, const char *path)
{
	const struct fake_pin *pin = find(k, path);

	return pin ? pin->directory : !strcmp(path, MOUNT) && !fake_too_old(k, FAKE_NO_BPFFS);
}

const char *fake_pins_entry(const struct fake_kernel *k, const char *dir, unsigned int i)
{
	const size_t len = strlen(dir);

	for (unsigned int n = 0; n < k->nr_pins; n++) {
		const char *path = k->pins[n].path;

		if (strncmp(path, dir, len) || path[len] != '/' || strchr(path + len + 1, '/'))
			continue;
		if (!i--)
			return path + len + 1;
	}
	return NULL;
}

long fake_unlinkat(struct fake_kernel *k, const unsigned long arg[6])
{
	const char *path = (const char *)arg[1];
	struct fake_pin *pin = find(k, path);

	if ((int)arg[0] != AT_FDCWD || (arg[2] & ~AT_REMOVEDIR))
		return -EINVAL;
	if (!pin)
		return -ENOENT;
	if (pin->directory != (arg[2] == AT_REMOVEDIR))
		return pin->directory ? -EISDIR : -ENOTDIR;
	for (unsigned int i = 0; i < k->nr_pins; i++)
		if (pin->directory && !strncmp(k->pins[i].path, path, strlen(path)) &&
		    k->pins[i].path[strlen(path)] == '/')
			return -ENOTEMPTY;
	free(pin->text);
	*pin = k->pins[--k->nr_pins];
	fake_links_released(k);
	return 0;
}

long fake_statfs(struct fake_kernel *k, const unsigned long arg[6])
{
	struct statfs *fs = (struct statfs *)arg[1];
	const char *path = (const char *)arg[0];

	if (!strncmp(path, MOUNT "/", strlen(MOUNT "/")) && !find(k, path))
		return -ENOENT;
	memset(fs, 0, sizeof(*fs));
	fs->f_type = SYSFS_MAGIC;
	if (!strncmp(path, MOUNT, strlen(MOUNT)) && !fake_too_old(k, FAKE_NO_BPFFS))
		fs->f_type = BPF_FS_MAGIC;
	if (!strncmp(path, "/sys/fs/cgroup/", strlen("/sys/fs/cgroup/")))
		fs->f_type = CGROUP2_SUPER_MAGIC;
	return 0;
}

struct fake_map *fake_kernel_pin(struct fake_kernel *k, const char *path,
				 const union bpf_attr *attr)
{
	struct fake_map *map = fake_map_new(k, attr);

	add(k, path, map);
	return map;
}

struct fake_link *fake_kernel_pin_link(struct fake_kernel *k, const char *path,
				       struct fake_prog *prog, struct fake_event *event)
{
	struct fake_link *link = fake_link_new(k, prog, event);
	char dir[256];

	for (const char *slash = path + strlen(MOUNT "/"); (slash = strchr(slash, '/')); slash++) {
		snprintf(dir, sizeof(dir), "%.*s", (int)(slash - path), path);
		if (!find(k, dir))
			add(k, dir, NULL)->directory = true;
	}
	add(k, path, NULL)->link = link;
	return link;
}

void fake_kernel_race_pins(struct fake_kernel *k, unsigned int n)
{
	k->races = n;
}

unsigned int fake_kernel_nr_pins(const struct fake_kernel *k)
{
	return k->nr_pins;
}
