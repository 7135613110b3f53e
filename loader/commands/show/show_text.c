// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Print pload show as text: tables of 100 columns, or all details of one link or program. */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "loader/commands/texts.h"
#include "loader/core/print/message.h"
#include "loader/core/value/value.h"

#define COLUMNS 100
#define CELL_MAX 1024

/* --- cells --- */

/* Print @text escaped, and truncate it to @width columns with "..." at the end. */
static void print_cell(FILE *file, const char *text, unsigned int width, bool last)
{
	char shown[ESCAPED_MAX * CELL_MAX + 1];
	const size_t len = strlen(text);

	if (text_escape(shown, text, len < CELL_MAX ? len : CELL_MAX) > width)
		fprintf(file, "%.*s...", (int)width - 3, shown);
	else
		fprintf(file, "%-*s", last ? 0 : (int)width, shown);
}

/* Shorten "BPF_LINK_TYPE_PERF_EVENT" to "perf_event"; leave numbers alone. */
static void word(struct json_object *msg, const char *key, const char *prefix, char *buf,
		 size_t size)
{
	const char *name = message_text(msg, key);
	size_t n = 0;

	if (name && !strncmp(name, prefix, strlen(prefix)))
		name += strlen(prefix);
	for (; name && name[n] && n + 1 < size; n++)
		buf[n] = tolower((unsigned char)name[n]);
	buf[n] = '\0';
}

/* Print the program as "34 ip_count". */
static void program(struct json_object *msg, char *buf, size_t size)
{
	const char *name = message_text(msg, "prog");

	snprintf(buf, size, "%" PRIu64 "%s%s", message_number(msg, "prog_id"), name ? " " : "",
		 name ? name : "");
}

/* Print each process once: "pload[12] sh[3]". Descriptors of one process are adjacent. */
static void processes(struct json_object *list, char *buf, size_t size)
{
	size_t len = strlen(buf);
	uint64_t last = 0;

	for (size_t i = 0; list && i < json_object_array_length(list) && len < size; i++) {
		struct json_object *h = json_object_array_get_idx(list, i);
		const uint64_t pid = message_number(h, "pid");

		if (pid == last)
			continue;
		last = pid;
		len += snprintf(buf + len, size - len, "%s%s[%" PRIu64 "]", len ? " " : "",
				message_text(h, "comm"), pid);
	}
}

static void print_pins(FILE *file, struct json_object *msg)
{
	struct json_object *pins = message_get(msg, "pins");

	for (size_t i = 0; pins && i < json_object_array_length(pins); i++) {
		fputs("       pinned ", file);
		print_cell(file, json_object_get_string(json_object_array_get_idx(pins, i)),
			   COLUMNS - 14, true);
		putc('\n', file);
	}
}

/* --- rows --- */

void show_print_links_begin(FILE *file, struct json_object *msg)
{
	(void)msg;
	fprintf(file, "%6s %-14s %-22s %-32s %s\n", "link", "type", "program", "where", "held by");
}

void show_print_link(FILE *file, struct json_object *msg)
{
	const char *where = message_text(msg, "where");
	char type[32], prog[64], target[640], held[CELL_MAX] = "";

	word(msg, "link_type", "BPF_LINK_TYPE_", type, sizeof(type));
	program(msg, prog, sizeof(prog));
	snprintf(target, sizeof(target), "%s", where ? where : "(this kernel does not report it)");
	processes(message_get(msg, "holders"), held, sizeof(held));
	fprintf(file, "%6" PRIu64 " ", message_number(msg, "id"));
	print_cell(file, type, 14, false);
	putc(' ', file);
	print_cell(file, prog, 22, false);
	putc(' ', file);
	print_cell(file, target, held[0] ? 32 : COLUMNS - 45, !held[0]);
	if (held[0]) {
		putc(' ', file);
		print_cell(file, held, COLUMNS - 78, true);
	}
	putc('\n', file);
	if (message_number(msg, "cookie"))
		fprintf(file, "       cookie 0x%" PRIx64 "\n", message_number(msg, "cookie"));
	print_pins(file, msg);
}

void show_print_events_begin(FILE *file, struct json_object *msg)
{
	(void)msg;
	fprintf(file, "%6s %-14s %-22s %-32s %s\n", "event", "type", "program", "where", "held by");
}

/* A tracing event without a link is held by its process. */
void show_print_event(FILE *file, struct json_object *msg)
{
	const char *where = message_text(msg, "where"), *offset = message_text(msg, "offset");
	char type[32], prog[64], target[640], held[128];

	word(msg, "fd_type", "BPF_FD_TYPE_", type, sizeof(type));
	program(msg, prog, sizeof(prog));
	snprintf(target, sizeof(target), "%s%s%s", where ? where : "",
		 offset && strcmp(offset, "0x0") ? "+" : "",
		 offset && strcmp(offset, "0x0") ? offset : "");
	snprintf(held, sizeof(held), "%s[%" PRIu64 "]", message_text(msg, "comm"),
		 message_number(msg, "pid"));
	fprintf(file, "%6s ", "-");
	print_cell(file, type, 14, false);
	putc(' ', file);
	print_cell(file, prog, 22, false);
	putc(' ', file);
	print_cell(file, target, 32, false);
	putc(' ', file);
	print_cell(file, held, COLUMNS - 78, true);
	putc('\n', file);
}

void show_print_programs_begin(FILE *file, struct json_object *msg)
{
	(void)msg;
	fprintf(file, "%6s %-16s %-16s %-16s %10s  %-8s %s\n", "prog", "type", "name", "tag",
		"runs", "attached", "held by");
}

/* Print the number of links and events that the program is attached by. */
static void attachments(struct json_object *msg, char *buf, size_t size)
{
	struct json_object *links = message_get(msg, "links");
	const size_t nr = (links ? json_object_array_length(links) : 0) +
			  message_number(msg, "events");

	if (nr)
		snprintf(buf, size, "%zu", nr);
	else
		snprintf(buf, size, "-");
}

void show_print_program(FILE *file, struct json_object *msg)
{
	char type[32], nr[32], held[CELL_MAX] = "";

	word(msg, "prog_type", "BPF_PROG_TYPE_", type, sizeof(type));
	attachments(msg, nr, sizeof(nr));
	processes(message_get(msg, "holders"), held, sizeof(held));
	fprintf(file, "%6" PRIu64 " ", message_number(msg, "id"));
	print_cell(file, type, 16, false);
	putc(' ', file);
	print_cell(file, message_text(msg, "name"), 16, false);
	fprintf(file, " %-16s %10" PRIu64 "  ", message_text(msg, "tag"),
		message_number(msg, "run_cnt"));
	print_cell(file, nr, 8, !held[0]);
	if (held[0]) {
		putc(' ', file);
		print_cell(file, held, COLUMNS - 79, true);
	}
	putc('\n', file);
	print_pins(file, msg);
}

/* --- details of one object --- */

static void print_list(FILE *file, struct json_object *list)
{
	for (size_t i = 0; i < json_object_array_length(list); i++) {
		struct json_object *entry = json_object_array_get_idx(list, i);

		fputs(i ? "\n                  " : "", file);
		if (message_get(entry, "pid"))
			fprintf(file, "%s[%" PRIu64 "] fd %" PRIu64, message_text(entry, "comm"),
				message_number(entry, "pid"), message_number(entry, "fd"));
		else if (message_get(entry, "at"))
			fprintf(file, "%s cookie 0x%" PRIx64, message_text(entry, "at"),
				message_number(entry, "cookie"));
		else if (json_object_is_type(entry, json_type_string))
			message_print_string(file, entry);
		else
			value_print(file, entry);
	}
}

/* Print each member on a line, without empty lists. */
void show_print_details(FILE *file, struct json_object *msg)
{
	json_object_object_foreach(msg, key, value) {
		const bool list = json_object_is_type(value, json_type_array);

		if (!strcmp(key, "type")) {
			fprintf(file, "%.*s\n", (int)strcspn(message_text(msg, key), "-"),
				message_text(msg, key));
			continue;
		}
		if (list && !json_object_array_length(value))
			continue;
		fprintf(file, "  %-15s ", key);
		if (list)
			print_list(file, value);
		else if (json_object_is_type(value, json_type_string))
			message_print_string(file, value);
		else if (value)
			value_print(file, value);
		else
			fputs("(this kernel does not report it)", file);
		putc('\n', file);
	}
}

/* --- what could not be read, and the totals --- */

void show_print_unseen(FILE *file, struct json_object *msg)
{
	message_print_with(file, msg, "could not read: ", "what", "");
	if (message_number(msg, "count"))
		fprintf(file, " (%" PRIu64 ")", message_number(msg, "count"));
	if (message_get(msg, "pid")) {
		message_print_with(file, msg, ", ", "comm", "");
		fprintf(file, "[%" PRIu64 "]", message_number(msg, "pid"));
	}
	/* A command's name and its reason would not fit into one line of a terminal. */
	fputs(message_get(msg, "pid") ? ":\n  " : ": ", file);
	message_print_with(file, msg, "", "why", "\n");
}

void show_print_attached(FILE *file, struct json_object *msg)
{
	message_print_count(file, message_number(msg, "links"), "link");
	fputs(", ", file);
	message_print_count(file, message_number(msg, "events"), "event");
	fputs(" without a link, ", file);
	message_print_count(file, message_number(msg, "programs"), "program");
	putc('\n', file);
}
