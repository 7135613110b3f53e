/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The representation of a JSON value, shared by json_object.c and json_text.c. */
#ifndef PLOAD_CORE_VALUE_JSON_INTERNAL_H
#define PLOAD_CORE_VALUE_JSON_INTERNAL_H

#include "loader/core/value/json_object.h"

struct json_member {
	const char *key;	/* owned unless is_constant; NULL in an array */
	bool is_constant;
	struct json_object *value;	/* owned */
};

struct json_object {
	enum json_type type;
	uint32_t nr_refs;
	bool is_unsigned;	/* int: u if above INT64_MAX, otherwise i */
	union {
		bool b;
		int64_t i;
		uint64_t u;
		double d;
		size_t len;	/* of text */
		struct {
			uint32_t nr, room;
		};
	};
	union {
		struct json_member *members;	/* owned; for an object or array */
		char *text;		/* owned; a string, or the text of a double, or NULL */
	};
	uint32_t *index;	/* owned; for many members; see find_member() */
	char *json;		/* owned; what json_object_to_json_string_length() returned */
	const void *mark;
};

#endif
