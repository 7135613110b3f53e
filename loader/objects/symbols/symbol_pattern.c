// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Find all functions whose names match a pattern. */
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/objects/symbols/symbols_internal.h"

/* Maximum matches mentioned to the user. */
struct counts {
	uint32_t ifuncs, not_code, too_long;
};

bool symbol_is_pattern(const char *symbol)
{
	return symbol && strpbrk(symbol, "*?[");
}

/* Match "name", or "name@VERSION" if the pattern has an '@'. */
static bool matches(const char *pattern, bool with_version, const struct exec_symbol *s, char *name,
		    size_t size)
{
	const bool versioned = with_version && s->version;

	snprintf(name, size, "%.*s%s%.*s", (int)s->name_len, s->name, versioned ? "@" : "",
		 versioned ? (int)s->version_len : 0, versioned ? s->version : "");
	return !fnmatch(pattern, name, 0);
}

static int add_matches(struct symbol_file *file, const struct exec *x,
		       const struct exec_table *table, const char *pattern,
		       struct symbol_locations *locations, struct counts *counts, struct error *err)
{
	const bool with_version = strchr(pattern, '@');
	char name[EVENT_WORD_MAX];
	struct exec_symbol s;
	int ret = 0;

	for (uint32_t i = 1; !ret && i < table->nr; i++) {
		struct symbol_location location = { 0 };

		if (!exec_symbol(x, table, i, &s) || !exec_symbol_is_function(&s) ||
		    s.type == STT_NOTYPE)
			continue;
		if (s.name_len + s.version_len + 2 > sizeof(name)) {
			counts->too_long++;
			continue;
		}
		if (!matches(pattern, with_version, &s, name, sizeof(name)))
			continue;
		location.address = s.value;
		if (code_offset(file, s.value, &location.file_offset, NULL)) {
			counts->not_code++;
			continue;
		}
		counts->ifuncs += s.type == STT_GNU_IFUNC;
		ret = symbol_locations_add(locations, &location, name, strlen(name), err);
	}
	return ret;
}

static void add_notes(struct symbol_locations *locations, const struct counts *c)
{
	if (c->ifuncs)
		symbol_locations_note(
			locations,
			"%u symbols are IFUNCs: their code runs once and selects a function",
			c->ifuncs);
	if (c->not_code)
		symbol_locations_note(locations, "%u matching symbols are not in executable code",
				      c->not_code);
	if (c->too_long)
		symbol_locations_note(locations,
				      "%u symbols have names that are too long to compare",
				      c->too_long);
}

int find_matching_functions(struct symbol_file *file, const struct event_spec *spec,
			    struct symbol_locations *locations, struct error *err)
{
	struct counts counts = { 0 };
	const struct exec *x = &file->exec;
	int ret = 0;

	if (spec->uprobe.offset) {
		error_set(err, EINVAL, "a pattern cannot have an offset");
		error_hint(err, "leave out +%llu, or write the name",
			   (unsigned long long)spec->uprobe.offset);
		return error_reason(err, "symbols/offset");
	}
	for (unsigned int t = 0; !ret && t < NR_SYMBOL_TABLES; t++)
		ret = add_matches(file, x, symbol_table(x, t), spec->uprobe.symbol, locations,
				  &counts, err);
	if (ret)
		return ret;
	if (locations->nr) {
		symbol_locations_sort(locations);
		add_notes(locations, &counts);
		return 0;
	}
	error_set(err, ENOENT, "no function matches '%.128s'", spec->uprobe.symbol);
	error_reason(err, "symbols/no-symbol");
	if (!hint_stripped(file, err))
		error_hint(err,
			   "'*' matches any characters, '?' one, [abc] one of these; nm -C lists "
			   "the functions");
	return -ENOENT;
}
