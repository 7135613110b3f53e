/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The text renderers of messages: each prints one message type, as the table in message_text.c says. */
#ifndef PLOAD_OUTPUT_MESSAGE_RENDERERS_H
#define PLOAD_OUTPUT_MESSAGE_RENDERERS_H

#include "loader/output/message.h"

/* Renderers with a file of their own. */
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

/* What is attached: rows of tables with their headlines, one thing whole, what was not seen. */
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
