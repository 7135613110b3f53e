/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Shared by the files that print the contents of maps. */
#ifndef PLOAD_SESSIONS_ROWS_ROWS_INTERNAL_H
#define PLOAD_SESSIONS_ROWS_ROWS_INTERNAL_H

#include <stdio.h>

#include "loader/core/kernel/kernel.h"
#include "loader/core/object/object.h"
#include "loader/core/print/output.h"
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

/* --- print_data.c --- */

/* print_data_map() - Print the variables of map @i as a message "data"; read-only ones are not. */
int print_data_map(struct sys *sys, struct output *out, const struct kernel_object *k, uint32_t i,
		   struct error *err);

/* --- skipped_maps.c --- */

/*
 * skipped_map_print() - Print "map-skipped" for a map whose type cannot be read; nothing for maps
 * of descriptors, and for rings, which are printed as they come.
 * skipped_map_output() - Print it for another reason. @type: the name of the map's type.
 */
int skipped_map_print(struct output *out, const struct object_map *map, struct error *err);
int skipped_map_output(struct output *out, const struct object_map *map, const char *type,
		       const char *why, struct error *err);

#endif
