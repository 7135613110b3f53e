// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Print the results of pload probe as text, one line for each test. */
#include <inttypes.h>
#include <string.h>

#include "loader/cmd/commands/texts.h"
#include "loader/print/message.h"

#define WIDTH 44

static void print_padded(FILE *file, const char *text, int width)
{
	/* A longer name is not truncated. */
	fprintf(file, "%-*s ", width, text ? text : "");
}

static bool is(struct json_object *msg, const char *key, const char *text)
{
	const char *value = message_text(msg, key);

	return value && !strcmp(value, text);
}

void probe_print_begin(FILE *file, struct json_object *msg)
{
	if (is(msg, "of", "events"))
		fprintf(file, "%-*s ioctl    pmu      link\n", WIDTH, "events");
	else
		fprintf(file, "%s\n", message_text(msg, "of"));
}

/* Print the reasons why methods did not fire, each once. */
static void print_reasons(FILE *file, struct json_object *methods)
{
	const char *last = NULL;

	for (size_t i = 0; i < json_object_array_length(methods); i++) {
		const char *reason = message_text(json_object_array_get_idx(methods, i), "reason");

		if (!reason || (last && !strcmp(last, reason)))
			continue;
		fprintf(file, " [%s]", reason);
		last = reason;
	}
}

void probe_print_event(FILE *file, struct json_object *msg)
{
	struct json_object *methods = message_get(msg, "methods");

	fputs("  ", file);
	print_padded(file, message_text(msg, "event"), WIDTH - 2);
	for (size_t i = 0; methods && i < json_object_array_length(methods); i++)
		print_padded(file,
			     message_text(json_object_array_get_idx(methods, i), "outcome"), 8);
	if (methods)
		print_reasons(file, methods);
	putc('\n', file);
}

void probe_print_feature(FILE *file, struct json_object *msg)
{
	fputs("  ", file);
	print_padded(file, message_text(msg, "feature"), WIDTH + 2);
	print_padded(file, message_text(msg, "answer"), 9);
	fprintf(file, "Linux %s", message_text(msg, "since"));
	if (message_text(msg, "errno"))
		fprintf(file, ", %s", message_text(msg, "errno"));
	putc('\n', file);
}

void probe_print_prog_type(FILE *file, struct json_object *msg)
{
	struct json_object *forms = message_get(msg, "forms");

	fputs("  ", file);
	print_padded(file, message_text(msg, "prog_type"), WIDTH - 2);
	fputs(message_text(msg, "answer"), file);
	for (size_t i = 0; forms && i < json_object_array_length(forms); i++) {
		fputs(i ? ", " : ": ", file);
		message_print_string(file, json_object_array_get_idx(forms, i));
	}
	if (!is(msg, "answer", "yes"))
		message_print_with(file, msg, ": ", "said", "");
	putc('\n', file);
}

void probe_print_helper(FILE *file, struct json_object *msg)
{
	struct json_object *documented = message_get(msg, "documented");
	const bool yes = is(msg, "answer", "yes");

	fputs("  ", file);
	print_padded(file, message_text(msg, "helper"), 34);
	print_padded(file, message_text(msg, "prog_type"), 36);
	fputs(message_text(msg, "answer"), file);
	if (documented && json_object_get_boolean(documented) != yes)
		fprintf(file, "; documented as %s", yes ? "no" : "yes");
	if (!yes)
		message_print_with(file, msg, ": ", "said", "");
	putc('\n', file);
}
