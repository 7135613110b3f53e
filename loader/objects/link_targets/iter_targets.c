// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Iterators limited to part of the kernel's objects: the elements of a map, the tasks of a process,
 * the cgroups below a cgroup.
 */
#include <string.h>

#include "loader/objects/link_targets/targets_internal.h"
#include "loader/core/kernel/attr.h"

#define TYPE(name) (UINT64_C(1) << BPF_MAP_TYPE_##name)
#define SOCKETS (TYPE(SOCKMAP) | TYPE(SOCKHASH))
#define ELEMENTS \
	(TYPE(HASH) | TYPE(LRU_HASH) | TYPE(PERCPU_HASH) | TYPE(LRU_PERCPU_HASH) | TYPE(ARRAY) | \
	 TYPE(PERCPU_ARRAY))

/*
 * All other iterators visit everything. The kernel checks union bpf_iter_link_info in each one's
 * attach_target(): kernel/bpf/map_iter.c, task_iter.c, cgroup_iter.c, net/core/bpf_sk_storage.c,
 * sock_map.c.
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

static const struct iterator *iterator_find(const struct link_target *target,
					    const char *section_target)
{
	if (target->kind != TARGET_ITER || !section_target)
		return NULL;
	for (size_t i = 0; i < sizeof(iterators) / sizeof(iterators[0]); i++)
		if (!strcmp(iterators[i].name, section_target))
			return &iterators[i];
	return NULL;
}

uint64_t link_target_map_types(const struct link_target *target, const char *section_target)
{
	const struct iterator *it = iterator_find(target, section_target);

	if (target->kind == TARGET_MAP)
		return SOCKETS;
	return it ? it->map_types : 0;
}

bool link_target_takes_cgroup(const struct link_target *target, const char *section_target)
{
	const struct iterator *it = iterator_find(target, section_target);

	return target->kind == TARGET_CGROUP || (it && it->cgroups);
}

bool iter_target_info(const struct target_request *req, int cgroup_fd,
		      union bpf_iter_link_info *info)
{
	const struct iterator *it = iterator_find(req->target, req->section_target);

	memset(info, 0, sizeof(*info));
	if (!it)
		return false;
	if (it->map_types)
		info->map.map_fd = req->map_fd;
	if (it->tasks)
		info->task.pid = req->pid;
	if (it->cgroups) {
		info->cgroup.cgroup_fd = cgroup_fd < 0 ? 0 : cgroup_fd;	/* 0: the root cgroup */
		info->cgroup.order = BPF_CGROUP_ITER_DESCENDANTS_PRE;
	}
	return !it->tasks || req->pid;
}
