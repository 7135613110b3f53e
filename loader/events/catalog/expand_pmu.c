// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Find the PMUs of an event: the named one, those matching a glob, or those that list it. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "loader/events/catalog/catalog.h"
#include "loader/base/calls/tracefs.h"
#include "loader/events/grammar/events.h"
#include "loader/events/catalog/expand_internal.h"

/* A search for the PMUs for which takes() returns true. */
struct search {
	struct sys *sys;
	bool (*takes)(struct sys *sys, const char *pmu, const char *what);
	const char *what;
	struct names found;
};

static int search_pmu(void *arg, const char *pmu)
{
	struct search *search = arg;

	return search->takes(search->sys, pmu, search->what) ? names_add(&search->found, pmu) : 0;
}

/* Fill search->found, sorted. The caller frees it, even on failure. */
static int search_pmus(struct search *search, struct error *err)
{
	int ret = pmu_each(search->sys, search_pmu, search, err);

	names_sort(&search->found);
	return ret;
}

/* Return the modifiers as written, for the new text of a spec. */
static const char *written_modifiers(const char *text)
{
	const char *mark = strrchr(text, '/');

	if (!mark)
		mark = strchr(text, ':');
	if (!mark)
		return "";
	return mark + 1 + (mark[1] == ':');
}

/* Several PMUs have the event: add the PMU to its name, unless that gets too long. */
static void rename_spec(struct event_spec *spec, const char *pmu, struct piece name,
			char text[EVENT_TEXT_MAX])
{
	if (snprintf(text, EVENT_TEXT_MAX, "%s/%.*s/%s", pmu, PIECE(name),
		     written_modifiers(spec->text)) < EVENT_TEXT_MAX)
		spec->text = text;
}

static struct piece whole(const char *text)
{
	return (struct piece){ text, strlen(text) };
}

/* --- "topdown-bad-spec" --- */

static bool lists_event(struct sys *sys, const char *pmu, const char *name)
{
	return pmu_is_event(name) && pmu_has_event(sys, pmu, name);
}

int expand_alias(struct expansion *x, const struct event_spec *spec, struct error *err)
{
	struct search search = { x->sys, lists_event, spec->alias, { 0 } };
	int ret = search_pmus(&search, err);

	/* If the list cannot be read, there are no PMUs. */
	if (ret == -ENOENT || (ret == 0 && !search.found.nr)) {
		event_unknown(x->sys, spec->alias, err);
		ret = -ENOENT;
	}
	for (unsigned int i = 0; ret == 0 && i < search.found.nr; i++) {
		struct event_spec one = *spec;
		char text[EVENT_TEXT_MAX];

		one.kind = EVENT_PMU;
		one.pmu.name = search.found.list[i];
		one.pmu.terms = spec->alias;
		if (search.found.nr > 1)
			rename_spec(&one, one.pmu.name, whole(spec->alias), text);
		ret = event_list_add(x->out, &one, err);
	}
	names_free(&search.found);
	return ret;
}

struct offer {
	struct sys *sys;
	struct nearest *near;
};

static int offer_event(void *near, const char *name)
{
	if (pmu_is_event(name))
		nearest_offer(near, name);
	return 0;
}

static int offer_events(void *arg, const char *pmu)
{
	struct offer *offer = arg;

	pmu_each_file(offer->sys, pmu, "events", offer_event, offer->near);
	return 0;
}

void event_unknown(struct sys *sys, const char *name, struct error *err)
{
	char names[NEAREST_MAX * NEAREST_NAME], category[EVENT_NAME_MAX];
	struct nearest near;
	struct offer offer = { sys, &near };

	nearest_init(&near, name);
	nearest_offer_events(&near);
	pmu_each(sys, offer_events, &offer, NULL);
	error_set(err, ENOENT, "unknown event (no PMU on this machine lists it either)");
	error_reason(err, "event/unknown");
	if (tracepoint_category(sys, name, category, sizeof(category)))
		error_hint(err, "did you mean the tracepoint %s:%s?", category, name);
	else if (near.nr)
		error_hint(err, "did you mean %s?", nearest_text(&near, names, sizeof(names)));
	else
		spec_grammar_error(err);
}

/* --- "uncore_imc/.../" --- */

/* "_0", or for PMUs numbered by address "_fff1" or longer: "a53" is part of a name. */
static bool is_number(const char *suffix)
{
	const size_t len = strlen(suffix + (suffix[0] == '_'));

	if (suffix[0] != '_' || !len)
		return false;
	return strspn(suffix + 1, "0123456789") == len ||
	       (len > 3 && strspn(suffix + 1, "0123456789abcdef") == len);
}

/*
 * A PMU may be given without its number, without the prefix "uncore_", or as a glob:
 * tools/perf/Documentation/perf-list.txt
 */
static bool has_name(struct sys *sys, const char *pmu, const char *name)
{
	const size_t len = strlen(name);

	(void)sys;
	if (event_is_glob(name))
		return event_glob_match(name, pmu);
	for (int i = 0; i < 2; i++) {
		if (!strncmp(pmu, name, len) && is_number(pmu + len))
			return true;
		if (strncmp(pmu, "uncore_", 7))
			break;
		pmu += 7;
		if (!strcmp(pmu, name))
			return true;
	}
	return false;
}

static int no_pmu(struct sys *sys, const char *name, struct error *err)
{
	char names[NEAREST_MAX * NEAREST_NAME];
	struct names all = { 0 };
	struct nearest near;

	nearest_init(&near, name);
	pmu_each(sys, names_add, &all, NULL);
	for (unsigned int i = 0; i < all.nr; i++)
		nearest_offer(&near, all.list[i]);
	names_free(&all);
	error_set(err, ENOENT, "no PMU '%s' on this machine", name);
	error_reason(err, "event/no-pmu");
	if (near.nr)
		error_hint(err, "did you mean %s?", nearest_text(&near, names, sizeof(names)));
	else
		pmu_hint(sys, err);
	return -ENOENT;
}

int expand_pmu(struct expansion *x, const struct event_spec *spec, struct error *err)
{
	struct search search = { x->sys, has_name, spec->pmu.name, { 0 } };
	uint32_t type;
	int ret;

	/* If the type cannot be read, opening the event will report that. */
	if (!event_is_glob(spec->pmu.name) &&
	    pmu_type(x->sys, spec->pmu.name, &type, NULL) != -ENOENT)
		return event_list_add(x->out, spec, err);
	ret = search_pmus(&search, err);
	if (ret == 0 && !search.found.nr)
		ret = no_pmu(x->sys, spec->pmu.name, err);
	for (unsigned int i = 0; ret == 0 && i < search.found.nr; i++) {
		struct event_spec one = *spec;
		char text[EVENT_TEXT_MAX];

		one.pmu.name = search.found.list[i];
		rename_spec(&one, one.pmu.name, whole(spec->pmu.terms), text);
		ret = event_list_add(x->out, &one, err);
	}
	names_free(&search.found);
	return ret;
}

/* --- "cycles" on a machine with several kinds of cores --- */

static bool is_core(struct sys *sys, const char *pmu, const char *unused)
{
	(void)unused;
	return pmu_is_core(sys, pmu);
}

int expand_core(struct expansion *x, const struct event_spec *spec, struct error *err)
{
	struct search search = { x->sys, is_core, NULL, { 0 } };
	int ret = 0;

	/* A PMU named "cpu" exists only on machines with one kind of cores. */
	if (event_is_core_pmu(spec) && !pmu_is_core(x->sys, "cpu"))
		ret = search_pmus(&search, NULL) == -ENOMEM ? -ENOMEM : 0;
	if (ret)
		error_set(err, ENOMEM, "no memory for the PMU names");
	else if (search.found.nr < 2)
		ret = event_list_add(x->out, spec, err);
	for (unsigned int i = 0; ret == 0 && search.found.nr > 1 && i < search.found.nr; i++) {
		const struct piece name = { spec->text, strcspn(spec->text, ":/") };
		struct event_spec one = *spec;
		char text[EVENT_TEXT_MAX];

		one.fixed.pmu = search.found.list[i];
		rename_spec(&one, one.fixed.pmu, name, text);
		ret = event_list_add(x->out, &one, err);
	}
	names_free(&search.found);
	return ret;
}
