// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Print what events have counted: value, enabled, running, scaled and share, in sum and per CPU. */
#include <errno.h>
#include <stdlib.h>

#include "loader/output/message.h"
#include "loader/output/value.h"
#include "loader/session/counting/counts.h"

/* Several counts together: those of one CPU, or of an event. */
struct sum {
	struct count count;
	uint64_t scaled;
	unsigned int nr, nr_waiting;	/* nr_waiting of them were enabled and never ran */
};

/* The estimate for all of the time in which the event was enabled. */
static uint64_t scale(const struct count *count)
{
	const unsigned __int128 product = (unsigned __int128)count->value * count->enabled;
	const unsigned __int128 scaled = product / count->running;

	return scaled > UINT64_MAX ? UINT64_MAX : (uint64_t)scaled;
}

/* Each count is scaled by itself, since events were not on each CPU's PMU for the same share. */
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

static bool add_sum(struct json_object *o, const struct sum *sum)
{
	const struct count *c = &sum->count;
	const bool ran = c->running;

	return value_add(o, "state", json_object_new_string(state_of(sum))) &&
	       value_add_count(o, "value", ran, c->value) &&
	       value_add(o, "enabled_ns", json_object_new_uint64(c->enabled)) &&
	       value_add(o, "running_ns", json_object_new_uint64(c->running)) &&
	       value_add_count(o, "scaled", ran, sum->scaled) &&
	       (c->enabled ? value_add(o, "share",
				       json_object_new_double((double)c->running / c->enabled)) :
			     value_add_null(o, "share"));
}

static int by_cpu(const void *x, const void *y)
{
	const struct counted *const *a = x, *const *b = y;

	return (*a)->cpu < (*b)->cpu ? -1 : (*a)->cpu > (*b)->cpu;
}

static bool append_cpu(struct json_object *list, int cpu, const struct sum *sum)
{
	struct json_object *o = json_object_new_object();

	if (o && value_add(o, "cpu", json_object_new_int(cpu)) && add_sum(o, sum))
		return value_append(list, o);
	json_object_put(o);
	return false;
}

/* One object for each CPU of the @nr counts in @sorted. */
static struct json_object *cpus(const struct counted *const *sorted, unsigned int nr, bool interval)
{
	struct json_object *list = json_object_new_array();
	bool ok = list;

	for (unsigned int i = 0, end; ok && i < nr; i = end) {
		struct sum sum = { 0 };

		for (end = i; end < nr && sorted[end]->cpu == sorted[i]->cpu; end++) {
			const struct count count = count_of(sorted[end], interval);

			sum_add(&sum, &count);
		}
		if (sorted[i]->cpu >= 0)
			ok = append_cpu(list, sorted[i]->cpu, &sum);
	}
	if (ok)
		return list;
	json_object_put(list);
	return NULL;
}

static bool add_unit(struct session *s, const struct count_row *row, struct json_object *msg)
{
	struct event_unit unit;

	event_unit(s->sys, row->spec, &unit);
	if (row->spec->kind == EVENT_SOFTWARE && (row->spec->config == PERF_COUNT_SW_CPU_CLOCK ||
						  row->spec->config == PERF_COUNT_SW_TASK_CLOCK))
		strcpy(unit.unit, "ns");
	return (!unit.scale[0] || value_add(msg, "scale", json_object_new_string(unit.scale))) &&
	       (!unit.unit[0] || value_add(msg, "unit", json_object_new_string(unit.unit)));
}

static bool add_counts(struct session *s, unsigned int row, const struct counted **sorted,
		       struct json_object *msg, bool interval)
{
	const struct counts *c = s->counts;
	struct sum sum = { 0 };
	unsigned int nr = 0;

	for (unsigned int i = 0; i < c->nr; i++) {
		const struct count count = count_of(&c->list[i], interval);

		if (c->list[i].row != row)
			continue;
		sum_add(&sum, &count);
		sorted[nr++] = &c->list[i];
	}
	if (!add_sum(msg, &sum) || !add_unit(s, &c->rows[row], msg))
		return false;
	if (sum.nr_waiting && sum.count.running &&
	    !value_add(msg, "never_scheduled", json_object_new_uint64(sum.nr_waiting)))
		return false;
	if (s->out->format->digest && !s->options->per_cpu)
		return true;
	qsort(sorted, nr, sizeof(*sorted), by_cpu);
	return value_add(msg, "cpus", cpus(sorted, nr, interval));
}

static bool add_why(struct json_object *msg, const struct error *why)
{
	return value_add(msg, "state", json_object_new_string("not-available")) &&
	       value_add_null(msg, "value") &&
	       value_add(msg, "why", json_object_new_string(why->what)) &&
	       (why->reason ? value_add(msg, "reason", json_object_new_string(why->reason)) :
			      value_add_null(msg, "reason"));
}

static bool add_times(struct json_object *msg, uint64_t begin_ns, uint64_t end_ns)
{
	return value_add(msg, "begin_ns", json_object_new_uint64(begin_ns)) &&
	       value_add(msg, "end_ns", json_object_new_uint64(end_ns));
}

static int print_headline(struct session *s, uint64_t begin_ns, uint64_t end_ns, struct error *err)
{
	struct json_object *msg = message_new("counters-begin");

	if (msg && add_times(msg, begin_ns, end_ns))
		return output_message(s->out, msg, err);
	json_object_put(msg);
	return output_message(s->out, NULL, err);
}

int counts_print(struct session *s, uint64_t begin_ns, uint64_t end_ns, bool interval,
		 struct error *err)
{
	const struct counts *c = s->counts;
	const struct counted **sorted = calloc(c->nr + 1, sizeof(*sorted));
	int ret = sorted ? 0 : error_set(err, ENOMEM, "no memory to sort %u counts", c->nr);

	if (!ret && s->out->format->digest)
		ret = print_headline(s, begin_ns, end_ns, err);
	for (unsigned int i = 0; !ret && i < c->nr_rows; i++) {
		const struct count_row *row = &c->rows[i];
		struct json_object *msg = message_new("counter");
		bool ok = msg && value_add(msg, "event", json_object_new_string(row->spec->text));

		if (ok && row->map)
			ok = value_add(msg, "map", json_object_new_string(row->map));
		if (ok && row->cgroup)
			ok = value_add(msg, "cgroup", json_object_new_string(row->cgroup->name));
		if (ok)
			ok = add_times(msg, begin_ns, end_ns) &&
			     (row->why.code ? add_why(msg, &row->why) :
					      add_counts(s, i, sorted, msg, interval));
		if (!ok) {
			json_object_put(msg);
			msg = NULL;
		}
		ret = output_message(s->out, msg, err);
	}
	free(sorted);
	return ret;
}

int session_print_counts(struct session *s, struct error *err)
{
	const struct counts *c = s->counts;

	if (!c)
		return 0;
	return c->failed.code ? error_copy(err, &c->failed) :
				counts_print(s, 0, s->duration_ns, false, err);
}

int session_interval_timeout_ms(const struct session *s)
{
	const uint64_t ns = s->options->interval_ms * 1000000ull;
	const uint64_t done = s->counts ? s->counts->end_ns : 0;
	const uint64_t now = sys_monotonic_ns() - s->begin_ns;
	uint64_t due;

	if (!ns || s->options->top)
		return -1;
	due = (done / ns + 1) * ns;	/* the grid stays, also when output has blocked */
	return now >= due ? 0 : (due - now + 999999) / 1000000;
}

int session_interval(struct session *s, struct error *err)
{
	uint64_t now;
	struct counts *c;
	int ret;

	if (session_interval_timeout_ms(s) || s->ended)
		return 0;
	session_read_counts(s);
	c = counts_of(s);
	if (!c)
		return error_set(err, ENOMEM, "no memory for what events have counted");
	if (c->failed.code)
		return error_copy(err, &c->failed);
	now = sys_monotonic_ns() - s->begin_ns;
	ret = counts_print(s, c->end_ns, now, true, err);
	for (unsigned int i = 0; i < c->nr; i++)
		c->list[i].before = c->list[i].now;
	c->end_ns = now;
	return ret ? ret : output_flush(s->out, err);
}
