// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Read what many attachments cost from a document, as measured or as modeled. */
#include <string.h>

#include "loader/compare/report/report_internal.h"

const char *const scale_ends[SCALE_ALL_ENDS] = {
	"close", "exit", "kill", "events_first", "disable", "threads",
};

static const char *const period_names[] = { "rcu", "tasks", "tasks_trace", "srcu" };

#define NR_PERIODS (sizeof(period_names) / sizeof(period_names[0]))

struct json_object *scale_cell_of(struct json_object *way, uint64_t number)
{
	struct json_object *cells = doc_array(way, "cells");
	uint64_t n;

	for (size_t i = 0; i < doc_len(cells); i++)
		if (doc_number(doc_at(cells, i), "number", &n) && n == number)
			return doc_at(cells, i);
	return NULL;
}

uint64_t scale_largest(struct json_object *scale)
{
	struct json_object *ways = doc_array(scale, "ways");
	uint64_t n, largest = 0;

	for (size_t i = 0; i < doc_len(ways); i++) {
		struct json_object *cells = doc_array(doc_at(ways, i), "cells");

		for (size_t j = 0; j < doc_len(cells); j++)
			if (doc_number(doc_at(cells, j), "number", &n) && n > largest)
				largest = n;
	}
	return largest;
}

static uint64_t count_periods(struct json_object *waits)
{
	uint64_t n, sum = 0;

	for (size_t i = 0; waits && i < NR_PERIODS; i++)
		if (doc_number(waits, period_names[i], &n))
			sum += n;
	return waits ? sum : UINT64_MAX;
}

/* Return fixed + number * each, two members in units of @per. */
static uint64_t at(struct json_object *o, const char *fixed, const char *each, uint64_t number,
		   double per)
{
	uint64_t a = 0, b = 0;

	doc_number(o, fixed, &a);
	doc_number(o, each, &b);
	return ((double)a + (double)b * number) / per + 0.5;
}

static uint64_t model_periods(struct json_object *waits, uint64_t number)
{
	uint64_t sum = 0, nr = 0;

	for (size_t i = 0; i < NR_PERIODS; i++) {
		struct json_object *w = doc_object(waits, period_names[i]);

		nr += w != NULL;
		sum += at(w, "fixed_1000", "each_1000", number, 1000);
	}
	return nr ? sum : UINT64_MAX;
}

struct scale_cost scale_cost_of(struct json_object *way, const char *of, uint64_t number)
{
	struct json_object *o = doc_object(scale_cell_of(way, number), of),
			   *model = doc_find(doc_array(way, "models"), "of", of);
	struct scale_cost cost = { .ns = UINT64_MAX, .periods = UINT64_MAX };

	if (doc_number(o, "ns", &cost.ns)) {
		cost.periods = count_periods(doc_object(o, "waits"));
	} else if (model) {
		cost.modelled = true;
		cost.ns = at(model, "fixed_ns", "each_ns", number, 1);
		cost.periods = model_periods(doc_object(model, "waits"), number);
	} else {
		cost.ns = UINT64_MAX;
	}
	return cost;
}

const char *scale_waits_text(struct json_object *of, char *buf, size_t size)
{
	static const char *const keys[] = { "rcu", "tasks", "tasks_trace", "srcu", "text" };
	static const char *const names[] = { "rcu", "tasks", "trace", "srcu", "text" };
	struct json_object *waits = doc_object(of, "waits");
	size_t len = 0;
	uint64_t n;

	snprintf(buf, size, "%s", waits ? "0" : "-");
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && len < size; i++)
		if (doc_number(waits, keys[i], &n) && n)
			len += snprintf(buf + len, size - len, "%s%llu %s", len ? ", " : "",
					(unsigned long long)n, names[i]);
	return buf;
}
