// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Between the plan and the events: where uprobes are in their files. */
#include <errno.h>

#include "loader/cmd/plan.h"

static int place(struct event_spec *spec, struct error *err)
{
	if (!spec->second[0] && spec->kind == EVENT_UPROBE) {
		spec->file_offset = spec->offset;
		spec->resolved = true;
		return 0;
	}
	error_set(err, ENOTSUP, "this version does not look up names in files");
	error_reason(err, "event/unsupported");
	error_hint(err, "write the offset in the file: uprobe:PATH:0xOFFSET");
	return error_where(err, "event '%s'", spec->text);
}

int plan_places(struct plan *plan, struct error *err)
{
	int ret = 0;

	for (uint32_t i = 0; !ret && i < plan->nr; i++)
		if (!plan->list[i].point && (plan->list[i].spec.kind == EVENT_UPROBE ||
					     plan->list[i].spec.kind == EVENT_USDT))
			ret = place(&plan->list[i].spec, err);
	return ret;
}
