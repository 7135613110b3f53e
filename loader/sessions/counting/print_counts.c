// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Print event counts: value, enabled, running, scaled and share, in total and per CPU. */
#include <errno.h>
#include <stdlib.h>

#include "loader/events/catalog/catalog.h"
#include "loader/core/print/message.h"
#include "loader/core/value/value.h"
#include "loader/sessions/counting/counts.h"

/* The estimate for the whole time that the event was enabled. */
static uint64_t scale(const struct count *count)
{
	const unsigned __int128 product = (unsigned __int128)count->value * count->enabled;
	const unsigned __int128 scaled = product / count->running;

	return scaled > UINT64_MAX ? UINT64_MAX : (uint64_t)scaled;
}

/*
 * Scale each count separately, because events were not on each CPU's PMU for the same share of
 * time.
 */
static void sum_add(struct sum *sum, const struct count *count)
{
	sum->count.value += count->value;
	sum->count.enabled += count->enabled;
	sum->count.running += count->running;
	if (count->running)
		sum->scaled += scale(count);
	sum->nr++;
	sum->nr_waiting += count->enabled && !count->running;
}

static struct count count_of(const struct counted *counted, bool interval)
{
	const struct count zero = { 0 }, *since = interval ? &counted->before : &zero;

	return (struct count){
		counted->now.value - since->value, counted->now.enabled - since->enabled,
		counted->now.running - since->running,
	};
}

static const char *state_of(const struct sum *sum)
{
	return !sum->count.enabled ? "never-enabled" :
	       !sum->count.running ? "never-scheduled" :
	       sum->count.running < sum->count.enabled ? "shared" : "counted";
}

static void add_sum(struct json_object *o, const struct sum *sum)
{
	const struct count *c = &sum->count;
	const bool ran = c->running;

	value_add_string(o, "state", state_of(sum));
	value_add_count(o, "value", ran, c->value);
	value_add_uint(o, "enabled_ns", c->enabled);
	value_add_uint(o, "running_ns", c->running);
	value_add_count(o, "scaled", ran, sum->scaled);
	if (c->enabled)
		value_add(o, "share", json_object_new_double((double)c->running / c->enabled));
	else
		value_add_null(o, "share");
}

static int by_cpu(const void *x, const void *y)
{
	const struct counted *const *a = x, *const *b = y;

	return (*a)->cpu < (*b)->cpu ? -1 : (*a)->cpu > (*b)->cpu;
}

static void append_cpu(struct json_object *list, int cpu, const struct sum *sum)
{
	struct json_object *o = json_object_new_object();

	value_add_int(o, "cpu", cpu);
	add_sum(o, sum);
	value_append(list, o);
}

/* One object per CPU of the @nr counts in @sorted. */
static struct json_object *cpus(const struct counted *const *sorted, unsigned int nr, bool interval)
{
	struct json_object *list = json_object_new_array();

	for (unsigned int i = 0, end; i < nr; i = end) {
		struct sum sum = { 0 };

		for (end = i; end < nr && sorted[end]->cpu == sorted[i]->cpu; end++) {
			const struct count count = count_of(sorted[end], interval);

			sum_add(&sum, &count);
		}
		if (sorted[i]->cpu >= 0)
			append_cpu(list, sorted[i]->cpu, &sum);
	}
	return list;
}

static void add_unit(struct session *s, const struct count_row *row, struct json_object *msg)
{
	struct event_unit unit;

	event_unit(s->sys, row->spec, &unit);
	if (event_is_clock(row->spec))
		strcpy(unit.unit, "ns");
	if (unit.scale[0])
		value_add_string(msg, "scale", unit.scale);
	if (unit.unit[0])
		value_add_string(msg, "unit", unit.unit);
}

static void sum_row(const struct counts *c, unsigned int row, bool interval, struct sum *sum)
{
	for (unsigned int i = 0; i < c->nr; i++) {
		const struct count count = count_of(&c->list[i], interval);

		if (c->list[i].row == row)
			sum_add(sum, &count);
	}
}

static void add_cpus(struct session *s, unsigned int row, struct json_object *msg, bool interval)
{
	const struct counts *c = s->counts;
	const struct counted **sorted = calloc(c->nr + 1, sizeof(*sorted));
	unsigned int nr = 0;

	for (unsigned int i = 0; sorted && i < c->nr; i++)
		if (c->list[i].row == row)
			sorted[nr++] = &c->list[i];
	if (sorted)
		qsort(sorted, nr, sizeof(*sorted), by_cpu);
	value_add(msg, "cpus", sorted ? cpus(sorted, nr, interval) : NULL);
	free(sorted);
}

/* The counts printed together: @sums of each row, from @begin_ns to @end_ns. */
struct table {
	struct sum *sums;
	uint64_t begin_ns, end_ns;
	bool interval;
};

static void add_counts(struct session *s, unsigned int row, const struct table *t,
		       struct json_object *msg)
{
	const struct sum *sum = &t->sums[row];

	add_sum(msg, sum);
	add_unit(s, &s->counts->rows[row], msg);
	if (sum->nr_waiting && sum->count.running)
		value_add_uint(msg, "never_scheduled", sum->nr_waiting);
	if (s->out->format->records == RECORDS_AS_JSON || s->options->per_cpu)
		add_cpus(s, row, msg, t->interval);
}

static void add_why(struct json_object *msg, const struct error *why)
{
	value_add_string(msg, "state", "not-available");
	value_add_null(msg, "value");
	value_add_string(msg, "why", why->what);
	value_add_string(msg, "reason", why->reason);
}

static void add_times(struct json_object *msg, const struct table *t)
{
	value_add_uint(msg, "begin_ns", t->begin_ns);
	value_add_uint(msg, "end_ns", t->end_ns);
}

static int print_headline(struct session *s, const struct table *t, struct error *err)
{
	struct json_object *msg = message_new("counters-begin");

	add_times(msg, t);
	return output_message_as(s->out, msg, counts_print_headline, err);
}

static int print_row(struct session *s, unsigned int i, const struct table *t, struct error *err)
{
	const struct count_row *row = &s->counts->rows[i];
	struct json_object *msg = message_new("counter");

	value_add_string(msg, "event", row->spec->text);
	if (row->map)
		value_add_string(msg, "map", row->map);
	if (row->cgroup)
		value_add_string(msg, "cgroup", row->cgroup->name);
	add_times(msg, t);
	if (row->why.code)
		add_why(msg, &row->why);
	else
		add_counts(s, i, t, msg);
	return output_message_as(s->out, msg, counts_print_row, err);
}

/*
 * Print a message for each row. @begin_ns, @end_ns: relative to the start of the session. If
 * @begin_ns is nonzero, or with @interval, print what was counted since struct counted.before.
 */
static int print_rows(struct session *s, uint64_t begin_ns, uint64_t end_ns, bool interval,
		      struct error *err)
{
	const struct counts *c = s->counts;
	struct table t = { calloc(c->nr_rows + 1, sizeof(*t.sums)), begin_ns, end_ns, interval };
	int ret = t.sums ? 0 : error_set(err, ENOMEM, "no memory for %u counts", c->nr_rows);

	for (unsigned int i = 0; !ret && i < c->nr_rows; i++)
		sum_row(c, i, interval, &t.sums[i]);
	if (!ret && s->out->format->digest)
		ret = print_headline(s, &t, err);
	for (unsigned int i = 0; !ret && i < c->nr_rows; i++)
		ret = print_row(s, i, &t, err);
	free(t.sums);
	return ret;
}

int session_print_counts(struct session *s, struct error *err)
{
	const struct counts *c = s->counts;

	if (!c)
		return 0;
	if (c->failed.code)
		return error_copy(err, &c->failed);
	return print_rows(s, 0, s->duration_ns, false, err);
}

/* Keep the grid of intervals, even if output was blocked. */
static int interval_due_ms(const struct session *s)
{
	const uint64_t ns = s->options->interval_ms * 1000000ull;
	const uint64_t done = s->counts ? s->counts->end_ns : 0;

	if (!ns)
		return -1;
	return sys_ms_until(s->begin_ns + (done / ns + 1) * ns);
}

static int read_interval(struct session *s, bool ready, struct error *err)
{
	uint64_t now;
	struct counts *c;
	int ret;

	(void)ready;
	if (interval_due_ms(s) || s->ended)
		return 0;
	session_read_counts(s);
	c = counts_of(s);
	if (!c)
		return error_set(err, ENOMEM, "no memory for the event counts");
	if (c->failed.code)
		return error_copy(err, &c->failed);
	now = sys_monotonic_ns() - s->begin_ns;
	ret = print_rows(s, c->end_ns, now, true, err);
	for (unsigned int i = 0; i < c->nr; i++)
		c->list[i].before = c->list[i].now;
	c->end_ns = now;
	return ret;
}

static void stop_counts(struct session *s)
{
	if (!s->stopped)
		session_read_counts(s);
}

const struct session_part part_counts = {
	.at = { [STAGE_REPORT] = session_print_counts },
	.due_ms = interval_due_ms, .read = read_interval, .stop = stop_counts,
	.end = session_free_counts,
};
