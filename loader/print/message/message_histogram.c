// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A histogram as text: a bar for each slot. */
#include <inttypes.h>

#include "loader/print/message/renderers.h"

#define BAR 40

/* Print "4 -> 7", or the number of a slot whose range is not known. */
static void print_label(FILE *file, struct json_object *slot)
{
	char text[48];

	if (message_get(slot, "low"))
		snprintf(text, sizeof(text), "%" PRId64 " -> %" PRId64,
			 json_object_get_int64(message_get(slot, "low")),
			 json_object_get_int64(message_get(slot, "high")));
	else
		snprintf(text, sizeof(text), "slot %" PRId64,
			 json_object_get_int64(message_get(slot, "slot")));
	fprintf(file, "  %20s", text);
}

void message_print_bars(FILE *file, struct json_object *histogram)
{
	struct json_object *slots = message_get(histogram, "slots");
	const size_t nr = json_object_array_length(slots);
	uint64_t most = 1;

	for (size_t i = 0; i < nr; i++) {
		const uint64_t count =
			message_number(json_object_array_get_idx(slots, i), "count");

		most = count > most ? count : most;
	}
	for (size_t i = 0; i < nr; i++) {
		struct json_object *slot = json_object_array_get_idx(slots, i);
		const uint64_t count = message_number(slot, "count");
		const int bar = (unsigned __int128)count * BAR / most;

		print_label(file, slot);
		fprintf(file, " %12" PRIu64 " |%.*s%*s|\n", count, bar,
			"@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@", BAR - bar, "");
	}
}

void message_print_histogram(FILE *file, struct json_object *msg)
{
	message_print_member(file, msg, "map");
	fputs(json_object_array_length(message_get(msg, "slots")) ? " (histogram)\n" :
								    " (histogram): empty\n", file);
	message_print_bars(file, msg);
}
