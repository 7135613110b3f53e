/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The messages of the contents of maps as text. */
#ifndef PLOAD_SESSIONS_ROWS_ROWS_TEXT_H
#define PLOAD_SESSIONS_ROWS_ROWS_TEXT_H

#include <stdio.h>

#include "loader/core/value/json_object.h"

/* "map-begin", "map", "map-more", "map-skipped", "stack", "stack-map", "data", "histogram" */
void rows_print_begin(FILE *file, struct json_object *msg);
void rows_print_map(FILE *file, struct json_object *msg);
void rows_print_more(FILE *file, struct json_object *msg);
void rows_print_skipped(FILE *file, struct json_object *msg);
void rows_print_stack(FILE *file, struct json_object *msg);
void rows_print_stack_map(FILE *file, struct json_object *msg);
void rows_print_data(FILE *file, struct json_object *msg);
void rows_print_histogram(FILE *file, struct json_object *msg);

#endif
