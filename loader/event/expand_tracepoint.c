// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Globs of tracepoints. */
#include "loader/event/expand.h"

/*
 * "topdown-bad-spec:k" looks as a tracepoint does, and is what some PMU lists, with a modifier.
 * false: it is not.
 */
static bool expand_as_alias(struct expansion *x, const struct event_spec *spec)
{
	const struct piece letters = { spec->second, strlen(spec->second) };
	struct event_spec alias = *spec;

	if (!spec_is_modifiers(letters) || spec_modifiers(&alias.modifiers, letters, NULL))
		return false;
	alias.kind = EVENT_ALIAS;
	memcpy(alias.second, spec->first, sizeof(spec->first));
	alias.first[0] = '\0';
	return expand_alias(x, &alias, NULL) == 0;
}

int expand_tracepoint(struct expansion *x, const struct event_spec *spec, struct error *err)
{
	return expand_as_alias(x, spec) ? 0 : event_list_add(x->out, spec, err);
}
