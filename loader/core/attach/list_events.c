// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The events to open for a list of requests: usually one per request. */
#include <errno.h>
#include <stdlib.h>

#include "elf/bytes.h"
#include "loader/core/attach/steps.h"
#include "loader/core/event/scope.h"

struct attach_event *attach_add_event(struct attach_events *all, const struct attach_request *req,
				      unsigned int index, struct error *err)
{
	struct attach_event *list = array_grow(all->list, all->nr, sizeof(*list));

	if (!list) {
		error_set(err, ENOMEM, "no memory for %u events", all->nr + 1);
		return NULL;
	}
	all->list = list;
	list[all->nr] = (struct attach_event){ .req = *req, .index = index };
	return &list[all->nr++];
}

int attach_list_events(struct sys *sys, const struct attach_request *reqs, unsigned int nr,
		       struct attach_events *all, struct attach_set *set, struct error *err)
{
	int ret = 0;

	for (unsigned int i = 0; !ret && i < nr; i++) {
		set->failed = i;
		ret = attach_list_features(sys, &reqs[i], i, all, err);
		if (!ret) {
			ret = attach_add_event(all, &reqs[i], i, err) ? 0 : -ENOMEM;
			continue;
		}
		if (ret > 0 && (reqs[i].member || (i + 1 < nr && reqs[i + 1].member)))
			attach_note(set, "event '%.128s': it is opened separately for each "
					 "process, not in its group", reqs[i].spec->text);
		ret = ret < 0 ? ret : 0;
	}
	if (!ret)
		attach_listed(reqs, set, all);
	return ret;
}

void attach_events_free(struct attach_events *all)
{
	for (unsigned int i = 0; i < all->nr; i++) {
		cpu_list_free(&all->list[i].cpus);
		free(all->list[i].scope.tids);
	}
	free(all->list);
}
