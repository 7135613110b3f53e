/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The load targets of an object's programs: the kernel function, tracepoint, hook or iterator that
 * the section names, or the function of another program, as a BTF id for BPF_PROG_LOAD.
 */
#ifndef PLOAD_OBJECTS_LOAD_TARGET_LOAD_TARGET_H
#define PLOAD_OBJECTS_LOAD_TARGET_LOAD_TARGET_H

#include "loader/core/kernel/kernel.h"
#include "loader/core/object/object.h"
#include "loader/objects/kernel_types/kernel_types.h"

struct target_type;

/* The load targets of one object. All zero means empty. */
struct load_targets {
	struct sys *sys;		/* borrowed, like the next four */
	const struct bpf_object *obj;
	const bool *wanted;		/* by program: whether it will be loaded */
	struct kernel_types *types;	/* the running kernel's */
	const char *prog;		/* --target-prog; NULL: not given */
	int prog_fd;			/* owned; that program; -1 until needed */
	struct kernel_types prog_types;	/* owned; that program's types, opened with it */
	struct target_type *found;	/* owned; by program; NULL until looked up */
	unsigned int guesses;		/* number of missing targets for which similar names were
					 * searched */
};

/**
 * load_targets_init() - Initialize @t, without looking anything up yet.
 * @prog: id or pinned path of another program, which NAMES_PROG_FUNC requires, and which
 * NAMES_BTF_FUNC searches instead of the kernel; or NULL
 */
void load_targets_init(struct load_targets *t, struct sys *sys, const struct bpf_object *obj,
		       const bool *wanted, struct kernel_types *types, const char *prog);
void load_targets_free(struct load_targets *t);

/**
 * load_targets_get() - Return the load target of wanted program @prog.
 * @target: zeroed if the section name has no BTF target
 *
 * The first call that needs a BTF id looks up those of all wanted programs, in one pass over the
 * kernel's types.
 *
 * Return: 0; -EINVAL if the section has no name or --target-prog is missing; -ENOENT if the name
 * does not exist ("prog-load/no-target", with similar names); errors of opening the types or the
 * program.
 */
int load_targets_get(struct load_targets *t, uint32_t prog, struct prog_target *target,
		     struct error *err);

#endif
