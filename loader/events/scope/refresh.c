// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* List the tasks of a scope again, to find those that started since its events were opened. */
#include <errno.h>
#include <stdlib.h>

#include "loader/core/event/steps.h"
#include "loader/events/scope/refresh.h"

bool id_list_has_all(const struct id_list *list, const struct id_list *other)
{
	unsigned int i = 0;

	for (unsigned int o = 0; o < other->nr; o++) {
		while (i < list->nr && list->ids[i] < other->ids[o])
			i++;
		if (i == list->nr || list->ids[i] != other->ids[o])
			return false;
	}
	return true;
}

int event_scope_refresh(struct sys *sys, struct event_scope *scope, struct error *err)
{
	struct id_list now = { 0 }, had = { scope->tids, scope->nr_tids };
	int ret;

	if (!scope->inherit || scope->tasks == TASK_SCOPE_COMMAND)
		return 0;
	ret = scope_list_tasks(sys, scope, true, &now, err);
	if (ret == -ESRCH) {	/* all have ended */
		if (err)
			error_clear(err);
		ret = 0;
	}
	if (ret < 0 || id_list_has_all(&had, &now)) {
		free(now.ids);
		return ret;
	}
	free(scope->tids);
	scope->tids = now.ids;
	scope->nr_tids = now.nr;
	return 1;
}
