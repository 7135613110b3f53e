/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Recordings of several methods beside each other. */
#ifndef PLOAD_OBSERVE_STEP_METHODS_H
#define PLOAD_OBSERVE_STEP_METHODS_H

#include <stdio.h>

#include "loader/observe/step/record.h"

#define METHODS_MAX 3

/**
 * methods_align() - Return the rows of a table: steps of all methods that are the same call.
 *
 * A row is {"steps": [1, 1, null], "names": ["openat", "openat", ""], "differs": true}; numbers of
 * steps count from 1. It differs if a method has no such step, or another kind of call. NULL: no
 * memory.
 */
struct json_object *methods_align(const struct recording *list, unsigned int nr);

/** methods_print() - Print them as a table of STEP_COLUMNS. Return 0 or -ENOMEM. */
int methods_print(FILE *out, const struct recording *list, unsigned int nr, struct error *err);

#endif
