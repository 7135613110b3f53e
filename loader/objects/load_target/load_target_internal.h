/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* How load targets are named in the BTF of a kernel or program, and errors for missing ones. */
#ifndef PLOAD_OBJECTS_LOAD_TARGET_LOAD_TARGET_INTERNAL_H
#define PLOAD_OBJECTS_LOAD_TARGET_LOAD_TARGET_INTERNAL_H

#include "loader/objects/load_target/load_target.h"

/* The type that represents NAME in a section name. */
struct target_naming {
	const char *prefix;	/* precedes NAME in the type's name */
	uint32_t kind;		/* BTF_KIND_* */
	const char *noun;	/* for messages */
	const char *missing;	/* hint if no name is similar */
};

/* target_naming() - Return the naming of @kind; NULL if it has no BTF target. */
const struct target_naming *target_naming(enum section_names names);

/* target_name() - Return the NAME in "NAME" or "MODULE:NAME". */
const char *target_name(const struct object_prog *p);

/* target_in_prog() - Return true if the target is a function of --target-prog. */
bool target_in_prog(const struct load_targets *t, const struct object_prog *p);

/* target_prog_open() - Open program t->prog, and its types as t->prog_types. target_prog.c */
int target_prog_open(struct load_targets *t, struct error *err);

/* target_missing() - Report that the target of @p does not exist, and similar names. */
int target_missing(struct load_targets *t, const struct object_prog *p, struct error *err);

#endif
