// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Information of the kernel about an attachment: each row of the section of `pload compare`, by
 * kernel.
 */
#include <stdio.h>
#include <stdlib.h>

#include "test/regress/groups/compare/sections.h"

/* Each has an answer of its own in some row. */
enum {
	CLOCK, FAULTS, SWITCHES, BREAKPOINT, NR_COUNTED
};

static const struct kind kinds[] = {
	[CLOCK] = { "cpu-clock", "cpu-clock,period=1000000", KIND_COUNTED },
	[FAULTS] = { "page-faults", "page-faults,period=1", KIND_COUNTED },
	[SWITCHES] = { "context-switches", "context-switches,period=1", KIND_COUNTED },
	[BREAKPOINT] = { "breakpoint", "mem:%w/8:w", KIND_COUNTED },
	{ "tracepoint", "sched:sched_switch", KIND_TRACEPOINT },
	{ "syscall tracepoint", "syscalls:sys_enter_getppid", KIND_TRACEPOINT },
	{ "kprobe", "kprobe:%g", KIND_KPROBE },
	{ "kretprobe", "kretprobe:%g", KIND_KRETPROBE },
	{ "uprobe", "uprobe:" FIRING_PATH ":%u", KIND_UPROBE },
	{ "uretprobe", "uretprobe:" FIRING_PATH ":%u", KIND_URETPROBE },
};

#define LINKS LINUX(5, 15)	/* BPF_LINK_CREATE takes perf events: b89fbfbb854c */
#define LINK_INFO LINUX(6, 6)	/* bpf_perf_link_fill_link_info(): 1b715e1b0ec5 */
#define LINK_COOKIE LINUX(6, 9)	/* ... with the cookie: d5c16492c66f */

#define ALWAYS(word) { { LINUX(0, 0), word } }
#define SINCE(word, version, later) { { LINUX(0, 0), word }, { version, later } }
/* It was introduced between two releases for which kernels are tested. */
#define BETWEEN(word, from, to, later) \
	{ { LINUX(0, 0), word }, { from, word "|" later }, { to, later } }

/* link_type, link_id, prog_tag and prog_id; later also the target of the link. */
#define FDINFO(later) BETWEEN("4 fields", LINUX(6, 16), LINUX(6, 18), later)

static const struct section_rule rules[] = {
	/* An event is no object of bpf(2). */
	{ "link-info", KIND_ALL, CELLS_IOCTL, ALWAYS("EINVAL") },
	{ "link-info", KIND_COUNTED, CELLS_LINK, SINCE("nothing", LINK_INFO, "event") },
	{ "link-info", KIND_TRACEPOINT, CELLS_LINK, SINCE("nothing", LINK_INFO, "tracepoint") },
	{ "link-info", KIND_KPROBE, CELLS_LINK, SINCE("nothing", LINK_INFO, "kprobe") },
	{ "link-info", KIND_KRETPROBE, CELLS_LINK, SINCE("nothing", LINK_INFO, "kretprobe") },
	{ "link-info", KIND_UPROBE, CELLS_LINK, SINCE("nothing", LINK_INFO, "uprobe") },
	{ "link-info", KIND_URETPROBE, CELLS_LINK, SINCE("nothing", LINK_INFO, "uretprobe") },
	{ "link-event", KIND_ALL, CELLS_IOCTL, ALWAYS("no link") },
	{ "link-event", KIND_TRACED, CELLS_LINK, SINCE("none", LINK_INFO, "by name") },
	{ "link-cookie", KIND_ALL, CELLS_IOCTL, ALWAYS("no link") },
	{ "link-cookie", KIND_ALL, CELLS_LINK, SINCE("none", LINK_COOKIE, "as given") },
	{ "link-name-short", KIND_ALL, CELLS_IOCTL, ALWAYS("no link") },
	{ "link-name-short", KIND_COUNTED, CELLS_LINK, ALWAYS("no name") },
	{ "link-name-short", KIND_TRACED, CELLS_LINK, SINCE("no name", LINK_INFO, "ENOSPC") },
	{ "link-fdinfo", KIND_ALL, CELLS_IOCTL, ALWAYS("no link") },
	{ "link-fdinfo", KIND_COUNTED, CELLS_LINK, FDINFO("8 fields") },
	{ "link-fdinfo", KIND_TRACEPOINT, CELLS_LINK, FDINFO("7 fields") },
	{ "link-fdinfo", KIND_KPROBES, CELLS_LINK, FDINFO("10 fields") },
	{ "link-fdinfo", KIND_UPROBES, CELLS_LINK, FDINFO("9 fields") },
	/* perf_event_attr.type, .config ...: perf_show_fdinfo() */
	{ "event-fdinfo", KIND_ALL, CELLS_ALL,
	  BETWEEN("nothing", LINUX(6, 19), LINUX(7, 2), "7 fields") },
	{ "fd-name", KIND_ALL, CELLS_IOCTL, ALWAYS("[perf_event]") },
	{ "fd-name", KIND_ALL, CELLS_LINK, ALWAYS("bpf_link") },
	/* bpf_get_perf_event_info() is not reached: without a program the error is ENOENT. */
	{ "task-fd-query-unbound", KIND_ALL, CELLS_ALL, ALWAYS("ENOENT") },
	{ "task-fd-query", KIND_COUNTED, CELLS_ALL, ALWAYS("EOPNOTSUPP") },
	{ "task-fd-query", KIND_TRACEPOINT, CELLS_ALL, ALWAYS("tracepoint") },
	{ "task-fd-query", KIND_KPROBE, CELLS_ALL, ALWAYS("kprobe") },
	{ "task-fd-query", KIND_KRETPROBE, CELLS_ALL, ALWAYS("kretprobe") },
	{ "task-fd-query", KIND_UPROBE, CELLS_ALL, ALWAYS("uprobe") },
	{ "task-fd-query", KIND_URETPROBE, CELLS_ALL, ALWAYS("uretprobe") },
	{ "task-fd-query-link", KIND_ALL, CELLS_IOCTL, ALWAYS("no link") },
	/* It supports only links of raw tracepoints: bpf_task_fd_query() */
	{ "task-fd-query-link", KIND_ALL, CELLS_LINK, ALWAYS("ENOTSUPP") },
	/* Only events of PERF_TYPE_TRACEPOINT: perf_event_query_prog_array() */
	{ "query-bpf", KIND_COUNTED, CELLS_ALL, ALWAYS("EINVAL") },
	{ "query-bpf", KIND_TRACEPOINT, CELLS_ALL, ALWAYS("named") },
	{ "query-bpf", KIND_PROBES, CELLS_TYPE, ALWAYS("named") },
	{ "query-bpf", KIND_PROBES, CELLS_PMU, ALWAYS("EINVAL") },
	{ "prog-info", KIND_ALL, CELLS_ALL, ALWAYS("the same") },
	{ "prog-listed", KIND_ALL, CELLS_ALL, ALWAYS("listed") },
	{ "link-listed", KIND_ALL, CELLS_IOCTL, ALWAYS("not listed") },
	{ "link-listed", KIND_ALL, CELLS_LINK, ALWAYS("listed") },
	{ 0 }
};

/*
 * bpftool is another project's program, and asks the kernel the same questions: an empty PATH keeps
 * it out.
 */
static void before(struct regress *t)
{
	regress_expect(t, !setenv("PATH", "", 1), "setenv: %m");
}

static const struct section_table table = {
	compare_visibility, kinds, NR(kinds), rules, before, NULL,
};

/*
 * perf_event_open() passes a clock that is requested as PERF_TYPE_SOFTWARE to its own PMU, whose
 * number is the first free one: 6 and up.
 */
static void run_link_event(struct regress *t)
{
	static const struct regress_since rows[NR_COUNTED][2] = {
		[CLOCK] = SINCE("none", LINK_INFO, "cpu_clock:0"),
		[FAULTS] = SINCE("none", LINK_INFO, "1:2"),
		[SWITCHES] = SINCE("none", LINK_INFO, "1:3"),
		[BREAKPOINT] = SINCE("none", LINK_INFO, "5:0"),
	};
	const struct section_case *c = t->data;
	const struct section_measured *m;
	unsigned int type, looked_at = 0;
	const char *word;

	if (c->kind >= NR_COUNTED) {
		sections_expect(t);
		return;
	}
	m = sections_measured(t, &table, c->kind);
	for (unsigned int i = 1; i < COMPARE_NR_CELLS; i += 2) {
		if (m->lacks[i])
			continue;
		word = sections_word(m, c->fact->row, i);
		if (c->kind == CLOCK && sscanf(word, "%u:0", &type) == 1 && type >= 6)
			word = "cpu_clock:0";
		regress_answer(t, kind_cell_name(&kinds[c->kind], i), word, rows[c->kind],
			       2);
		looked_at++;
	}
	if (!looked_at)
		regress_skip(t, "%s", m->why[1]);
}

static const struct section_fact facts[] = {
	{ "link-info", "info of the link, or else of the event" },
	{ "link-event", "the event in the link's info", run_link_event },
	{ "link-cookie", "the cookie in the link's info" },
	{ "link-name-short", "the link's info, with room for 3 characters" },
	{ "link-fdinfo", "fdinfo of the link" },
	{ "event-fdinfo", "fdinfo of the event" },
	{ "fd-name", "what the descriptor is called in /proc" },
	{ "task-fd-query-unbound", "BPF_TASK_FD_QUERY before a program is bound" },
	{ "task-fd-query", "BPF_TASK_FD_QUERY of the event" },
	{ "task-fd-query-link", "BPF_TASK_FD_QUERY of the link" },
	{ "query-bpf", "PERF_EVENT_IOC_QUERY_BPF" },
	{ "prog-info", "the program's info does not change" },
	{ "prog-listed", "the program is among all ids" },
	{ "link-listed", "the link is among all ids" },
};

static void fill(struct regress_list *list)
{
	static struct section_case cases[NR(facts) * NR(kinds)];

	sections_fill(list, &table, facts, NR(facts), cases);
}

const struct regress_group regress_group_visibility = {
	"visibility", "what the kernel says of an attachment", NULL, fill, __FILE__
};
