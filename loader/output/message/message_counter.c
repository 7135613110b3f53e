// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The counts of events as text: a table with a line for each event, and for each CPU. */
#include <inttypes.h>
#include <stdlib.h>

#include "loader/output/message/renderers.h"

/*
 *	          value          scaled   share  enabled ms  running ms  event
 *	        1234567         2469134   50.0%     1003.12      501.56  cycles
 *	            ...                                                    cpu 0
 */
void message_print_counters_begin(FILE *file, struct json_object *msg)
{
	const uint64_t begin = message_number(msg, "begin_ns") / 1000000,
		       end = message_number(msg, "end_ns") / 1000000;

	fprintf(file, "counted from %" PRIu64 ".%03" PRIu64 " s to %" PRIu64 ".%03" PRIu64 " s\n",
		begin / 1000, begin % 1000, end / 1000, end % 1000);
	fprintf(file, "%15s %15s %7s %11s %11s  event\n", "value", "scaled", "share", "enabled ms",
		"running ms");
}

static void print_ms(FILE *file, uint64_t ns)
{
	fprintf(file, " %8" PRIu64 ".%02" PRIu64, ns / 1000000, ns / 10000 % 100);
}

static const char *without_value(const char *state)
{
	return !strcmp(state, "never-enabled")	 ? "never enabled" :
	       !strcmp(state, "never-scheduled") ? "never scheduled" : "not available";
}

/* Print the columns before the name. */
static void print_columns(FILE *file, struct json_object *count)
{
	if (message_get(count, "value"))
		fprintf(file, "%15" PRIu64 " %15" PRIu64, message_number(count, "value"),
			message_number(count, "scaled"));
	else
		fprintf(file, "%15s %15s", without_value(message_text(count, "state")), "-");
	if (message_get(count, "share"))
		fprintf(file, " %6.1f%%",
			100 * json_object_get_double(message_get(count, "share")));
	else
		fprintf(file, " %7s", "-");
	if (message_get(count, "enabled_ns")) {
		print_ms(file, message_number(count, "enabled_ns"));
		print_ms(file, message_number(count, "running_ns"));
	} else {
		fprintf(file, " %11s %11s", "-", "-");
	}
	fputs("  ", file);
}

/* Print the count in its unit, if that is no whole number: " = 1.25 Joules". */
static void print_unit(FILE *file, struct json_object *msg)
{
	const char *scale = message_text(msg, "scale");

	if (scale && message_get(msg, "value"))
		fprintf(file, " = %.2f", strtod(scale, NULL) * message_number(msg, "scaled"));
	if (message_get(msg, "unit")) {
		fputs(scale ? " " : " in ", file);
		message_print_member(file, msg, "unit");
	}
}

void message_print_counter(FILE *file, struct json_object *msg)
{
	struct json_object *cpus = message_get(msg, "cpus"), *cpu;
	const uint64_t waiting = message_number(msg, "never_scheduled");

	print_columns(file, msg);
	message_print_member(file, msg, "event");
	print_unit(file, msg);
	message_print_with(file, msg, ", map ", "map", "");
	message_print_with(file, msg, ", cgroup ", "cgroup", "");
	if (waiting) {
		fputs(", never scheduled on ", file);
		message_print_count(file, waiting, "other target");
	}
	message_print_with(file, msg, ": ", "why", "");
	message_print_with(file, msg, " [", "reason", "]");
	putc('\n', file);
	for (size_t i = 0; cpus && i < json_object_array_length(cpus); i++) {
		cpu = json_object_array_get_idx(cpus, i);
		print_columns(file, cpu);
		fprintf(file, "  cpu %" PRIu64 "\n", message_number(cpu, "cpu"));
	}
}
