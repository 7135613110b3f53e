// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* pload list without a pattern: one line for each group of events. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "loader/commands/texts.h"
#include "loader/core/print/message.h"
#include "loader/core/value/value.h"
#include "loader/events/catalog/catalog.h"

#define COLUMNS 80
#define MAX_NAMES 20	/* of a group: more than fit into a line */

enum { PMU = 6, TRACEPOINT = 7, NR_GROUPS = 8 };

static const char *const groups[NR_GROUPS] = {
	"hardware", "software", "cache", "raw", "breakpoint", "probe", "pmu", "tracepoint",
};

struct summary {
	unsigned int events[NR_GROUPS];
	struct json_object *names[NR_GROUPS];	/* owned; the first MAX_NAMES of each group */
};

/* Print as many names as fit into the line. */
static void print_group(FILE *file, struct json_object *msg)
{
	struct json_object *names = message_get(msg, "names");
	int column = fprintf(file, "%-10s %6" PRIu64 "  ", message_text(msg, "group"),
			     message_number(msg, "events"));

	for (size_t i = 0; names && i < json_object_array_length(names); i++) {
		struct json_object *name = json_object_array_get_idx(names, i);

		column += strlen(json_object_get_string(name)) + 2;
		if (column > COLUMNS - 3) {
			fputs(i ? ", ..." : "...", file);
			break;
		}
		fputs(i ? ", " : "", file);
		message_print_string(file, name);
	}
	putc('\n', file);
}

/* Add the first @len characters of @name, unless they are the last name or there are enough. */
static void add_name(struct json_object *names, const char *name, size_t len)
{
	const size_t nr = names ? json_object_array_length(names) : 0;
	const char *last =
		nr ? json_object_get_string(json_object_array_get_idx(names, nr - 1)) : NULL;

	if (!names || nr == MAX_NAMES || (last && strlen(last) == len && !memcmp(last, name, len)))
		return;
	value_append(names, json_object_new_string_len(name, len));
}

/* A summary has the categories of tracepoints, and PMUs instead of their events: sum_pmu(). */
static int sum_event(void *arg, const struct event_row *row)
{
	struct summary *s = arg;

	for (unsigned int g = 0; g < NR_GROUPS; g++) {
		if (strcmp(groups[g], row->group))
			continue;
		s->events[g]++;
		if (g != PMU)
			add_name(s->names[g], row->name,
				 g == TRACEPOINT ? strcspn(row->name, ":") : strlen(row->name));
	}
	return 0;
}

static int sum_pmu(void *arg, const struct pmu_row *row)
{
	struct summary *s = arg;

	add_name(s->names[PMU], row->name, strlen(row->name));
	return 0;
}

static int print_summary(struct summary *s, struct output *out, struct error *err)
{
	int ret = 0;

	for (unsigned int g = 0; g < NR_GROUPS; g++) {
		struct json_object *msg = message_new("list-group");

		value_add_string(msg, "group", groups[g]);
		value_add_uint(msg, "events", s->events[g]);
		value_add(msg, "names", s->names[g]);
		if (ret)
			json_object_put(msg);
		else
			ret = output_message_as(out, msg, print_group, err);
	}
	return ret ? ret : output_flush(out, err);
}

int list_summary(struct sys *sys, struct output *out, struct error *err)
{
	struct summary s = { 0 };
	const struct event_visitor visitor = { sum_event, sum_pmu, &s, false };
	struct error printing = { 0 };
	int ret, printed;

	for (unsigned int g = 0; g < NR_GROUPS; g++)
		s.names[g] = json_object_new_array();
	ret = event_catalog(sys, &visitor, err);
	printed = print_summary(&s, out, ret ? &printing : err);
	error_clear(&printing);
	note(out, "pload list GROUP prints a group, pload list '*' prints every event");
	return ret ? ret : printed;
}
