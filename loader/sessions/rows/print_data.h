/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Print the global variables of an object: each section is a map with one element. */
#ifndef PLOAD_SESSIONS_ROWS_PRINT_DATA_H
#define PLOAD_SESSIONS_ROWS_PRINT_DATA_H

#include "loader/core/kernel/kernel.h"
#include "loader/core/print/output.h"

/* print_data_map() - Print the variables of map @i as a message "data"; read-only ones are not. */
int print_data_map(struct sys *sys, struct output *out, const struct kernel_object *k, uint32_t i,
		   struct error *err);

#endif
