// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Resolve an event's name: first the file, then the symbol. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/objects/symbols/symbols_internal.h"

void symbols_init(struct symbols *s, struct sys *sys, const char *search)
{
	*s = (struct symbols){ .sys = sys, .search = search };
}

void symbols_free(struct symbols *s)
{
	for (uint32_t i = 0; i < s->nr_files; i++)
		symbol_file_close(s->files[i]);
	free(s->files);
	memset(s, 0, sizeof(*s));
}

void symbol_locations_free(struct symbol_locations *locations)
{
	for (uint32_t i = 0; i < locations->nr; i++) {
		free(locations->list[i].name);
		free(locations->list[i].args);
	}
	free(locations->list);
	memset(locations, 0, sizeof(*locations));
}

void symbol_locations_note(struct symbol_locations *locations, const char *fmt, ...)
{
	const size_t len = strlen(locations->note);
	va_list args;

	if (len)
		snprintf(locations->note + len, sizeof(locations->note) - len, "; ");
	va_start(args, fmt);
	vsnprintf(locations->note + strlen(locations->note),
		  sizeof(locations->note) - strlen(locations->note), fmt, args);
	va_end(args);
}

static int look_up(struct symbol_file *file, const struct event_spec *spec,
		   struct symbol_locations *locations, struct error *err)
{
	int ret;

	if (spec->kind == EVENT_USDT)
		ret = find_usdt_probes(file, spec, locations, err);
	else if (symbol_is_pattern(spec->uprobe.symbol))
		ret = find_matching_functions(file, spec, locations, err);
	else
		ret = find_function(file, spec, locations, err);
	return ret ? error_where(err, "%s", file->path) : 0;
}

int symbols_resolve(struct symbols *s, const struct event_spec *spec, pid_t pid,
		    struct symbol_locations *locations, struct error *err)
{
	struct symbol_file *file;
	int ret;

	memset(locations, 0, sizeof(*locations));
	ret = find_file(s, spec->uprobe.path, pid, locations, err);
	if (!ret)
		ret = symbol_file_get(s, locations->path, &file, err);
	if (!ret) {
		locations->dev = file->dev;
		locations->ino = file->ino;
		locations->fd = file->fd;
		locations->fixed = file->exec.type == ET_EXEC;
		ret = look_up(file, spec, locations, err);
	}
	if (!ret)
		return 0;
	symbol_locations_free(locations);
	return error_where(err, "event '%.200s'", spec->text);
}
