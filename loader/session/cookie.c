// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The cookie of each program: the number of --cookie, or for a USDT program the number by which it
 * finds its arguments. Which methods and targets have cookies at all: attach/cookie.c.
 */
#include <errno.h>
#include <string.h>

#include "loader/session/plan.h"

/*
 * The arguments of a USDT probe lie in a map, under the number that is the cookie of its link.
 * Without a link the program finds them by its instruction pointer. In both cases the number of
 * --cookie lies beside them (usdt_fill()).
 */
bool cookie_of(const struct options *o, const struct plan_entry *entry, uint64_t *cookie)
{
	*cookie = entry->has_arguments ? entry->arguments : o->cookie;
	return entry->has_arguments ? o->method->takes_cookie : o->has_cookie;
}

int cookie_check_options(const struct options *o, struct error *err)
{
	bool may_be_usdt = !o->events.nr;

	for (unsigned int i = 0; i < o->events.nr; i++)
		may_be_usdt |= strstr(o->events.text[i], "usdt:") != NULL;
	return may_be_usdt ? 0 : attach_cookie_check(o->method, o->has_cookie, err);
}

int cookie_check(const struct options *o, const struct bpf_object *obj, const struct plan *plan,
		 struct error *err)
{
	for (uint32_t i = 0; i < plan->nr; i++) {
		const struct plan_entry *entry = &plan->list[i];

		if (entry->has_arguments || !attach_cookie_check(o->method, o->has_cookie, err))
			continue;
		error_where(err, "event '%s'", entry->spec.text);
		error_where(err, "prog '%s'", obj->progs[entry->prog].name);
		return error_where(err, "%s", obj->name);
	}
	return 0;
}
