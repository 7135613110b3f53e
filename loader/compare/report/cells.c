// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The cells of an event, which are the columns of each table, and the names of sets of them. */
#include <stdio.h>
#include <string.h>

#include "loader/compare/report/report_internal.h"

int cells_find(const struct cells *cells, const char *name)
{
	for (unsigned int i = 0; i < cells->nr; i++)
		if (!strcmp(cells->list[i].name, name))
			return i;
	return -1;
}

void cells_read(struct cells *cells, struct json_object *event)
{
	struct json_object *list = doc_array(event, "cells");

	memset(cells, 0, sizeof(*cells));
	for (size_t i = 0; i < doc_len(list); i++) {
		struct json_object *json = doc_at(list, i);
		const char *name = doc_text(json, "cell");

		if (!name || cells_find(cells, name) >= 0 || cells->nr == CELLS_MAX) {
			cells->left_out++;
			continue;
		}
		cells->list[cells->nr++] = (struct cell){
			name, doc_text(json, "open"), doc_text(json, "bind"),
			doc_text(json, "attach"), json
		};
	}
}

unsigned int cells_all(const struct cells *cells)
{
	return (1u << cells->nr) - 1;
}

unsigned int cells_opened(const struct cells *cells, const char *open)
{
	unsigned int set = 0;

	for (unsigned int i = 0; open && i < cells->nr; i++)
		if (cells->list[i].open && !strcmp(cells->list[i].open, open))
			set |= 1u << i;
	return set;
}

unsigned int cells_bound(const struct cells *cells, const char *bind)
{
	unsigned int set = 0;

	for (unsigned int i = 0; bind && i < cells->nr; i++)
		if (cells->list[i].bind && !strcmp(cells->list[i].bind, bind))
			set |= 1u << i;
	return set;
}

/* If @set is all cells of one open or bind, at least two, name it "pmu+*" or "*+link". */
static bool name_by_way(const struct cells *cells, unsigned int set, char *buf, size_t size)
{
	if (!(set & (set - 1)))
		return false;
	for (unsigned int i = 0; i < cells->nr; i++) {
		const struct cell *c = &cells->list[i];

		if (set == cells_bound(cells, c->bind))
			return snprintf(buf, size, "*+%s", c->bind);
		if (set == cells_opened(cells, c->open))
			return snprintf(buf, size, "%s+*", c->open);
	}
	return false;
}

const char *cells_name(const struct cells *cells, unsigned int set, char *buf, size_t size)
{
	size_t len = 0;

	buf[0] = '\0';
	if (set == cells_all(cells) && cells->nr > 1)
		snprintf(buf, size, "all");
	if (buf[0] || name_by_way(cells, set, buf, size))
		return buf;
	for (unsigned int i = 0; i < cells->nr && len < size; i++)
		if (set & 1u << i)
			len += snprintf(buf + len, size - len, "%s%s", len ? ", " : "",
					cells->list[i].name);
	return buf;
}
