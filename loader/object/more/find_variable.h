/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Inside this room: where a variable lies that is named as C names it. */
#ifndef PLOAD_OBJECT_MORE_FIND_VARIABLE_H
#define PLOAD_OBJECT_MORE_FIND_VARIABLE_H

#include "loader/object/object.h"

struct variable {
	uint32_t map;		/* whose content it is in */
	uint32_t offset, size;	/* in there, whole */
	uint32_t type;		/* in the object's BTF; 0: nobody knows */
};

/*
 * variable_find() - "name", "name.member", "name[3].member" among the variables of the object's
 * data. A name that itself has a '.' (a static one of a function) is found too. ENOENT with the
 * nearest names for a hint; EEXIST: several have that name.
 */
int variable_find(const struct bpf_object *obj, const char *path, struct variable *var,
		  struct error *err);

/*
 * names_near() - the known names nearest to one that is not: show them each, then ask for the text.
 */
struct names_near {
	const char *want;	/* the first want_len bytes of it */
	size_t want_len;
	uint32_t seen;
	unsigned int distance[3];
	const char *name[3];
};

void names_near_add(struct names_near *near, const char *name);
/*
 * names_near_hint() - "did you mean 'x' or 'y'?"; nothing when none was shown. Returns err->code.
 */
int names_near_hint(const struct names_near *near, struct error *err);

#endif
