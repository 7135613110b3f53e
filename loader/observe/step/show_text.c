// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* One step as text: the call, its attributes, its source, what it wrote, and the holders. */
#include <string.h>

#include "loader/core/print/message.h"
#include "loader/base/output/terminal.h"
#include "loader/explain/reasons/reasons.h"
#include "loader/observe/step/record.h"
#include "loader/observe/step/show.h"
#include "loader/core/value/value.h"

#define INSNS_MAX 400	/* maximum number of instructions to print */
#define AROUND 3	/* lines of source before and after the call */

size_t step_columns(int fd)
{
	struct terminal_size size;

	if (!terminal_size(fd, &size))
		return STEP_NO_LIMIT;
	return size.columns > STEP_COLUMNS_MIN ? size.columns : STEP_COLUMNS_MIN;
}

static void put(FILE *out, const char *text, size_t max)
{
	text_print(out, text, strnlen(text, max), 0);
}

static void wrap(FILE *out, const char *text, int indent, size_t columns)
{
	const size_t room = columns - indent;

	do {
		size_t len = strcspn(text, "\n"), cut = len;

		if (len > room) {
			for (cut = room; cut > room / 2 && text[cut] != ' ';)
				cut--;
			cut = text[cut] == ' ' ? cut : room;
		}
		fprintf(out, "%*s", indent, "");
		put(out, text, cut);
		fputc('\n', out);
		text += cut + (text[cut] == ' ' || text[cut] == '\n');
	} while (*text);
}

static void print_label(FILE *out, const char *label, const char *text, size_t columns)
{
	if (!*text)
		return;
	fprintf(out, "%s\n", label);
	wrap(out, text, 4, columns);
}

/* --- attributes --- */

static void print_value(FILE *out, const char *name, struct json_object *value, size_t columns)
{
	if (json_object_is_type(value, json_type_object)) {
		json_object_object_foreach(value, member_name, member)
			print_value(out, member_name, member, columns);
		return;
	}
	fprintf(out, "    %-20s ", name);
	put(out, json_object_get_string(value), columns - 25);
	fputc('\n', out);
}

/* Structs only: the other arguments are on the line of the call. */
static void print_attributes(FILE *out, struct json_object *call, size_t columns)
{
	struct json_object *args;

	if (!json_object_object_get_ex(call, "args", &args))
		return;
	for (size_t i = 0; i < json_object_array_length(args); i++) {
		struct json_object *arg = json_object_array_get_idx(args, i);

		if (!json_object_is_type(arg, json_type_object))
			continue;
		fputs("attributes\n", out);
		print_value(out, "", arg, columns);
	}
}

/* --- what was written --- */

static void print_insns(FILE *out, struct json_object *insns, size_t columns)
{
	const size_t nr = json_object_array_length(insns);

	fputs("instructions\n", out);
	for (size_t i = 0; i < nr && i < INSNS_MAX; i++) {
		struct json_object *insn = json_object_array_get_idx(insns, i);
		const char *text = array_text(insn, 1), *line = array_text(insn, 2);

		if (*line) {
			fputs("           ; ", out);
			put(out, line, columns - 13);
			fputc('\n', out);
		}
		if (!*text)
			continue;
		fprintf(out, "    %5zu: ", i);
		put(out, text, columns - 11);
		fputc('\n', out);
	}
	if (nr > INSNS_MAX)
		fprintf(out, "    ... %zu more\n", nr - INSNS_MAX);
}

static void print_written(FILE *out, struct json_object *call, size_t columns)
{
	struct json_object *insns;

	print_label(out, "key", member_text(call, "key", ""), columns);
	print_label(out, "value", member_text(call, "value", ""), columns);
	if (json_object_object_get_ex(call, "insns", &insns))
		print_insns(out, insns, columns);
}

static void print_notes(FILE *out, struct json_object *call, size_t columns)
{
	struct json_object *notes;

	if (!json_object_object_get_ex(call, "notes", &notes) || !json_object_array_length(notes))
		return;
	fputs("before this call\n", out);
	for (size_t i = 0; i < json_object_array_length(notes); i++)
		wrap(out, array_text(notes, i), 4, columns);
}

/* Print a tab as four spaces, so that source lines fit. */
static void print_code(FILE *out, const char *text, size_t len, size_t room)
{
	for (size_t column = 0; len-- && column < room; text++) {
		const int width = *text == '\t' ? 4 : 1;

		fprintf(out, "%*c", width, *text == '\t' ? ' ' : *text);
		column += width;
	}
	fputc('\n', out);
}

static void print_source(FILE *out, struct json_object *call, size_t columns)
{
	const char *file = member_text(call, "file", "");
	const int line = member_int(call, "line", 0);
	const struct source_text *source = source_find(file, line);
	const char *text = source ? source->text : "", *end;

	if (!*file)
		return;
	fprintf(out, "made by\n    %s() in %s:%d\n", member_text(call, "function", ""), file,
		line);
	for (int at = source ? source->first : 0; *text; at++, text = end + (*end == '\n')) {
		end = strchrnul(text, '\n');
		if (at < line - AROUND || at > line + AROUND)
			continue;
		fprintf(out, "    %c %4d ", at == line ? '>' : ' ', at);
		print_code(out, text, end - text, columns - 11);
	}
}

void step_print(FILE *out, const struct recording *r, size_t i, size_t columns)
{
	struct json_object *call = json_object_array_get_idx(r->steps, i), *holders;

	fprintf(out, "=== step %zu of %zu === ", i + 1, json_object_array_length(r->steps));
	put(out, member_text(call, "stage", ""), columns - 30);
	fputc('\n', out);
	wrap(out, member_text(call, "text", ""), 0, columns);
	if (member_int(call, "folded", 0))
		fprintf(out, "and %d more calls that read files\n", member_int(call, "folded", 0));
	print_label(out, "why", member_text(call, "why", ""), columns);
	print_notes(out, call, columns);
	print_attributes(out, call, columns);
	print_written(out, call, columns);
	print_source(out, call, columns);
	if (json_object_object_get_ex(call, "holders", &holders))
		holders_print(out, holders);
	fputc('\n', out);
}

static void print_refused(FILE *out, const struct error *err, unsigned int step,
			  size_t columns)
{
	char label[40] = "refused";
	const struct reason *page = err->reason ? reason_find(err->reason) : NULL;
	char text[1024];

	snprintf(text, sizeof(text), "%s%s%s", err->where, err->where[0] ? ": " : "", err->what);
	if (step)
		snprintf(label, sizeof(label), "refused, at step %u", step);
	print_label(out, label, text, columns);
	if (err->hint[0])
		print_label(out, "hint", err->hint, columns);
	if (!page)
		return;
	fprintf(out, "reason %s\n", page->code);
	wrap(out, page->means, 4, columns);
	print_label(out, "from", page->from, columns);
	print_label(out, "check", page->check, columns);
	print_label(out, "remedy", page->remedy, columns);
}

void step_print_end(FILE *out, const struct recording *r, size_t columns)
{
	if (r->printed && *r->printed)
		print_label(out, "=== the output of the session", r->printed, columns);
	if (r->refused.code)
		print_refused(out, &r->refused, r->failed, columns);
}
