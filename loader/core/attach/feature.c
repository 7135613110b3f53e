// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Call the features' hooks while programs are attached and detached. */
#include "loader/core/attach/steps.h"

/* Return the hooks of a feature; an empty set if it has none. */
static const struct attach_feature *hooks_of(const struct feature *f)
{
	static const struct attach_feature none = { .list = NULL };

	return f->attach ? f->attach : &none;
}

int attach_list_features(struct sys *sys, const struct attach_request *req, unsigned int index,
			 struct attach_events *all, struct error *err)
{
	int ret = 0;

	for (const struct feature *f = features; !ret && f->name; f++)
		if (hooks_of(f)->list)
			ret = hooks_of(f)->list(sys, req, index, all, err);
	return ret;
}

void attach_listed(const struct attach_request *reqs, const struct attach_set *set,
		   struct attach_events *all)
{
	for (const struct feature *f = features; f->name; f++)
		if (hooks_of(f)->listed)
			hooks_of(f)->listed(reqs, set, all);
}

int attach_describe_feature(struct sys *sys, struct attach_event *e, struct attach_set *set,
			    struct error *err)
{
	int ret = 0;

	for (const struct feature *f = features; !ret && f->name; f++)
		if (hooks_of(f)->describe)
			ret = hooks_of(f)->describe(sys, e, set, err);
	return ret;
}

int attach_find_group(struct attach_event *e, const struct event_target *target,
		      struct attach_set *set, int *group_fd, struct error *err)
{
	int ret = 0;

	*group_fd = -1;
	for (const struct feature *f = features; !ret && f->name; f++)
		if (hooks_of(f)->find_group)
			ret = hooks_of(f)->find_group(e, target, set, group_fd, err);
	return ret;
}

bool attach_again(struct sys *sys, struct attach_progress progress, int code,
		  struct attach_set *set, struct error *err)
{
	if (code >= 0)
		return false;
	for (const struct feature *f = features; f->name; f++)
		if (hooks_of(f)->again && hooks_of(f)->again(sys, progress, code, set, err))
			return true;
	return false;
}

int attach_opened(struct sys *sys, const struct attach_events *all, unsigned int round,
		  struct attach_set *set, struct error *err)
{
	int ret = 0;

	for (const struct feature *f = features; !ret && f->name; f++)
		if (hooks_of(f)->opened)
			ret = hooks_of(f)->opened(sys, all, round, set, err);
	return ret;
}

void attach_closed(struct sys *sys, struct attach_set *set, unsigned int nr_probes)
{
	for (const struct feature *f = features; f->name; f++)
		if (hooks_of(f)->closed)
			hooks_of(f)->closed(sys, set, nr_probes);
}

void attach_end(struct sys *sys, struct attach_set *set, bool closed)
{
	for (const struct feature *f = features; f->name; f++)
		if (closed ? !!hooks_of(f)->end : !!hooks_of(f)->begin_end)
			(closed ? hooks_of(f)->end : hooks_of(f)->begin_end)(sys, set);
}

void attach_notes(const struct attach_request *req, void (*note)(void *arg, const char *text),
		  void *arg)
{
	for (const struct feature *f = features; f->name; f++)
		if (hooks_of(f)->notes)
			hooks_of(f)->notes(req, note, arg);
}
