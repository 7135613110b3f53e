// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What some programs are attached to or go over and no path names: the sockets or elements of a
 * map, the tasks of a process, the groups below a cgroup.
 */
#include <string.h>

#include "loader/attach/targets/link_targets.h"
#include "loader/kernel/attr.h"

#define TYPE(name) (UINT64_C(1) << BPF_MAP_TYPE_##name)
#define SOCKETS (TYPE(SOCKMAP) | TYPE(SOCKHASH))
#define ELEMENTS \
	(TYPE(HASH) | TYPE(LRU_HASH) | TYPE(PERCPU_HASH) | TYPE(LRU_PERCPU_HASH) | TYPE(ARRAY) | \
	 TYPE(PERCPU_ARRAY))

/*
 * Iterators that do not go over everything there is. Their attach_target(): kernel/bpf/map_iter.c,
 * net/core/bpf_sk_storage.c, net/core/sock_map.c, kernel/bpf/task_iter.c, cgroup_iter.c.
 */
static const struct iterator {
	const char *name;
	uint64_t map_types;
	bool tasks, cgroups;
} iterators[] = {
	{ "bpf_map_elem", ELEMENTS, false, false },
	{ "bpf_sk_storage_map", TYPE(SK_STORAGE), false, false },
	{ "sockmap", SOCKETS, false, false },
	{ "task", 0, true, false },
	{ "task_file", 0, true, false },
	{ "task_vma", 0, true, false },
	{ "cgroup", 0, false, true },
};

static const struct iterator *iterator_find(const struct attach_point *point, const char *target)
{
	if (point->on != POINT_ITER || !target)
		return NULL;
	for (size_t i = 0; i < sizeof(iterators) / sizeof(iterators[0]); i++)
		if (!strcmp(iterators[i].name, target))
			return &iterators[i];
	return NULL;
}

uint64_t attach_point_map_types(const struct attach_point *point, const char *target)
{
	const struct iterator *it = iterator_find(point, target);

	if (point->on == POINT_MAP)
		return SOCKETS;
	return it ? it->map_types : 0;
}

bool attach_point_takes_cgroup(const struct attach_point *point, const char *target)
{
	const struct iterator *it = iterator_find(point, target);

	return point->on == POINT_CGROUP || (it && it->cgroups);
}

bool point_over(const struct point_request *req, int cgroup_fd, union bpf_iter_link_info *info)
{
	const struct iterator *it = iterator_find(req->point, req->target);

	memset(info, 0, sizeof(*info));
	if (!it)
		return false;
	if (it->map_types)
		info->map.map_fd = req->map_fd;
	if (it->tasks)
		info->task.pid = req->pid;
	if (it->cgroups) {
		info->cgroup.cgroup_fd = cgroup_fd < 0 ? 0 : cgroup_fd;	/* 0: the root */
		info->cgroup.order = BPF_CGROUP_ITER_DESCENDANTS_PRE;
	}
	return !it->tasks || req->pid;
}
