// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The table "open x bind": the cells that a method is for, those that an event cannot have, and those
 * that make the same calls.
 */
#include <errno.h>
#include <string.h>

#include "loader/events/attach/cells.h"
#include "test/unit/common/files_builder.h"
#include "test/unit/common/suite.h"

static const struct fake_file machine[] = {
	{ "/sys/bus/event_source/devices/breakpoint/type", "5\n", 0 },
	{ "/sys/bus/event_source/devices/cpu/events/cpu-cycles", "event=0x3c\n", 0 },
	{ "/sys/bus/event_source/devices/cpu/format/event", "config:0-7\n", 0 },
	{ "/sys/bus/event_source/devices/cpu/type", "4\n", 0 },
	{ "/sys/bus/event_source/devices/imc/cpumask", "0\n", 0 },
	{ "/sys/bus/event_source/devices/imc/type", "14\n", 0 },
	{ "/sys/bus/event_source/devices/software/type", "1\n", 0 },
	{ "/sys/bus/event_source/devices/tracepoint/type", "2\n", 0 },
	{ "/sys/kernel/tracing/events/sched/sched_switch/id", "314\n", 0 },
	{ 0 }
};

enum { TYPE = 1 << OPEN_TYPE, PMU = 1 << OPEN_PMU, TRACEFS = 1 << OPEN_TRACEFS };

static const struct {
	const char *event;
	const char *ioctl, *pmu, *link;	/* how these methods open it */
	unsigned int can;		/* how cells can */
	int alike;			/* its type if the same by type and by PMU, else -1 */
} rows[] = {
	{ "cpu-clock", "type", "pmu", "type", TYPE | PMU, 1 },
	{ "cycles", "type", "pmu", "type", TYPE | PMU, -1 },
	{ "L1-dcache-loads", "type", "pmu", "type", TYPE | PMU, -1 },
	{ "r1a8", "type", "pmu", "type", TYPE | PMU, 4 },
	/* Its PMU has a cpumask, which only `pmu` reads. */
	{ "14:5", "type", "pmu", "type", TYPE | PMU, -1 },
	/* No PMU has this type. */
	{ "99:5", "type", "pmu", "type", TYPE | PMU, -1 },
	{ "mem:0x1000/8:w", "type", "pmu", "type", TYPE | PMU, 5 },
	{ "sched:sched_switch", "tracefs", "pmu", "tracefs", TYPE | PMU | TRACEFS, 2 },
	{ "imc/config=1/", "pmu", "pmu", "pmu", PMU, -1 },
	{ "kprobe:vfs_read", "tracefs", "pmu", "pmu", PMU | TRACEFS, -1 },
	{ "kretprobe:vfs_read", "tracefs", "pmu", "pmu", PMU | TRACEFS, -1 },
	{ "uprobe:/bin/sh:0x10", "tracefs", "pmu", "pmu", PMU | TRACEFS, -1 },
	{ "usdt:/bin/sh:a:b", "tracefs", "pmu", "pmu", PMU | TRACEFS, -1 },
};

static const char *opened_by(const char *method, const struct event_spec *spec)
{
	return attach_open_name(attach_open_of(attach_method_find(method, NULL), spec));
}

TEST_ROWS(a_method_is_a_cell, rows)
{
	struct event_spec spec FREED_BY(event_spec_free) = { 0 };

	ck_assert_int_eq(event_parse(&spec, rows[_i].event, NULL), 0);
	ck_assert_str_eq(opened_by("ioctl", &spec), rows[_i].ioctl);
	ck_assert_str_eq(opened_by("pmu", &spec), rows[_i].pmu);
	ck_assert_str_eq(opened_by("link", &spec), rows[_i].link);
	ck_assert_str_eq(opened_by("tracefs+link", &spec), "tracefs");
}

/* A cell that is refused names one that is not. ioctl, pmu and link are never refused. */
TEST_ROWS(refuses_cells, rows)
{
	static const char *const opens[] = { [OPEN_TYPE] = "type", [OPEN_PMU] = "pmu",
					     [OPEN_TRACEFS] = "tracefs" };
	static const char *const binds[] = { "ioctl", "link" };
	struct event_spec spec FREED_BY(event_spec_free) = { 0 };

	ck_assert_int_eq(event_parse(&spec, rows[_i].event, NULL), 0);
	for (unsigned int i = 0; i < attach_nr_methods; i++)
		ck_assert_int_eq(attach_method_check(&attach_methods[i], &spec, NULL), 0);
	for (unsigned int open = OPEN_TYPE; open <= OPEN_TRACEFS; open++)
		for (unsigned int bind = 0; bind < 2; bind++) {
			const bool can = rows[_i].can & 1u << open;
			const struct attach_method *cell;
			struct error err = { 0 };
			char name[32];

			snprintf(name, sizeof(name), "%s+%s", opens[open], binds[bind]);
			cell = attach_method_find(name, NULL);
			ck_assert_msg(cell != NULL, "%s", name);
			ck_assert_int_eq(cell->open, open);
			ck_assert_int_eq(cell->is_link, bind);
			ck_assert_int_eq(cell->takes_cookie, bind);
			ck_assert_int_eq(attach_method_check(cell, &spec, &err), can ? 0 : -ENOTSUP);
			if (can)
				continue;
			ck_assert_str_eq(err.reason, "attach/no-cell");
			ck_assert_msg(strstr(err.where, name) && strstr(err.where, spec.text), "%s",
				      err.where);
			ck_assert_int_eq(strncmp(err.hint, "--attach=", 9), 0);
			cell = attach_method_find(err.hint + 9, NULL);
			ck_assert_msg(cell != NULL, "%s", err.hint);
			ck_assert_int_eq(attach_method_check(cell, &spec, NULL), 0);
			ck_assert_int_eq(cell->is_link, bind);
		}
}

TEST_ROWS(knows_which_cells_make_the_same_calls, rows)
{
	struct event_spec spec FREED_BY(event_spec_free) = { 0 };
	struct files files;
	uint32_t type = 0;

	files_init(&files, machine);
	ck_assert_int_eq(event_parse(&spec, rows[_i].event, NULL), 0);
	ck_assert_int_eq(attach_opens_alike(&files.sys, &spec, &type), rows[_i].alike >= 0);
	if (rows[_i].alike >= 0)
		ck_assert_uint_eq(type, rows[_i].alike);
	ck_assert_uint_eq(files.open, 0);
}

/* The number of the PMU is needed both ways, unless the PMU lists the event. */
TEST(an_event_of_one_kind_of_cores)
{
	static const struct { const char *event; bool alike; } events[] = {
		{ "cycles", false }, { "instructions", true }, { "L1-dcache-loads", true },
	};

	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
		struct event_spec spec FREED_BY(event_spec_free) = { 0 };
		struct files files;
		uint32_t type = 0;

		files_init(&files, machine);
		ck_assert_int_eq(event_parse(&spec, events[i].event, NULL), 0);
		spec.fixed.pmu = strdup("cpu");
		ck_assert_int_eq(attach_opens_alike(&files.sys, &spec, &type), events[i].alike);
		if (events[i].alike)
			ck_assert_uint_eq(type, 4);
	}
}
