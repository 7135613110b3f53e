// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What became of an object, as text: one line, and below it what was asked for beyond that. */
#include <inttypes.h>

#include "loader/output/message.h"
#include "loader/output/value.h"

static const char *get(struct json_object *msg, const char *key)
{
	struct json_object *value;

	return json_object_object_get_ex(msg, key, &value) ? json_object_get_string(value) : NULL;
}

static uint64_t get_number(struct json_object *msg, const char *key)
{
	struct json_object *value;

	return json_object_object_get_ex(msg, key, &value) ? json_object_get_uint64(value) : 0;
}

static void print_words(FILE *file, const char *text)
{
	text_print(file, text, strlen(text), 0);
}

/* The kernel's lines, each indented; tabs stay. */
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

/* prog 'x': the verifier refuses the program: Permission denied: R0 !read_ok [prog-load/verifier]
 */
static void print_error(FILE *file, struct json_object *msg)
{
	print_words(file, get(msg, "error"));
	if (get(msg, "verifier")) {
		fputs(": ", file);
		print_words(file, get(msg, "verifier"));
	}
	if (get(msg, "reason"))
		fprintf(file, " [%s]", get(msg, "reason"));
	putc('\n', file);
	if (get(msg, "log"))
		print_log(file, get(msg, "log"));
	if (get(msg, "hint")) {
		fputs("  hint: ", file);
		print_words(file, get(msg, "hint"));
		putc('\n', file);
	}
}

static void print_counts(FILE *file, struct json_object *msg)
{
	const uint64_t maps = get_number(msg, "maps"), progs = get_number(msg, "programs"),
		       loaded = get_number(msg, "loaded");

	fprintf(file, "%" PRIu64 " map%s, ", maps, maps == 1 ? "" : "s");
	if (loaded != progs)
		fprintf(file, "%" PRIu64 " of ", loaded);
	fprintf(file, "%" PRIu64 " program%s", progs, progs == 1 ? "" : "s");
	if (get(msg, "pinned")) {
		fputs(", pinned in ", file);
		print_words(file, get(msg, "pinned"));
	}
	putc('\n', file);
}

/* first (socket): 12 instructions verified, 96 bytes, as machine code 80 */
static void print_details(FILE *file, struct json_object *prog)
{
	const uint64_t verified = get_number(prog, "verified_insns");

	fputs("  ", file);
	print_words(file, get(prog, "prog"));
	fputs(" (", file);
	print_words(file, get(prog, "section"));
	fputs("): ", file);
	if (verified) /* which kernels before 5.16 do not tell */
		fprintf(file, "%" PRIu64 " instructions verified, ", verified);
	fprintf(file, "%" PRIu64 " bytes, as machine code %" PRIu64 "\n",
		get_number(prog, "xlated_bytes"), get_number(prog, "jited_bytes"));
}

void message_print_load(FILE *file, struct json_object *msg)
{
	struct json_object *refused = NULL, *progs = NULL, *entry;

	fprintf(file, "%-7s ", get(msg, "status"));
	print_words(file, get(msg, "object"));
	fputs(": ", file);
	if (get(msg, "error"))
		print_error(file, msg);
	else
		print_counts(file, msg);
	json_object_object_get_ex(msg, "progs", &progs);
	for (size_t i = 0; progs && i < json_object_array_length(progs); i++)
		print_details(file, json_object_array_get_idx(progs, i));
	json_object_object_get_ex(msg, "refused", &refused);
	for (size_t i = 0; refused && i < json_object_array_length(refused); i++) {
		entry = json_object_array_get_idx(refused, i);
		fputs("  without ", file);
		print_error(file, entry);
	}
}
