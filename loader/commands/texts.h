/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The messages of commands as text: each is printed by a function beside the one that builds it. */
#ifndef PLOAD_COMMANDS_TEXTS_H
#define PLOAD_COMMANDS_TEXTS_H

#include <stdio.h>

#include "loader/core/value/json_object.h"

#include "loader/core/print/output.h"
#include "loader/core/session/options.h"

/* pload explain: one line of the list, or the page of one reason. */
void explain_print_line(FILE *file, struct json_object *msg);
void explain_print_page(FILE *file, struct json_object *msg);

/*
 * pload explain --attr: a row of the list, the headline of one name, and a row for each field; and
 * the function that prints those of the command's arguments ("usage/attr").
 */
void explain_print_attr(FILE *file, struct json_object *msg);
void explain_print_attr_begin(FILE *file, struct json_object *msg);
void explain_print_attr_field(FILE *file, struct json_object *msg);
int explain_attrs(const struct options *o, struct output *out, struct error *err);

/* pload list */
void list_print_event(FILE *file, struct json_object *msg);
void list_print_pmu(FILE *file, struct json_object *msg);

/* pload load */
void load_print_text(FILE *file, struct json_object *msg);

/* pload probe: the headline, and one line for each test. */
void probe_print_begin(FILE *file, struct json_object *msg);
void probe_print_event(FILE *file, struct json_object *msg);
void probe_print_feature(FILE *file, struct json_object *msg);
void probe_print_prog_type(FILE *file, struct json_object *msg);
void probe_print_helper(FILE *file, struct json_object *msg);

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
