// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The number beside a count: which event it is divided by, and when there is none. */
#include <string.h>

#include "loader/session/counting/counts.h"
#include "test/unit/common/suite.h"

#define MAX_EVENTS 3

/* The first of @events is divided. @counts: scaled; running_ns is 1 but for a count of ABSENT. */
#define ABSENT UINT64_MAX

static const struct row {
	const char *events[MAX_EVENTS];
	uint64_t counts[MAX_EVENTS];
	double value;
	const char *unit, *of;
} rows[] = {
	/* over elapsed time, which is 2 s, when no clock was counted beside it */
	{ { "page-faults" }, { 10 }, 5, "/sec", NULL },
	{ { "page-faults" }, { 0 }, 0, "/sec", NULL },
	{ { "page-faults" }, { ABSENT }, 0, NULL, NULL },
	{ { "page-faults", "task-clock" }, { 10, 500000000 }, 20, "/sec", "task-clock" },
	{ { "cs", "dummy", "cpu-clock:u" }, { 10, 1, 1000000000 }, 10, "/sec", "cpu-clock:u" },
	{ { "cs", "task-clock" }, { 10, 0 }, 5, "/sec", NULL },
	{ { "cs", "task-clock" }, { 10, ABSENT }, 5, "/sec", NULL },
	{ { "task-clock" }, { 1000000000 }, 0.5, "CPUs utilized", NULL },
	{ { "cpu-clock", "task-clock" }, { 4000000000, 1 }, 2, "CPUs utilized", NULL },
	{ { "cycles", "task-clock" }, { 3000000000, 1500000000 }, 2, "GHz", "task-clock" },
	{ { "cycles" }, { 3000000000 }, 1500000000, "/sec", NULL },
	{ { "instructions", "cycles" }, { 3, 2 }, 1.5, "insn per cycle", "cycles" },
	{ { "instructions:u", "cycles:k", "cycles:u" }, { 3, 1, 6 }, 0.5, "insn per cycle",
	  "cycles:u" },
	/* those of user space over the cycles of both would be too few */
	{ { "instructions:u", "cycles" }, { 4, 2 }, 2, "/sec", NULL },
	{ { "instructions", "cycles" }, { 4, 0 }, 2, "/sec", NULL },
	{ { "instructions", "cycles" }, { 4, ABSENT }, 2, "/sec", NULL },
	{ { "branch-misses", "branches" }, { 1, 8 }, 12.5, "% of all branches", "branches" },
	{ { "cache-misses", "cache-references" }, { 1, 4 }, 25, "% of all cache refs",
	  "cache-references" },
	{ { "stalled-cycles-frontend", "cycles" }, { 1, 2 }, 50, "% frontend cycles idle",
	  "cycles" },
	{ { "stalled-cycles-backend", "cycles" }, { 1, 2 }, 50, "% backend cycles idle", "cycles" },
	{ { "L1-dcache-load-misses", "L1-dcache-loads" }, { 1, 2 }, 50, "% of all accesses",
	  "L1-dcache-loads" },
	{ { "L1-dcache-load-misses", "LLC-loads", "L1-dcache-stores" }, { 2, 1, 1 }, 1, "/sec",
	  NULL },
	{ { "L1-dcache-loads", "L1-dcache-load-misses" }, { 2, 1 }, 1, "/sec", NULL },
	/* r0 is no event of the table of hardware events, whose config is 0 as well */
	{ { "instructions", "r0" }, { 4, 2 }, 2, "/sec", NULL },
	{ { "page-faults" }, { 18446744073709551614u }, 9223372036854775807., "/sec", NULL },
};

static struct event_spec specs[MAX_EVENTS];
static struct count_row list[MAX_EVENTS];
static struct sum sums[MAX_EVENTS];
static struct counts c;

static void begin(const struct row *row)
{
	memset(list, 0, sizeof(list));
	memset(sums, 0, sizeof(sums));
	c = (struct counts){ .rows = list };
	for (; c.nr_rows < MAX_EVENTS && row->events[c.nr_rows]; c.nr_rows++) {
		const unsigned int i = c.nr_rows;
		struct error err = { 0 };

		event_spec_free(&specs[i]);
		ck_assert_msg(!event_parse(&specs[i], row->events[i], &err), "%s", err.what);
		list[i].spec = &specs[i];
		if (row->counts[i] != ABSENT)
			sums[i] = (struct sum){ { row->counts[i], 1, 1 }, row->counts[i], 1, 0, 0, 0 };
	}
}

TEST_ROWS(ratios, rows)
{
	const struct row *row = &rows[_i];
	struct ratio ratio;

	begin(row);
	ratio = counts_ratio(&c, sums, 0, 2000000000);
	ck_assert_pstr_eq(ratio.unit, row->unit);
	ck_assert_pstr_eq(ratio.of, row->of);
	ck_assert_double_eq(ratio.value, row->value);
}

/* Nothing is divided by a time of 0. */
TEST(no_time)
{
	begin(&rows[0]);
	ck_assert_ptr_null(counts_ratio(&c, sums, 0, 0).unit);
	begin(&(struct row){ .events = { "task-clock" }, .counts = { 1 } });
	ck_assert_ptr_null(counts_ratio(&c, sums, 0, 0).unit);
}

/* The sum of one CPU is not divided by that of two. */
TEST(a_part_is_missing)
{
	const struct row row = { .events = { "instructions", "cycles" }, .counts = { 4, 2 } };

	begin(&row);
	sums[0].nr_waiting = 1;
	ck_assert_ptr_null(counts_ratio(&c, sums, 0, 2000000000).unit);
	begin(&row);
	sums[1].nr_waiting = 1;
	ck_assert_str_eq(counts_ratio(&c, sums, 0, 2000000000).unit, "/sec");
}

/* A count of one cgroup is not divided by that of another. */
TEST(others_count_other_tasks)
{
	const struct event_cgroup *const cgroups[] = { (void *)&specs[0], (void *)&specs[1] };

	begin(&(struct row){ { "cs", "task-clock", "task-clock" }, { 4, 1000000000, 2000000000 },
			     0, NULL, NULL });
	list[0].cgroup = list[2].cgroup = cgroups[0];
	list[1].cgroup = cgroups[1];
	ck_assert_double_eq(counts_ratio(&c, sums, 0, 1).value, 2);
	list[2].map = "m";
	ck_assert_ptr_null(counts_ratio(&c, sums, 0, 1000000000).of);
}
