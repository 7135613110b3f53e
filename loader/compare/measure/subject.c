// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Prepare a measurement: the four cells, the program, the work and the event target. */
#include <errno.h>
#include <string.h>

#include "loader/compare/measure/compare.h"
#include "loader/events/attach/cells.h"

/* Return the name for --attach=: ioctl, pmu or link if equivalent, otherwise the cell's. */
static const char *shortest_name(const struct event_spec *spec, const struct attach_method *cell)
{
	for (unsigned int i = 0; i < attach_nr_methods; i++)
		if (attach_methods[i].bind == cell->bind &&
		    attach_open_of(&attach_methods[i], spec) == cell->open)
			return attach_methods[i].name;
	return cell->name;
}

static void make_cells(struct compare_subject *s)
{
	static const char *const names[2][COMPARE_NR_CELLS] = {
		{ "type+ioctl", "type+link", "pmu+ioctl", "pmu+link" },
		{ "tracefs+ioctl", "tracefs+link", "pmu+ioctl", "pmu+link" },
	};

	for (int i = 0; i < COMPARE_NR_CELLS; i++) {
		struct compare_cell *cell = &s->cells[i];

		cell->name = names[event_is_tracing(s->spec)][i];
		cell->method = attach_method_find(cell->name, NULL);
		cell->open = attach_open_name(cell->method->open);
		cell->bind = cell->method->is_link ? "link" : "ioctl";
		cell->attach = shortest_name(s->spec, cell->method);
	}
}

/* An uncore PMU cannot count single tasks and returns EINVAL: then use a CPU as target. */
static void find_target(struct compare_subject *s)
{
	const struct compare_cell *cell = &s->cells[COMPARE_NR_CELLS - 1];
	struct compare_event e;
	struct cpu_list cpus = { 0 };
	int ret;

	s->target = (struct event_target){ .tid = 0, .cpu = -1 };
	if (s->spec->kind != EVENT_PMU && s->spec->kind != EVENT_RAW)
		return;
	ret = compare_open(s, cell, &e, NULL);
	compare_close(s, &e);
	if (ret != -EINVAL)
		return;
	memset(&e, 0, sizeof(e));
	if (!cell->method->describe(s->sys, s->spec, &e.attr, &cpus, NULL))
		s->target = (struct event_target){ .tid = -1, .cpu = cpus.nr ? cpus.cpus[0] : 0 };
	cpu_list_free(&cpus);
}

void compare_prepare(struct compare_subject *s)
{
	make_cells(s);
	s->work = firing_work_find(s->spec);
	s->no_prog = (struct error){ 0 };
	s->prog.map_fd = s->prog.prog_fd = -1;
	find_target(s);
}

void compare_begin(struct compare_subject *s)
{
	compare_prepare(s);
	firing_prog_load(s->sys, &s->prog, event_prog_type(s->spec), 1, &s->no_prog);
}

void compare_end(struct compare_subject *s)
{
	firing_prog_close(s->sys, &s->prog);
	error_clear(&s->no_prog);
}

bool compare_stopped(const struct compare_subject *s)
{
	return s->stop && s->stop(s->arg);
}

void compare_progress(const struct compare_subject *s, const struct compare_cell *cell,
		      const char *what)
{
	char text[128];

	if (!s->progress)
		return;
	snprintf(text, sizeof(text), "%s%s%s", cell ? cell->name : "", cell ? ": " : "", what);
	s->progress(s->arg, text);
}
