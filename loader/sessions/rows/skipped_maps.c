// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Report maps whose contents are not printed, and why. */
#include "loader/sessions/rows/rows_internal.h"
#include "loader/core/print/message.h"
#include "loader/core/value/value.h"

/* Map types whose contents are not printed, and why. */
static const struct {
	uint32_t type;
	const char *name, *why;
} unshown[] = {
	{ BPF_MAP_TYPE_QUEUE, "queue", "reading it would remove its elements" },
	{ BPF_MAP_TYPE_STACK, "stack", "reading it would remove its elements" },
	{ BPF_MAP_TYPE_BLOOM_FILTER, "bloom_filter", "it does not store its elements" },
	{ BPF_MAP_TYPE_ARRAY_OF_MAPS, "array_of_maps", "it holds maps, not values" },
	{ BPF_MAP_TYPE_HASH_OF_MAPS, "hash_of_maps", "it holds maps, not values" },
	{ BPF_MAP_TYPE_SK_STORAGE, "sk_storage", "its elements belong to sockets" },
	{ BPF_MAP_TYPE_INODE_STORAGE, "inode_storage", "its elements belong to inodes" },
	{ BPF_MAP_TYPE_TASK_STORAGE, "task_storage", "its elements belong to tasks" },
	{ BPF_MAP_TYPE_CGRP_STORAGE, "cgrp_storage", "its elements belong to cgroups" },
	{ BPF_MAP_TYPE_CGROUP_STORAGE, "cgroup_storage", "its elements belong to cgroups" },
	{ BPF_MAP_TYPE_PERCPU_CGROUP_STORAGE, "percpu_cgroup_storage",
	  "its elements belong to cgroups" },
	{ BPF_MAP_TYPE_STRUCT_OPS, "struct_ops", "it holds functions for the kernel" },
	{ BPF_MAP_TYPE_USER_RINGBUF, "user_ringbuf", "its records go to the program" },
	{ BPF_MAP_TYPE_INSN_ARRAY, "insn_array", "it holds instructions of a program" },
	{ BPF_MAP_TYPE_ARENA, "arena", "it is memory without elements" },
};

/* Skip maps of descriptors, which mean nothing to a user, and rings, which were already printed. */
static bool has_nothing_to_show(uint32_t type)
{
	static const uint32_t types[] = {
		BPF_MAP_TYPE_PROG_ARRAY, BPF_MAP_TYPE_PERF_EVENT_ARRAY,
		BPF_MAP_TYPE_CGROUP_ARRAY, BPF_MAP_TYPE_DEVMAP,
		BPF_MAP_TYPE_DEVMAP_HASH, BPF_MAP_TYPE_SOCKMAP,
		BPF_MAP_TYPE_SOCKHASH, BPF_MAP_TYPE_REUSEPORT_SOCKARRAY,
		BPF_MAP_TYPE_CPUMAP, BPF_MAP_TYPE_XSKMAP,
		BPF_MAP_TYPE_RINGBUF,
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (types[i] == type)
			return true;
	return false;
}

int skipped_map_output(struct output *out, const struct object_map *map, const char *type,
		       const char *why, struct error *err)
{
	struct json_object *msg = message_new("map-skipped");

	value_add_string(msg, "map", map->name);
	value_add_string(msg, "map_type", type);
	value_add_string(msg, "why", why);
	return output_message_as(out, msg, rows_print_skipped, err);
}

int skipped_map_print(struct output *out, const struct object_map *map, struct error *err)
{
	const char *name = NULL, *why = "its type is unknown to this version";
	char number[32];

	if (has_nothing_to_show(map->type))
		return 0;
	for (size_t i = 0; i < sizeof(unshown) / sizeof(unshown[0]); i++) {
		if (unshown[i].type == map->type) {
			name = unshown[i].name;
			why = unshown[i].why;
		}
	}
	snprintf(number, sizeof(number), "type %u", map->type);
	return skipped_map_output(out, map, name ? name : number, why, err);
}
