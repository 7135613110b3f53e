// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Register structs of functions (struct_ops) for the duration of a session. */
#include "loader/core/session/part.h"

/* Find the first plan entry with a struct_ops program, for messages. */
static bool has_struct_program(const struct session *s, uint32_t *entry)
{
	for (*entry = 0; *entry < s->plan.nr; ++*entry)
		if (s->plan.list[*entry].target &&
		    s->plan.list[*entry].target->kind == TARGET_STRUCT_OPS)
			return true;
	return false;
}

static bool is_struct(const struct session *s, uint32_t map)
{
	return s->load.object.maps[map].kind == OBJECT_MAP_STRUCT_OPS &&
	       s->load.kernel.maps[map].fd >= 0;
}

/* Register the structs whose programs are in the plan. */
static int attach_structs(struct session *s, struct error *err)
{
	uint32_t entry;
	int ret = 0;

	if (!has_struct_program(s, &entry))
		return 0;
	for (; !ret && s->nr_structs < s->load.object.nr_maps; s->nr_structs++) {
		int link_fd = -1;

		if (!is_struct(s, s->nr_structs))
			continue;
		ret = struct_ops_attach(&s->load.ops, &s->load.kernel, s->nr_structs, &link_fd,
					err);
		if (!ret && link_fd >= 0)
			ret = attach_add_link(s->sys, &s->attachments, link_fd, entry, err);
		if (ret)
			return error_where(err, "%s", s->load.object.name);
	}
	return ret;
}

/* Unregister structs without a link. The kernel keeps such a struct if pload is killed. */
static void detach_structs(struct session *s)
{
	while (s->nr_structs > 0) {
		const uint32_t map = --s->nr_structs;
		struct error err = { 0 };

		/* Closing its link already unregistered it. */
		if (!is_struct(s, map) || s->load.object.maps[map].map_flags & BPF_F_LINK)
			continue;
		if (struct_ops_detach(s->sys, &s->load.kernel, map, &err) < 0)
			note(s->out, "%s: %s: the kernel keeps the struct", err.where, err.what);
		error_clear(&err);
	}
}

const struct session_part part_structs = {
	.at = { [STAGE_BOUND] = attach_structs }, .stop = detach_structs,
};
