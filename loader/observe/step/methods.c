// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Recordings of several methods beside each other, by the calls that they have in common. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/print/message.h"
#include "loader/observe/step/record.h"
#include "loader/observe/step/show.h"
#include "loader/core/value/value.h"

/* A table with a cell for each pair: more calls are aligned by their number. */
#define CALLS_MAX 3000

/* A row: the step of each method, from 1; 0: it has none. */
struct row {
	unsigned int steps[METHODS_MAX];
};

/* The kind of a call: "bpf BPF_MAP_CREATE", "ioctl PERF_EVENT_IOC_ENABLE", "close". */
static void call_name(char *to, size_t size, const struct recording *r, unsigned int step)
{
	struct json_object *call = json_object_array_get_idx(r->steps, step - 1), *args = NULL;
	const char *name = member_text(call, "call", ""), *what = "";

	json_object_object_get_ex(call, "args", &args);
	if (!strcmp(name, "bpf"))
		what = array_text(args, 0);
	else if (!strcmp(name, "ioctl"))
		what = array_text(args, 1);
	snprintf(to, size, "%s", *what ? what : name);
}

static bool same(const struct recording *list, const struct row *row, unsigned int columns,
		 const struct recording *r, unsigned int step)
{
	char a[64], b[64];

	call_name(b, sizeof(b), r, step);
	for (unsigned int i = 0; i < columns; i++) {
		if (!row->steps[i])
			continue;
		call_name(a, sizeof(a), &list[i], row->steps[i]);
		return !strcmp(a, b);
	}
	return false;
}

/*
 * Merge the steps of method @column into @rows: length[i][j] is that of the longest common
 * subsequence of the rows from i and the steps from j on. Return the new rows, or NULL.
 */
static struct row *merge(const struct recording *list, unsigned int column, struct row *rows,
			 unsigned int *nr)
{
	const struct recording *r = &list[column];
	const unsigned int n = *nr, m = json_object_array_length(r->steps);
	uint16_t *length = calloc((size_t)(n + 1) * (m + 1), sizeof(*length));
	struct row *all = calloc((size_t)n + m + 1, sizeof(*all));
	unsigned int i = 0, j = 0, k = 0;

#define LENGTH(i_, j_) length[(size_t)(i_) * (m + 1) + (j_)]
	for (i = n; length && all && i-- > 0;)
		for (j = m; j-- > 0;)
			LENGTH(i, j) = same(list, &rows[i], column, r, j + 1) ?
					       LENGTH(i + 1, j + 1) + 1 :
				       LENGTH(i + 1, j) > LENGTH(i, j + 1) ? LENGTH(i + 1, j) :
									     LENGTH(i, j + 1);
	for (i = j = 0; length && all && (i < n || j < m); k++) {
		const bool match = i < n && j < m && same(list, &rows[i], column, r, j + 1);

		if (match || (i < n && (j == m || LENGTH(i + 1, j) >= LENGTH(i, j + 1))))
			all[k] = rows[i++];
		if (match || !memcmp(&all[k], &(struct row){ 0 }, sizeof(*all)))
			all[k].steps[column] = ++j;
	}
#undef LENGTH
	if (!length) {
		free(all);
		all = NULL;
	}
	free(length);
	free(rows);
	*nr = k;
	return all;
}

/* Return the rows, or NULL without memory, or if there are too many calls. */
static struct row *align(const struct recording *list, unsigned int nr, unsigned int *nr_rows)
{
	struct row *rows = calloc(1, sizeof(*rows));

	*nr_rows = 0;
	for (unsigned int i = 0; i < nr; i++)
		if (json_object_array_length(list[i].steps) > CALLS_MAX)
			errno = E2BIG;
	for (unsigned int i = 0; rows && i < nr; i++)
		rows = merge(list, i, rows, nr_rows);
	return rows;
}

static bool differs(const struct row *row, unsigned int nr)
{
	for (unsigned int i = 0; i < nr; i++)
		if (!row->steps[i])
			return true;
	return false;
}

struct json_object *methods_align(const struct recording *list, unsigned int nr)
{
	struct json_object *all = json_object_new_array();
	unsigned int nr_rows;
	struct row *rows = align(list, nr, &nr_rows);

	for (unsigned int k = 0; rows && k < nr_rows; k++) {
		struct json_object *row = json_object_new_object();
		struct json_object *steps = json_object_new_array();
		struct json_object *names = json_object_new_array();

		for (unsigned int i = 0; i < nr; i++) {
			char name[64] = "";

			if (rows[k].steps[i])
				call_name(name, sizeof(name), &list[i], rows[k].steps[i]);
			value_append(steps, json_object_new_int(rows[k].steps[i]));
			value_append(names, json_object_new_string(name));
		}
		value_add(row, "steps", steps);
		value_add(row, "names", names);
		value_add_bool(row, "differs", differs(&rows[k], nr));
		value_append(all, row);
	}
	if (!rows) {
		json_object_put(all);
		all = NULL;
	}
	free(rows);
	return all;
}

int methods_print(FILE *out, const struct recording *list, unsigned int nr, struct error *err)
{
	unsigned int nr_rows;
	struct row *rows = align(list, nr, &nr_rows);

	if (!rows)
		return error_set(err, ENOMEM, "no memory for the table of methods");
	for (unsigned int i = 0; i < nr; i++)
		fprintf(out, "%s%-25s", i ? " " : "  ", list[i].method);
	fputc('\n', out);
	for (unsigned int k = 0; k < nr_rows; k++) {
		fputc(differs(&rows[k], nr) ? '*' : ' ', out);
		for (unsigned int i = 0; i < nr; i++) {
			char name[64];

			if (!rows[k].steps[i]) {
				fprintf(out, " %-25s", "");
				continue;
			}
			call_name(name, sizeof(name), &list[i], rows[k].steps[i]);
			fprintf(out, " %4u %-20.20s", rows[k].steps[i], name);
		}
		fputc('\n', out);
	}
	free(rows);
	fputs("\n* a step that not every method has\n", out);
	return 0;
}
