/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The renderers of pload inspect, and functions that they share. */
#ifndef PLOAD_TOOLS_INSPECT_TEXT_TEXT_INTERNAL_H
#define PLOAD_TOOLS_INSPECT_TEXT_TEXT_INTERNAL_H

#include "loader/tools/inspect/inspect_internal.h"

/* show_cell() - Print the string member @key, padded to @width, and a space. */
void show_cell(FILE *file, struct json_object *msg, const char *key, int width);

/* --- text_tables.c --- */

void show_part(FILE *file, struct json_object *msg);
void show_section(FILE *file, struct json_object *msg);
void show_symbol(FILE *file, struct json_object *msg);
void show_relocation(FILE *file, struct json_object *msg);
void show_record(FILE *file, struct json_object *msg);
void show_field(FILE *file, struct json_object *msg);

/* --- text_insns.c --- */

void show_listing(FILE *file, struct json_object *msg);
void show_function(FILE *file, struct json_object *msg);
void show_log(FILE *file, struct json_object *msg);
void show_log_step(FILE *file, struct json_object *msg);
void show_insn(FILE *file, struct json_object *msg);

#endif
