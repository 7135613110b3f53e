// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Which cells have something to tell: those that fire, one after the other. */
#include <errno.h>
#include <string.h>

#include "loader/tools/compare/lifetime/lifetime.h"

/* Whether the cell called @name is among "cells" and fires. */
static bool fires(struct json_object *cells, const char *name)
{
	for (size_t i = 0; i < json_object_array_length(cells); i++) {
		struct json_object *cell = json_object_array_get_idx(cells, i), *is, *outcome;

		if (json_object_object_get_ex(cell, "cell", &is) &&
		    json_object_object_get_ex(cell, "outcome", &outcome) &&
		    !strcmp(json_object_get_string(is), name))
			return !strcmp(json_object_get_string(outcome), "fires");
	}
	return false;
}

bool section_any_fires(const struct compare_subject *s, struct json_object *event)
{
	struct json_object *cells;

	if (!json_object_object_get_ex(event, "cells", &cells))
		return false;
	for (int i = 0; i < COMPARE_NR_CELLS; i++)
		if (fires(cells, s->cells[i].name))
			return true;
	return false;
}

int section_each_fires(const struct compare_subject *s, struct json_object *event,
		       struct section *section, section_try *call, void *arg, struct error *err)
{
	struct json_object *cells;

	if (!json_object_object_get_ex(event, "cells", &cells))
		return 0;
	for (int i = 0; i < COMPARE_NR_CELLS && !compare_stopped(s); i++) {
		if (!fires(cells, s->cells[i].name))
			continue;
		section_cell(section, &s->cells[i]);
		call(arg, s, &s->cells[i]);
		section_fill(section);
	}
	if (section->no_memory)
		return error_set(err, ENOMEM, "no memory for section '%s'", section->id);
	return 0;
}
