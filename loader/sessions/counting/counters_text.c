// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Event counts as text: a table with a line per event and per CPU. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/print/message.h"
#include "loader/sessions/counting/counts.h"

/* Room for 18,446,744,073,709,551,615. */
#define GROUPED 27

/* Format @n with thousands separators (commas, whatever the locale). Return @buf. */
static const char *grouped(uint64_t n, char buf[GROUPED])
{
	char digits[GROUPED], *at = buf;
	const int len = snprintf(digits, sizeof(digits), "%" PRIu64, n);

	for (int i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			*at++ = ',';
		*at++ = digits[i];
	}
	*at = '\0';
	return buf;
}

/* Print a time in the largest unit in which it is at least 1: 1.234 s, 1.234 ms, 1.234 us. */
static void print_time(FILE *file, uint64_t ns)
{
	static const struct {
		uint64_t thousandth;
		const char *name;
	} units[] = { { 1000000, "s" }, { 1000, "ms" }, { 1, "us" } };
	unsigned int u = 0;

	while (u < 2 && ns < 1000 * units[u].thousandth)
		u++;
	fprintf(file, "%" PRIu64 ".%03" PRIu64 " %s", ns / units[u].thousandth / 1000,
		ns / units[u].thousandth % 1000, units[u].name);
}

/*
 *	             value             scaled   share  enabled ms  running ms  event
 *	         1,234,567          2,469,134   50.0%    1,003.12      501.56  cycles
 *	               ...                                                       cpu 0
 */
void counts_print_headline(FILE *file, struct json_object *msg)
{
	const uint64_t begin = message_number(msg, "begin_ns");

	if (begin) {
		fputs("counted from ", file);
		print_time(file, begin);
		fputs(" to ", file);
	} else {
		fputs("counted for ", file);
	}
	print_time(file, message_number(msg, "end_ns"));
	fprintf(file, "\n%18s %18s %7s %11s %11s  event\n", "value", "scaled", "share",
		"enabled ms", "running ms");
}

/* A nonzero time is never printed as 0. */
static void print_ms(FILE *file, uint64_t ns)
{
	char whole[GROUPED];

	if (ns && ns < 10000)
		fprintf(file, " %11s", "<0.01");
	else
		fprintf(file, " %8s.%02" PRIu64, grouped(ns / 1000000, whole), ns / 10000 % 100);
}

static const char *without_value(const char *state)
{
	return !strcmp(state, "never-enabled")	 ? "never enabled" :
	       !strcmp(state, "never-scheduled") ? "never scheduled" : "not available";
}

/* Print the columns before the name. */
static void print_columns(FILE *file, struct json_object *count)
{
	char value[GROUPED], scaled[GROUPED];

	if (message_get(count, "value"))
		fprintf(file, "%18s %18s", grouped(message_number(count, "value"), value),
			grouped(message_number(count, "scaled"), scaled));
	else
		fprintf(file, "%18s %18s", without_value(message_text(count, "state")), "-");
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

/* Print the count in its unit, if scaled: " = 1.25 Joules". */
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

void counts_print_row(FILE *file, struct json_object *msg)
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
