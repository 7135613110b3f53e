/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Finding variables by name, for set_variable.c. */
#ifndef PLOAD_OBJECTS_VARIABLES_FIND_VARIABLE_H
#define PLOAD_OBJECTS_VARIABLES_FIND_VARIABLE_H

#include "loader/core/object/object.h"

struct variable {
	uint32_t map;		/* index of the map that contains it */
	uint32_t offset, size;	/* offset in the map's contents, in bytes */
	uint32_t type;		/* in the object's BTF; 0: unknown */
};

/*
 * variable_find() - Find "name", "name.member" or "name[3].member" in the object's data. A
 * function's static variable is "function.name". Return: 0, -ENOENT (the hint has similar names),
 * -EEXIST (ambiguous), -EINVAL, -ENOTSUP or -EBADMSG.
 */
int variable_find(const struct bpf_object *obj, const char *path, struct variable *var,
		  struct error *err);

/* The known names most similar to an unknown one, borrowed. */
struct names_near {
	const char *want;	/* only the first want_len bytes count */
	size_t want_len;
	uint32_t seen;
	unsigned int distance[3];
	const char *name[3];
};

void names_near_add(struct names_near *near, const char *name);
/* names_near_hint() - Suggest the names in the hint, if there are any. Return: err->code. */
int names_near_hint(const struct names_near *near, struct error *err);

#endif
