// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Why events differ: here the columns are events, which are counted or traced. */
#include <stddef.h>
#include <string.h>

#include "loader/tools/report/why/differs.h"

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

/* Uprobes are in the memory of the processes they were opened for. */
static bool is_uprobe(struct json_object *event)
{
	const char *type = doc_text(event, "type");

	return type && (!strcmp(type, "uprobe") || !strcmp(type, "uretprobe") || !strcmp(type, "usdt"));
}

static bool traced_run_anywhere(const struct difference *d)
{
	unsigned int traced = events_of(d, "traced");

	for (unsigned int i = 0; i < d->cells->nr; i++)
		if (traced & 1u << i && is_uprobe(d->cells->list[i].json) &&
		    !strcmp(d->row->answer[i], "no runs"))
			traced &= ~(1u << i);
	return answers_begin(d->row, traced, "runs") &&
	       answers_begin(d->row, events_of(d, "counted"), "no runs");
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

/* Who may not find an event in tracefs does not get as far as with a counter. */
static bool tracefs_is_closed(const struct difference *d)
{
	return traced_say(d, "find E", "") || traced_say(d, "E", "ok");
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
	  "A tracepoint runs its programs in whatever task and on whatever CPU it is hit, before any "
	  "event is asked whom it was opened for; a uprobe is in the memory of those only.",
	  "docs/compare.md#scope" },
	{ "lifetime", "thread", traced_run_anywhere, "differs/scope",
	  "A tracepoint runs its programs in whatever task and on whatever CPU it is hit, before any "
	  "event is asked whom it was opened for; a uprobe is in the memory of those only.",
	  "docs/compare.md#scope" },
	{ "lifetime", "other-*", traced_run_anywhere, "differs/scope",
	  "A tracepoint runs its programs in whatever task and on whatever CPU it is hit, before any "
	  "event is asked whom it was opened for; a uprobe is in the memory of those only.",
	  "docs/compare.md#scope" },
	{ "lifetime", "cgroup-outside", traced_run_anywhere, "differs/scope",
	  "A tracepoint runs its programs in whatever task and on whatever CPU it is hit, before any "
	  "event is asked whom it was opened for; a uprobe is in the memory of those only.",
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
	{ "privilege", "*", tracefs_is_closed, "differs/tracefs-closed",
	  "The files of tracefs are root's; no capability for BPF or perf opens them. What a PMU is "
	  "says sysfs, which everybody may read.",
	  "docs/compare.md#privileges" },
	{ "measured", "returns-0", traced_stop_at_0, "differs/return-value",
	  "Of a counted event the count is there before the program runs, and 0 drops its record; a "
	  "tracepoint asks the program first, and 0 ends it there.",
	  "docs/compare.md#return-values" },
};

const struct explanation *explanation_between(const struct difference *d)
{
	return explanation_pick(between, sizeof(between) / sizeof(between[0]), d);
}
