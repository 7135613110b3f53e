// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The tables of an ELF file, and the fields of its bytes, as text. */
#include <inttypes.h>
#include <string.h>

#include "loader/tools/inspect/text/text_internal.h"

void show_part(FILE *file, struct json_object *msg)
{
	static const struct {
		const char *part, *columns;
	} parts[] = {
		{ "sections", "   # name                     type         flags   offset     size"
			      "    link info align entsize\n" },
		{ "symbols", "   # name                     type    bind   section"
			     "                 value     size\n" },
		{ "relocations", "section                    #  target           at         type"
				 "              symbol               S          A\n" },
	};
	const char *part = message_text(msg, "part");

	fputs("\n", file);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (!strcmp(part, parts[i].part))
			fprintf(file, "%" PRIu64 " %s\n%s", message_number(msg, "count"), part,
				parts[i].columns);
}

void show_section(FILE *file, struct json_object *msg)
{
	const uint64_t size = message_number(msg, "size"), in_file = message_number(msg, "in_file");

	fprintf(file, "%4" PRIu64 " ", message_number(msg, "index"));
	show_cell(file, msg, "name", 24);
	show_cell(file, msg, "section_type", 12);
	show_cell(file, msg, "flags", 5);
	fprintf(file, "%8" PRIx64 " %8" PRIx64 "    %4" PRIu64 " %4" PRIu64 " %5" PRIu64
		" %7" PRIu64,
		message_number(msg, "offset"), size, message_number(msg, "link"),
		message_number(msg, "info"), message_number(msg, "align"),
		message_number(msg, "entsize"));
	if (in_file < size && strcmp(message_text(msg, "section_type"), "NOBITS"))
		fprintf(file, "  only 0x%" PRIx64 " bytes are in the file", in_file);
	putc('\n', file);
}

void show_symbol(FILE *file, struct json_object *msg)
{
	fprintf(file, "%4" PRIu64 " ", message_number(msg, "index"));
	show_cell(file, msg, "name", 24);
	show_cell(file, msg, "symbol_type", 7);
	show_cell(file, msg, "bind", 6);
	show_cell(file, msg, "section", 20);
	fprintf(file, "%8" PRIx64 " %8" PRIx64 "\n", message_number(msg, "value"),
		message_number(msg, "size"));
}

void show_relocation(FILE *file, struct json_object *msg)
{
	show_cell(file, msg, "section", 24);
	fprintf(file, "%3" PRIu64 "  ", message_number(msg, "index"));
	show_cell(file, msg, "target", 16);
	fprintf(file, "%-10" PRIx64 " ", message_number(msg, "at"));
	show_cell(file, msg, "relocation_type", 17);
	show_cell(file, msg, "symbol", 20);
	fprintf(file, "%-10" PRIx64 " ", message_number(msg, "S"));
	if (message_get(msg, "A"))
		fprintf(file, "%" PRId64 "\n", json_object_get_int64(message_get(msg, "A")));
	else
		fputs("in the field\n", file);
}

void show_record(FILE *file, struct json_object *msg)
{
	fprintf(file, "\n%08" PRIx64 " ", message_number(msg, "offset"));
	message_print_member(file, msg, "name");
	fprintf(file, ", %" PRIu64 " bytes\n", message_number(msg, "size"));
}

/* Print up to 16 bytes, the name of the field, its value and the meaning of the value. */
void show_field(FILE *file, struct json_object *msg)
{
	const char *hex = message_text(msg, "bytes");
	struct json_object *value = message_get(msg, "value");
	int column = fprintf(file, "%08" PRIx64 "  ", message_number(msg, "offset"));

	for (; *hex; hex += 2)
		column += fprintf(file, "%.2s ", hex);
	fprintf(file, "%*s ", column < 34 ? 34 - column : 0, "");
	show_cell(file, msg, "field", 16);
	if (value)
		fprintf(file, " 0x%" PRIx64, json_object_get_uint64(value));
	message_print_with(file, msg, value ? "  " : " ", "meaning", "");
	putc('\n', file);
}
