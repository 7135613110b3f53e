/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the files of this folder share and nobody else needs. */
#ifndef PLOAD_COMPARE_PARTS_H
#define PLOAD_COMPARE_PARTS_H

#include "loader/compare/compare.h"
#include "loader/output/value.h"

/* A member that is a string (null for NULL and ""), or a number. false: no memory. */
bool compare_add_text(struct json_object *object, const char *key, const char *text);
bool compare_add_number(struct json_object *object, const char *key, uint64_t number);

/* compare_list() - the array @key of @object, borrowed; made where there is none. NULL: ENOMEM. */
struct json_object *compare_list(struct json_object *object, const char *key);

#endif
