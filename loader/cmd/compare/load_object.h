/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* pload compare: the user's object, loaded as far as this process may. */
#ifndef PLOAD_CMD_COMPARE_LOAD_OBJECT_H
#define PLOAD_CMD_COMPARE_LOAD_OBJECT_H

#include "loader/session/load.h"
#include "loader/tools/compare/compare.h"

/* Zeroed is empty. */
struct compare_loaded {
	struct loading_types types;
	struct loading load;
	struct error denied;	/* what this process may not; its code is 0 where all is loaded; owned */
};

/* compare_object_read() - as loading_begin(). compare_object_end() in any case. */
int compare_object_read(struct compare_loaded *l, struct sys *sys, struct output *out,
			const struct options *o, const char *path, struct error *err);
void compare_object_end(struct compare_loaded *l);

/*
 * compare_object_load() - its maps and all programs that are wanted. That this process may not is
 * no failure but what every program of it will say. Fails as loading_maps(), loading_program().
 */
int compare_object_load(struct compare_loaded *l, struct error *err);

/* compare_object_get() - program number @prog, for a subject; its texts and errors are borrowed. */
struct compare_object compare_object_get(const struct compare_loaded *l, uint32_t prog);

#endif
