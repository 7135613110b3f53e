// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Print pload list as text: one line for each event and PMU. */
#include <inttypes.h>

#include <json-c/linkhash.h>

#include "loader/print/message/renderers.h"
#include "loader/value/value.h"

static void print_pairs(FILE *file, struct json_object *pairs, const char *what)
{
	bool first = true;

	if (!pairs)
		return;
	json_object_object_foreach(pairs, name, value) {
		fprintf(file, "%s", first ? what : ", ");
		text_print(file, name, strlen(name), 0);
		putc('=', file);
		message_print_string(file, value);
		first = false;
	}
	if (!first)
		putc('\n', file);
}

void message_print_list_pmu(FILE *file, struct json_object *msg)
{
	message_print_member(file, msg, "pmu");
	fprintf(file, ": PMU of type %" PRIu64, message_number(msg, "perf_type"));
	message_print_with(file, msg, ", on CPU ", "cpus", "");
	putc('\n', file);
	print_pairs(file, message_get(msg, "terms"), "    terms: ");
	print_pairs(file, message_get(msg, "caps"), "    caps: ");
}

void message_print_list_event(FILE *file, struct json_object *msg)
{
	const char *const suffixes[][2] = {
		{ "alias", " or " }, { "terms", ": " }, { "scale", ", times " }, { "unit", " " },
	};

	message_print_with(file, msg, "  ", "event", "");
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		if (!message_get(msg, suffixes[i][0]))
			continue;
		fputs(suffixes[i][1], file);
		message_print_member(file, msg, suffixes[i][0]);
	}
	fprintf(file, "  [%s]\n", message_text(msg, "group"));
}
