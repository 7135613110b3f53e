// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Bind an object's read-only data to its programs, so that it lives as long as they do. The kernel
 * itself binds maps that the code refers to. But no code refers to metadata, the bpf_metadata_*
 * variables in .rodata that bpftool prog show prints.
 */
#include <errno.h>

#include "loader/core/kernel/attr.h"
#include "loader/objects/older_kernels/compat.h"

static bool is_rodata(const struct object_map *map)
{
	return map->kind == OBJECT_MAP_DATA && map->read_only && map->section;
}

static bool refers_to(const struct prog_code *code, uint32_t map)
{
	for (uint32_t i = 0; i < code->nr_map_refs; i++)
		if (code->map_refs[i].map == map)
			return true;
	return false;
}

static int bind_map(struct sys *sys, int prog_fd, int map_fd)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.prog_bind_map.prog_fd = prog_fd;
	attr.prog_bind_map.map_fd = map_fd;
	return sys_bpf(sys, BPF_PROG_BIND_MAP, &attr, ATTR_SIZE(prog_bind_map.map_fd));
}

void kernel_bind_rodata(struct sys *sys, struct kernel_object *k, uint32_t prog,
			const struct prog_code *code)
{
	const struct bpf_object *obj = k->object;

	/* Data maps come last; skip the others for each program. */
	while (k->first_rodata < obj->nr_maps && !is_rodata(&obj->maps[k->first_rodata]))
		k->first_rodata++;
	for (uint32_t i = k->first_rodata; i < obj->nr_maps && !k->binds_no_maps; i++) {
		int ret;

		if (!is_rodata(&obj->maps[i]) || refers_to(code, i))
			continue;
		ret = bind_map(sys, k->progs[prog].fd, k->maps[i].fd);
		/* No note: before Linux 5.10, no tool looks for metadata, either. */
		k->binds_no_maps = ret == -EINVAL;
		if (ret < 0 && ret != -EINVAL)
			k->progs[prog].without |= WITHOUT_RODATA;
	}
}
