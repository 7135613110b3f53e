// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Expand tracepoint globs: find the matching tracepoints in tracefs that can run a program. */
#include <errno.h>
#include <stdio.h>

#include "loader/base/calls/tracefs.h"
#include "loader/base/text/each_line.h"
#include "loader/events/catalog/expand_internal.h"
#include "loader/events/grammar/events.h"

/* The events of this category describe records of tracers, and never fire. */
#define NO_PROGRAMS "ftrace"

/* A search for the tracepoints of one spec. */
struct search {
	struct sys *sys;
	struct tracefs tracefs;
	const struct event_spec *spec;
	const char *category;	/* being listed */
	struct names dynamic;	/* "p:category/name": created through tracefs */
	struct names found;	/* tracepoints, as "category:name" */
	struct names probes;	/* kprobe and uprobe events, likewise */
	unsigned int nr_ftrace, nr_others;	/* number left out, because no program can run on
						 * them */
};

/* --- list tracefs --- */

/*
 * dynamic_events lists events that look like tracepoints but are not
 * (Documentation/trace/kprobetrace.rst, histogram.rst):
 *
 *	p:kprobes/NAME LOCATION		r16:uprobes/NAME LOCATION	s:synthetic/NAME FIELDS
 */
static int add_dynamic(void *arg, char *line)
{
	char text[2 * EVENT_NAME_MAX], *name = strchr(line, ':');

	if (!name || (size_t)snprintf(text, sizeof(text), "%c%s", line[0], name) >= sizeof(text))
		return 0;
	text[strcspn(text, " ")] = '\0';
	return names_add(arg, text);
}

/* Without CONFIG_DYNAMIC_EVENTS, neither the file nor dynamic events exist. */
static void read_dynamic(struct search *w)
{
	char path[64];

	sys_each_line_of(w->sys, w->tracefs.dir_fd,
			   tracefs_path(&w->tracefs, "dynamic_events", path, sizeof(path)),
			   add_dynamic, &w->dynamic);
}

/* Return 'p' or 'r' for a probe, '\0' for a tracepoint, another letter for other dynamic events. */
static char dynamic_kind(const struct search *w, const char *category, const char *name)
{
	const size_t len = strlen(category);

	for (unsigned int i = 0; i < w->dynamic.nr; i++) {
		const char *event = w->dynamic.list[i] + 2;

		if (!strncmp(event, category, len) && event[len] == '/' &&
		    !strcmp(event + len + 1, name))
			return w->dynamic.list[i][0];
	}
	return '\0';
}

static bool is_file_of_category(const char *name)
{
	return !strcmp(name, "enable") || !strcmp(name, "filter");
}

static int add_tracepoint(void *arg, const char *name)
{
	struct search *w = arg;
	char text[2 * EVENT_NAME_MAX + 2];
	char kind;

	if (is_file_of_category(name) || !event_is_word(name, strlen(name)) ||
	    !event_glob_match(w->spec->tracepoint.name, name))
		return 0;
	if (!strcmp(w->category, NO_PROGRAMS)) {
		w->nr_ftrace++;
		return 0;
	}
	kind = dynamic_kind(w, w->category, name);
	if (kind && kind != 'p' && kind != 'r') {
		w->nr_others++;
		return 0;
	}
	snprintf(text, sizeof(text), "%s:%s", w->category, name);
	return names_add(kind ? &w->probes : &w->found, text);
}

struct category_search {
	const char *pattern;
	struct names *found;
};

static int add_category(void *arg, const char *name)
{
	const struct category_search *c = arg;

	if (!event_is_word(name, strlen(name)) || !event_glob_match(c->pattern, name))
		return 0;
	return names_add(c->found, name);
}

static int list_directory(struct search *w, const char *category,
			  int (*entry)(void *arg, const char *name), void *arg)
{
	char file[EVENT_NAME_MAX + 16], path[EVENT_NAME_MAX + 64];

	snprintf(file, sizeof(file), "events%s%s", category[0] ? "/" : "", category);
	return sys_each_entry(w->sys, w->tracefs.dir_fd,
				tracefs_path(&w->tracefs, file, path, sizeof(path)), entry, arg);
}

static int search_all(struct search *w)
{
	struct names categories = { 0 };
	struct category_search c = { w->spec->tracepoint.category, &categories };
	int ret = list_directory(w, "", add_category, &c);

	names_sort(&categories);
	for (unsigned int i = 0; ret == 0 && i < categories.nr; i++) {
		w->category = categories.list[i];
		ret = list_directory(w, w->category, add_tracepoint, w);
		/* events/ also contains files; and unloading a module removes its category. */
		if (ret == -ENOTDIR || ret == -ENOENT)
			ret = 0;
	}
	names_free(&categories);
	names_sort(&w->found);
	names_sort(&w->probes);
	return ret;
}

/* --- nothing found --- */

static int offer(void *near, const char *name)
{
	if (!is_file_of_category(name))
		nearest_offer(near, name);
	return 0;
}

/*
 * Set the hint to names in @category that are similar to @pattern without its wildcards; "" means
 * the categories themselves. Return: 0, or -errno if the category does not exist.
 */
static int hint_near(struct search *w, const char *category, const char *pattern, struct error *err)
{
	char plain[EVENT_NAME_MAX], names[NEAREST_MAX * NEAREST_NAME];
	struct nearest near;
	size_t len = 0;
	int ret;

	for (const char *p = pattern; *p && len + 1 < sizeof(plain); p++)
		if (!strchr("*?[]!^", *p))
			plain[len++] = *p;
	plain[len] = '\0';
	nearest_init(&near, plain);
	ret = list_directory(w, category, offer, &near);
	if (near.nr)
		error_hint(err, "did you mean %s?", nearest_text(&near, names, sizeof(names)));
	else
		error_hint(err, "pload list prints the tracepoints of this kernel");
	return ret;
}

static int only_others(const struct search *w, struct error *err)
{
	if (w->nr_ftrace) {
		error_set(err, EINVAL, "events of " NO_PROGRAMS " are records of tracers: "
								"programs cannot run on them");
		error_reason(err, "event/ftrace");
		error_hint(err, "use kprobe:FUNCTION to run one when a function is called");
	} else {
		error_set(err, EINVAL, "these events were defined through tracefs, and programs "
				       "cannot run on them");
		error_reason(err, "event/dynamic");
		error_hint(err, "programs can run on tracepoints and probes");
	}
	return -EINVAL;
}

static int nothing_found(struct search *w, struct error *err)
{
	const struct event_spec *spec = w->spec;
	const bool any_category = event_is_glob(spec->tracepoint.category);

	if (w->nr_ftrace || w->nr_others)
		return only_others(w, err);
	error_set(err, ENOENT, "'%.200s' does not match any tracepoint of this kernel", spec->text);
	error_reason(err, "event/unknown");
	if (any_category || hint_near(w, spec->tracepoint.category, spec->tracepoint.name, err))
		hint_near(w, "", spec->tracepoint.category, err);
	return -ENOENT;
}

/* --- add to the list --- */

static void note_left_out(struct expansion *x, const struct search *w)
{
	if (w->nr_ftrace)
		expand_note(x, "'%.200s': %u of " NO_PROGRAMS " are left out: they cannot run "
							      "programs",
			    w->spec->text, w->nr_ftrace);
	if (w->nr_others)
		expand_note(x, "'%.200s': %u synthetic events and the like are left out: they "
			       "cannot run programs",
			    w->spec->text, w->nr_others);
	if (w->found.nr && w->probes.nr)
		expand_note(x, "'%.200s': %u probes are left out: they do not run tracepoint "
			       "programs",
			    w->spec->text, w->probes.nr);
}

/* Add the tracepoints or, if none matches, the probes created in tracefs. */
static int add_found(struct expansion *x, const struct search *w, struct error *err)
{
	const struct names *found = w->found.nr ? &w->found : &w->probes;
	const char *colon = strchr(w->spec->text, ':');
	const char *modifiers = colon ? strchr(colon + 1, ':') : NULL;
	int ret = 0;

	for (unsigned int i = 0; ret == 0 && i < found->nr; i++) {
		const char *name = found->list[i];
		const size_t len = strcspn(name, ":");
		char category[EVENT_NAME_MAX], text[EVENT_TEXT_MAX];
		struct event_spec one = *w->spec;

		snprintf(category, sizeof(category), "%.*s", (int)len, name);
		snprintf(text, sizeof(text), "%s%s", name, modifiers ? modifiers : "");
		one.text = text;
		one.tracepoint.category = category;
		one.tracepoint.name = found->list[i] + len + 1;
		one.dynamic = found == &w->probes;
		ret = event_list_add(x->out, &one, err);
	}
	x->nr_tracepoints += found->nr;
	note_left_out(x, w);
	return ret;
}

static int search_failed(struct search *w, int code, struct error *err)
{
	if (code != E2BIG)
		return tracefs_failed(w->sys, code, err);
	error_set(err, code, "cannot list events/ in tracefs: %s", error_strerror(code));
	error_reason(err, "event/too-many");
	error_hint(err, "a narrower glob");
	return -code;
}

static int expand_glob(struct expansion *x, const struct event_spec *spec, struct error *err)
{
	struct search w = { .sys = x->sys, .spec = spec };
	int ret = tracefs_find(x->sys, &w.tracefs, err);

	if (ret < 0)
		return ret;
	read_dynamic(&w);
	ret = search_all(&w);
	if (ret < 0)
		search_failed(&w, -ret, err);
	else if (!w.found.nr && !w.probes.nr)
		ret = nothing_found(&w, err);
	else
		ret = add_found(x, &w, err);
	names_free(&w.found);
	names_free(&w.probes);
	names_free(&w.dynamic);
	tracefs_close(x->sys, &w.tracefs);
	return ret;
}

void event_list_mark_dynamic(struct sys *sys, struct event_list *list)
{
	struct search w = { .sys = sys };

	if (tracefs_find(sys, &w.tracefs, NULL) < 0)
		return;
	read_dynamic(&w);
	for (unsigned int i = 0; i < list->nr; i++) {
		struct event_spec *spec = &list->specs[i];
		char kind;

		if (spec->kind != EVENT_TRACEPOINT)
			continue;
		kind = dynamic_kind(&w, spec->tracepoint.category, spec->tracepoint.name);
		spec->dynamic = kind == 'p' || kind == 'r';
	}
	names_free(&w.dynamic);
	tracefs_close(sys, &w.tracefs);
}

/*
 * "topdown-bad-spec:k" looks like a tracepoint, but may be a PMU's event with a modifier. Return:
 * false if it is not.
 */
static bool expand_as_alias(struct expansion *x, const struct event_spec *spec)
{
	const struct piece letters = { spec->tracepoint.name, strlen(spec->tracepoint.name) };
	struct event_spec alias = *spec;

	if (!spec_is_modifiers(letters) || spec_modifiers(&alias.modifiers, letters, NULL))
		return false;
	alias.kind = EVENT_ALIAS;
	alias.alias = spec->tracepoint.category;
	return expand_alias(x, &alias, NULL) == 0;
}

int expand_tracepoint(struct expansion *x, const struct event_spec *spec, struct error *err)
{
	struct search w = { .nr_ftrace = 1 };

	if (event_is_glob(spec->tracepoint.category) || event_is_glob(spec->tracepoint.name))
		return expand_glob(x, spec, err);
	if (!strcmp(spec->tracepoint.category, NO_PROGRAMS))
		return only_others(&w, err);
	return expand_as_alias(x, spec) ? 0 : event_list_add(x->out, spec, err);
}
