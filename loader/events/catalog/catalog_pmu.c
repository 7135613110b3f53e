// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Visit the PMUs in sysfs: their terms, capabilities and events. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/events/catalog/catalog.h"
#include "loader/events/catalog/expand_internal.h"

/* Maximum number of terms or capabilities of a PMU, more than any driver has. */
#define PAIRS_MAX 128

struct pairs {
	struct sys *sys;
	const char *pmu, *dir;
	unsigned int nr;
	const char *list[PAIRS_MAX][2];	/* owned */
};

static int keep_pair(void *arg, const char *name)
{
	char file[2 * EVENT_NAME_MAX], value[256];
	struct pairs *pairs = arg;
	const char **pair = pairs->list[pairs->nr];

	if (pairs->nr == PAIRS_MAX)
		return 1;
	snprintf(file, sizeof(file), "%s/%s", pairs->dir, name);
	if (pmu_read(pairs->sys, pairs->pmu, file, value, sizeof(value)) < 0)
		return 0;
	pair[0] = strdup(name);
	pair[1] = strdup(value);
	pairs->nr++;	/* even if one of them is NULL: pairs_free() frees the other */
	return pair[0] && pair[1] ? 0 : -ENOMEM;
}

static int compare_pairs(const void *a, const void *b)
{
	return strverscmp(*(const char *const *)a, *(const char *const *)b);
}

static int pairs_read(struct pairs *pairs, struct sys *sys, const char *pmu, const char *dir)
{
	int ret;

	*pairs = (struct pairs){ .sys = sys, .pmu = pmu, .dir = dir };
	ret = pmu_each_file(sys, pmu, dir, keep_pair, pairs);
	if (ret != -ENOMEM)
		qsort(pairs->list, pairs->nr, sizeof(pairs->list[0]), compare_pairs);
	/* A PMU may lack such a directory. */
	return ret == -ENOMEM ? ret : 0;
}

static void pairs_free(struct pairs *pairs)
{
	for (unsigned int i = 0; i < pairs->nr; i++) {
		free((char *)pairs->list[i][0]);
		free((char *)pairs->list[i][1]);
	}
}

/* The PMU itself. */
static int walk_pmu(const struct walker *w, const char *pmu)
{
	struct cpu_list cpus = { 0 };
	struct pairs terms, caps;
	struct pmu_row row = { .name = pmu };
	char text[256];
	int ret;

	if (!w->visitor->pmu || pmu_type(w->sys, pmu, &row.type, NULL))
		return 0;
	if (!pmu_cpus(w->sys, pmu, &cpus, NULL) && cpus.nr)
		row.cpus = cpu_list_text(&cpus, text, sizeof(text));
	ret = pairs_read(&terms, w->sys, pmu, "format");
	if (!ret)
		ret = pairs_read(&caps, w->sys, pmu, "caps");
	else
		caps.nr = 0;
	row.nr_terms = terms.nr;
	row.terms = (const char *const(*)[2])terms.list;
	row.nr_caps = caps.nr;
	row.caps = (const char *const(*)[2])caps.list;
	if (!ret)
		ret = w->visitor->pmu(w->visitor->arg, &row);
	pairs_free(&terms);
	pairs_free(&caps);
	cpu_list_free(&cpus);
	return ret;
}

/* Read a file next to events/NAME: return its text, in @buf, or NULL. */
static const char *beside(const struct walker *w, const char *pmu, const char *name,
			  const char *suffix, char *buf, size_t size)
{
	char file[2 * EVENT_NAME_MAX];

	snprintf(file, sizeof(file), "events/%s%s", name, suffix);
	return pmu_read(w->sys, pmu, file, buf, size) < 0 ? NULL : buf;
}

static int walk_event(const struct walker *w, const char *pmu, const char *name)
{
	char text[2 * EVENT_NAME_MAX + 4], terms[EVENT_WORD_MAX], scale[64], unit[64];
	const struct event_row row = {
		.group = "pmu",
		.name = text,
		.terms = beside(w, pmu, name, "", terms, sizeof(terms)),
		.scale = beside(w, pmu, name, ".scale", scale, sizeof(scale)),
		.unit = beside(w, pmu, name, ".unit", unit, sizeof(unit)),
	};

	if (!w->visitor->event || strlen(name) >= EVENT_NAME_MAX)
		return 0;
	snprintf(text, sizeof(text), "%s/%s/", pmu, name);
	return w->visitor->event(w->visitor->arg, &row);
}

static int add_event(void *arg, const char *name)
{
	return pmu_is_event(name) ? names_add(arg, name) : 0;
}

static int walk_events(const struct walker *w, const char *pmu)
{
	struct names names = { 0 };
	int ret = pmu_each_file(w->sys, pmu, "events", add_event, &names);

	/* Many PMUs have no events/. */
	if (ret != -ENOMEM)
		ret = 0;
	names_sort(&names);
	for (unsigned int i = 0; !ret && i < names.nr; i++)
		ret = walk_event(w, pmu, names.list[i]);
	names_free(&names);
	return ret;
}

int walk_pmus(const struct walker *w, struct error *err)
{
	struct names pmus = { 0 };
	int ret = pmu_each(w->sys, names_add, &pmus, err);

	names_sort(&pmus);
	for (unsigned int i = 0; !ret && i < pmus.nr; i++) {
		ret = walk_pmu(w, pmus.list[i]);
		if (!ret)
			ret = walk_events(w, pmus.list[i]);
		if (ret == -ENOMEM)
			error_set(err, ENOMEM, "no memory for the list of a PMU");
	}
	names_free(&pmus);
	return ret;
}

bool pmu_is_event(const char *file)
{
	static const char *const others[] = { ".scale", ".unit", ".per-pkg", ".snapshot" };
	const char *dot = strrchr(file, '.');

	for (size_t i = 0; dot && i < sizeof(others) / sizeof(others[0]); i++)
		if (!strcmp(dot, others[i]))
			return false;
	return true;
}
