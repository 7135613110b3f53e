// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The table "open x bind": each cell makes the calls that its name says. */
#include <string.h>

#include "test/regress/common/kinds.h"

#define DEVICES "/sys/bus/event_source/devices/"

/* The calls between opening and binding. */
struct watch {
	struct sys sys;
	struct sys *next;
	bool reads_pmu, reads_id, writes_line;	/* files of sysfs and tracefs */
	unsigned int nr_opened, nr_ioctl, nr_link;
	uint32_t type;				/* of the last opened event */
};

static bool ends_with(const char *path, const char *end)
{
	const size_t len = strlen(path), n = strlen(end);

	return len >= n && !strcmp(path + len - n, end);
}

static long enter(struct sys *sys, long nr, const unsigned long arg[6])
{
	struct watch *w = (struct watch *)sys;
	const long ret = w->next->enter(w->next, nr, arg);
	const char *path = (const char *)arg[1];

	if (ret < 0)
		return ret;
	if (nr == __NR_openat && !strncmp(path, DEVICES, strlen(DEVICES)))
		w->reads_pmu |= ends_with(path, "/type");
	else if (nr == __NR_openat)
		w->reads_id |= ends_with(path, "/id");
	else if (nr == __NR_write)
		w->writes_line |= !strncmp(path, "p:pload/", 8) || !strncmp(path, "r:pload/", 8);
	if (nr == __NR_perf_event_open) {
		w->nr_opened++;
		w->type = ((const struct perf_event_attr *)arg[0])->type;
	}
	w->nr_ioctl += nr == __NR_ioctl && arg[1] == PERF_EVENT_IOC_SET_BPF;
	w->nr_link += nr == __NR_bpf && arg[0] == BPF_LINK_CREATE;
	return ret;
}

static const struct kind kinds[] = {
	{ "page-faults", "page-faults,period=1", KIND_COUNTED },
	{ "breakpoint", "mem:%w/8:w", KIND_COUNTED },
	{ "tracepoint", "sched:sched_switch", KIND_TRACEPOINT },
	{ "kprobe", "kprobe:%g", KIND_KPROBE },
	{ "uprobe", "uprobe:" FIRING_PATH ":%u", KIND_UPROBE },
	{ "uretprobe", "uretprobe:" FIRING_PATH ":%u", KIND_URETPROBE },
};

struct cell {
	const struct kind *kind;
	unsigned int number;
};

static void check(struct regress *t, const struct cell *cell, const struct watch *w)
{
	const bool probe = cell->kind->is & KIND_PROBES, by_pmu = CELLS_PMU >> cell->number & 1;
	const bool by_link = CELLS_LINK >> cell->number & 1;

	regress_expect(t, w->reads_pmu == by_pmu, "the type of its PMU is%s read from sysfs",
		       w->reads_pmu ? "" : " not");
	regress_expect(t, w->writes_line == (probe && !by_pmu), "a line is%s written to tracefs",
		       w->writes_line ? "" : " not");
	regress_expect(t, w->reads_id == (cell->kind->is == KIND_TRACEPOINT || (probe && !by_pmu)),
		       "an id is%s read from tracefs", w->reads_id ? "" : " not");
	/* The kernel assigns numbers above the fixed ones to the PMUs of probes. */
	regress_expect(t, (w->type >= PERF_TYPE_MAX) == (probe && by_pmu), "the type is %u", w->type);
	regress_expect(t, w->nr_opened == 1, "%u events are opened", w->nr_opened);
	regress_expect(t, w->nr_ioctl == !by_link && w->nr_link == by_link,
		       "it is bound by %u ioctls and %u links", w->nr_ioctl, w->nr_link);
}

static void makes_its_calls(struct regress *t)
{
	const struct cell *cell = t->data;
	struct watch w = { .sys = { .enter = enter }, .next = t->sys };
	struct compare_event e;
	struct compare_subject s;
	struct event_spec spec;
	struct error err = { 0 };

	kind_begin(t, cell->kind, &spec, &s);
	regress_ok(t, s.no_prog.code, &s.no_prog, "the program");
	s.sys = &w.sys;
	regress_ok(t, compare_open(&s, &s.cells[cell->number], &e, &err), &err, "event");
	regress_ok(t, compare_bind(&s, &s.cells[cell->number], &e, s.prog.prog_fd, &err), &err,
		   "program");
	check(t, cell, &w);
	compare_close(&s, &e);
	s.sys = t->sys;
	kind_end(&s);
}

static void fill(struct regress_list *list)
{
	static struct cell all[NR(kinds)][COMPARE_NR_CELLS];

	for (size_t k = 0; k < NR(kinds); k++)
		for (unsigned int c = 0; c < COMPARE_NR_CELLS; c++) {
			all[k][c] = (struct cell){ &kinds[k], c };
			regress_add(list, makes_its_calls, &all[k][c], "%s by %s makes the calls of that name",
				    kinds[k].name, kind_cell_name(&kinds[k], c));
		}
}

const struct regress_group regress_group_cells = {
	"cells", "each way to open and to bind makes the calls that its name says", NULL, fill, __FILE__
};
