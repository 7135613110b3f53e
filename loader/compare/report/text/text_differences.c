// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Prints the differences with their explanations, and the changes since an earlier document. */
#include <string.h>

#include "loader/compare/report/text/text.h"
#include "loader/compare/report/why/together.h"

static bool print_line(void *arg, const char *line)
{
	fputs("    ", arg);
	text_paragraph(arg, 4, 8, line);
	return true;
}

static bool print_why(void *arg, struct json_object *difference)
{
	const char *text = doc_text(difference, "text"), *code = doc_text(difference, "explained"),
		   *chapter = doc_text(difference, "chapter");
	char line[1024];

	if (code)
		snprintf(line, sizeof(line), "%s (%s; pload explain %s)", text ? text : "",
			 chapter ? chapter : "no chapter", code);
	else
		snprintf(line, sizeof(line), "Unexplained: no explanation fits these answers.");
	fputs("  ", arg);
	text_paragraph(arg, 2, 2, line);
	return true;
}

bool text_differences(FILE *file, struct json_object *doc, bool between)
{
	struct json_object *list = doc_array(doc, "differences");
	bool any = false;

	for (size_t i = 0; !any && i < doc_len(list); i++)
		any = !between || !doc_text(doc_at(list, i), "event");
	if (any)
		fprintf(file, "\ndifferences%s\n", between ? " between events" : "");
	return differences_visit(doc, between, print_why, print_line, file);
}

/* --- since an earlier document --- */

/*
 * Print change @i together with the same changes of other cells that follow; return their number.
 */
static size_t print_change(FILE *file, struct json_object *changes, size_t i)
{
	struct json_object *c = doc_at(changes, i);
	const char *event = doc_text(c, "event"), *what = doc_text(c, "what"),
		   *then = doc_text(c, "then"), *now = doc_text(c, "now");
	struct text_parts line = { .len = 0 };
	size_t nr = 0;

	text_add(&line, "%s, %s, ", event ? event : "", what ? what : "");
	for (; i + nr < doc_len(changes) && change_same(c, doc_at(changes, i + nr)); nr++) {
		const char *cell = doc_text(doc_at(changes, i + nr), "cell");

		text_add(&line, "%s%s", nr ? ", " : "", cell ? cell : "");
	}
	text_add(&line, ": %s, was %s%s", now ? now : "absent", then ? then : "absent",
		 doc_true(c, "time") ? " (a time)" : "");
	fputs("    ", file);
	text_paragraph(file, 4, 8, line.text);
	return nr ? nr : 1;
}

static void print_only(FILE *file, struct json_object *names, const char *when)
{
	for (size_t i = 0; i < doc_len(names); i++) {
		struct json_object *name = doc_at(names, i);

		if (!json_object_is_type(name, json_type_string))
			continue;
		fprintf(file, "    measured %s only: ", when);
		text_paragraph(file, 24, 8, json_object_get_string(name));
	}
}

void text_against(FILE *file, struct json_object *against)
{
	const char *release = doc_text(doc_object(against, "kernel"), "release");
	struct json_object *changes = doc_array(against, "changes");

	if (!against)
		return;
	fputs("\nchanged since Linux ", file);
	text_cell(file, release ? release : "(unknown)", 40, true);
	fputs(" (times: if twice or half as long, or more)\n", file);
	if (!doc_len(changes))
		fputs("    nothing\n", file);
	for (size_t i = 0; i < doc_len(changes);)
		i += print_change(file, changes, i);
	print_only(file, doc_array(against, "only_then"), "then");
	print_only(file, doc_array(against, "only_now"), "now");
}
