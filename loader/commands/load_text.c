// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Print the result of pload load as text: one line for each object, details below it. */
#include <inttypes.h>

#include "loader/commands/texts.h"
#include "loader/core/print/message.h"
#include "loader/core/value/value.h"

/* Print the log with its lines indented, keeping tabs. */
static void print_log(FILE *file, const char *log)
{
	size_t n;

	while (*log) {
		fputs("    ", file);
		for (;; log += n + 1) {
			n = strcspn(log, "\t\n");
			text_print(file, log, n, 0);
			if (log[n] != '\t')
				break;
			putc('\t', file);
		}
		putc('\n', file);
		log += n + (log[n] == '\n');
	}
}

static void print_below(FILE *file, struct json_object *msg, const char *key)
{
	if (!message_text(msg, key))
		return;
	fprintf(file, "  %s: ", key);
	message_print_member(file, msg, key);
	putc('\n', file);
}

static void get_text(struct json_object *msg, const char *key, char *to, size_t size)
{
	const char *text = message_text(msg, key);

	snprintf(to, size, "%s", text ? text : "");
}

/* Print the location, and the text of member @text. */
static void print_note(FILE *file, struct json_object *msg, const char *kind, const char *text)
{
	struct error_note note = {
		.insn = message_number(msg, "insn"),
		.line = message_number(msg, "line"),
		.column = message_number(msg, "column"),
	};

	get_text(msg, "file", note.file, sizeof(note.file));
	get_text(msg, "source", note.source, sizeof(note.source));
	get_text(msg, text, note.text, sizeof(note.text));
	error_note_print(file, kind, &note);
}

/* Print what a compiler would print first: the problem, and the path that leads to it. */
static void print_path(FILE *file, struct json_object *msg)
{
	struct json_object *path = message_get(msg, "path");

	print_note(file, msg, "error", "problem");
	putc('\n', file);
	for (size_t i = 0; i < json_object_array_length(path); i++) {
		print_note(file, json_object_array_get_idx(path, i), "note", "note");
		putc('\n', file);
	}
}

/*
 * Print "prog 'x': the verifier refuses the program: ...: R0 !read_ok [prog-load/verifier]". The
 * verdict is left out if print_path() has printed it.
 */
static void print_error(FILE *file, struct json_object *msg, bool printed)
{
	message_print_member(file, msg, "error");
	if (message_text(msg, "problem")) {
		if (!printed) {
			fputs(": ", file);
			print_note(file, msg, NULL, "problem");
		}
	} else {
		message_print_with(file, msg, ": ", "verifier", "");
	}
	if (message_text(msg, "reason"))
		fprintf(file, " [%s]", message_text(msg, "reason"));
	putc('\n', file);
	if (message_text(msg, "log"))
		print_log(file, message_text(msg, "log"));
	print_below(file, msg, "call");
	print_below(file, msg, "hint");
}

static void print_counts(FILE *file, struct json_object *msg)
{
	const uint64_t maps = message_number(msg, "maps"), progs = message_number(msg, "programs"),
		       loaded = message_number(msg, "loaded");

	fprintf(file, "%" PRIu64 " map%s, ", maps, maps == 1 ? "" : "s");
	if (loaded != progs)
		fprintf(file, "%" PRIu64 " of ", loaded);
	fprintf(file, "%" PRIu64 " program%s", progs, progs == 1 ? "" : "s");
	message_print_with(file, msg, ", pinned in ", "pinned", "");
	putc('\n', file);
}

/* Print "first (socket): 12 instructions verified, 96 bytes, 80 bytes of machine code". */
static void print_details(FILE *file, struct json_object *prog)
{
	const uint64_t verified = message_number(prog, "verified_insns");

	message_print_with(file, prog, "  ", "prog", " (");
	message_print_with(file, prog, "", "section", "): ");
	if (verified) /* reported since Linux 5.16 */
		fprintf(file, "%" PRIu64 " instructions verified, ", verified);
	fprintf(file, "%" PRIu64 " bytes, %" PRIu64 " bytes of machine code\n",
		message_number(prog, "xlated_bytes"), message_number(prog, "jited_bytes"));
}

void load_print_text(FILE *file, struct json_object *msg)
{
	struct json_object *refused = NULL, *progs = NULL, *entry;
	const bool has_path = message_get(msg, "path");

	if (has_path)
		print_path(file, msg);
	fprintf(file, "%-7s ", message_text(msg, "status"));
	message_print_with(file, msg, "", "object", ": ");
	if (message_text(msg, "error"))
		print_error(file, msg, has_path);
	else
		print_counts(file, msg);
	json_object_object_get_ex(msg, "progs", &progs);
	for (size_t i = 0; progs && i < json_object_array_length(progs); i++)
		print_details(file, json_object_array_get_idx(progs, i));
	json_object_object_get_ex(msg, "refused", &refused);
	for (size_t i = 0; refused && i < json_object_array_length(refused); i++) {
		entry = json_object_array_get_idx(refused, i);
		fputs("  without ", file);
		print_error(file, entry, false);
	}
}
