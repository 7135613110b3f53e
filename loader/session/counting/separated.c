// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The counts of pload stat -x: lines of separated fields, for programs that read perf stat -x.
 *
 *	[time,][cpu,]value,unit,event,[cgroup,][deviation,]running ns,share,ratio,unit of the ratio
 *
 * The time is there with -I, the CPU with -A, the cgroup with -G, the deviation with -r.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "loader/print/message.h"
#include "loader/session/counting/counts.h"
#include "loader/value/value.h"

/* Quote @text as in CSV (RFC 4180) if a reader would split it. */
static void print_field(FILE *file, const char *text, const char *separator)
{
	if (!strstr(text, separator) && !strchr(text, '"')) {
		text_print(file, text, strlen(text), 0);
		return;
	}
	putc('"', file);
	for (const char *quote; (quote = strchr(text, '"')); text = quote + 1) {
		text_print(file, text, quote - text, 0);
		fputs("\"\"", file);
	}
	text_print(file, text, strlen(text), 0);
	putc('"', file);
}

/* perf prints clocks in milliseconds, and the estimate where an event has shared its counter. */
static void print_value(FILE *file, struct json_object *msg, struct json_object *count,
			const char *separator)
{
	const char *unit = message_text(msg, "unit"), *scale = message_text(msg, "scale"),
		   *state = message_text(count, "state");
	const bool is_clock = unit && !strcmp(unit, "ns");

	if (!message_get(count, "value"))
		fputs(state && !strcmp(state, "not-available") ? "<not supported>" :
								 "<not counted>",
		      file);
	else if (is_clock)
		fprintf(file, "%.6f", message_number(count, "scaled") / 1e6);
	else if (scale)
		fprintf(file, "%.2f", strtod(scale, NULL) * message_number(count, "scaled"));
	else
		fprintf(file, "%" PRIu64, message_number(count, "scaled"));
	fputs(separator, file);
	print_field(file, is_clock ? "msec" : unit ? unit : "", separator);
}

/* With -r, but for an event that no run has counted, in percent of the mean. */
static void print_deviation(FILE *file, struct json_object *count, const char *separator)
{
	const double scaled = message_number(count, "scaled"),
		     stddev = json_object_get_double(message_get(count, "stddev"));

	fprintf(file, "%s%.2f%%", separator, scaled ? 100 * stddev / scaled : 0);
}

/* One line: @count is @msg, or one of its "cpus". */
static void print_line(FILE *file, struct json_object *msg, struct json_object *count)
{
	const char *separator = message_text(msg, "separator"),
		   *cgroup = message_text(msg, "cgroup"), *unit = message_text(count, "ratio_unit");
	const uint64_t enabled = message_number(count, "enabled_ns"),
		       running = message_number(count, "running_ns");

	if (message_get(msg, "time_ns"))
		fprintf(file, "%.9f%s", message_number(msg, "time_ns") / 1e9, separator);
	if (message_get(count, "cpu"))
		fprintf(file, "CPU%" PRIu64, message_number(count, "cpu"));
	if (message_get(msg, "per_cpu"))
		fputs(separator, file);
	print_value(file, msg, count, separator);
	fputs(separator, file);
	print_field(file, message_text(msg, "event"), separator);
	if (cgroup) {
		fputs(separator, file);
		print_field(file, cgroup, separator);
	}
	if (message_get(msg, "repeats"))
		print_deviation(file, count, separator);
	fprintf(file, "%s%" PRIu64 "%s%.2f%s", separator, running, separator,
		enabled ? 100.0 * running / enabled : 100, separator);
	if (unit)
		fprintf(file, "%.3f", json_object_get_double(message_get(count, "ratio")));
	fprintf(file, "%s%s\n", separator, !unit ? "" : *unit == '%' ? unit + strlen("% ") : unit);
}

static bool print_separated(FILE *file, struct json_object *msg, message_printer text)
{
	struct json_object *cpus = message_get(msg, "cpus");

	if (!message_get(msg, "separator"))
		return message_print_beside(file, msg, text);
	for (size_t i = 0; cpus && i < json_object_array_length(cpus); i++)
		print_line(file, msg, json_object_array_get_idx(cpus, i));
	if (!cpus)
		print_line(file, msg, msg);
	return true;
}

const struct output_format separated_output_format = {
	.name = "separated", .print_as = print_separated,
};
