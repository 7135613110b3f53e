// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Why cells differ: for each difference that is understood, when it is that one, and a sentence. */
#include <fnmatch.h>
#include <stddef.h>
#include <string.h>

#include "loader/tools/report/why/differs.h"

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

/* --- probes: a line of tracefs, or an event of a PMU --- */

static bool tracefs_say(const struct difference *d, const char *tracefs, const char *pmu)
{
	return answers_begin(d->row, cells_opened(d->cells, "tracefs") & d->row->has, tracefs) &&
	       answers_begin(d->row, pmu_cells(d), pmu);
}

static bool line_takes_once(const struct difference *d)
{
	return tracefs_say(d, "EEXIST", "runs");
}

static bool line_is_inherited(const struct difference *d)
{
	return tracefs_say(d, "runs", "no runs");
}

static bool line_ends_with_child(const struct difference *d)
{
	return tracefs_say(d, "stops", "runs");
}

static bool line_is_asked(const struct difference *d)
{
	return tracefs_say(d, "named", "EINVAL");
}

static bool line_is_removed(const struct difference *d)
{
	const unsigned int tracefs = cells_opened(d->cells, "tracefs") & d->row->has;

	for (unsigned int i = 0; i < d->cells->nr; i++)
		if (tracefs & 1u << i && !strstr(d->row->answer[i], "write"))
			return false;
	for (unsigned int i = 0; i < d->cells->nr; i++)
		if (pmu_cells(d) & 1u << i && strstr(d->row->answer[i], "write"))
			return false;
	return tracefs && pmu_cells(d);
}

/* Who may not find the event in tracefs does not get as far as by the PMU. */
static bool tracefs_is_closed(const struct difference *d)
{
	return tracefs_say(d, "find E", "") || (tracefs_say(d, "E", "ok"));
}

static bool pmu_wants_admin(const struct difference *d)
{
	return tracefs_say(d, "ok", "E");
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
	{ "calls", "detach", line_is_removed, "differs/line-removed",
	  "A line of tracefs is there until it is removed, which pload does; an event of the PMU "
	  "takes its probe along.",
	  "docs/methods.md#probes-a-line-or-a-pmu" },
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
	{ "lifetime", "same-program", line_takes_once, "differs/probe-own",
	  "Each event of the PMU is a probe of its own with programs of its own; a line of tracefs is "
	  "one probe, whose events share them.",
	  "docs/compare.md#scope" },
	{ "lifetime", "*-inherits", line_is_inherited, "differs/probe-inherited",
	  "The copy that a child inherits of an event of the PMU is a probe of its own, to which "
	  "nobody has bound the program.",
	  "docs/compare.md#inheriting" },
	{ "lifetime", "*-ended", line_ends_with_child, "differs/inherited",
	  "The copy of the event that a child inherits takes the program off the line's tracepoint "
	  "when the child ends; a probe of the PMU is not shared with it.",
	  "docs/compare.md#inheriting" },
	{ "visibility", "query-bpf", line_is_asked, "differs/query-type",
	  "PERF_EVENT_IOC_QUERY_BPF is for events of PERF_TYPE_TRACEPOINT, which a line of tracefs "
	  "becomes and an event of the PMU does not.",
	  "docs/compare.md#visibility" },
	{ "privilege", "*", tracefs_is_closed, "differs/tracefs-closed",
	  "The files of tracefs are root's; no capability for BPF or perf opens them. What a PMU is "
	  "says sysfs, which everybody may read.",
	  "docs/compare.md#privileges" },
	{ "privilege", "*-open", pmu_wants_admin, "differs/pmu-admin",
	  "Here the probe's PMU asks for more than CAP_PERFMON; an event of a line that is there "
	  "already needs no more than other tracepoints.",
	  "docs/compare.md#privileges" },
	{ "visibility", "*", links_are_seen, "differs/link-seen",
	  "A link has an id and a descriptor that the kernel tells of; what an ioctl has bound is a "
	  "pointer in the event, of which it does not.",
	  "docs/compare.md#visibility" },
	{ "*", "*", no_link, "differs/no-link",
	  "An ioctl leaves no object behind that could be closed, pinned, updated or asked.",
	  "docs/compare.md#binding" },
};

const struct explanation *explanation_pick(const struct explanation *table, size_t nr,
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
	return explanation_pick(explanations, sizeof(explanations) / sizeof(explanations[0]), d);
}
