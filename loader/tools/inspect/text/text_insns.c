// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Instructions as text:
 *
 *	; c = bpf_map_lookup_elem(&hits, &key); @ prog.bpf.c:21	the line of C
 *	   6: 18 01 00 00 00 00 00 00 (18) r1 = map[hits]	bytes in the file
 *	      18 11 00 00 00 00 00 00 linked: BPF_PSEUDO_MAP_FD	bytes, if that changed them
 *	      .relperf_event[0] R_BPF_64_64 hits: S 0x0, A 0	the relocation that did
 */
#include <inttypes.h>
#include <string.h>

#include "loader/tools/inspect/text/text_internal.h"

#define MARGIN "      "

void show_listing(FILE *file, struct json_object *msg)
{
	struct json_object *kernels = message_get(msg, "kernels");

	message_print_with(file, msg, "\nprogram ", "program", "");
	message_print_with(file, msg, ", section \"", "section", "\"");
	message_print_with(file, msg, ", ", "prog_type", "");
	fprintf(file, ", %" PRIu64 " instructions\n", message_number(msg, "instructions"));
	for (size_t i = 0; i < json_object_array_length(kernels); i++) {
		struct json_object *k = json_object_array_get_idx(kernels, i);

		message_print_with(file, k, "linked for ", "kernel", "");
		message_print_with(file, k, ": refused: ", "refused", "");
		putc('\n', file);
	}
}

void show_function(FILE *file, struct json_object *msg)
{
	putc('\n', file);
	message_print_member(file, msg, "name");
	message_print_with(file, msg, ": in section \"", "section", "\"\n");
}

/* Print 8 bytes per line, the first ones after what is already on the line. */
static void print_bytes(FILE *file, const char *hex)
{
	char line[3 * 8 + 1];
	size_t n = 0;

	for (; *hex; hex += 2) {
		line[n++] = hex[0];
		line[n++] = hex[1];
		line[n++] = ' ';
		if (n < sizeof(line) - 1)
			continue;
		fwrite(line, 1, n, file);
		n = 0;
		if (hex[2])
			return;	/* the upper half of an ldimm64 follows on a separate line */
	}
}

static void print_upper(FILE *file, const char *hex)
{
	if (strlen(hex) <= 16)
		return;
	fputs(MARGIN, file);
	print_bytes(file, hex + 16);
	putc('\n', file);
}

static void print_source(FILE *file, struct json_object *source)
{
	fputs("; ", file);
	message_print_member(file, source, "text");
	message_print_with(file, source, " @ ", "file", "");
	fprintf(file, ":%" PRIu64 "\n", message_number(source, "line"));
}

static void print_relocation(FILE *file, struct json_object *reloc)
{
	message_print_with(file, reloc, MARGIN, "section", "");
	fprintf(file, "[%" PRIu64 "] ", message_number(reloc, "index"));
	message_print_member(file, reloc, "type");
	message_print_with(file, reloc, " ", "symbol", "");
	fprintf(file, ": S 0x%" PRIx64 ", A %" PRId64 "\n", message_number(reloc, "S"),
		json_object_get_int64(message_get(reloc, "A")));
}

static void print_core(FILE *file, struct json_object *core)
{
	struct json_object *kernels = message_get(core, "kernels");

	message_print_with(file, core, MARGIN "CO-RE ", "kind", "");
	message_print_with(file, core, " of ", "access", "");
	if (message_get(core, "in_file"))
		fprintf(file, ": %" PRIu64 " in the file", message_number(core, "in_file"));
	putc('\n', file);
	for (size_t i = 0; i < json_object_array_length(kernels); i++) {
		struct json_object *k = json_object_array_get_idx(kernels, i);

		message_print_with(file, k, MARGIN "  ", "kernel", ": ");
		if (json_object_get_boolean(message_get(k, "poisoned")))
			message_print_with(file, k, "poisoned: ", "why", "");
		else if (message_get(k, "value"))
			fprintf(file, "%" PRIu64, message_number(k, "value"));
		else
			message_print_with(file, k, "not known: ", "why", "");
		message_print_with(file, k, " (", "hint", ")");
		putc('\n', file);
	}
}

static void print_otherwise(FILE *file, struct json_object *list)
{
	for (size_t i = 0; i < json_object_array_length(list); i++) {
		struct json_object *k = json_object_array_get_idx(list, i);

		fputs(MARGIN, file);
		print_bytes(file, message_text(k, "linked"));
		message_print_with(file, k, "", "text", "");
		message_print_with(file, k, "   for ", "kernel", "\n");
	}
}

void show_log(FILE *file, struct json_object *msg)
{
	const bool fails = message_get(msg, "fails_at");

	message_print_with(file, msg, "\n", "file", "");
	fprintf(file, ": %" PRIu64 " lines, %" PRIu64 " visits of instructions\n",
		message_number(msg, "lines"), message_number(msg, "visits"));
	if (fails)
		fprintf(file, "fails at %" PRIu64, message_number(msg, "fails_at"));
	message_print_with(file, msg, fails ? ": " : "", "verdict", "\n");
	message_print_with(file, msg, "reason: ", "reason", "\n");
	message_print_with(file, msg, "at: ", "at", "\n");
	message_print_with(file, msg, "causal path: ", "causal_path", "\n");
	message_print_with(file, msg, "suggestion: ", "suggestion", "\n");
}

void show_log_step(FILE *file, struct json_object *msg)
{
	fprintf(file, "  path: %" PRIu64 ": ", message_number(msg, "index"));
	message_print_with(file, msg, "", "text", "\n");
}

static void print_visits(FILE *file, struct json_object *list, uint64_t count)
{
	if (!count)
		fputs(MARGIN "never visited\n", file);
	for (size_t i = 0; i < json_object_array_length(list); i++) {
		struct json_object *v = json_object_array_get_idx(list, i);

		fprintf(file, MARGIN "%s visit %" PRIu64 " of %" PRIu64 ", line %" PRIu64,
			json_object_get_boolean(message_get(v, "fails")) ? "FAILS" : "|",
			message_number(v, "visit"), count, message_number(v, "line"));
		message_print_with(file, v, ": ", "state", "");
		putc('\n', file);
	}
}

void show_insn(FILE *file, struct json_object *msg)
{
	struct json_object *part;
	const char *bytes = message_text(msg, "bytes"), *linked = message_text(msg, "linked");

	part = message_get(msg, "source");
	if (part)
		print_source(file, part);
	fprintf(file, "%4" PRIu64 ": ", message_number(msg, "index"));
	print_bytes(file, bytes);
	fprintf(file, "(%.2s) ", bytes);
	message_print_member(file, msg, "text");
	putc('\n', file);
	print_upper(file, bytes);
	if (linked) {
		fputs(MARGIN, file);
		print_bytes(file, linked);
		message_print_with(file, msg, "linked: ", "pseudo", ", ");
		message_print_with(file, msg, "was ", "text_in_file", "\n");
		print_upper(file, linked);
	}
	part = message_get(msg, "relocation");
	if (part)
		print_relocation(file, part);
	part = message_get(msg, "core");
	if (part)
		print_core(file, part);
	part = message_get(msg, "visits");
	if (part)
		print_visits(file, part, message_number(msg, "visit_count"));
	part = message_get(msg, "otherwise");
	if (part)
		print_otherwise(file, part);
}
