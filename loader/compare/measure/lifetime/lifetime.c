// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Measure what ends an attachment and what does not: the rows, and the cases that answer them. */
#include <errno.h>

#include "loader/compare/measure/lifetime/lifetime.h"

static const struct section_row rows[LIFE_NR] = {
	[LIFE_NEVER_ENABLED] = { "never-enabled", "the event was never enabled" },
	[LIFE_ENABLED] = { "enabled", "PERF_EVENT_IOC_ENABLE" },
	[LIFE_DISABLED] = { "disabled", "then PERF_EVENT_IOC_DISABLE" },
	[LIFE_ENABLED_AGAIN] = { "enabled-again", "then PERF_EVENT_IOC_ENABLE again" },
	[LIFE_SECOND_IOCTL] = { "second-ioctl", "a second program, by PERF_EVENT_IOC_SET_BPF" },
	[LIFE_SECOND_LINK] = { "second-link", "a second program, by BPF_LINK_CREATE" },
	[LIFE_SAME_OTHER_EVENT] = { "same-program", "the same program on another such event" },
	[LIFE_OTHER_OTHER_EVENT] = { "other-program", "another program on another such event" },
	[LIFE_PROG_FD] = { "prog-fd-closed", "the program's descriptor is closed" },
	[LIFE_LINK_UPDATE] = { "link-update", "BPF_LINK_UPDATE with another program" },
	[LIFE_LINK_DETACH] = { "link-detach", "BPF_LINK_DETACH" },
	[LIFE_PROG_DETACH] = { "prog-detach", "BPF_PROG_DETACH" },
	[LIFE_LINK_FD] = { "link-fd-closed", "the link's descriptor is closed" },
	[LIFE_COUNTS_ON] = { "counts-on", "then the event, which is open" },
	[LIFE_BOUND_AGAIN] = { "bound-again", "then another program is bound to it" },
	[LIFE_EVENT_FD] = { "event-fd-closed", "the event's descriptor is closed" },
	[LIFE_EXIT] = { "exits", "the process exits" },
	[LIFE_KILL] = { "killed", "the process is killed" },
	[LIFE_FORK_HOLDS] = { "fork-holds", "it exits, and a child has copies of its descriptors" },
	[LIFE_EVENT_HANDED] = { "event-handed", "it exits, and another process has the event" },
	[LIFE_LINK_HANDED] = { "link-handed", "it exits, and another process has the link" },
	[LIFE_PIN] = { "pin", "BPF_OBJ_PIN of the link, or else of the event" },
	[LIFE_PINNED_EXIT] = { "pinned-exits", "pinned, the process exits" },
	[LIFE_PINNED_KILL] = { "pinned-killed", "pinned, the process is killed" },
	[LIFE_UNPINNED] = { "unpinned", "then the pin is removed" },
	[LIFE_CHILD] = { "child", "a child made by fork works" },
	[LIFE_CHILD_INHERITS] = { "child-inherits", "the same, with attr.inherit" },
	[LIFE_CHILD_ENDED] = { "child-ended", "that child has ended, the parent works" },
	[LIFE_THREAD] = { "thread", "a new thread works" },
	[LIFE_THREAD_INHERITS] = { "thread-inherits", "the same, with attr.inherit" },
	[LIFE_THREAD_ENDED] = { "thread-ended", "that thread has ended, the first one works" },
	[LIFE_OTHER_PID] = { "other-pid", "it was opened for another process" },
	[LIFE_OTHER_CPU] = { "other-cpu", "it was opened for another CPU" },
	[LIFE_CGROUP_OUTSIDE] = { "cgroup-outside", "for a cgroup that this process is not in" },
	[LIFE_CGROUP_INSIDE] = { "cgroup-inside", "for a cgroup, and a process in it works" },
};

static const struct {
	life_case *play;
	enum life_row first, last;
	const char *what;
} cases[] = {
	{ life_bound, LIFE_NEVER_ENABLED, LIFE_BOUND_AGAIN, "while a program is bound" },
	{ life_event_fd, LIFE_EVENT_FD, LIFE_EVENT_FD, "closing the event" },
	{ life_ends, LIFE_EXIT, LIFE_FORK_HOLDS, "ending the process" },
	{ life_handed, LIFE_EVENT_HANDED, LIFE_LINK_HANDED, "handing it over" },
	{ life_pinned, LIFE_PINNED_EXIT, LIFE_UNPINNED, "pinning it" },
	{ life_children, LIFE_CHILD, LIFE_CHILD_ENDED, "children" },
	{ life_threads, LIFE_THREAD, LIFE_THREAD_ENDED, "threads" },
	{ life_filters, LIFE_OTHER_PID, LIFE_OTHER_CPU, "other processes and CPUs" },
	{ life_cgroup, LIFE_CGROUP_OUTSIDE, LIFE_CGROUP_INSIDE, "cgroups" },
};

/* Wait until the previous case's attachments have ended, because their runs would be counted. */
static bool is_quiet(struct fixture *fx, struct section *s, unsigned int first, unsigned int last)
{
	const int runs = fixture_still_runs_late(fx, &fx->prog);
	struct error err = { 0 };

	if (!runs)
		return true;
	error_set(&err, runs < 0 ? -runs : EBUSY,
		  runs < 0 ? "BPF_MAP_LOOKUP_ELEM: the count of runs is not known" :
			     "the preceding attachment has not ended");
	if (runs > 0)
		error_reason(&err, "compare/not-ended");
	section_rest(s, first, last, &err);
	return false;
}

static void try_cell(void *arg, const struct compare_subject *subject,
		     const struct compare_cell *cell)
{
	struct section *s = arg;
	struct error err = { 0 };
	struct fixture fx;
	int ret;

	ret = fixture_begin(&fx, subject, cell, &err);
	if (ret < 0)
		section_rest(s, 0, LIFE_NR - 1, &err);
	for (size_t i = 0; !ret && i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (compare_stopped(subject))
			break;
		compare_progress(subject, cell, cases[i].what);
		if (is_quiet(&fx, s, cases[i].first, cases[i].last))
			cases[i].play(&fx, s);
	}
	fixture_end(&fx);
}

int compare_lifetime(const struct compare_subject *s, struct json_object *event, struct error *err)
{
	struct section section;
	int ret;

	if (!section_any_fires(s, event))
		return 0;
	ret = section_begin(&section, event, "lifetime", "What ends it, and what does not", rows,
			    LIFE_NR, err);
	return ret ? ret : section_each_fires(s, event, &section, try_cell, &section, err);
}
