// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Map contents as text: rows, stacks, variables, and a bar for each histogram slot. */
#include <inttypes.h>
#include <string.h>

#include "loader/core/print/message.h"
#include "loader/profile/stacks/row_stacks.h"
#include "loader/sessions/rows/rows_internal.h"
#include "loader/core/value/value.h"

/* --- histograms --- */

#define BAR 40

/* Print "4 -> 7", or the slot number if its range is unknown. */
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

static void print_bars(FILE *file, struct json_object *histogram)
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

void rows_print_histogram(FILE *file, struct json_object *msg)
{
	message_print_member(file, msg, "map");
	fputs(json_object_array_length(message_get(msg, "slots")) ? " (histogram)\n" :
								    " (histogram): empty\n", file);
	print_bars(file, msg);
}

/* --- maps --- */

void rows_print_begin(FILE *file, struct json_object *msg)
{
	uint64_t n = message_number(msg, "elements");

	message_print_member(file, msg, "map");
	message_print_with(file, msg, " (", "map_type", "");
	if (message_get(msg, "elements"))
		fprintf(file, ", %" PRIu64 " element%s", n, n == 1 ? "" : "s");
	fputs(")\n", file);
}

void rows_print_more(FILE *file, struct json_object *msg)
{
	fprintf(file, "  %" PRIu64 " more (of %" PRIu64 " elements; --format=json shows all)\n",
		message_number(msg, "more"), message_number(msg, "elements"));
}

void rows_print_skipped(FILE *file, struct json_object *msg)
{
	message_print_member(file, msg, "map");
	message_print_with(file, msg, " (", "map_type", "): not shown: ");
	message_print_with(file, msg, "", "why", "\n");
}

/* Print "7 (cpu 0: 3, cpu 5: 4)": the sum, if there is one, then the CPUs with a nonzero value. */
static void print_per_cpu(FILE *file, struct json_object *sum, struct json_object *values)
{
	bool shown = false;

	if (sum)
		value_print(file, sum);
	for (size_t i = 0; i < json_object_array_length(values); i++) {
		struct json_object *entry = json_object_array_get_idx(values, i);

		if (sum && value_is_zero(message_get(entry, "value")))
			continue;
		fprintf(file, "%scpu %" PRIu64 ": ", shown ? ", " : sum ? " (" : "{",
			message_number(entry, "cpu"));
		value_print(file, message_get(entry, "value"));
		shown = true;
	}
	if (shown)
		putc(sum ? ')' : '}', file);
}

/*
 * Return what to print next to the bars of @histogram: the value (summed over all CPUs if possible)
 * without the slots; NULL if there are no other members.
 */
static struct json_object *beside_bars(struct json_object *msg, struct json_object *histogram)
{
	struct json_object *value = message_get(msg, "sum");

	if (!value)
		value = message_get(msg, "value");
	if (!json_object_is_type(value, json_type_object))
		return value;
	json_object_object_del(value, json_object_get_string(message_get(histogram, "member")));
	return json_object_object_length(value) ? value : NULL;
}

void rows_print_map(FILE *file, struct json_object *msg)
{
	struct json_object *histogram = message_get(msg, "histogram");
	struct json_object *value = histogram ? beside_bars(msg, histogram) :
						message_get(msg, "value");

	fputs("  ", file);
	value_print(file, message_get(msg, "key"));
	if (value) {
		fputs(" = ", file);
		if (value_is_per_cpu(value))
			print_per_cpu(file, message_get(msg, "sum"), value);
		else
			value_print(file, value);
	}
	stacks_print_addresses(file, msg);
	putc('\n', file);
	if (histogram)
		print_bars(file, histogram);
	stacks_print(file, msg);
}

void rows_print_stack(FILE *file, struct json_object *msg)
{
	struct json_object *ips = message_get(msg, "ips"), *ip;

	fprintf(file, "  %" PRIu64 ":\n", message_number(msg, "id"));
	for (size_t i = 0; i < json_object_array_length(ips); i++) {
		ip = json_object_array_get_idx(ips, i);
		fputs("      ", file);
		if (json_object_is_type(ip, json_type_object)) {
			message_print_member(file, ip, "build_id");
			message_print_with(file, ip, "+", "offset", "");
		} else {
			message_print_string(file, ip);
		}
		putc('\n', file);
	}
}

void rows_print_data(FILE *file, struct json_object *msg)
{
	struct json_object *value = message_get(msg, "value");

	message_print_with(file, msg, "", "map", " (data)\n");
	if (!json_object_is_type(value, json_type_object)) {
		fputs("  ", file);
		message_print_value(file, value);
		putc('\n', file);
		return;
	}
	json_object_object_foreach(value, name, variable) {
		fputs("  ", file);
		text_print(file, name, strlen(name), 0);
		fputs(" = ", file);
		message_print_value(file, variable);
		putc('\n', file);
	}
}

/* Print "stacks (stack_trace, 61 elements): with their rows; 3 are in no row". */
void rows_print_stack_map(FILE *file, struct json_object *msg)
{
	const uint64_t n = message_number(msg, "elements");
	const uint64_t loose = message_number(msg, "in_no_row");

	message_print_member(file, msg, "map");
	fprintf(file, " (stack_trace, %" PRIu64 " element%s): shown with their rows", n,
		n == 1 ? "" : "s");
	if (loose)
		fprintf(file, "; %" PRIu64 " in no row", loose);
	putc('\n', file);
}
