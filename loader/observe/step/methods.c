// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Align recordings of several methods by the calls they have in common. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/base/text/text_stream.h"
#include "loader/core/print/message.h"
#include "loader/core/value/value.h"
#include "loader/observe/step/call_text.h"
#include "loader/observe/step/record.h"
#include "loader/observe/step/show.h"

/* The alignment table has a cell for each pair. With more calls than this, align by number. */
#define CALLS_MAX 3000

/* A row: the step of each method, counted from 1; 0: none. */
struct row {
	unsigned int steps[METHODS_MAX];
};

/* The table, and the calls of each method as words. */
struct table {
	const struct recording *list;
	unsigned int nr, nr_rows;
	struct row *rows;			/* owned */
	struct call_text *calls[METHODS_MAX];	/* owned */
};

static unsigned int nr_calls(const struct table *t, unsigned int method)
{
	return json_object_array_length(t->list[method].steps);
}

/* Return the call of a row, or NULL if the method has none. */
static const struct call_text *call_of(const struct table *t, const struct row *row,
				       unsigned int method)
{
	return row->steps[method] ? &t->calls[method][row->steps[method] - 1] : NULL;
}

static bool same(const struct table *t, const struct row *row, unsigned int column,
		 unsigned int step)
{
	for (unsigned int i = 0; i < column; i++) {
		const struct call_text *c = call_of(t, row, i);

		if (c)
			return !strcmp(c->kind, t->calls[column][step - 1].kind);
	}
	return false;
}

/*
 * Merge the steps of method @column into the rows. length[i][j] is the length of the longest common
 * subsequence of the rows from i on and the steps from j on. Return false if out of memory.
 */
static bool merge(struct table *t, unsigned int column)
{
	const unsigned int n = t->nr_rows, m = nr_calls(t, column);
	uint16_t *length = calloc((size_t)(n + 1) * (m + 1), sizeof(*length));
	struct row *all = calloc((size_t)n + m + 1, sizeof(*all));
	unsigned int i = 0, j = 0, k = 0;

#define LENGTH(i_, j_) length[(size_t)(i_) * (m + 1) + (j_)]
	for (i = n; length && all && i-- > 0;)
		for (j = m; j-- > 0;)
			LENGTH(i, j) = same(t, &t->rows[i], column, j + 1) ?
					       LENGTH(i + 1, j + 1) + 1 :
				       LENGTH(i + 1, j) > LENGTH(i, j + 1) ? LENGTH(i + 1, j) :
									     LENGTH(i, j + 1);
	for (i = j = 0; length && all && (i < n || j < m); k++) {
		const bool match = i < n && j < m && same(t, &t->rows[i], column, j + 1);

		if (match || (i < n && (j == m || LENGTH(i + 1, j) >= LENGTH(i, j + 1))))
			all[k] = t->rows[i++];
		if (match || !memcmp(&all[k], &(struct row){ 0 }, sizeof(*all)))
			all[k].steps[column] = ++j;
	}
#undef LENGTH
	free(t->rows);
	t->rows = all;
	t->nr_rows = k;
	k = length && all;
	free(length);
	return k;
}

static bool read_calls(struct table *t, unsigned int method)
{
	struct json_object *steps = t->list[method].steps;

	t->calls[method] = calloc(nr_calls(t, method) + 1, sizeof(*t->calls[method]));
	for (size_t i = 0; t->calls[method] && i < json_object_array_length(steps); i++)
		if (!call_text_init(&t->calls[method][i], json_object_array_get_idx(steps, i)))
			return false;
	return t->calls[method];
}

static void table_free(struct table *t)
{
	for (unsigned int i = 0; i < t->nr; i++) {
		for (unsigned int k = 0; t->calls[i] && k < nr_calls(t, i); k++)
			call_text_free(&t->calls[i][k]);
		free(t->calls[i]);
	}
	free(t->rows);
}

static bool has_too_many(const struct recording *list, unsigned int nr)
{
	for (unsigned int i = 0; i < nr; i++)
		if (json_object_array_length(list[i].steps) > CALLS_MAX)
			return true;
	return false;
}

/* Return false if out of memory, or if there are too many calls. */
static bool align(struct table *t, const struct recording *list, unsigned int nr)
{
	bool ok = !has_too_many(list, nr);

	*t = (struct table){ .list = list, .nr = nr };
	for (unsigned int i = 0; ok && i < nr; i++)
		ok = read_calls(t, i) && merge(t, i);
	return ok;
}

/* --- the text of a cell --- */

static bool has_arg(const struct call_text *c, const char *arg)
{
	for (unsigned int i = 0; i < c->nr; i++)
		if (!strcmp(c->args[i], arg))
			return true;
	return false;
}

/* Return true if all methods make the same call, possibly with different arguments. */
static bool one_name(const struct table *t, const struct row *row)
{
	const struct call_text *first = call_of(t, row, 0);

	for (unsigned int i = 0; first && i < t->nr; i++) {
		const struct call_text *c = call_of(t, row, i);

		if (!c || strcmp(c->name, first->name))
			return false;
	}
	return first;
}

static bool all_have(const struct table *t, const struct row *row, const char *arg)
{
	for (unsigned int i = 0; i < t->nr; i++)
		if (!has_arg(call_of(t, row, i), arg))
			return false;
	return true;
}

static bool differs(const struct table *t, const struct row *row)
{
	if (!one_name(t, row))
		return true;
	for (unsigned int i = 0; i < t->nr; i++)
		for (unsigned int k = 0; k < call_of(t, row, i)->nr; k++)
			if (!all_have(t, row, call_of(t, row, i)->args[k]))
				return true;
	return false;
}

/*
 * Return the name of the call with its arguments. For a call that all methods make, only the
 * arguments that differ are included. NULL if out of memory.
 */
static char *text_of(const struct table *t, const struct row *row, unsigned int method)
{
	const struct call_text *c = call_of(t, row, method);
	const bool one = one_name(t, row);
	struct text_stream s;
	unsigned int nr = 0;

	if (!text_stream_open(&s))
		return NULL;
	if (c)
		fputs(c->name, s.file);
	for (unsigned int i = 0; c && i < c->nr; i++)
		if (!one || !all_have(t, row, c->args[i]))
			fprintf(s.file, "%s%s", nr++ ? ", " : " ", c->args[i]);
	if (c && c->returned && !one)
		fprintf(s.file, " %s", c->returned);
	return text_stream_close(&s);
}

struct json_object *methods_align(const struct recording *list, unsigned int nr)
{
	struct json_object *all = json_object_new_array();
	struct table t;
	bool ok = align(&t, list, nr);

	for (unsigned int k = 0; ok && k < t.nr_rows; k++) {
		struct json_object *row = json_object_new_object();
		struct json_object *steps = json_object_new_array();
		struct json_object *names = json_object_new_array();

		for (unsigned int i = 0; i < nr; i++) {
			char *text = text_of(&t, &t.rows[k], i);

			ok &= text != NULL;
			value_append(steps, json_object_new_int(t.rows[k].steps[i]));
			value_append(names, json_object_new_string(text ? text : ""));
			free(text);
		}
		value_add(row, "steps", steps);
		value_add(row, "names", names);
		value_add_bool(row, "differs", differs(&t, &t.rows[k]));
		value_append(all, row);
	}
	table_free(&t);
	if (ok)
		return all;
	json_object_put(all);
	return NULL;
}

/* --- as text --- */

#define MARK_COLUMNS 2	/* before the first method */
#define GAP 2		/* between two methods */

static void put_row(FILE *out, char mark, char *const *texts, const size_t *widths, unsigned int nr)
{
	size_t column = 1, at = MARK_COLUMNS;

	fputc(mark, out);
	for (unsigned int i = 0; i < nr; at += widths[i++] + GAP) {
		if (!texts[i][0])
			continue;
		fprintf(out, "%*s%s", (int)(at - column), "", texts[i]);
		column = at + strlen(texts[i]);
	}
	fputc('\n', out);
}

static const char *stage_of(const struct table *t, const struct row *row)
{
	for (unsigned int i = 0; i < t->nr; i++) {
		struct json_object *steps = t->list[i].steps;

		if (row->steps[i])
			return member_text(json_object_array_get_idx(steps, row->steps[i] - 1),
					   "stage", "");
	}
	return "";
}

static void put_head(FILE *out, const struct table *t, const size_t *widths)
{
	char names[METHODS_MAX][32], *texts[METHODS_MAX];

	for (unsigned int i = 0; i < t->nr; i++) {
		snprintf(names[i], sizeof(names[i]), "--attach=%s", t->list[i].method);
		texts[i] = names[i];
	}
	put_row(out, ' ', texts, widths, t->nr);
}

static void put_table(FILE *out, const struct table *t, char *const *texts)
{
	size_t widths[METHODS_MAX] = { 0 };
	const char *stage = "", *pmus = "";

	for (unsigned int i = 0; i < t->nr_rows * t->nr; i++) {
		const size_t len = strlen(texts[i]);

		widths[i % t->nr] = len > widths[i % t->nr] ? len : widths[i % t->nr];
		if (strstr(texts[i], " " CALL_PMUS))
			pmus = " " CALL_PMUS " is " CALL_PMUS_PATH ".";
	}
	put_head(out, t, widths);
	for (unsigned int k = 0; k < t->nr_rows; k++) {
		const struct row *row = &t->rows[k];

		if (strcmp(stage, stage_of(t, row)))
			fprintf(out, "%s\n", stage = stage_of(t, row));
		put_row(out, differs(t, row) ? '*' : ' ', &texts[k * t->nr], widths, t->nr);
	}
	fprintf(out, "\n* The methods differ.%s\n", pmus);
}

int methods_print(FILE *out, const struct recording *list, unsigned int nr, struct error *err)
{
	struct table t;
	bool ok = align(&t, list, nr);
	char **texts = calloc((size_t)t.nr_rows * nr + 1, sizeof(*texts));

	for (unsigned int i = 0; ok && texts && i < t.nr_rows * nr; i++) {
		texts[i] = text_of(&t, &t.rows[i / nr], i % nr);
		ok = texts[i];
	}
	if (ok && texts)
		put_table(out, &t, texts);
	for (unsigned int i = 0; texts && i < t.nr_rows * nr; i++)
		free(texts[i]);
	ok = ok && texts;
	free(texts);
	table_free(&t);
	if (ok)
		return 0;
	if (!has_too_many(list, nr))
		return error_set(err, ENOMEM, "no memory for the table of methods");
	error_set(err, E2BIG, "a session has more than %u calls, too many for a table", CALLS_MAX);
	return error_hint(err, "a shorter session has fewer: -d 0, --dry-run");
}
