// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* From names to places: file, then symbol. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/features/symbols/symbols_internal.h"

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

void symbol_places_free(struct symbol_places *places)
{
	for (uint32_t i = 0; i < places->nr; i++) {
		free(places->list[i].name);
		free(places->list[i].args);
	}
	free(places->list);
	memset(places, 0, sizeof(*places));
}

void lookup_note(struct symbol_places *places, const char *fmt, ...)
{
	const size_t len = strlen(places->note);
	va_list args;

	if (len)
		snprintf(places->note + len, sizeof(places->note) - len, "; ");
	va_start(args, fmt);
	vsnprintf(places->note + strlen(places->note), sizeof(places->note) - strlen(places->note),
		  fmt, args);
	va_end(args);
}

static int look_up(struct symbol_file *file, const struct event_spec *spec,
		   struct symbol_places *places, struct error *err)
{
	int ret;

	if (spec->kind == EVENT_USDT)
		ret = lookup_usdt(file, spec, places, err);
	else if (symbols_is_pattern(spec->second))
		ret = lookup_pattern(file, spec, places, err);
	else
		ret = lookup_function(file, spec, places, err);
	return ret ? error_where(err, "%s", file->path) : 0;
}

int symbols_resolve(struct symbols *s, const struct event_spec *spec, pid_t pid,
		    struct symbol_places *places, struct error *err)
{
	struct symbol_file *file;
	int ret;

	memset(places, 0, sizeof(*places));
	ret = symbols_find_file(s, spec->path, pid, places, err);
	if (!ret)
		ret = symbol_file_get(s, places->path, &file, err);
	if (!ret) {
		places->dev = file->dev;
		places->ino = file->ino;
		places->fixed = file->exec.type == ET_EXEC;
		ret = look_up(file, spec, places, err);
	}
	if (!ret)
		return 0;
	symbol_places_free(places);
	return error_where(err, "event '%.200s'", spec->text);
}
