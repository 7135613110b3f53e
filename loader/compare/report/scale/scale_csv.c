// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Print what many attachments cost as comma-separated values, one line per end. */
#include <inttypes.h>

#include "loader/compare/report/report_internal.h"

static const char *const attach_columns[] = { "ns", "calls", "descriptors", "lines", "memory" };
static const char *const hit_columns[] = { "nothing_ns", "hit_ns", "second_ns" };
static const char *const end_columns[] = { "ns", "calls", "released_ns", "lines_left" };
static const char *const wait_columns[] = { "rcu", "tasks", "tasks_trace", "srcu", "text" };

#define NR(array) (sizeof(array) / sizeof((array)[0]))

static void put_names(FILE *file, const char *prefix, const char *const *columns, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		fprintf(file, ",%s%s", prefix, columns[i]);
}

/* A number that is unknown is left empty. */
static void put_numbers(FILE *file, struct json_object *o, const char *const *columns, size_t nr)
{
	uint64_t n;

	for (size_t i = 0; i < nr; i++) {
		putc(',', file);
		if (doc_number(o, columns[i], &n))
			fprintf(file, "%" PRIu64, n);
	}
}

/* Names in a document from elsewhere may contain any character: double the quotes. */
static void put_text(FILE *file, const char *text)
{
	putc('"', file);
	for (; text && *text; text++) {
		if (*text == '"')
			putc('"', file);
		putc((unsigned char)*text < ' ' ? '?' : *text, file);
	}
	putc('"', file);
}

static void put_end(FILE *file, struct json_object *way, struct json_object *cell, const char *end)
{
	struct json_object *attach = doc_object(cell, "attach"), *o = doc_object(cell, end);
	uint64_t number = 0;

	doc_number(cell, "number", &number);
	put_text(file, doc_text(way, "kind"));
	putc(',', file);
	put_text(file, doc_text(way, "way"));
	fprintf(file, ",%" PRIu64 ",%s", number, end);
	put_numbers(file, attach, attach_columns, NR(attach_columns));
	put_numbers(file, doc_object(attach, "waits"), wait_columns, NR(wait_columns));
	put_numbers(file, cell, hit_columns, NR(hit_columns));
	put_numbers(file, o, end_columns, NR(end_columns));
	put_numbers(file, doc_object(o, "waits"), wait_columns, NR(wait_columns));
	putc('\n', file);
}

bool report_csv(FILE *file, struct json_object *doc)
{
	struct json_object *ways = doc_array(doc_object(doc, "scale"), "ways");

	fputs("kind,way,number,end", file);
	put_names(file, "attach_", attach_columns, NR(attach_columns));
	put_names(file, "attach_", wait_columns, NR(wait_columns));
	put_names(file, "", hit_columns, NR(hit_columns));
	put_names(file, "end_", end_columns, NR(end_columns));
	put_names(file, "end_", wait_columns, NR(wait_columns));
	putc('\n', file);
	for (size_t i = 0; i < doc_len(ways); i++) {
		struct json_object *cells = doc_array(doc_at(ways, i), "cells");

		for (size_t j = 0; j < doc_len(cells); j++)
			for (int end = 0; end < SCALE_ALL_ENDS; end++)
				if (doc_object(doc_at(cells, j), scale_ends[end]))
					put_end(file, doc_at(ways, i), doc_at(cells, j),
						scale_ends[end]);
	}
	return true;
}
