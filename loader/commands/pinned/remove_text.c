// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The message "detached" as text. */
#include <inttypes.h>

#include "loader/commands/pinned/remove.h"
#include "loader/core/print/message.h"

static void print_left(FILE *file, struct json_object *left)
{
	for (size_t i = 0; i < json_object_array_length(left); i++) {
		struct json_object *entry = json_object_array_get_idx(left, i);
		struct json_object *by = message_get(entry, "held_by");
		const size_t nr = by ? json_object_array_length(by) : 0;

		fprintf(file, "  link %" PRIu64 " remains: ", message_number(entry, "id"));
		if (nr)
			fputs("it is held by ", file);
		else
			fputs("its holders cannot be read", file);
		for (size_t k = 0; k < nr; k++) {
			fputs(k ? ", " : "", file);
			message_print_string(file, json_object_array_get_idx(by, k));
		}
		putc('\n', file);
	}
}

static void print_counts(FILE *file, struct json_object *msg)
{
	static const struct {
		const char *key, *what;
	} counts[] = { { "links", "link" }, { "programs", "program" }, { "maps", "map" } };
	const char *sep = "";

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		if (!message_number(msg, counts[i].key))
			continue;
		fputs(sep, file);
		message_print_count(file, message_number(msg, counts[i].key), counts[i].what);
		sep = ", ";
	}
	if (!sep[0])
		fputs("nothing", file);
}

void removal_print_text(FILE *file, struct json_object *msg)
{
	struct json_object *left = message_get(msg, "left");

	message_print_member(file, msg, "what");
	fputs(": removed the pins of ", file);
	print_counts(file, msg);
	if (!left)
		fputs("; without CAP_SYS_ADMIN it cannot be checked whether the "
		      "links have ended", file);
	else if (message_number(msg, "links") && !json_object_array_length(left))
		fputs("; the links have ended", file);
	putc('\n', file);
	if (message_number(msg, "others")) {
		fputs("  not removed: ", file);
		message_print_count(file, message_number(msg, "others"), "pin");
		fputs(" that pload did not create\n", file);
	} else if (json_object_get_boolean(message_get(msg, "dir_stays"))) {
		fputs("  the directory remains, because it is not empty\n", file);
	}
	if (left)
		print_left(file, left);
}
