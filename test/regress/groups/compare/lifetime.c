// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Events that end an attachment, and events that do not: each row of the section of `pload
 * compare`, by kernel.
 */
#include <string.h>

#include "test/regress/groups/compare/sections.h"

enum { BREAKPOINT = 1 };

/* There is no clock, as the machine decides whether one expires in time. */
static const struct kind kinds[] = {
	{ "page-faults", "page-faults,period=1", KIND_COUNTED },
	[BREAKPOINT] = { "breakpoint", "mem:%w/8:w", KIND_COUNTED },
	{ "tracepoint", "syscalls:sys_enter_getppid", KIND_TRACEPOINT },
	{ "kprobe", "kprobe:%g", KIND_KPROBE },
	{ "uprobe", "uprobe:" FIRING_PATH ":%u", KIND_UPROBE },
};

#define LINKS LINUX(5, 15)	/* BPF_LINK_CREATE takes perf events: b89fbfbb854c */
/*
 * Since f11f10bfa1ca an inherited tracing event has a program of its own, too. When it is freed,
 * perf_event_free_bpf_prog() removes that from the array which it shares with its parent's event.
 */
#define CHILD_DETACHES LINUX(6, 10)

#define ALWAYS(word) { { LINUX(0, 0), word } }
#define SINCE(word, version, later) { { LINUX(0, 0), word }, { version, later } }

/* In the order of the section. A tracing event runs its programs whether it is enabled or not. */
static const struct section_rule rules[] = {
	{ "never-enabled", KIND_COUNTED, CELLS_ALL, ALWAYS("no runs") },
	{ "never-enabled", KIND_TRACED, CELLS_ALL, ALWAYS("runs") },
	{ "enabled", KIND_ALL, CELLS_ALL, ALWAYS("runs") },
	{ "disabled", KIND_COUNTED, CELLS_ALL, ALWAYS("stops") },
	{ "disabled", KIND_TRACED, CELLS_ALL, ALWAYS("runs") },
	{ "enabled-again", KIND_ALL, CELLS_ALL, ALWAYS("runs") },
	/* One program for each event, perf_event_set_bpf_prog(). */
	{ "second-ioctl", KIND_ALL, CELLS_ALL, ALWAYS("EEXIST") },
	{ "second-link", KIND_ALL, CELLS_ALL, SINCE("EINVAL", LINKS, "EEXIST") },
	/* bpf_prog_array_copy(): not twice in the array that all events of a tracepoint share. */
	{ "same-program", KIND_COUNTED, CELLS_ALL, ALWAYS("runs") },
	{ "same-program", KIND_TRACEPOINT, CELLS_ALL, ALWAYS("EEXIST") },
	{ "same-program", KIND_PROBES, CELLS_TYPE, ALWAYS("EEXIST") },
	{ "same-program", KIND_PROBES, CELLS_PMU, ALWAYS("runs") },
	{ "other-program", KIND_ALL, CELLS_ALL, ALWAYS("runs") },
	{ "prog-fd-closed", KIND_ALL, CELLS_ALL, ALWAYS("runs") },
	{ "link-update", KIND_ALL, CELLS_ALL, ALWAYS("EINVAL") },
	{ "link-detach", KIND_ALL, CELLS_IOCTL, ALWAYS("EINVAL") },
	{ "link-detach", KIND_ALL, CELLS_LINK, ALWAYS("EOPNOTSUPP") },
	{ "prog-detach", KIND_ALL, CELLS_ALL, ALWAYS("EINVAL") },
	{ "link-fd-closed", KIND_ALL, CELLS_IOCTL, ALWAYS("no link") },
	{ "link-fd-closed", KIND_ALL, CELLS_LINK, ALWAYS("stops") },
	{ "counts-on", KIND_ALL, CELLS_IOCTL, ALWAYS("no link") },
	{ "counts-on", KIND_ALL, CELLS_LINK, ALWAYS("counts") },
	{ "bound-again", KIND_ALL, CELLS_IOCTL, ALWAYS("no link") },
	{ "bound-again", KIND_ALL, CELLS_LINK, ALWAYS("runs") },
	/* A link holds its event; by ioctl the event holds the program. */
	{ "event-fd-closed", KIND_ALL, CELLS_IOCTL, ALWAYS("stops") },
	{ "event-fd-closed", KIND_ALL, CELLS_LINK, ALWAYS("runs") },
	{ "exits", KIND_ALL, CELLS_ALL, ALWAYS("stops") },
	{ "killed", KIND_ALL, CELLS_ALL, ALWAYS("stops") },
	{ "fork-holds", KIND_ALL, CELLS_ALL, ALWAYS("runs") },
	{ "event-handed", KIND_ALL, CELLS_IOCTL, ALWAYS("runs") },
	{ "event-handed", KIND_ALL, CELLS_LINK, ALWAYS("stops") },
	{ "link-handed", KIND_ALL, CELLS_IOCTL, ALWAYS("no link") },
	{ "link-handed", KIND_ALL, CELLS_LINK, ALWAYS("runs") },
	{ "pin", KIND_ALL, CELLS_IOCTL, ALWAYS("EINVAL") },
	{ "pin", KIND_ALL, CELLS_LINK, ALWAYS("pinned") },
	{ "pinned-exits", KIND_ALL, CELLS_IOCTL, ALWAYS("no link") },
	{ "pinned-exits", KIND_ALL, CELLS_LINK, ALWAYS("runs") },
	{ "pinned-killed", KIND_ALL, CELLS_IOCTL, ALWAYS("no link") },
	{ "pinned-killed", KIND_ALL, CELLS_LINK, ALWAYS("runs") },
	{ "unpinned", KIND_ALL, CELLS_IOCTL, ALWAYS("no link") },
	{ "unpinned", KIND_ALL, CELLS_LINK, ALWAYS("stops") },
	/* A uprobe is in the memory of the process it was opened for: uprobe_perf_filter(). */
	{ "child", KIND_COUNTED | KIND_UPROBES, CELLS_ALL, ALWAYS("no runs") },
	{ "child", KIND_TRACED, CELLS_ALL, ALWAYS("runs") },
	/* Inherited, a probe of the PMU is a probe of its own, to which nothing is bound. */
	{ "child-inherits", KIND_UPROBES, CELLS_PMU, ALWAYS("no runs") },
	{ "child-inherits", KIND_ALL, CELLS_ALL, ALWAYS("runs") },
	{ "child-ended", KIND_COUNTED, CELLS_ALL, ALWAYS("runs") },
	{ "child-ended", KIND_PROBES, CELLS_PMU, ALWAYS("runs") },
	/*
	 * When parent and child have equal events, and one followed the other on a CPU, the
	 * scheduler may have swapped their contexts (perf_event_context_sched_out()): the child
	 * then ended with the parent's context, which is not freed. One more event makes them
	 * unequal; fixture.c keeps one open for all kinds but uprobes.
	 */
	{ "child-ended", KIND_UPROBES, CELLS_TYPE, SINCE("runs", CHILD_DETACHES, "runs|stops") },
	{ "child-ended", KIND_TRACED, CELLS_ALL, SINCE("runs", CHILD_DETACHES, "stops") },
	{ "thread", KIND_COUNTED, CELLS_ALL, ALWAYS("no runs") },
	{ "thread", KIND_TRACED, CELLS_ALL, ALWAYS("runs") },
	{ "thread-inherits", KIND_ALL, CELLS_ALL, ALWAYS("runs") },
	{ "thread-ended", KIND_COUNTED, CELLS_ALL, ALWAYS("runs") },
	{ "thread-ended", KIND_PROBES, CELLS_PMU, ALWAYS("runs") },
	{ "thread-ended", KIND_UPROBES, CELLS_TYPE, SINCE("runs", CHILD_DETACHES, "runs|stops") },
	{ "thread-ended", KIND_TRACED, CELLS_ALL, SINCE("runs", CHILD_DETACHES, "stops") },
	/* Programs run before any filter is applied: perf_trace_run_bpf_submit() */
	{ "other-pid", KIND_COUNTED | KIND_UPROBES, CELLS_ALL, ALWAYS("no runs") },
	{ "other-pid", KIND_TRACED, CELLS_ALL, ALWAYS("runs") },
	{ "other-cpu", KIND_COUNTED, CELLS_ALL, ALWAYS("no runs") },
	{ "other-cpu", KIND_TRACED, CELLS_ALL, ALWAYS("runs") },
	{ "cgroup-outside", KIND_COUNTED, CELLS_ALL, ALWAYS("no runs") },
	{ "cgroup-outside", KIND_TRACED, CELLS_ALL, ALWAYS("runs") },
	{ "cgroup-inside", KIND_ALL, CELLS_ALL, ALWAYS("runs") },
	{ 0 }
};

static struct kind_controller controller;

static void before(struct regress *t)
{
	kind_controller_begin(t, &controller);
}

static void after(void)
{
	kind_controller_end(&controller);
}

static const struct section_table table = {
	compare_lifetime, kinds, NR(kinds), rules, before, after,
};

/*
 * Returns whether the processor reports two breakpoints on one address. A real one does; qemu's
 * emulation stops at the first that it finds.
 */
static bool both_are_reported(struct regress *t, const struct kind *kind)
{
	uint64_t counts[2] = { 0 };
	struct compare_event e[2];
	struct compare_subject s;
	struct event_spec spec;
	struct error err = { 0 };

	kind_begin(t, kind, &spec, &s);
	for (int i = 0; i < 2; i++) {
		regress_ok(t, compare_open(&s, &s.cells[0], &e[i], &err), &err, "a breakpoint");
		regress_ok(t, compare_enable(&s, &e[i], &err), &err, "a breakpoint");
	}
	s.work->unit();
	for (int i = 0; i < 2; i++) {
		if (sys_read(t->sys, e[i].a.event_fd, &counts[i], sizeof(counts[i])) < 0)
			regress_fail(t, "a breakpoint cannot be read");
		compare_close(&s, &e[i]);
	}
	kind_end(&s);
	return counts[0] && counts[1];
}

static void run_other_program(struct regress *t)
{
	const struct section_case *c = t->data;

	if (c->kind == BREAKPOINT && !both_are_reported(t, &kinds[c->kind]))
		regress_skip(t, "of two breakpoints on one address this processor reports one");
	sections_expect(t);
}

static const struct section_fact facts[] = {
	{ "never-enabled", "the event was never enabled" },
	{ "enabled", "the event is enabled" },
	{ "disabled", "the event is disabled again" },
	{ "enabled-again", "the event is enabled once more" },
	{ "second-ioctl", "a second program by ioctl" },
	{ "second-link", "a second program by link" },
	{ "same-program", "the same program on another such event" },
	{ "other-program", "another program on another such event",
	  run_other_program },
	{ "prog-fd-closed", "the program's descriptor is closed" },
	{ "link-update", "BPF_LINK_UPDATE with another program" },
	{ "link-detach", "BPF_LINK_DETACH" },
	{ "prog-detach", "BPF_PROG_DETACH" },
	{ "link-fd-closed", "the link's descriptor is closed" },
	{ "counts-on", "the event, when its link is closed" },
	{ "bound-again", "another program, when the link is closed" },
	{ "event-fd-closed", "the event's descriptor is closed" },
	{ "exits", "the process exits" },
	{ "killed", "the process is killed" },
	{ "fork-holds", "the process exits and a child has copies" },
	{ "event-handed", "the process exits and another has the event" },
	{ "link-handed", "the process exits and another has the link" },
	{ "pin", "pinning the link, or else the event" },
	{ "pinned-exits", "pinned, the process exits" },
	{ "pinned-killed", "pinned, the process is killed" },
	{ "unpinned", "the pin is removed" },
	{ "child", "a child works" },
	{ "child-inherits", "a child works, with attr.inherit" },
	{ "child-ended", "the child that inherits has ended" },
	{ "thread", "a new thread works" },
	{ "thread-inherits", "a new thread works, with attr.inherit" },
	{ "thread-ended", "the thread that inherits has ended" },
	{ "other-pid", "opened for another process" },
	{ "other-cpu", "opened for another CPU" },
	{ "cgroup-outside", "opened for a cgroup, work outside of it" },
	{ "cgroup-inside", "opened for a cgroup, work in it" },
};

static void fill(struct regress_list *list)
{
	static struct section_case cases[NR(facts) * NR(kinds)];

	sections_fill(list, &table, facts, NR(facts), cases);
}

const struct regress_group regress_group_lifetime = {
	"lifetime", "what ends an attachment, and what does not", NULL, fill, __FILE__
};
