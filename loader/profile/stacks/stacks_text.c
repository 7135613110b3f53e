// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The stacks and addresses of rows and records as text, with the names of their functions. */
#include <inttypes.h>

#include "loader/core/print/message.h"
#include "loader/core/print/record.h"
#include "loader/profile/stacks/row_stacks.h"

/* Print "user_stack", or "key" if the whole key is the field. */
static void print_name(FILE *file, struct json_object *field)
{
	if (json_object_get_string_len(message_get(field, "field")))
		message_print_member(file, field, "field");
	else
		message_print_member(file, field, "part");
}

/* Print the fields that contain stacks or identify the process: "a in stacks (code), b (name)". */
static int print_fields(FILE *file, struct json_object *fields, bool stacks, const char *before)
{
	int nr = 0;

	for (size_t i = 0; fields && i < json_object_array_length(fields); i++) {
		struct json_object *field = json_object_array_get_idx(fields, i);
		const char *role = message_text(field, "role");

		if (!role || !strcmp(role, "address") ||
		    (!strncmp(role, "stack", 5) || !strcmp(role, "mixed")) != stacks)
			continue;
		fputs(nr++ ? ", " : before, file);
		print_name(file, field);
		message_print_with(file, field, " in ", "stacks", "");
		message_print_with(file, field, " (by ", "known_by", "");
		if (!strcmp(role, "mixed"))
			fputs(": not shown, it has stacks of several kinds", file);
		if (message_get(field, "replaces"))
			fputs("; a stack may be another's with the same hash", file);
		putc(')', file);
	}
	return nr;
}

/* Print "  rows by samples; stacks: user_stack in stacks (by code); process: comm (by code)". */
void stacks_print_fields(FILE *file, struct json_object *msg)
{
	struct json_object *fields = message_get(msg, "fields"), *count = message_get(msg, "count");

	if (count) {
		fputs("  rows by ", file);
		if (json_object_get_string_len(count))
			message_print_string(file, count);
		else
			fputs("value", file);
		fputs("; ", file);
	} else {
		message_print_with(file, msg, "", "map", ": ");
	}
	print_fields(file, fields, true, "stacks: ");
	print_fields(file, fields, false, "; process: ");
	putc('\n', file);
}

/*
 * Print "function+0x1a (file)", "0x4005d0 (file+0x5d0)" or "0x4005d0". If the address has been
 * printed, print only its name: "(file+0x5d0)".
 */
static void print_frame(FILE *file, struct json_object *frame, bool only_name)
{
	const uint64_t offset = message_number(frame, "offset");
	const bool symbol = message_get(frame, "symbol"), has_file = message_get(frame, "file");

	if (symbol) {
		message_print_member(file, frame, "symbol");
		fprintf(file, "+0x%" PRIx64, offset);
	} else if (!only_name) {
		message_print_member(file, frame,
				     message_get(frame, "address") ? "address" : "file_offset");
	}
	if (has_file) {
		message_print_with(file, frame, symbol || !only_name ? " (" : "(", "file", "");
		if (!symbol && message_get(frame, "address"))
			fprintf(file, "+0x%" PRIx64, offset);
		putc(')', file);
	} else if (message_get(frame, "build_id")) {
		message_print_with(file, frame, " (build ID ", "build_id", ")");
	}
	message_print_with(file, frame, " [", "doubt", "]");
}

static void print_stack(FILE *file, struct json_object *stack)
{
	struct json_object *frames = message_get(stack, "frames");

	fputs("    ", file);
	if (json_object_get_string_len(message_get(stack, "field")))
		message_print_member(file, stack, "field");
	else
		fputs("stack", file);
	putc(':', file);
	if (message_get(stack, "error")) {
		message_print_with(file, stack, " no stack (", "error", ")");
		message_print_with(file, stack, ": ", "why", "");
	}
	putc('\n', file);
	for (size_t i = 0; frames && i < json_object_array_length(frames); i++) {
		fputs("      ", file);
		print_frame(file, json_object_array_get_idx(frames, i), false);
		putc('\n', file);
	}
}

void stacks_print(FILE *file, struct json_object *msg)
{
	struct json_object *stacks = message_get(msg, "stacks");

	for (size_t i = 0; stacks && i < json_object_array_length(stacks); i++)
		print_stack(file, json_object_array_get_idx(stacks, i));
}

/*
 * Print "  function+0x1a (file)" after the row, or "  ip: ..., caller: ..." if there are several
 * addresses.
 */
void stacks_print_addresses(FILE *file, struct json_object *msg)
{
	struct json_object *list = message_get(msg, "addresses"), *o;
	const size_t nr = list ? json_object_array_length(list) : 0;

	for (size_t i = 0; i < nr; i++) {
		o = json_object_array_get_idx(list, i);
		fputs(i ? ", " : "  ", file);
		if (nr > 1 || json_object_get_string_len(message_get(o, "field"))) {
			print_name(file, o);
			fputs(": ", file);
		}
		print_frame(file, o, true);
	}
}

/* --- records --- */

static int add_of_record(struct stacks *stacks, uint32_t map, struct bytes value,
			 struct json_object *msg, struct error *err)
{
	const struct stack_row row = {
		.map = map, .part[STACK_FIELD_RECORD] = value, .weight = 1,
	};

	return stacks_add(stacks, &row, msg, err);
}

void stacks_print_record(FILE *file, struct json_object *msg)
{
	record_print_text(file, msg);
	stacks_print(file, msg);
}

const struct record_stacks stacks_of_records = {
	.has = stacks_has, .add = add_of_record, .drop_buffers = stacks_drop_buffers,
	.print = stacks_print_record,
};
