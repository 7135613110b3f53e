// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Prepares a measurement: the four cells, the program, the work and the event target. */
#include <errno.h>
#include <string.h>

#include "loader/compare/measure/compare.h"

/* The two rows of attach_methods that each cell is composed of. */
static const struct {
	const char *open, *bind;	/* names of the rows */
	const char *name, *traced;	/* the name of the cell, and for tracing events */
} pairs[COMPARE_NR_CELLS] = {
	{ "ioctl", "ioctl", "type+ioctl", "tracefs+ioctl" },
	{ "ioctl", "link", "type+link", "tracefs+link" },
	{ "pmu", "ioctl", "pmu+ioctl", "pmu+ioctl" },
	{ "pmu", "link", "pmu+link", "pmu+link" },
};

/* Return the name of the method that opens this event as @open does and binds as @bind does. */
static const char *method_of(const struct event_spec *spec, const struct attach_method *open,
			     const struct attach_method *bind)
{
	for (unsigned int i = 0; i < attach_nr_methods; i++) {
		const struct attach_method *m = &attach_methods[i];

		if (m->bind == bind->bind &&
		    (event_is_probe(spec) ? m->probes_by_tracefs == open->probes_by_tracefs :
					    m->describe == open->describe))
			return m->name;
	}
	return NULL;
}

static void make_cells(struct compare_subject *s)
{
	const bool traced = event_is_tracing(s->spec);

	for (int i = 0; i < COMPARE_NR_CELLS; i++) {
		const struct attach_method *open = attach_method_find(pairs[i].open, NULL),
					   *bind = attach_method_find(pairs[i].bind, NULL);
		const bool by_pmu = !strcmp(pairs[i].open, "pmu");
		struct compare_cell *cell = &s->cells[i];

		cell->name = traced ? pairs[i].traced : pairs[i].name;
		cell->open = by_pmu ? "pmu" : traced ? "tracefs" : "type";
		cell->bind = pairs[i].bind;
		cell->attach = method_of(s->spec, open, bind);
		cell->method = (struct attach_method){
			.name = cell->name, .summary = bind->summary,
			.describe = open->describe, .probes_by_tracefs = open->probes_by_tracefs,
			.bind = bind->bind, .takes_cookie = bind->takes_cookie,
			.is_link = bind->is_link,
		};
	}
}

/* An uncore PMU cannot count single tasks, and returns EINVAL: then a CPU is the target. */
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
	if (!cell->method.describe(s->sys, s->spec, &e.attr, &cpus, NULL))
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
