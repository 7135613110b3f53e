// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Expand globs into one spec per event, and drop alternatives that do not exist. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "loader/events/grammar/events.h"
#include "loader/events/catalog/expand_internal.h"

/*
 * Detaching the last program of a tracepoint waits for an RCU grace period, about 70 ms per
 * tracepoint.
 */
#define MANY_TRACEPOINTS 100

void expand_note(const struct expansion *x, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	x->say->note(x->say->arg, text);
}

/* Return the function that expands @spec; NULL: it is already a single event. */
static expand_fn *expander(const struct event_spec *spec)
{
	static expand_fn *const kinds[] = {
		[EVENT_HARDWARE] = expand_core,
		[EVENT_CACHE] = expand_core,
		[EVENT_RAW] = expand_core,
		[EVENT_TRACEPOINT] = expand_tracepoint,
		[EVENT_PMU] = expand_pmu,
		[EVENT_ALIAS] = expand_alias,
	};

	return (size_t)spec->kind < sizeof(kinds) / sizeof(kinds[0]) ? kinds[spec->kind] : NULL;
}

static bool expands(const struct event_list *list)
{
	for (unsigned int i = 0; i < list->nr; i++)
		if (expander(&list->specs[i]))
			return true;
	return false;
}

static int expand_one(struct expansion *x, const struct event_spec *spec, struct error *err)
{
	const unsigned int before = x->out->nr;
	expand_fn *how = expander(spec);
	int ret = how ? how(x, spec, err) : event_list_add(x->out, spec, err);

	if (ret)
		return error_where(err, "event '%.200s'", spec->text);
	if (x->out->nr - before > 1)
		expand_note(x, "'%.200s' stands for %u events", spec->text, x->out->nr - before);
	return 0;
}

bool event_failed_for_all(const struct error *err)
{
	static const char *const reasons[] = {
		"event/grammar", "event/too-many", "event/fd-limit", "perf-open/fd-limit",
		"perf-open/no-task", "perf-open/rate", "perf-open/offline-cpu", "event/never-runs",
		"attach/prog-type", "attach/no-cookie", "attach/beyond-record",
	};

	if (err->code == -ENOMEM || err->code == -EMFILE || err->code == -ENFILE ||
	    err->code == -EINTR)
		return true;
	for (size_t i = 0; err->reason && i < sizeof(reasons) / sizeof(reasons[0]); i++)
		if (!strcmp(err->reason, reasons[i]))
			return true;
	return false;
}

/* Return the end of the alternative that starts at @i, which is one or more specs. */
static unsigned int rank_end(const struct event_list *list, unsigned int i)
{
	const struct event_spec *first = &list->specs[i];

	while (++i < list->nr && first->alt_set && list->specs[i].alt_set == first->alt_set &&
	       list->specs[i].alt_index == first->alt_index)
		;
	return i;
}

/* Return the next alternative after the specs from @i to @end, or NULL. */
static const struct event_spec *next_rank(const struct event_list *list, unsigned int i,
					  unsigned int end)
{
	const unsigned int choice = list->specs[i].alt_set;

	return choice && end < list->nr && list->specs[end].alt_set == choice ? &list->specs[end] :
									      NULL;
}

/* Move the contents of @why to @err. */
static int hand_over(struct error *why, struct error *err)
{
	const int code = why->code;

	if (err) {
		error_clear(err);
		*err = *why;
	} else {
		error_clear(why);
	}
	return code;
}

/*
 * An alternative that does not exist is not an error yet: an earlier one may work. Keep its spec as
 * written; opening it will report the error.
 */
static int keep_rank(struct expansion *x, const struct event_list *list, unsigned int i,
		     unsigned int end, struct error *err)
{
	int ret = 0;

	for (; ret == 0 && i < end; i++)
		ret = event_list_add(x->out, &list->specs[i], err);
	return ret;
}

/* Return true if an earlier alternative of @spec is in the list. */
static bool has_choice(const struct event_list *list, const struct event_spec *spec)
{
	return list->nr && spec->alt_set && list->specs[list->nr - 1].alt_set == spec->alt_set;
}

static int expand_all(struct expansion *x, const struct event_list *list, struct error *err)
{
	for (unsigned int i = 0, end; i < list->nr; i = end) {
		const unsigned int before = x->out->nr;
		const struct event_spec *next;
		struct error why = { 0 };
		int ret = 0;

		end = rank_end(list, i);
		for (unsigned int k = i; ret == 0 && k < end; k++)
			ret = expand_one(x, &list->specs[k], &why);
		if (!ret)
			continue;
		next = next_rank(list, i, end);
		event_list_cut(x->out, before);
		if (event_failed_for_all(&why) || (!next && !has_choice(x->out, &list->specs[i])))
			return hand_over(&why, err);
		if (has_choice(x->out, &list->specs[i]))
			ret = keep_rank(x, list, i, end, err);
		else
			ret = x->say->fallback(x->say->arg, list->specs[i].text, next->text, &why,
					      err);
		error_clear(&why);
		if (ret)
			return ret;
	}
	return 0;
}

int event_list_expand(struct sys *sys, struct event_list *list,
		      const struct event_expand_hooks *say, struct error *err)
{
	struct event_list out = { .nr_groups = list->nr_groups, .nr_alt_sets = list->nr_alt_sets };
	struct expansion x = { .sys = sys, .out = &out, .say = say };
	int ret;

	if (!expands(list))
		return 0;
	ret = expand_all(&x, list, err);
	if (ret) {
		event_list_free(&out);
		return ret;
	}
	if (x.nr_tracepoints > MANY_TRACEPOINTS)
		expand_note(&x, "%u tracepoints: detaching from that many takes a while, because "
				"the kernel waits for all CPUs each time", x.nr_tracepoints);
	event_list_lead(&out, 0);
	event_list_free(list);
	*list = out;
	return 0;
}

const struct event_feature event_grammar = {
	.parse = event_list_parse, .parse_section = event_list_section, .expand = event_list_expand,
	.mark_dynamic = event_list_mark_dynamic, .describe = event_describe_kinds,
	.term_of_core = perf_name_of_core,
};
