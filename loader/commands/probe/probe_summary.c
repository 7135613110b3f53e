// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* pload probe without an argument: count the answers of each part, and name what is missing. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "loader/commands/probe/probe_summary.h"
#include "loader/core/print/message.h"
#include "loader/core/value/value.h"
#include "loader/observe/firing/firing.h"

/* --- as text --- */

#define COLUMNS 80
#define LABEL 18
#define MISSING_LINES 3	/* of a row: all rows fit on one screen */

static void print_missing(FILE *file, struct json_object *names)
{
	int column = fprintf(file, "%*smissing:", LABEL, ""), lines = 1;

	for (size_t i = 0; i < json_object_array_length(names); i++) {
		struct json_object *name = json_object_array_get_idx(names, i);
		const int len = strlen(json_object_get_string(name));

		if (i)
			putc(',', file);
		if (column + len + 5 > COLUMNS) {	/* 5: ", ..." */
			if (lines++ == MISSING_LINES) {
				fputs(" ...", file);
				break;
			}
			column = fprintf(file, "\n%*s", LABEL + 8, "") - 1;
		}
		putc(' ', file);
		message_print_string(file, name);
		column += len + 2;
	}
	putc('\n', file);
}

static void print_row(FILE *file, struct json_object *msg)
{
	struct json_object *answers = message_get(msg, "answers");
	const char *attach = message_text(msg, "attach"), *before = "";

	if (attach)
		fprintf(file, "  by %-*s", LABEL - 5, attach);
	else
		fprintf(file, "%-*s", LABEL, message_text(msg, "of"));
	json_object_object_foreach(answers, answer, nr) {
		fprintf(file, "%s%s %" PRIu64, before, answer, json_object_get_uint64(nr));
		before = ", ";
	}
	if (message_number(msg, "not_documented"))
		fprintf(file, "; %" PRIu64 " not as documented",
			message_number(msg, "not_documented"));
	putc('\n', file);
	if (message_get(msg, "missing"))
		print_missing(file, message_get(msg, "missing"));
}

/* --- counting --- */

/* Return the row of @of and @attach, which is new if there is none. */
static struct probe_row *find_row(struct probe_summary *s, const char *of, const char *attach)
{
	unsigned int i = 0;

	while (i < s->nr && (strcmp(s->rows[i].of, of) || s->rows[i].attach != attach))
		i++;
	if (i == PROBE_ROWS)
		return &s->rows[i - 1];
	if (i == s->nr)
		s->rows[s->nr++] = (struct probe_row){ .of = of, .attach = attach };
	return &s->rows[i];
}

static void add(struct probe_row *row, unsigned int answer, const char *text)
{
	row->answers[answer].text = text;
	row->answers[answer].nr++;
}

static void add_missing(struct probe_row *row, const char *name)
{
	if (!row->missing)
		row->missing = json_object_new_array();
	row->incomplete |= !value_append(row->missing, json_object_new_string(name));
}

/* The first row has the best outcome of each event: FIRING_FIRES is the least. */
void probe_count_event(struct probe_summary *s, struct sys *sys, const struct event_spec *spec,
		       uint64_t period)
{
	struct probe_row *all = find_row(s, "events", NULL);
	enum firing_outcome best = FIRING_REFUSED;

	for (unsigned int i = 0; i < attach_nr_methods; i++) {
		const struct firing_request t = { &attach_methods[i], spec, period, 0 };
		struct firing_result r;

		firing_run(sys, &t, &r);
		add(find_row(s, "events", attach_methods[i].name), r.outcome,
		    firing_outcome_name(r.outcome));
		best = r.outcome < best ? r.outcome : best;
		error_clear(&r.err);
	}
	add(all, best, firing_outcome_name(best));
	if (best == FIRING_ABSENT)
		add_missing(all, spec->text);
}

void probe_count(struct probe_summary *s, const char *of, const char *name,
		 enum capability_answer answer)
{
	struct probe_row *row = find_row(s, of, NULL);

	add(row, answer, capability_answer_name(answer));
	if (answer == CAPABILITY_NO)
		add_missing(row, name);
}

void probe_count_helper(struct probe_summary *s, enum capability_answer answer, int documented)
{
	struct probe_row *row = find_row(s, "helpers", NULL);

	add(row, answer, capability_answer_name(answer));
	row->not_documented += (answer == CAPABILITY_YES && !documented) ||
			       (answer == CAPABILITY_NO && documented > 0);
}

/* --- the messages --- */

int probe_summary_print(struct probe_summary *s, struct output *out, struct error *err)
{
	int ret = 0;

	for (unsigned int i = 0; !ret && i < s->nr; i++) {
		struct json_object *msg = message_new("probe-summary");
		struct json_object *answers = json_object_new_object();
		struct probe_row *row = &s->rows[i];

		value_add_string(msg, "of", row->of);
		if (row->attach)
			value_add_string(msg, "attach", row->attach);
		for (unsigned int k = 0; k < PROBE_ANSWERS; k++)
			if (row->answers[k].nr)
				value_add_uint(answers, row->answers[k].text, row->answers[k].nr);
		value_add(msg, "answers", answers);
		if (row->not_documented)
			value_add_uint(msg, "not_documented", row->not_documented);
		if (row->missing)
			value_add(msg, "missing", row->missing);
		row->missing = NULL;
		if (row->incomplete) {
			json_object_put(msg);
			msg = NULL;	/* which is reported as lack of memory */
		}
		ret = output_message_as(out, msg, print_row, err);
	}
	return ret;
}

void probe_summary_free(struct probe_summary *s)
{
	for (unsigned int i = 0; i < s->nr; i++)
		json_object_put(s->rows[i].missing);
}
