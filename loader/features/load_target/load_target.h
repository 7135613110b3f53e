/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the programs of an object are loaded for, where the kernel wants to know it by a BTF id: the
 * function, tracepoint, hook or iterator that stands in the section's name. A room beside the core:
 * an object without such sections never gets there.
 */
#ifndef PLOAD_FEATURES_LOAD_TARGET_LOAD_TARGET_H
#define PLOAD_FEATURES_LOAD_TARGET_LOAD_TARGET_H

#include "loader/kernel/kernel.h"
#include "loader/object/object.h"
#include "loader/features/kernel_types/kernel_types.h"

struct target_type;

/* The targets of one object. Zeroed is empty. */
struct load_targets {
	struct sys *sys;		/* borrowed, as the next four */
	const struct bpf_object *obj;
	const bool *wanted;		/* of each program, whether it is to be loaded */
	struct kernel_types *types;	/* of the running kernel */
	const char *prog;		/* --target-prog; NULL: not given */
	int prog_fd;			/* owned; of that program, once it is needed */
	struct kernel_types prog_types;	/* owned; likewise */
	struct target_type *places; /* owned; of each program. NULL: not looked up yet */
	unsigned int guesses;		/* how often all names were looked at for one like it */
};

/*
 * load_targets_init() - look nothing up yet. @prog is another program, which FOLLOWS_PROG_FUNC
 * needs and where FOLLOWS_BTF_FUNC looks when it is given: its id, or where it is pinned; or NULL.
 * Cannot fail.
 */
void load_targets_init(struct load_targets *t, struct sys *sys, const struct bpf_object *obj,
		       const bool *wanted, struct kernel_types *types, const char *prog);
void load_targets_free(struct load_targets *t);

/*
 * load_targets_get() - what program @prog, which is wanted, is loaded for. The first call that
 * needs an id looks up those of all wanted programs, in one walk over the kernel's types. Fails
 * with EINVAL when the section names nothing, or a function of a program and no program is given;
 * ENOENT when there is nothing of that name (the nearest ones are in the hint); and with what
 * opening types or the program fails with. "prog 'x'".
 */
int load_targets_get(struct load_targets *t, uint32_t prog, struct prog_target *target,
		     struct error *err);

#endif
