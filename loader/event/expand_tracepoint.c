// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Globs of tracepoints: those of tracefs that a pattern takes and a program can run on. */
#include <errno.h>
#include <stdio.h>

#include "loader/event/expand.h"

/* The events of this category are records that tracers write, and happen for no program. */
#define NO_PROGRAMS "ftrace"

/* One walk. */
struct walk {
	struct sys *sys;
	struct tracefs tracefs;
	const struct event_spec *spec;
	const char *category;	/* that is walked */
	struct names dynamic;	/* "category/name" of those that were made by writing to tracefs */
	struct names found;	/* "category:name" */
	unsigned int nr_ftrace, nr_dynamic;	/* left out */
};

/* --- what is there --- */

/* "p:kprobes/name place", "s:synthetic/name fields": none of them is a tracepoint. */
static int add_dynamic(void *arg, char *line)
{
	char *name = strchr(line, ':');

	if (!name)
		return 0;
	name++;
	name[strcspn(name, " ")] = '\0';
	return names_add(arg, name);
}

static bool is_dynamic(const struct walk *w, const char *name)
{
	for (unsigned int i = 0; i < w->dynamic.nr; i++) {
		const char *slash = strchr(w->dynamic.list[i], '/');

		if (slash && !strcmp(slash + 1, name) &&
		    !strncmp(w->dynamic.list[i], w->category, slash - w->dynamic.list[i]) &&
		    !w->category[slash - w->dynamic.list[i]])
			return true;
	}
	return false;
}

/* Beside its events a category has files of its own. */
static bool is_file_of_category(const char *name)
{
	return !strcmp(name, "enable") || !strcmp(name, "filter");
}

static int add_tracepoint(void *arg, const char *name)
{
	struct walk *w = arg;
	char text[2 * EVENT_NAME_MAX];

	if (is_file_of_category(name) || !event_word(name, strlen(name)) ||
	    !event_glob(w->spec->second, name))
		return 0;
	if (!strcmp(w->category, NO_PROGRAMS)) {
		w->nr_ftrace++;
		return 0;
	}
	if (is_dynamic(w, name)) {
		w->nr_dynamic++;
		return 0;
	}
	snprintf(text, sizeof(text), "%s:%s", w->category, name);
	return names_add(&w->found, text);
}

struct category_walk {
	const char *pattern;
	struct names *found;
};

static int add_category(void *arg, const char *name)
{
	const struct category_walk *c = arg;

	if (!event_word(name, strlen(name)) || !event_glob(c->pattern, name))
		return 0;
	return names_add(c->found, name);
}

static int walk_directory(struct walk *w, const char *category,
			  int (*entry)(void *arg, const char *name), void *arg)
{
	char file[EVENT_NAME_MAX + 16], path[EVENT_NAME_MAX + 64];

	snprintf(file, sizeof(file), "events%s%s", category[0] ? "/" : "", category);
	return event_each_entry(w->sys, w->tracefs.dir_fd,
				tracefs_path(&w->tracefs, file, path, sizeof(path)), entry, arg);
}

static int walk_all(struct walk *w)
{
	struct names categories = { 0 };
	struct category_walk c = { w->spec->first, &categories };
	int ret = walk_directory(w, "", add_category, &c);

	names_sort(&categories);
	for (unsigned int i = 0; ret == 0 && i < categories.nr; i++) {
		w->category = categories.list[i];
		ret = walk_directory(w, w->category, add_tracepoint, w);
		/* events/ has files, too; and a category may have gone with its module. */
		if (ret == -ENOTDIR || ret == -ENOENT)
			ret = 0;
	}
	names_free(&categories);
	names_sort(&w->found);
	return ret;
}

/* --- what is not there --- */

static int offer(void *near, const char *name)
{
	if (!is_file_of_category(name))
		nearest_offer(near, name);
	return 0;
}

/*
 * Names that are near to what a pattern has of letters, into the hint; "" has the categories. 0, or
 * an error: there is no such category.
 */
static int hint_near(struct walk *w, const char *category, const char *pattern, struct error *err)
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
	ret = walk_directory(w, category, offer, &near);
	if (near.nr)
		error_hint(err, "did you mean %s?", nearest_text(&near, names, sizeof(names)));
	else
		error_hint(err, "pload list has the tracepoints of this kernel");
	return ret;
}

static int only_others(const struct walk *w, struct error *err)
{
	if (w->nr_ftrace) {
		error_set(err, EINVAL, "events of " NO_PROGRAMS " are the records of tracers: no "
			  "program runs on them");
		error_reason(err, "event/ftrace");
		error_hint(err, "kprobe:FUNCTION runs one when a function is called");
	} else {
		error_set(err, EINVAL, "what it takes was made by writing to tracefs, and is no "
			  "tracepoint");
		error_reason(err, "event/dynamic");
		error_hint(err, "a probe is named as kprobe:SYMBOL or uprobe:PATH:SYMBOL");
	}
	return -EINVAL;
}

static int nothing_found(struct walk *w, struct error *err)
{
	const struct event_spec *spec = w->spec;
	const bool any_category = event_is_glob(spec->first);

	if (w->nr_ftrace || w->nr_dynamic)
		return only_others(w, err);
	error_set(err, ENOENT, "this kernel has no tracepoint that '%.200s' takes", spec->text);
	error_reason(err, "event/unknown");
	if (any_category || hint_near(w, spec->first, spec->second, err))
		hint_near(w, "", spec->first, err);
	return -ENOENT;
}

/* --- into the list --- */

static void note_left_out(struct expansion *x, const struct walk *w)
{
	if (w->nr_ftrace)
		expand_note(x, "'%.200s': %u of " NO_PROGRAMS " are left out: they run no programs",
			    w->spec->text, w->nr_ftrace);
	if (w->nr_dynamic)
		expand_note(x, "'%.200s': %u probes and synthetic events are left out: they are no "
			    "tracepoints",
			    w->spec->text, w->nr_dynamic);
}

static int add_found(struct expansion *x, const struct walk *w, struct error *err)
{
	const char *colon = strchr(w->spec->text, ':');
	const char *modifiers = colon ? strchr(colon + 1, ':') : NULL;
	int ret = 0;

	for (unsigned int i = 0; ret == 0 && i < w->found.nr; i++) {
		const char *name = w->found.list[i];
		const size_t len = strcspn(name, ":");
		struct event_spec one = *w->spec;

		snprintf(one.first, sizeof(one.first), "%.*s", (int)len, name);
		snprintf(one.second, sizeof(one.second), "%s", name + len + 1);
		snprintf(one.text, sizeof(one.text), "%s%s", name, modifiers ? modifiers : "");
		ret = event_list_add(x->out, &one, err);
	}
	x->nr_tracepoints += w->found.nr;
	note_left_out(x, w);
	return ret;
}

static int walk_failed(struct walk *w, int code, struct error *err)
{
	error_set(err, code, "events/ of tracefs cannot be listed: %s", error_strerror(code));
	if (event_fd_limit(w->sys, code, err))
		return -code;
	error_reason(err, code == E2BIG ? "event/too-many" : "event/no-tracefs");
	error_hint(err, "%s", code == E2BIG ? "a narrower glob" :
					      "tracefs can be read by root only: run as root");
	return -code;
}

static int expand_glob(struct expansion *x, const struct event_spec *spec, struct error *err)
{
	struct walk w = { .sys = x->sys, .spec = spec };
	char path[64];
	int ret = tracefs_find(x->sys, &w.tracefs, err);

	if (ret < 0)
		return ret;
	/* Where it cannot be read there are none: CONFIG_DYNAMIC_EVENTS. */
	event_each_line_of(x->sys, w.tracefs.dir_fd,
			   tracefs_path(&w.tracefs, "dynamic_events", path, sizeof(path)),
			   add_dynamic, &w.dynamic);
	ret = walk_all(&w);
	if (ret < 0)
		walk_failed(&w, -ret, err);
	else if (!w.found.nr)
		ret = nothing_found(&w, err);
	else
		ret = add_found(x, &w, err);
	names_free(&w.found);
	names_free(&w.dynamic);
	tracefs_close(x->sys, &w.tracefs);
	return ret;
}

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
	struct walk w = { .nr_ftrace = 1 };

	if (event_is_glob(spec->first) || event_is_glob(spec->second))
		return expand_glob(x, spec, err);
	if (!strcmp(spec->first, NO_PROGRAMS))
		return only_others(&w, err);
	return expand_as_alias(x, spec) ? 0 : event_list_add(x->out, spec, err);
}
