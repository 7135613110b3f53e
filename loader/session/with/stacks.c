// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Find which rows and records have call stacks, and have their addresses named while it runs. */
#include <errno.h>
#include <stdlib.h>

#include "loader/features/addresses/addresses.h"
#include "loader/output/stacks/stacks.h"
#include "loader/session/session.h"

static int find_fields(struct session *s, struct error *err)
{
	const struct option_list *asked = &s->options->stacks;
	int ret = stack_fields_by_tags(&s->load.object, &s->stack_fields, err);

	for (unsigned int i = 0; !ret && i < asked->nr; i++)
		ret = stack_fields_by_option(&s->load.object, asked->text[i], &s->stack_fields,
					     err);
	if (ret)
		return error_where(err, "%s", s->load.object.name);
	if (s->stack_fields.gave_up)
		note(s->out, "a program is too large to find all fields with stacks in its code; "
			     "--stack=MAP.FIELD:STACKMAP names one");
	return 0;
}

static void watch(struct session *s)
{
	struct error why = { 0 };

	if (!s->options->dry_run && addresses_watch(s->addresses, &s->scope, &why) < 0)
		note(s->out, "processes that end before the session does have no names for their "
			     "addresses: %s", why.what);
	error_clear(&why);
}

int session_stacks_begin(struct session *s, struct error *err)
{
	int ret = session_waits(s) ? find_fields(s, err) : 0;

	if (ret || !s->stack_fields.nr)
		return ret;
	s->addresses = addresses_new(s->sys);
	s->stacks = calloc(1, sizeof(*s->stacks));
	if (!s->addresses || !s->stacks)
		return error_set(err, ENOMEM, "no memory for the names of addresses");
	watch(s);
	ret = stacks_init(s->stacks, s->sys, &s->load.kernel, &s->stack_fields,
			  addresses_namer(s->addresses), err);
	if (!ret)
		s->out->stacks = s->stacks;
	return ret;
}

int session_stacks_of_records(struct session *s, uint32_t map, uint32_t type, struct error *err)
{
	const uint32_t types[3] = { [STACK_FIELD_RECORD] = type };
	int ret;

	if (!stacks_has(s->stacks, map))
		return 0;
	ret = stacks_begin(s->stacks, map, types, err);
	return ret || s->out->only_stacks ?
		       ret : output_message(s->out, stacks_describe(s->stacks, map), err);
}

int session_stacks_fd(const struct session *s)
{
	return s->addresses ? addresses_fd(s->addresses) : -1;
}

void session_stacks_read(struct session *s)
{
	addresses_read(s->addresses);
}

void session_stacks_end(struct session *s)
{
	s->out->stacks = NULL;
	stacks_free(s->stacks);
	free(s->stacks);
	stack_fields_free(&s->stack_fields);
	if (s->addresses)
		addresses_free(s->addresses);
}
