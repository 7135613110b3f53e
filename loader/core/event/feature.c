// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Call the features' hooks while events are parsed and looked up. */
#include <errno.h>
#include <string.h>

#include "loader/core/event/steps.h"

/* Return the hooks of a feature; an empty set if it has none. */
static const struct event_feature *hooks_of(const struct feature *f)
{
	static const struct event_feature none = { .parse = NULL };

	return f->event ? f->event : &none;
}

int events_parse(struct event_list *list, const char *text, struct error *err)
{
	for (const struct feature *f = features; f->name; f++)
		if (hooks_of(f)->parse)
			return hooks_of(f)->parse(list, text, err);
	return event_list_plain(list, text, err);
}

int events_parse_section(struct event_list *list, const char *prefix, const char *target,
			 struct error *err)
{
	for (const struct feature *f = features; f->name; f++)
		if (hooks_of(f)->parse_section)
			return hooks_of(f)->parse_section(list, prefix, target, err);
	if (strcmp(prefix, "perf_event") && strcmp(prefix, "tracepoint") && strcmp(prefix, "tp"))
		return feature_missing("probes", err);
	return event_list_plain(list, target, err);
}

int events_expand(struct sys *sys, struct event_list *list, const struct event_expand_hooks *hooks,
		  struct error *err)
{
	int ret = 0;

	for (const struct feature *f = features; !ret && f->name; f++)
		if (hooks_of(f)->expand)
			ret = hooks_of(f)->expand(sys, list, hooks, err);
	return ret;
}

void events_mark_dynamic(struct sys *sys, struct event_list *list)
{
	for (const struct feature *f = features; f->name; f++)
		if (hooks_of(f)->mark_dynamic)
			hooks_of(f)->mark_dynamic(sys, list);
}

int event_default(struct sys *sys, struct event_spec *spec, const char **why, struct error *err)
{
	for (const struct feature *f = features; f->name; f++)
		if (hooks_of(f)->choose_default)
			return hooks_of(f)->choose_default(sys, spec, why, err);
	*why = "cpu-clock";
	return event_plain(spec, "cpu-clock", err);
}

int event_term_of_core(const char *text, size_t len, uint32_t *type, uint64_t *config)
{
	for (const struct feature *f = features; f->name; f++)
		if (hooks_of(f)->term_of_core)
			return hooks_of(f)->term_of_core(text, len, type, config);
	return -EINVAL;
}

int scope_by_feature(struct sys *sys, struct event_scope *scope, bool again, struct id_list *tids,
		     struct error *err)
{
	int ret = 0;

	for (const struct feature *f = features; !ret && f->name; f++)
		if (hooks_of(f)->scope)
			ret = hooks_of(f)->scope(sys, scope, again, tids, err);
	return ret;
}

int event_describe_other(struct sys *sys, const struct event_spec *spec, bool of_sysfs,
			 struct perf_event_attr *attr, struct cpu_list *cpus, struct error *err)
{
	for (const struct feature *f = features; f->name; f++)
		if (hooks_of(f)->describe)
			return hooks_of(f)->describe(sys, spec, of_sysfs, attr, cpus, err);
	return 1;
}
