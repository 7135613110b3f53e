// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Why cells differ: for each difference that is understood, when it is that one, and a sentence. */
#include <fnmatch.h>
#include <stddef.h>
#include <string.h>

#include "loader/report/differs.h"

static unsigned int ioctl_cells(const struct difference *d)
{
	return cells_bound(d->cells, "ioctl") & d->row->has;
}

static unsigned int link_cells(const struct difference *d)
{
	return cells_bound(d->cells, "link") & d->row->has;
}

static unsigned int pmu_cells(const struct difference *d)
{
	return cells_opened(d->cells, "pmu") & d->row->has;
}

static bool cookie_by_link(const struct difference *d)
{
	return answers_begin(d->row, ioctl_cells(d), "0") &&
	       answers_begin(d->row, link_cells(d), "as given");
}

/* Whoever does not fire was refused, or has nothing to try, for a reason that has a page. */
static bool has_reason(const struct difference *d)
{
	for (unsigned int i = 0; i < d->cells->nr; i++)
		if (d->row->has & 1u << i && strcmp(d->row->answer[i], "fires") &&
		    !d->row->reason[i])
			return false;
	return true;
}

static unsigned int nr_calls(const struct cell *cell, const char *step)
{
	struct json_object *calls = doc_array(cell->json, "calls");
	unsigned int nr = 0;

	for (size_t i = 0; i < doc_len(calls); i++)
		nr += doc_is(doc_at(calls, i), "step", step);
	return nr;
}

/* The slower way to open is the one with more system calls in it. */
static bool more_calls_to_open(const struct difference *d)
{
	const unsigned int pmu = pmu_cells(d), rest = d->row->has & ~pmu;
	const bool pmu_slower = are_slower(d->row, pmu, rest);

	if (!pmu_slower && !are_slower(d->row, rest, pmu))
		return false;
	for (unsigned int i = 0; i < d->cells->nr; i++) {
		for (unsigned int j = 0; j < d->cells->nr; j++) {
			const unsigned int many = nr_calls(&d->cells->list[i], "open"),
					   few = nr_calls(&d->cells->list[j], "open");

			if (!(pmu & 1u << i) || !(rest & 1u << j) || !many || !few)
				continue;
			if (pmu_slower ? many <= few : few <= many)
				return false;
		}
	}
	return true;
}

static bool link_slower(const struct difference *d)
{
	return are_slower(d->row, link_cells(d), ioctl_cells(d));
}

static bool link_faster(const struct difference *d)
{
	return are_slower(d->row, ioctl_cells(d), link_cells(d));
}

/* What is said of a binding without a link, and something else of a link. */
static bool no_link(const struct difference *d)
{
	return answers_begin(d->row, ioctl_cells(d), "no link") && link_cells(d) &&
	       !answers_begin(d->row, link_cells(d), "no link");
}

static bool link_runs_on(const struct difference *d)
{
	return answers_begin(d->row, ioctl_cells(d), "stops") &&
	       answers_begin(d->row, link_cells(d), "runs");
}

static bool ioctl_runs_on(const struct difference *d)
{
	return answers_begin(d->row, ioctl_cells(d), "runs") &&
	       answers_begin(d->row, link_cells(d), "stops");
}

static bool only_links_pin(const struct difference *d)
{
	return answers_begin(d->row, ioctl_cells(d), "EINVAL") &&
	       answers_begin(d->row, link_cells(d), "pinned");
}

/* Links are told of, and what an ioctl has bound is not. */
static bool links_are_seen(const struct difference *d)
{
	static const char *const unseen[] = { "EINVAL", "not listed", "[perf_event]" };

	for (size_t i = 0; i < sizeof(unseen) / sizeof(unseen[0]); i++)
		if (answers_begin(d->row, ioctl_cells(d), unseen[i]) && link_cells(d) &&
		    !answers_begin(d->row, link_cells(d), unseen[i]))
			return true;
	return false;
}

static bool links_stay(const struct difference *d)
{
	return answers_begin(d->row, ioctl_cells(d), "EINVAL") &&
	       answers_begin(d->row, link_cells(d), "EOPNOTSUPP");
}

static const struct explanation explanations[] = {
	{ "measured", "outcome", has_reason, "differs/not-here",
	  "This way is not to be had here for this event; the reason below has a page of its own.",
	  "docs/compare.md#ways-that-are-not-there" },
	{ "measured", "cookie", cookie_by_link, "differs/cookie",
	  "PERF_EVENT_IOC_SET_BPF takes a descriptor and nothing else, so that the program reads 0; "
	  "BPF_LINK_CREATE takes a cookie, too.",
	  "docs/compare.md#cookies" },
	{ "measured", "open-time", more_calls_to_open, "differs/open-time",
	  "The slower way asks files first: each that is looked up takes calls of its own before "
	  "perf_event_open().",
	  "docs/compare.md#opening" },
	{ "measured", "bind-time", link_slower, "differs/bind-time",
	  "A link is an object of its own: BPF_LINK_CREATE also allocates it, and gives it an id, "
	  "a file and a descriptor.",
	  "docs/compare.md#binding" },
	{ "measured", "detach-time", link_slower, "differs/detach-time",
	  "There are two descriptors to close, and closing the link takes the program off before "
	  "the event goes.",
	  "docs/compare.md#detaching" },
	{ "measured", "detach-time", link_faster, "differs/detach-event",
	  "Closing the link takes the program off at once; by ioctl it goes with the event, which "
	  "takes longer.",
	  "docs/compare.md#detaching" },
	{ "calls", "open", by_open, "differs/open-calls",
	  "A fixed type is a number of the ABI; a PMU has its number, and the meaning of config, in "
	  "sysfs.",
	  "docs/compare.md#opening" },
	{ "calls", "bind", by_bind, "differs/bind-calls",
	  "One ioctl on the event, or BPF_LINK_CREATE, which gives a descriptor.",
	  "docs/compare.md#binding" },
	{ "calls", "detach", by_bind, "differs/detach-calls",
	  "A link is closed before its event; an ioctl has no counterpart, so that only closing the "
	  "event ends it.",
	  "docs/compare.md#detaching" },
	{ "lifetime", "link-detach", links_stay, "differs/link-detach",
	  "The kernel can detach a link to an event by closing it only; where there is no link, there "
	  "is nothing of that sort to begin with.",
	  "docs/compare.md#lifetime" },
	{ "lifetime", "event-fd-closed", link_runs_on, "differs/link-holds",
	  "A link holds its event, which goes on without a descriptor; by ioctl the event holds the "
	  "program, and the last close ends both.",
	  "docs/compare.md#lifetime" },
	{ "lifetime", "event-handed", ioctl_runs_on, "differs/event-holds",
	  "By ioctl the program belongs to the event and lives with whoever has that; by link it "
	  "belongs to the link, which was closed with its process.",
	  "docs/compare.md#lifetime" },
	{ "lifetime", "pin", only_links_pin, "differs/pin",
	  "bpffs takes programs, maps and links; an event is none of these, and is gone with its "
	  "descriptors.",
	  "docs/compare.md#lifetime" },
	{ "visibility", "*", links_are_seen, "differs/link-seen",
	  "A link has an id and a descriptor that the kernel tells of; what an ioctl has bound is a "
	  "pointer in the event, of which it does not.",
	  "docs/compare.md#visibility" },
	{ "*", "*", no_link, "differs/no-link",
	  "An ioctl leaves no object behind that could be closed, pinned, updated or asked.",
	  "docs/compare.md#binding" },
};

/* --- between events: the columns are events, of a kind each --- */

static unsigned int events_of(const struct difference *d, const char *kind)
{
	return cells_opened(d->cells, kind) & d->row->has;
}

/* What begins so of traced events, and otherwise of every counted one. */
static bool traced_say(const struct difference *d, const char *traced, const char *counted)
{
	const unsigned int of_traced = events_of(d, "traced"), of_counted = events_of(d, "counted");

	return answers_begin(d->row, of_traced, traced) &&
	       answers_begin(d->row, of_counted, counted);
}

static bool traced_run_disabled(const struct difference *d)
{
	return traced_say(d, "runs", "no runs") || traced_say(d, "runs", "stops");
}

/* A uprobe knows processes, and is not spoken of here. */
static bool traced_run_anywhere(const struct difference *d)
{
	return traced_say(d, "runs", "no runs");
}

static bool traced_take_once(const struct difference *d)
{
	return traced_say(d, "EEXIST", "runs");
}

static bool traced_end_with_child(const struct difference *d)
{
	return traced_say(d, "stops", "runs");
}

static bool traced_stop_at_0(const struct difference *d)
{
	return traced_say(d, "dropped, no count", "dropped, counted");
}

/* No counted event answers as a traced one does: what there is to tell is of the kind. */
static bool told_by_kind(const struct difference *d)
{
	const unsigned int traced = events_of(d, "traced"), counted = events_of(d, "counted");

	for (unsigned int i = 0; i < d->cells->nr; i++)
		for (unsigned int j = 0; j < d->cells->nr; j++)
			if (traced & 1u << i && counted & 1u << j &&
			    !strcmp(d->row->answer[i], d->row->answer[j]))
				return false;
	return traced && counted;
}

/* Refused of counters, and of traced events not of all. */
static bool only_traced_are_asked(const struct difference *d)
{
	static const char *const refused[] = { "EOPNOTSUPP", "EINVAL", "not listed" };
	const unsigned int traced = events_of(d, "traced");

	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
		if (answers_begin(d->row, events_of(d, "counted"), refused[i]) && traced &&
		    !answers_begin(d->row, traced, refused[i]))
			return true;
	return false;
}

static const struct explanation between[] = {
	{ "lifetime", "never-enabled", traced_run_disabled, "differs/enabled",
	  "A program on a tracepoint or probe runs from being bound on, whatever its event's state; "
	  "one on a counter runs when the counter overflows, and a disabled one does not count.",
	  "docs/compare.md#enabling" },
	{ "lifetime", "disabled", traced_run_disabled, "differs/enabled",
	  "A program on a tracepoint or probe runs from being bound on, whatever its event's state; "
	  "one on a counter runs when the counter overflows, and a disabled one does not count.",
	  "docs/compare.md#enabling" },
	{ "lifetime", "same-program", traced_take_once, "differs/same-program",
	  "Programs of a tracepoint are in one array, in which each may be once, whatever event put "
	  "it there; a counter has a place of its own.",
	  "docs/compare.md#scope" },
	{ "lifetime", "child", traced_run_anywhere, "differs/scope",
	  "The tracepoint runs its programs in whatever task and on whatever CPU it is hit, before "
	  "any event is asked whom it was opened for.",
	  "docs/compare.md#scope" },
	{ "lifetime", "thread", traced_run_anywhere, "differs/scope",
	  "The tracepoint runs its programs in whatever task and on whatever CPU it is hit, before "
	  "any event is asked whom it was opened for.",
	  "docs/compare.md#scope" },
	{ "lifetime", "other-*", traced_run_anywhere, "differs/scope",
	  "The tracepoint runs its programs in whatever task and on whatever CPU it is hit, before "
	  "any event is asked whom it was opened for.",
	  "docs/compare.md#scope" },
	{ "lifetime", "cgroup-outside", traced_run_anywhere, "differs/scope",
	  "The tracepoint runs its programs in whatever task and on whatever CPU it is hit, before "
	  "any event is asked whom it was opened for.",
	  "docs/compare.md#scope" },
	{ "lifetime", "*-ended", traced_end_with_child, "differs/inherited",
	  "The copy of the event that a child inherits takes the program off the tracepoint when "
	  "the child ends, and the array has it once for both.",
	  "docs/compare.md#inheriting" },
	{ "visibility", "task-fd-query*", only_traced_are_asked, "differs/event-seen",
	  "BPF_TASK_FD_QUERY and PERF_EVENT_IOC_QUERY_BPF know events that belong to a tracepoint or "
	  "probe; a counter's program they do not tell.",
	  "docs/compare.md#visibility" },
	{ "visibility", "query-bpf", only_traced_are_asked, "differs/event-seen",
	  "BPF_TASK_FD_QUERY and PERF_EVENT_IOC_QUERY_BPF know events that belong to a tracepoint or "
	  "probe; a counter's program they do not tell.",
	  "docs/compare.md#visibility" },
	{ "visibility", "bpftool-perf", only_traced_are_asked, "differs/event-seen",
	  "BPF_TASK_FD_QUERY and PERF_EVENT_IOC_QUERY_BPF know events that belong to a tracepoint or "
	  "probe; a counter's program they do not tell.",
	  "docs/compare.md#visibility" },
	{ "visibility", "link-*", told_by_kind, "differs/link-fields",
	  "What the kernel says of a link to an event depends on its kind: type and config of a "
	  "counter, a name of a tracepoint, a function or file of a probe.",
	  "docs/compare.md#visibility" },
	{ "measured", "returns-0", traced_stop_at_0, "differs/return-value",
	  "Of a counted event the count is there before the program runs, and 0 drops its record; a "
	  "tracepoint asks the program first, and 0 ends it there.",
	  "docs/compare.md#return-values" },
};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static const struct explanation *find(const struct explanation *table, size_t nr,
				      const struct difference *d)
{
	for (size_t i = 0; i < nr; i++)
		if (!fnmatch(table[i].section, d->row->section, 0) &&
		    !fnmatch(table[i].row, d->row->id, 0) && table[i].fits(d))
			return &table[i];
	return NULL;
}

const struct explanation *explanation_find(const struct difference *d)
{
	return find(explanations, COUNT(explanations), d);
}

const struct explanation *explanation_between(const struct difference *d)
{
	return find(between, COUNT(between), d);
}
