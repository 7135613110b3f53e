/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The functions that print messages as text, by type; in pload each stands beside the one that builds it. */
#ifndef PLOAD_TEST_UNIT_TEXT_PRINTERS_H
#define PLOAD_TEST_UNIT_TEXT_PRINTERS_H

#include <string.h>

#include "loader/sessions/groups/groups.h"
#include "loader/commands/texts.h"
#include "loader/commands/pinned/adopt.h"
#include "loader/commands/pinned/remove.h"
#include "loader/core/print/message.h"
#include "loader/sessions/printk_text/program_lines.h"
#include "loader/core/print/record.h"
#include "loader/profile/stacks/row_stacks.h"
#include "loader/sessions/rows/rows_internal.h"
#include "loader/sessions/counting/counts.h"
#include "loader/core/session/session.h"

/* Return the printer of @msg; NULL: it has none. */
static inline message_printer text_printer(struct json_object *msg)
{
	static const struct {
		const char *type;
		message_printer print;
	} printers[] = {
		{ "record", stacks_print_record },
		{ "map", rows_print_map },
		{ "map-begin", rows_print_begin },
		{ "map-more", rows_print_more },
		{ "map-skipped", rows_print_skipped },
		{ "stack", rows_print_stack },
		{ "stack-map", rows_print_stack_map },
		{ "data", rows_print_data },
		{ "histogram", rows_print_histogram },
		{ "stack-fields", stacks_print_fields },
		{ "printk", program_lines_print },
		{ "stream", program_lines_print },
		{ "counters-begin", counts_print_headline },
		{ "counter", counts_print_row },
		{ "test-run", session_print_test_run },
		{ "iter", session_print_iter },
		{ "pinned", session_print_pinned },
		{ "instead", session_print_instead },
		{ "summary", session_print_summary },
		{ "adopted", adopt_print_text },
		{ "detached", removal_print_text },
		{ "load", load_print_text },
		{ "list-event", list_print_event },
		{ "list-pmu", list_print_pmu },
		{ "links-begin", show_print_links_begin },
		{ "link", show_print_link },
		{ "link-details", show_print_details },
		{ "events-begin", show_print_events_begin },
		{ "event", show_print_event },
		{ "programs-begin", show_print_programs_begin },
		{ "program", show_print_program },
		{ "program-details", show_print_details },
		{ "unseen", show_print_unseen },
		{ "attached", show_print_attached },
	};
	const char *type = message_text(msg, "type");

	for (size_t i = 0; type && i < sizeof(printers) / sizeof(printers[0]); i++)
		if (!strcmp(printers[i].type, type))
			return printers[i].print;
	return NULL;
}

#endif
