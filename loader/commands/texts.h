/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The messages of commands as text: each is printed by a function beside the one that builds it. */
#ifndef PLOAD_COMMANDS_TEXTS_H
#define PLOAD_COMMANDS_TEXTS_H

#include <stdio.h>

#include "loader/core/value/json_object.h"

#include "loader/core/print/output.h"
#include "loader/core/session/options.h"

/* explain_attrs() - pload explain --attr ("usage/attr"). */
int explain_attrs(const struct options *o, struct output *out, struct error *err);

/*
 * list_summary() - pload list without a pattern: print one line for each group of events. Return:
 * as event_catalog(), or as output_message_as().
 */
int list_summary(struct sys *sys, struct output *out, struct error *err);

/* pload list */
void list_print_event(FILE *file, struct json_object *msg);
void list_print_pmu(FILE *file, struct json_object *msg);

/* pload load */
void load_print_text(FILE *file, struct json_object *msg);

/* pload show: headlines, table rows, all details of one link or program, what was not read. */
void show_print_links_begin(FILE *file, struct json_object *msg);
void show_print_link(FILE *file, struct json_object *msg);
void show_print_events_begin(FILE *file, struct json_object *msg);
void show_print_event(FILE *file, struct json_object *msg);
void show_print_programs_begin(FILE *file, struct json_object *msg);
void show_print_program(FILE *file, struct json_object *msg);
void show_print_details(FILE *file, struct json_object *msg);
void show_print_unseen(FILE *file, struct json_object *msg);
void show_print_attached(FILE *file, struct json_object *msg);

#endif
