// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Find the program array whose owner type made the kernel refuse a program. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/base/text/each_line.h"
#include "loader/explain/kernel/refused.h"
#include "loader/base/text/names.h"
#include "loader/core/sys/read.h"

/*
 * The fdinfo of a program array has this line once a program that refers to it has been loaded:
 *
 *	owner_prog_type:	6
 */
static int match_owner(void *type, char *line)
{
	static const char key[] = "owner_prog_type:";

	if (strncmp(line, key, strlen(key)))
		return 0;
	*(uint32_t *)type = strtoul(line + strlen(key), NULL, 10);
	return 1;
}

/* Return the program type of the array's owner; BPF_PROG_TYPE_UNSPEC: none, or unknown. */
static uint32_t owner_of(struct sys *sys, int map_fd)
{
	uint32_t type = BPF_PROG_TYPE_UNSPEC;
	char path[48];

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", map_fd);
	sys_each_line_of(sys, AT_FDCWD, path, match_owner, &type);
	return type;
}

static bool refers_to(const union bpf_attr *attr, int map_fd)
{
	const struct bpf_insn *insns = (const struct bpf_insn *)(uintptr_t)attr->insns;

	for (uint32_t i = 0; i < attr->insn_cnt; i++)
		if (insns[i].code == (BPF_LD | BPF_IMM | BPF_DW) &&
		    insns[i].src_reg == BPF_PSEUDO_MAP_FD && insns[i].imm == map_fd)
			return true;
	return false;
}

bool kernel_explain_prog_array(struct sys *sys, const struct kernel_object *k,
			       const union bpf_attr *attr, int code, struct error *err)
{
	const char *type = sys_prog_type_name(attr->prog_type), *theirs;

	for (uint32_t i = 0; i < k->object->nr_maps; i++) {
		const struct object_map *map = &k->object->maps[i];
		uint32_t owner;

		if (map->type != BPF_MAP_TYPE_PROG_ARRAY || k->maps[i].fd < 0 ||
		    !refers_to(attr, k->maps[i].fd))
			continue;
		owner = owner_of(sys, k->maps[i].fd);
		if (owner == BPF_PROG_TYPE_UNSPEC || owner == attr->prog_type)
			continue;
		theirs = sys_prog_type_name(owner);
		error_set(err, code,
			  "BPF_PROG_LOAD: %s: map '%s' belongs to programs of type %s, but this "
			  "one has type %s", error_strerror(code), map->name,
			  theirs ? theirs : "a type unknown here", type);
		error_reason(err, "prog-load/prog-array");
		error_hint(err, "the first program that refers to a program array determines the "
				"type for all: declare another array for %s", type);
		return true;
	}
	return false;
}
