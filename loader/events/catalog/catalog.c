// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Every event of this machine, in listing order. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "loader/base/calls/tracefs.h"
#include "loader/events/catalog/expand_internal.h"
#include "loader/events/grammar/events.h"

/* --- by name --- */

struct named {
	const struct walker *w;
	int ret;
};

static const char *group_of(const char *name)
{
	const struct perf_name *row = perf_name_find(name, strlen(name));

	if (!row)
		return "cache";
	return row->kind == EVENT_HARDWARE ? "hardware" : "software";
}

static void walk_name(void *arg, const char *name, const char *alias)
{
	const struct event_row row = { .group = group_of(name), .name = name, .alias = alias };
	struct named *named = arg;

	if (!named->ret)
		named->ret = named->w->visitor->event(named->w->visitor->arg, &row);
}

static int walk_names(const struct walker *w)
{
	struct named named = { w, 0 };

	perf_name_each(walk_name, &named);
	return named.ret;
}

/* --- events that need an address, function or file --- */

static int walk_forms(const struct walker *w)
{
	static const struct event_row forms[] = {
		{ .group = "raw", .name = "rHEX" },
		{ .group = "raw", .name = "TYPE:CONFIG" },
		{ .group = "breakpoint", .name = "mem:ADDRESS[/LENGTH][:rwx]" },
		{ .group = "probe", .name = "kprobe:[MODULE:]FUNCTION[+OFFSET]" },
		{ .group = "probe", .name = "kretprobe:[MODULE:]FUNCTION" },
		{ .group = "probe", .name = "ksyscall:NAME" },
		{ .group = "probe", .name = "kretsyscall:NAME" },
		{ .group = "probe", .name = "uprobe:FILE:FUNCTION[+OFFSET]" },
		{ .group = "probe", .name = "uretprobe:FILE:FUNCTION" },
		{ .group = "probe", .name = "usdt:FILE:PROVIDER:NAME" },
	};
	int ret = 0;

	for (size_t i = 0; !ret && i < sizeof(forms) / sizeof(forms[0]); i++)
		ret = w->visitor->event(w->visitor->arg, &forms[i]);
	return ret;
}

/* --- tracepoints --- */

static int walk_category(const struct walker *w, const struct tracefs *t, const char *category,
			 struct error *err)
{
	char path[EVENT_NAME_MAX + 64], file[EVENT_NAME_MAX + 16], text[2 * EVENT_NAME_MAX];
	const struct event_row row = { .group = "tracepoint", .name = text };
	struct names names = { 0 };
	int ret;

	snprintf(file, sizeof(file), "events/%s", category);
	ret = sys_each_entry(w->sys, t->dir_fd, tracefs_path(t, file, path, sizeof(path)),
			       names_add, &names);
	/* events/ itself and every category contain files "enable" and "filter". */
	if (ret == -ENOTDIR || ret == -ENOENT)
		ret = 0;
	else if (ret < 0)
		tracefs_failed(w->sys, -ret, err);
	names_sort(&names);
	for (unsigned int i = 0; !ret && i < names.nr; i++) {
		if (!strcmp(names.list[i], "enable") || !strcmp(names.list[i], "filter"))
			continue;
		snprintf(text, sizeof(text), "%s:%s", category, names.list[i]);
		ret = w->visitor->event(w->visitor->arg, &row);
	}
	names_free(&names);
	return ret;
}

static int walk_tracepoints(const struct walker *w, struct error *err)
{
	struct names categories = { 0 };
	struct tracefs t = { 0 };
	char path[64];
	int ret = tracefs_find(w->sys, &t, err);

	if (ret)
		return ret;
	ret = sys_each_entry(w->sys, t.dir_fd, tracefs_path(&t, "events", path, sizeof(path)),
			     names_add, &categories);
	if (ret < 0)
		tracefs_failed(w->sys, -ret, err);
	names_sort(&categories);
	for (unsigned int i = 0; !ret && i < categories.nr; i++)
		ret = walk_category(w, &t, categories.list[i], err);
	names_free(&categories);
	tracefs_close(w->sys, &t);
	return ret;
}

int event_catalog(struct sys *sys, const struct event_visitor *visitor, struct error *err)
{
	const struct walker w = { sys, visitor };
	int no_pmus, ret = 0;

	no_pmus = walk_pmus(&w, err);
	if (!visitor->event || no_pmus > 0 || no_pmus == -ENOMEM)
		return no_pmus;
	ret = walk_names(&w);
	if (!ret)
		ret = walk_forms(&w);
	if (!ret && !visitor->no_tracepoints)
		ret = walk_tracepoints(&w, no_pmus ? NULL : err);
	return ret ? ret : no_pmus;
}
