// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The number beside a count: CPUs that a clock has used, GHz, instructions per cycle, misses in
 * percent, and for other events the rate per second. The units are those of perf stat.
 */
#include <string.h>

#include "loader/session/counting/counts.h"

/* An event and the one that it is compared with. */
static const struct {
	uint64_t event, of;	/* PERF_COUNT_HW_* */
	double times;
	const char *unit;
} pairs[] = {
	{ PERF_COUNT_HW_INSTRUCTIONS, PERF_COUNT_HW_CPU_CYCLES, 1, "insn per cycle" },
	{ PERF_COUNT_HW_BRANCH_MISSES, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, 100,
	  "% of all branches" },
	{ PERF_COUNT_HW_CACHE_MISSES, PERF_COUNT_HW_CACHE_REFERENCES, 100, "% of all cache refs" },
	{ PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, PERF_COUNT_HW_CPU_CYCLES, 100,
	  "% frontend cycles idle" },
	{ PERF_COUNT_HW_STALLED_CYCLES_BACKEND, PERF_COUNT_HW_CPU_CYCLES, 100,
	  "% backend cycles idle" },
};

/* The result of a cache event is in its third byte; accesses and misses differ by it alone. */
#define CACHE_RESULT(config) ((config) >> 16)
#define CACHE_ACCESSES(config) ((config) & 0xffff)

/* Two rows that count the same tasks. */
static bool is_beside(const struct count_row *a, const struct count_row *b)
{
	return a->cgroup == b->cgroup && a->map == b->map;
}

/* Two events of kinds that have a PMU for each kind of cores. */
static bool same_pmu(const struct event_spec *a, const struct event_spec *b)
{
	const char *pmu = a->fixed.pmu, *other = b->fixed.pmu;

	return pmu && other ? !strcmp(pmu, other) : pmu == other;
}

/* Find a row of the event @config that counts the same code on the same CPUs as row @row. */
static int find_row(const struct counts *c, unsigned int row, uint64_t config)
{
	const struct event_spec *spec = c->rows[row].spec;

	for (unsigned int i = 0; i < c->nr_rows; i++) {
		const struct event_spec *other = c->rows[i].spec;

		if (is_beside(&c->rows[i], &c->rows[row]) && other->kind == spec->kind &&
		    other->fixed.config == config && same_pmu(other, spec) &&
		    other->modifiers.exclude == spec->modifiers.exclude)
			return i;
	}
	return -1;
}

static struct ratio over(const struct counts *c, const struct sum *sums, unsigned int row, int of,
			 double times, const char *unit)
{
	if (of < 0 || !sums[of].scaled || sums[of].nr_waiting)
		return (struct ratio){ 0 };
	return (struct ratio){
		times * sums[row].scaled / sums[of].scaled, unit, c->rows[of].spec->text,
	};
}

int counts_clock(const struct counts *c, const struct sum *sums, unsigned int row)
{
	for (unsigned int i = 0; i < c->nr_rows; i++)
		if (event_is_clock(c->rows[i].spec) && is_beside(&c->rows[i], &c->rows[row]) &&
		    sums[i].scaled)
			return i;
	return -1;
}

static struct ratio per_second(const struct counts *c, const struct sum *sums, unsigned int row,
			       uint64_t elapsed_ns)
{
	const int clock = counts_clock(c, sums, row);

	if (clock >= 0)
		return over(c, sums, row, clock, 1e9, "/sec");
	if (!elapsed_ns)
		return (struct ratio){ 0 };
	return (struct ratio){ 1e9 * sums[row].scaled / elapsed_ns, "/sec", NULL };
}

/* Return the ratio to the event that usually goes with that of row @row, if that was counted. */
static struct ratio to_other(const struct counts *c, const struct sum *sums, unsigned int row)
{
	const struct event_spec *spec = c->rows[row].spec;

	if (spec->kind == EVENT_CACHE &&
	    CACHE_RESULT(spec->fixed.config) == PERF_COUNT_HW_CACHE_RESULT_MISS)
		return over(c, sums, row, find_row(c, row, CACHE_ACCESSES(spec->fixed.config)), 100,
			    "% of all accesses");
	if (spec->kind != EVENT_HARDWARE)
		return (struct ratio){ 0 };
	if (spec->fixed.config == PERF_COUNT_HW_CPU_CYCLES)	/* over ns */
		return over(c, sums, row, counts_clock(c, sums, row), 1, "GHz");
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
		if (spec->fixed.config == pairs[i].event)
			return over(c, sums, row, find_row(c, row, pairs[i].of), pairs[i].times,
				    pairs[i].unit);
	return (struct ratio){ 0 };
}

struct ratio counts_ratio(const struct counts *c, const struct sum *sums, unsigned int row,
			  uint64_t elapsed_ns)
{
	struct ratio ratio = { 0 };

	/* Without the part of a CPU where the event never was on the PMU, it would be too small. */
	if (!sums[row].count.running || sums[row].nr_waiting)
		return ratio;
	if (!event_is_clock(c->rows[row].spec))
		ratio = to_other(c, sums, row);
	else if (elapsed_ns)
		return (struct ratio){ (double)sums[row].scaled / elapsed_ns, "CPUs utilized",
				       NULL };
	else
		return ratio;
	return ratio.unit ? ratio : per_second(c, sums, row, elapsed_ns);
}
