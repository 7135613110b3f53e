// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* With --verbose, print how each kind of event was opened and bound: its cell in "open x bind". */
#include <stdio.h>

#include "loader/events/attach/cells.h"
#include "loader/sessions/parts/parts.h"

static bool has_event(const struct plan_entry *entry)
{
	return !entry->target && !entry->dropped;
}

/* Return the first entry whose event is opened as that of entry @i. */
static uint32_t first_of_kind(const struct plan *plan, uint32_t i)
{
	uint32_t first = 0;

	while (first < i && !(has_event(&plan->list[first]) &&
			      plan->list[first].spec.kind == plan->list[i].spec.kind))
		first++;
	return first;
}

static void print_cell(struct session *s, uint32_t i, uint32_t nr)
{
	const struct event_spec *spec = &s->plan.list[i].spec;
	const struct attach_method *method = s->options->method;
	const enum attach_open open = attach_open_of(method, spec);
	const enum attach_open other = open != OPEN_PMU ? OPEN_PMU :
				       event_is_tracing(spec) ? OPEN_TRACEFS : OPEN_TYPE;
	const char *bind = method->is_link ? "link" : "ioctl", *opened = attach_open_name(open);
	char more[40] = "";
	uint32_t type;

	if (nr > 1)
		snprintf(more, sizeof(more), " and %u more of its kind", nr - 1);
	sys_why(s->sys, "for --verbose: do its type and its PMU open the event by the same call?");
	if (attach_opens_alike(s->sys, spec, &type))
		note(s->out, "event '%.128s'%s: attached by %s+%s; %s+%s makes the same system "
			     "calls, because its PMU is type %u", spec->text, more, opened, bind,
		     attach_open_name(other), bind, type);
	else
		note(s->out, "event '%.128s'%s: attached by %s+%s", spec->text, more, opened, bind);
}

static int print_cells(struct session *s, struct error *err)
{
	(void)err;
	for (uint32_t i = 0; s->options->verbose && i < s->plan.nr; i++) {
		uint32_t nr = 0;

		if (!has_event(&s->plan.list[i]) || first_of_kind(&s->plan, i) < i)
			continue;
		for (uint32_t k = i; k < s->plan.nr; k++)
			nr += has_event(&s->plan.list[k]) && first_of_kind(&s->plan, k) == i;
		print_cell(s, i, nr);
	}
	return 0;
}

const struct session_part part_cells = { .at = { [STAGE_BOUND] = print_cells } };
