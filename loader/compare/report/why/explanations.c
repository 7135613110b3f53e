// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The explanations of differences, each with the measurements to which it applies. */
#include <fnmatch.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "loader/compare/report/why/differs.h"

/* --- sets of cells --- */

enum set { IOCTL, LINK, TRACEFS, PMU, SAMPLING, TRACING };

static unsigned int cells_of(const struct difference *d, enum set set)
{
	static const char *const words[] = {
		[IOCTL] = "ioctl", [LINK] = "link", [TRACEFS] = "tracefs",
		[PMU] = "pmu", [SAMPLING] = "counted", [TRACING] = "traced",
	};

	return d->row->has & (set <= LINK ? cells_bound(d->cells, words[set]) :
					    cells_opened(d->cells, words[set]));
}

/* Return true if @set is not empty, and each of its cells has an answer that begins with @text. */
static bool all_begin(const struct row *row, unsigned int set, const char *text, size_t len)
{
	for (unsigned int i = 0; i < CELLS_MAX; i++)
		if (set & 1u << i && strncmp(row->answer[i], text, len))
			return false;
	return set;
}

/* Return the first of @texts, which are separated by '|', for which that is true, or NULL. */
static const char *begin_with_one(const struct row *row, unsigned int set, const char *texts)
{
	for (size_t len;; texts += len + 1) {
		len = strcspn(texts, "|");
		if (all_begin(row, set, texts, len))
			return texts;
		if (!texts[len])
			return NULL;
	}
}

/* Return the shortest (@longest: the longest) time of @set. */
static uint64_t extreme(const struct row *row, unsigned int set, bool longest)
{
	uint64_t ns = longest ? 0 : UINT64_MAX;

	for (unsigned int i = 0; i < CELLS_MAX; i++)
		if (set & row->timed & 1u << i && (row->ns[i] > ns) == longest)
			ns = row->ns[i];
	return ns;
}

static bool are_slower(const struct row *row, unsigned int slow, unsigned int fast)
{
	return row->timed & slow && row->timed & fast &&
	       extreme(row, slow, false) > extreme(row, fast, true);
}

static bool is_alike(const struct row *row, unsigned int set)
{
	unsigned int first = 0;

	while (set && !(set & 1u << first))
		first++;
	return set && all_begin(row, set, row->answer[first], strlen(row->answer[first]) + 1);
}

static bool separates(const struct row *row, unsigned int set)
{
	const unsigned int rest = row->has & ~set;

	if (row->timed)
		return are_slower(row, set, rest) || are_slower(row, rest, set);
	return is_alike(row, set) && is_alike(row, rest);
}

bool differs_by_bind(const struct difference *d)
{
	return separates(d->row, cells_of(d, LINK));
}

/* --- measurements that are more than the beginning of an answer --- */

static bool differs_by_open(const struct difference *d)
{
	return separates(d->row, cells_of(d, PMU));
}

static bool failures_have_reasons(const struct difference *d)
{
	for (unsigned int i = 0; i < d->cells->nr; i++)
		if (d->row->has & 1u << i && strcmp(d->row->answer[i], "fires") &&
		    !d->row->reason[i])
			return false;
	return true;
}

static bool link_is_slower(const struct difference *d)
{
	return are_slower(d->row, cells_of(d, LINK), cells_of(d, IOCTL));
}

static bool link_is_faster(const struct difference *d)
{
	return are_slower(d->row, cells_of(d, IOCTL), cells_of(d, LINK));
}

/* Each answer is the minimal privileges, or the step that was refused in every attempt. */
static bool are_privileges(const struct difference *d)
{
	static const char *const begins[] = { "CAP_", "none", "find E", "load E", "open E" };
	unsigned int known = 0;

	for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
		for (unsigned int j = 0; j < CELLS_MAX; j++)
			if (d->row->has & 1u << j &&
			    !strncmp(d->row->answer[j], begins[i], strlen(begins[i])))
				known |= 1u << j;
	return known == d->row->has;
}

static unsigned int nr_open_calls(const struct cell *cell)
{
	struct json_object *calls = doc_array(cell->json, "calls");
	unsigned int nr = 0;

	for (size_t i = 0; i < doc_len(calls); i++)
		nr += doc_is(doc_at(calls, i), "step", "open");
	return nr;
}

/* Return true if each cell of @slow has more calls than each of @fast, where both have some. */
static bool have_more_calls(const struct cells *cells, unsigned int slow, unsigned int fast)
{
	for (unsigned int i = 0; i < cells->nr; i++) {
		for (unsigned int j = 0; j < cells->nr; j++) {
			const unsigned int many = nr_open_calls(&cells->list[i]),
					   few = nr_open_calls(&cells->list[j]);

			if (slow & 1u << i && fast & 1u << j && many && few && many <= few)
				return false;
		}
	}
	return true;
}

static bool slower_open_has_more_calls(const struct difference *d)
{
	const unsigned int pmu = cells_of(d, PMU), rest = d->row->has & ~pmu;

	return (are_slower(d->row, pmu, rest) && have_more_calls(d->cells, pmu, rest)) ||
	       (are_slower(d->row, rest, pmu) && have_more_calls(d->cells, rest, pmu));
}

static bool only_tracefs_writes(const struct difference *d)
{
	const unsigned int tracefs = cells_of(d, TRACEFS), pmu = cells_of(d, PMU);

	for (unsigned int i = 0; i < d->cells->nr; i++)
		if ((tracefs | pmu) & 1u << i &&
		    !strstr(d->row->answer[i], "write") == !!(tracefs & 1u << i))
			return false;
	return tracefs && pmu;
}

static bool is_uprobe(struct json_object *event)
{
	return doc_is(event, "type", "uprobe") || doc_is(event, "type", "uretprobe") ||
	       doc_is(event, "type", "usdt");
}

/* A uprobe that does not run is not an exception: it exists only in the memory of its processes. */
static bool tracing_runs_anywhere(const struct difference *d)
{
	unsigned int tracing = cells_of(d, TRACING);

	for (unsigned int i = 0; i < d->cells->nr; i++)
		if (tracing & 1u << i && is_uprobe(d->cells->list[i].json) &&
		    !strcmp(d->row->answer[i], "no runs"))
			tracing &= ~(1u << i);
	return begin_with_one(d->row, tracing, "runs") &&
	       begin_with_one(d->row, cells_of(d, SAMPLING), "no runs");
}

/* Return true if no sampling event answers as a tracing event does. */
static bool kinds_share_no_answer(const struct difference *d)
{
	const unsigned int tracing = cells_of(d, TRACING), sampling = cells_of(d, SAMPLING);

	for (unsigned int i = 0; i < d->cells->nr; i++)
		for (unsigned int j = 0; j < d->cells->nr; j++)
			if (tracing & 1u << i && sampling & 1u << j &&
			    !strcmp(d->row->answer[i], d->row->answer[j]))
				return false;
	return tracing && sampling;
}

/* --- the tables --- */

/*
 * An explanation applies to a row if @fits returns true. Without @fits, it applies if all answers
 * in set @a start with one of the texts @begins_a, and all in @b with one of @begins_b. OTHERWISE:
 * and not all of @b begin with the text that those of @a do.
 */
#define OTHERWISE NULL

struct condition {
	const char *section, *row;	/* fnmatch(3); @row: one of several, separated by '|' */
	struct explanation is;
	bool (*fits)(const struct difference *d);
	enum set a;
	const char *begins_a;
	enum set b;
	const char *begins_b;
};

static const struct condition between_cells[] = {
	{ "measured", "outcome",
	  { "differs/not-here", "pload-compare(7), Refused cells" },
	  .fits = failures_have_reasons },
	{ "measured", "cookie", { "differs/cookie", "pload-compare(7), Cookies" },
	  NULL, IOCTL, "0", LINK, "as given" },
	{ "measured", "open-time", { "differs/open-time", "pload-compare(7), Opening" },
	  .fits = slower_open_has_more_calls },
	{ "measured", "bind-time", { "differs/bind-time", "pload-compare(7), Binding" },
	  .fits = link_is_slower },
	{ "measured", "detach-time", { "differs/detach-time", "pload-compare(7), Detaching" },
	  .fits = link_is_slower },
	{ "measured", "detach-time", { "differs/detach-event", "pload-compare(7), Detaching" },
	  .fits = link_is_faster },
	{ "calls", "open", { "differs/open-calls", "pload-compare(7), Opening" },
	  .fits = differs_by_open },
	{ "calls", "bind", { "differs/bind-calls", "pload-compare(7), Binding" },
	  .fits = differs_by_bind },
	{ "calls", "detach",
	  { "differs/line-removed", "pload-methods(7), Probes: by tracefs or by PMU" },
	  .fits = only_tracefs_writes },
	{ "calls", "detach", { "differs/detach-calls", "pload-compare(7), Detaching" },
	  .fits = differs_by_bind },
	{ "lifetime", "link-detach", { "differs/link-detach", "pload-compare(7), Lifetime" },
	  NULL, IOCTL, "EINVAL", LINK, "EOPNOTSUPP" },
	{ "lifetime", "event-fd-closed", { "differs/link-holds", "pload-compare(7), Lifetime" },
	  NULL, IOCTL, "stops", LINK, "runs" },
	{ "lifetime", "event-handed", { "differs/event-holds", "pload-compare(7), Lifetime" },
	  NULL, IOCTL, "runs", LINK, "stops" },
	{ "lifetime", "pin", { "differs/pin", "pload-compare(7), Lifetime" },
	  NULL, IOCTL, "EINVAL", LINK, "pinned" },
	{ "lifetime", "same-program", { "differs/probe-own", "pload-compare(7), Scope" },
	  NULL, TRACEFS, "EEXIST", PMU, "runs" },
	{ "lifetime", "*-inherits", { "differs/probe-inherited", "pload-compare(7), Inheriting" },
	  NULL, TRACEFS, "runs", PMU, "no runs" },
	{ "lifetime", "*-ended", { "differs/inherited", "pload-compare(7), Inheriting" },
	  NULL, TRACEFS, "stops", PMU, "runs" },
	{ "visibility", "query-bpf", { "differs/query-type", "pload-compare(7), Visibility" },
	  NULL, TRACEFS, "named", PMU, "EINVAL" },
	{ "privilege", "*", { "differs/tracefs-closed", "pload-compare(7), Privileges" },
	  NULL, TRACEFS, "find E", PMU, "" },
	{ "privilege", "*", { "differs/tracefs-closed", "pload-compare(7), Privileges" },
	  NULL, TRACEFS, "E", PMU, "ok" },
	{ "privilege", "*-open", { "differs/pmu-admin", "pload-compare(7), Privileges" },
	  NULL, TRACEFS, "ok", PMU, "E" },
	{ "least", "*", { "differs/least", "pload-compare(7), Privileges" },
	  .fits = are_privileges },
	{ "visibility", "*", { "differs/link-seen", "pload-compare(7), Visibility" },
	  NULL, IOCTL, "EINVAL|not listed|[perf_event]", LINK, OTHERWISE },
	{ "*", "*", { "differs/no-link", "pload-compare(7), Binding" },
	  NULL, IOCTL, "no link", LINK, OTHERWISE },
};

static const struct condition between_events[] = {
	{ "lifetime", "never-enabled|disabled", { "differs/enabled", "pload-compare(7), Enabling" },
	  NULL, TRACING, "runs", SAMPLING, "no runs|stops" },
	{ "lifetime", "same-program", { "differs/same-program", "pload-compare(7), Scope" },
	  NULL, TRACING, "EEXIST", SAMPLING, "runs" },
	{ "lifetime", "child|thread|other-*|cgroup-outside",
	  { "differs/scope", "pload-compare(7), Scope" },
	  .fits = tracing_runs_anywhere },
	{ "lifetime", "*-ended", { "differs/inherited", "pload-compare(7), Inheriting" },
	  NULL, TRACING, "stops", SAMPLING, "runs" },
	{ "visibility", "task-fd-query*|query-bpf|bpftool-perf",
	  { "differs/event-seen", "pload-compare(7), Visibility" },
	  NULL, SAMPLING, "EOPNOTSUPP|EINVAL|not listed", TRACING, OTHERWISE },
	{ "visibility", "link-*", { "differs/link-fields", "pload-compare(7), Visibility" },
	  .fits = kinds_share_no_answer },
	{ "privilege", "*", { "differs/tracefs-closed", "pload-compare(7), Privileges" },
	  NULL, TRACING, "find E", SAMPLING, "" },
	{ "privilege", "*", { "differs/tracefs-closed", "pload-compare(7), Privileges" },
	  NULL, TRACING, "E", SAMPLING, "ok" },
	{ "least", "*", { "differs/least", "pload-compare(7), Privileges" },
	  .fits = are_privileges },
	{ "measured", "returns-0", { "differs/return-value", "pload-compare(7), Return values" },
	  NULL, TRACING, "dropped, no count", SAMPLING, "dropped, counted" },
};

static bool matches_one(const char *patterns, const char *name)
{
	char pattern[64];

	for (size_t len;; patterns += len + 1) {
		len = strcspn(patterns, "|");
		snprintf(pattern, sizeof(pattern), "%.*s", (int)len, patterns);
		if (!fnmatch(pattern, name, 0))
			return true;
		if (!patterns[len])
			return false;
	}
}

static bool holds(const struct condition *c, const struct difference *d)
{
	const char *begins_a;
	unsigned int b;

	if (fnmatch(c->section, d->row->section, 0) || !matches_one(c->row, d->row->id))
		return false;
	if (c->fits)
		return c->fits(d);
	b = cells_of(d, c->b);
	begins_a = begin_with_one(d->row, cells_of(d, c->a), c->begins_a);
	if (!begins_a)
		return false;
	if (c->begins_b)
		return begin_with_one(d->row, b, c->begins_b);
	return b && !all_begin(d->row, b, begins_a, strcspn(begins_a, "|"));
}

const struct explanation *explanation_find(const struct difference *d)
{
	const struct condition *table = d->is_between ? between_events : between_cells;
	const size_t nr = d->is_between ? sizeof(between_events) / sizeof(between_events[0]) :
					  sizeof(between_cells) / sizeof(between_cells[0]);

	for (size_t i = 0; i < nr; i++)
		if (holds(&table[i], d))
			return &table[i].is;
	return NULL;
}
