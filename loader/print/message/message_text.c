// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The table of text renderers, one for each message type, and those for records and maps. */
#include <inttypes.h>

#include <json-c/linkhash.h>

#include "loader/print/message/renderers.h"
#include "loader/value/value.h"

/* More bytes than this are printed as a hex dump. */
#define INLINE_BYTES 32

/* --- records --- */

static unsigned int hex_byte(const char *digits)
{
	unsigned int byte = 0;

	for (int i = 0; i < 2; i++)
		byte = byte << 4 | (digits[i] <= '9' ? digits[i] - '0' : digits[i] - 'a' + 10);
	return byte;
}

static void print_dump_line(FILE *file, const char *digits, size_t off, size_t size)
{
	unsigned int c;

	fprintf(file, "\n  %04zx ", off);
	for (size_t i = off; i < off + 16; i++) {
		if (i < size)
			fprintf(file, "%s%.2s", i % 8 ? " " : "  ", digits + 2 * i);
		else
			fputs(i % 8 ? "   " : "    ", file);
	}
	fputs("  |", file);
	for (size_t i = off; i < off + 16 && i < size; i++) {
		c = hex_byte(digits + 2 * i);
		putc(c >= 0x20 && c < 0x7f ? (int)c : '.', file);
	}
	putc('|', file);
}

/* Print 16 bytes a line, the offset first and characters last; '*' replaces equal lines. */
static void print_dump(FILE *file, const char *digits, size_t size)
{
	bool starred = false, same;

	for (size_t off = 0; off < size; off += 16) {
		same = off && off + 16 < size &&
		       !memcmp(digits + 2 * off, digits + 2 * off - 32, 32);
		if (!same)
			print_dump_line(file, digits, off, size);
		else if (!starred)
			fputs("\n  *", file);
		starred = same;
	}
}

static bool is_dump(struct json_object *value)
{
	return json_object_is_type(value, json_type_string) &&
	       value_string_kind(value) == VALUE_HEX &&
	       json_object_get_string_len(value) > 2 * INLINE_BYTES;
}

static void print_maybe_dump(FILE *file, struct json_object *value)
{
	if (is_dump(value)) {
		fprintf(file, "%d bytes", json_object_get_string_len(value) / 2);
		print_dump(file, json_object_get_string(value),
			   json_object_get_string_len(value) / 2);
	} else {
		value_print(file, value);
	}
}

/* Print "events cpu 0: {.pid = 12} payload 00112233 44556677". */
static void print_record(FILE *file, struct json_object *msg)
{
	struct json_object *payload = message_get(msg, "payload");

	message_print_member(file, msg, "map");
	if (message_get(msg, "cpu"))
		fprintf(file, " cpu %" PRIu64, message_number(msg, "cpu"));
	putc(':', file);
	if (message_get(msg, "value")) {
		putc(' ', file);
		print_maybe_dump(file, message_get(msg, "value"));
	}
	if (message_get(msg, "missing"))
		fprintf(file, " (%" PRIu64 " bytes shorter than its type)",
			message_number(msg, "missing"));
	if (payload) {
		fputs(" payload ", file);
		print_maybe_dump(file, payload);
	}
	putc('\n', file);
	message_print_stacks(file, msg);
}

/* --- maps --- */

static void print_map_begin(FILE *file, struct json_object *msg)
{
	uint64_t n = message_number(msg, "elements");

	message_print_member(file, msg, "map");
	message_print_with(file, msg, " (", "map_type", "");
	if (message_get(msg, "elements"))
		fprintf(file, ", %" PRIu64 " element%s", n, n == 1 ? "" : "s");
	fputs(")\n", file);
}

static void print_map_more(FILE *file, struct json_object *msg)
{
	fprintf(file, "  %" PRIu64 " more (of %" PRIu64 " elements; --format=json shows all)\n",
		message_number(msg, "more"), message_number(msg, "elements"));
}

static void print_map_skipped(FILE *file, struct json_object *msg)
{
	message_print_member(file, msg, "map");
	message_print_with(file, msg, " (", "map_type", "): not shown: ");
	message_print_with(file, msg, "", "why", "\n");
}

/* Print "7 (cpu 0: 3, cpu 5: 4)": the sum, if there is one, then the CPUs that do not have 0. */
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
 * Return what is printed beside the bars of @histogram: the value, of all CPUs if they have a sum,
 * without the slots; NULL if it has no other member.
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

static void print_map(FILE *file, struct json_object *msg)
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
	message_print_addresses(file, msg);
	putc('\n', file);
	if (histogram)
		message_print_bars(file, histogram);
	message_print_stacks(file, msg);
}

static void print_stack(FILE *file, struct json_object *msg)
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

static void print_data(FILE *file, struct json_object *msg)
{
	struct json_object *value = message_get(msg, "value");

	message_print_with(file, msg, "", "map", " (data)\n");
	if (!json_object_is_type(value, json_type_object)) {
		fputs("  ", file);
		print_maybe_dump(file, value);
		putc('\n', file);
		return;
	}
	json_object_object_foreach(value, name, variable) {
		fputs("  ", file);
		text_print(file, name, strlen(name), 0);
		fputs(" = ", file);
		print_maybe_dump(file, variable);
		putc('\n', file);
	}
}

/* --- other messages --- */

static void print_test_run(FILE *file, struct json_object *msg)
{
	uint64_t runs = message_number(msg, "runs");

	message_print_member(file, msg, "name");
	fprintf(file, ": %" PRIu64 " run%s over %" PRIu64 " bytes, returned %" PRId64 "\n", runs,
		runs == 1 ? "" : "s", message_number(msg, "data_size"),
		json_object_get_int64(message_get(msg, "retval")));
}

static void print_pinned(FILE *file, struct json_object *msg)
{
	message_print_with(file, msg, "pinned in ", "dir", ": ");
	message_print_count(file, message_number(msg, "links"), "link");
	fputs(", ", file);
	message_print_count(file, message_number(msg, "programs"), "program");
	fputs(", ", file);
	message_print_count(file, message_number(msg, "maps"), "map");
	putc('\n', file);
}

/* Print @line as a program wrote it, with tabs, which separate its columns. */
static void print_line(FILE *file, struct json_object *line)
{
	const char *text = json_object_get_string(line);
	const char *end = text + json_object_get_string_len(line);

	while (text < end) {
		const char *tab = memchr(text, '\t', end - text), *stop = tab ? tab : end;

		text_print(file, text, stop - text, 0);
		if (tab)
			putc('\t', file);
		text = tab ? tab + 1 : end;
	}
	putc('\n', file);
}

static void print_iter(FILE *file, struct json_object *msg)
{
	print_line(file, message_get(msg, "line"));
}

/* Print "prog: text", a line of bpf_printk() or of a stream. */
static void print_printed(FILE *file, struct json_object *msg)
{
	if (message_get(msg, "prog"))
		message_print_member(file, msg, "prog");
	else
		fputs("a program", file);
	if (message_text(msg, "stream") && !strcmp(message_text(msg, "stream"), "stderr"))
		fputs(" (stderr)", file);
	fputs(": ", file);
	print_line(file, message_get(msg, "text"));
}

/* Print "instead of event 'cycles': 'cpu-clock', since ... [perf-open/no-pmu]". */
static void print_instead(FILE *file, struct json_object *msg)
{
	message_print_with(file, msg, "instead of event '", "wanted", "': '");
	message_print_member(file, msg, "taken");
	message_print_with(file, msg, "', since ", "why", "");
	message_print_with(file, msg, " [", "reason", "]");
	putc('\n', file);
}

static const struct {
	const char *type;
	void (*print)(FILE *file, struct json_object *msg);
} renderers[] = {
	{ "record", print_record },
	{ "map", print_map },
	{ "map-begin", print_map_begin },
	{ "map-more", print_map_more },
	{ "map-skipped", print_map_skipped },
	{ "stack", print_stack },
	{ "stack-fields", message_print_stack_fields },
	{ "stack-map", message_print_stack_map },
	{ "data", print_data },
	{ "counters-begin", message_print_counters_begin },
	{ "counter", message_print_counter },
	{ "histogram", message_print_histogram },
	{ "test-run", print_test_run },
	{ "load", message_print_load },
	{ "iter", print_iter },
	{ "printk", print_printed },
	{ "stream", print_printed },
	{ "pinned", print_pinned },
	{ "adopted", message_print_adopted },
	{ "links-begin", message_print_links_begin },
	{ "link", message_print_link },
	{ "link-details", message_print_details },
	{ "events-begin", message_print_events_begin },
	{ "event", message_print_event },
	{ "programs-begin", message_print_programs_begin },
	{ "program", message_print_program },
	{ "program-details", message_print_details },
	{ "unseen", message_print_unseen },
	{ "attached", message_print_attached },
	{ "reason", message_print_reason },
	{ "reason-page", message_print_reason_page },
	{ "list-event", message_print_list_event },
	{ "list-pmu", message_print_list_pmu },
	{ "probe-begin", message_print_probe_begin },
	{ "probe-event", message_print_probe_event },
	{ "probe-feature", message_print_probe_feature },
	{ "probe-prog-type", message_print_probe_prog_type },
	{ "probe-helper", message_print_probe_helper },
	{ "instead", print_instead },
	{ "detached", message_print_detached },
	{ "summary", message_print_summary },
};

bool message_print_beside(FILE *file, struct json_object *msg)
{
	(void)file;
	return message_print_text(stderr, msg);
}

bool message_print_text(FILE *file, struct json_object *msg)
{
	struct json_object *type = message_get(msg, "type");
	const char *name = type ? json_object_get_string(type) : "";

	for (size_t i = 0; i < sizeof(renderers) / sizeof(renderers[0]); i++) {
		if (!strcmp(name, renderers[i].type)) {
			renderers[i].print(file, msg);
			return true;
		}
	}
	value_print(file, msg);
	putc('\n', file);
	return true;
}
