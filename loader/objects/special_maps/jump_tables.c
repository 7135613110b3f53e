// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Create the map of each jump table (Linux 6.19, kernel/bpf/bpf_insn_array.c). It must be frozen,
 * because the verifier follows its elements, and belongs to one program: bpf_insn_array_init().
 */
#include <errno.h>
#include <string.h>

#include "loader/core/kernel/attr.h"
#include "loader/core/kernel/steps.h"
#include "loader/explain/kernel/refused.h"
#include "loader/core/sys/refused.h"

static int create(struct sys *sys, struct prog_jump_table *t, struct error *err)
{
	const struct object_map map = { .name = ".jumptables", .type = BPF_MAP_TYPE_INSN_ARRAY };
	union bpf_attr attr;
	int ret;

	memset(&attr, 0, sizeof(attr));
	attr.map_type = map.type;
	attr.key_size = sizeof(uint32_t);
	attr.value_size = sizeof(struct bpf_insn_array_value);
	attr.max_entries = t->nr;
	kernel_name(attr.map_name, map.name);
	ret = sys_bpf(sys, BPF_MAP_CREATE, &attr, map_attr_size(&attr));
	if (ret >= 0) {
		t->map_fd = ret;
		return 0;
	}
	kernel_map_failed(sys, NULL, &map, &attr, -ret, err);
	if (err && err->reason && !strcmp(err->reason, "map-create/type"))
		error_hint(err, "jump tables need Linux 6.19; clang -mcpu=v3 does not use them");
	return ret;
}

static int fill(struct sys *sys, const struct prog_jump_table *t, struct error *err)
{
	union bpf_attr attr;
	int ret;

	for (uint32_t i = 0; i < t->nr; i++) {
		const struct bpf_insn_array_value value = { .orig_off = t->targets[i] };

		ret = map_update(sys, t->map_fd, &i, &value, BPF_ANY);
		if (ret < 0) {
			error_set(err, -ret, "entry %u was refused: %s", i, error_strerror(-ret));
			return map_update_call(err, t->map_fd, &i, &value, -ret);
		}
	}
	memset(&attr, 0, sizeof(attr));
	attr.map_fd = t->map_fd;
	ret = sys_bpf(sys, BPF_MAP_FREEZE, &attr, ATTR_SIZE(map_fd));
	if (ret >= 0)
		return 0;
	error_set(err, -ret, "cannot be frozen: %s", error_strerror(-ret));
	return sys_error_bpf(err, BPF_MAP_FREEZE, &attr, ATTR_SIZE(map_fd), -ret);
}

int kernel_load_jump_tables(struct sys *sys, struct prog_code *code, struct error *err)
{
	for (uint32_t i = 0; i < code->nr_jump_tables; i++) {
		struct prog_jump_table *t = &code->jump_tables[i];
		int ret = create(sys, t, err);

		if (!ret)
			ret = fill(sys, t, err);
		if (ret) {
			error_reason_default(err, "map-create/content");
			return error_where(err, "the jump table of instruction %u", t->insn);
		}
		code->insns[t->insn].imm = t->map_fd;
	}
	return 0;
}

void kernel_close_jump_tables(struct sys *sys, struct prog_code *code)
{
	for (uint32_t i = 0; i < code->nr_jump_tables; i++)
		sys_close_fd(sys, &code->jump_tables[i].map_fd);
}
