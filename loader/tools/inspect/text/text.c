// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The messages of pload inspect as text: one renderer per type. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "loader/tools/inspect/text/text_internal.h"
#include "loader/core/value/value.h"

void show_cell(FILE *file, struct json_object *msg, const char *key, int width)
{
	const char *text = message_text(msg, key);
	const size_t size = text ? strlen(text) : 0;
	char *escaped = malloc(size * ESCAPED_MAX + 1);
	int n = 0;

	if (escaped && size) {
		n = text_escape(escaped, text, size);
		fputs(escaped, file);
	}
	free(escaped);
	fprintf(file, "%*s ", n < width ? width - n : 0, "");
}

/* Print "    LABEL  a, b, c", wrapped at 100 columns; nothing if it is empty. */
static void show_list(FILE *file, struct json_object *msg, const char *label, const char *key)
{
	struct json_object *list = message_get(msg, key);
	const size_t nr = list ? json_object_array_length(list) : 0;
	size_t column;

	if (!nr)
		return;
	column = fprintf(file, "    %-12s", label);
	for (size_t i = 0; i < nr; i++) {
		struct json_object *name = json_object_array_get_idx(list, i);
		const size_t n = json_object_get_string_len(name);

		if (i && column + n + 2 > 100) {
			fprintf(file, "\n    %-12s", "");
			column = 16;
		}
		message_print_string(file, name);
		fputs(i + 1 < nr ? ", " : "", file);
		column += n + 2;
	}
	putc('\n', file);
}

static void print_file(FILE *file, struct json_object *msg)
{
	message_print_member(file, msg, "file");
	fprintf(file, ": %" PRIu64 " bytes", message_number(msg, "size"));
	message_print_with(file, msg, ", ", "byte_order", "-endian");
	message_print_with(file, msg, ", compiled by ", "compiler", "");
	message_print_with(file, msg, ", license \"", "license", "\"");
	fprintf(file, "\n%" PRIu64 " sections, %" PRIu64 " symbols, %" PRIu64 " types\n",
		message_number(msg, "sections"), message_number(msg, "symbols"),
		message_number(msg, "types"));
}

static void print_program(FILE *file, struct json_object *msg)
{
	fputs("\nprogram ", file);
	message_print_member(file, msg, "name");
	message_print_with(file, msg, ", section \"", "section", "\"");
	fprintf(file, ", %" PRIu64 " instructions\n    %-12s", message_number(msg, "instructions"),
		"type");
	message_print_with(file, msg, "", "prog_type", "");
	message_print_with(file, msg, ", ", "attach_type", "");
	fputs(json_object_get_boolean(message_get(msg, "sleepable")) ? ", sleepable" : "", file);
	message_print_with(file, msg, " (", "decided_by", ")");
	fputs(json_object_get_boolean(message_get(msg, "optional")) ? ", loaded on request only\n" :
								      "\n", file);
	if (message_text(msg, "attaches_to"))
		message_print_with(file, msg, "    attaches to ", "attaches_to", "\n");
	show_list(file, msg, "calls", "helpers");
	show_list(file, msg, "maps", "maps");
	show_list(file, msg, "externs", "externs");
	show_list(file, msg, "functions", "subprograms");
	if (!json_object_get_boolean(message_get(msg, "followed")))
		fputs("    and more: the programs of this file share more code than is followed "
		      "and checked\n", file);
}

static void print_map(FILE *file, struct json_object *msg)
{
	const uint64_t nr = message_number(msg, "max_entries");

	fputs("\nmap ", file);
	message_print_member(file, msg, "name");
	message_print_with(file, msg, ": ", "map_type", "");
	fprintf(file, ", %" PRIu64 " element%s, key %" PRIu64 " bytes", nr, nr == 1 ? "" : "s",
		message_number(msg, "key_size"));
	message_print_with(file, msg, " (", "key", ")");
	fprintf(file, ", value %" PRIu64 " bytes", message_number(msg, "value_size"));
	message_print_with(file, msg, " (", "value", ")");
	if (message_number(msg, "map_flags"))
		fprintf(file, ", flags 0x%" PRIx64, message_number(msg, "map_flags"));
	fputs(json_object_get_boolean(message_get(msg, "read_only")) ? ", read-only" : "", file);
	fputs(json_object_get_boolean(message_get(msg, "pinned")) ? ", pinned\n" : "\n", file);
}

static void print_variable(FILE *file, struct json_object *msg)
{
	fputs("variable ", file);
	message_print_member(file, msg, message_text(msg, "declaration") ? "declaration" : "name");
	message_print_with(file, msg, ", in ", "section", "");
	fprintf(file, " at %" PRIu64 ", %" PRIu64 " bytes\n", message_number(msg, "offset"),
		message_number(msg, "size"));
}

static void print_extern(FILE *file, struct json_object *msg)
{
	fputs("extern ", file);
	message_print_member(file, msg, message_text(msg, "declaration") ? "declaration" : "name");
	message_print_with(file, msg, " (", "kind", "");
	fputs(json_object_get_boolean(message_get(msg, "weak")) ? ", weak)\n" : ")\n", file);
}

static void print_refusal(FILE *file, struct json_object *msg)
{
	fputs("\nthis kernel: ", file);
	message_print_with(file, msg, "program ", "program", ": ");
	message_print_member(file, msg, "what");
	message_print_with(file, msg, " [", "reason", "]");
	putc('\n', file);
}

static void print_c(FILE *file, struct json_object *msg)
{
	fputs(message_text(msg, "c"), file);	/* c_put_name() leaves only letters */
}

/* The frame of a header of a kernel's types: fields are accessed as CO-RE wants. */
static void print_types(FILE *file, struct json_object *msg)
{
	if (json_object_get_boolean(message_get(msg, "header")))
		fputs("#ifndef __VMLINUX_H__\n#define __VMLINUX_H__\n\n"
		      "#ifndef BPF_NO_PRESERVE_ACCESS_INDEX\n"
		      "#pragma clang attribute push (__attribute__((preserve_access_index)), "
		      "apply_to = record)\n#endif\n\n", file);
}

static void print_types_end(FILE *file, struct json_object *msg)
{
	(void)msg;
	fputs("#ifndef BPF_NO_PRESERVE_ACCESS_INDEX\n#pragma clang attribute pop\n#endif\n\n"
	      "#endif\n", file);
}

static void print_error(FILE *file, struct json_object *msg)
{
	fputs("\ndamaged", file);
	if (message_get(msg, "offset"))
		fprintf(file, " at 0x%" PRIx64, message_number(msg, "offset"));
	message_print_with(file, msg, ": ", "where", "");
	message_print_with(file, msg, ": ", "what", "\n");
}

static const struct {
	const char *type;
	void (*print)(FILE *file, struct json_object *msg);
} renderers[] = {
	{ "inspect-insn", show_insn },
	{ "inspect-log", show_log },
	{ "inspect-log-step", show_log_step },
	{ "inspect-type", print_c },
	{ "inspect-types", print_types },
	{ "inspect-types-end", print_types_end },
	{ "inspect-field", show_field },
	{ "inspect-record", show_record },
	{ "inspect-file", print_file },
	{ "inspect-program", print_program },
	{ "inspect-map", print_map },
	{ "inspect-variable", print_variable },
	{ "inspect-extern", print_extern },
	{ "inspect-refusal", print_refusal },
	{ "inspect-error", print_error },
	{ "inspect-part", show_part },
	{ "inspect-section", show_section },
	{ "inspect-symbol", show_symbol },
	{ "inspect-relocation", show_relocation },
	{ "inspect-listing", show_listing },
	{ "inspect-function", show_function },
};

bool inspect_print_text(FILE *file, struct json_object *msg)
{
	const char *type = message_text(msg, "type");

	for (size_t i = 0; i < sizeof(renderers) / sizeof(renderers[0]); i++) {
		if (strcmp(renderers[i].type, type))
			continue;
		renderers[i].print(file, msg);
		return true;
	}
	return message_print_text(file, msg, NULL);
}
