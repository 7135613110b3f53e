// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Attach a program to its link target: a device, a cgroup, a hook, a map, or many functions. */
#include "loader/objects/targets/targets.h"

int session_attach_target(struct session *s, uint32_t i, struct error *err)
{
	const struct plan_entry *entry = &s->plan.list[i];
	struct target_request req = plan_link_target(s->options, &s->load.object, entry);

	if (req.target->kind == TARGET_STRUCT_OPS)	/* part_structs attaches all at once */
		return 0;
	if (req.target->kind == TARGET_FUNCTIONS)
		return session_attach_multi(s, i, err);
	req.prog_fd = s->load.kernel.progs[entry->prog].fd;
	req.prog = i;
	if (link_target_map_types(req.target, req.section_target)) {
		req.map_fd = session_target_map(s, entry, err);
		if (req.map_fd < 0)
			return req.map_fd;
	}
	return link_target_bind(s->sys, &req, &s->attachments, err);
}
