/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Load the object of pload compare as far as the privileges of this process allow. */
#ifndef PLOAD_CMD_COMPARE_LOAD_OBJECT_H
#define PLOAD_CMD_COMPARE_LOAD_OBJECT_H

#include "loader/session/load.h"
#include "loader/tools/compare/compare.h"

/* A zeroed object is empty. */
struct compare_loaded {
	struct loading_types types;
	struct loading load;
	struct error denied;	/* owned; missing privilege; its code is 0 if all is loaded */
};

/**
 * compare_object_read() - Read the object at @path. Fails like loading_begin().
 * compare_object_end() - Release it, also after a failure.
 */
int compare_object_read(struct compare_loaded *l, struct sys *sys, struct output *out,
			const struct options *o, const char *path, struct error *err);
void compare_object_end(struct compare_loaded *l);

/**
 * compare_object_load() - Load its maps and its wanted programs.
 *
 * A missing privilege is no failure: it is kept in l->denied and reported for every program.
 * Return: 0 or -errno, like loading_maps() and load_program().
 */
int compare_object_load(struct compare_loaded *l, struct error *err);

/* compare_object_get() - Return program @prog for a subject; its texts and errors are borrowed. */
struct compare_object compare_object_get(const struct compare_loaded *l, uint32_t prog);

#endif
