/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The text renderers, one for each message type; message_text.c has the table. */
#ifndef PLOAD_PRINT_MESSAGE_RENDERERS_H
#define PLOAD_PRINT_MESSAGE_RENDERERS_H

#include "loader/print/message.h"

void message_print_histogram(FILE *file, struct json_object *msg);
/* message_print_bars() - Print a bar for each of the "slots" of @histogram. */
void message_print_bars(FILE *file, struct json_object *histogram);
void message_print_counters_begin(FILE *file, struct json_object *msg);
void message_print_counter(FILE *file, struct json_object *msg);
void message_print_load(FILE *file, struct json_object *msg);
void message_print_reason(FILE *file, struct json_object *msg);
void message_print_reason_page(FILE *file, struct json_object *msg);
void message_print_list_event(FILE *file, struct json_object *msg);
void message_print_list_pmu(FILE *file, struct json_object *msg);
void message_print_summary(FILE *file, struct json_object *msg);
void message_print_probe_begin(FILE *file, struct json_object *msg);
void message_print_probe_event(FILE *file, struct json_object *msg);
void message_print_probe_feature(FILE *file, struct json_object *msg);
void message_print_probe_prog_type(FILE *file, struct json_object *msg);
void message_print_probe_helper(FILE *file, struct json_object *msg);

/* The stacks of rows and records: which fields they are, those of one row, those in no row. */
void message_print_stack_fields(FILE *file, struct json_object *msg);
void message_print_stacks(FILE *file, struct json_object *msg);
void message_print_addresses(FILE *file, struct json_object *msg);
void message_print_stack_map(FILE *file, struct json_object *msg);

/* pload show: headlines, table rows, all details of one link or program, what was not read. */
void message_print_links_begin(FILE *file, struct json_object *msg);
void message_print_link(FILE *file, struct json_object *msg);
void message_print_events_begin(FILE *file, struct json_object *msg);
void message_print_event(FILE *file, struct json_object *msg);
void message_print_programs_begin(FILE *file, struct json_object *msg);
void message_print_program(FILE *file, struct json_object *msg);
void message_print_details(FILE *file, struct json_object *msg);
void message_print_unseen(FILE *file, struct json_object *msg);
void message_print_adopted(FILE *file, struct json_object *msg);
void message_print_detached(FILE *file, struct json_object *msg);
void message_print_attached(FILE *file, struct json_object *msg);

#endif
