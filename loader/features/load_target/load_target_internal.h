/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the steps of finding targets share with each other, and with nobody else. */
#ifndef PLOAD_FEATURES_LOAD_TARGET_LOAD_TARGET_INTERNAL_H
#define PLOAD_FEATURES_LOAD_TARGET_LOAD_TARGET_INTERNAL_H

#include "loader/features/load_target/load_target.h"

/* How the kernel's types name what a section calls NAME. */
struct target_naming {
	const char *prefix;	/* what stands in front of NAME */
	uint32_t kind;		/* BTF_KIND_* */
	const char *what;	/* for messages */
	const char *missing;	/* hint where no name is near */
};

const struct target_naming *target_naming(enum prog_follows follows);

/* target_name() - NAME of "NAME" and "MODULE:NAME". */
const char *target_name(const struct object_prog *p);

/* target_in_prog() - whether @p is for a function of --target-prog, and not of the kernel. */
bool target_in_prog(const struct load_targets *t, const struct object_prog *p);

/* prog.c: open t->prog, and its types into t->prog_types. "--target-prog=x". */
int target_prog_open(struct load_targets *t, struct error *err);

/* missing.c: say that there is nothing of the name that @p is for, and what may have been meant. */
int target_missing(struct load_targets *t, const struct object_prog *p, struct error *err);

#endif
