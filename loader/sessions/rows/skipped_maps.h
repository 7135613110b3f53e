/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Report maps whose contents are not printed, with the reason. */
#ifndef PLOAD_SESSIONS_ROWS_SKIPPED_MAPS_H
#define PLOAD_SESSIONS_ROWS_SKIPPED_MAPS_H

#include "loader/core/object/object.h"
#include "loader/core/print/output.h"

/*
 * skipped_map_print() - Print "map-skipped" for a map whose type cannot be read; nothing for maps
 * of descriptors, and for rings, which are printed as they come.
 * skipped_map_output() - Print it for another reason. @type: the name of the map's type.
 */
int skipped_map_print(struct output *out, const struct object_map *map, struct error *err);
int skipped_map_output(struct output *out, const struct object_map *map, const char *type,
		       const char *why, struct error *err);

#endif
