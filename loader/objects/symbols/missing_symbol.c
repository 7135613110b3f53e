// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Report why a file has no such function: it is a variable, imported, stripped, or misspelled. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "loader/objects/symbols/symbols_internal.h"

/* The symbols with that name in all tables. */
struct found {
	bool imported, variable, function;
	char versions[200];	/* the versions of functions with that name */
	struct nearest near;
	char wanted[NEAREST_NAME];
};

static void add_version(struct found *f, const struct exec_symbol *s)
{
	const size_t len = strlen(f->versions), room = sizeof(f->versions) - len;
	char text[128];

	snprintf(text, sizeof(text), "%.*s", (int)s->version_len, s->version);
	if (!strstr(f->versions, text) && strlen(text) + 3 < room)
		snprintf(f->versions + len, room, "%s%s", len ? ", " : "", text);
}

static void examine(struct found *f, const struct wanted_name *wanted, const struct exec_symbol *s)
{
	char name[NEAREST_NAME];

	if (symbol_has_name(s, wanted)) {
		f->imported |= s->section == SHN_UNDEF;
		f->variable |= s->section != SHN_UNDEF && !exec_symbol_is_function(s);
		f->function |= exec_symbol_is_function(s);
		if (exec_symbol_is_function(s) && s->version)
			add_version(f, s);
	} else if (exec_symbol_is_function(s) && s->name_len < sizeof(name)) {
		snprintf(name, sizeof(name), "%.*s", (int)s->name_len, s->name);
		nearest_offer(&f->near, name);
	}
}

static void examine_all(struct symbol_file *file, const struct wanted_name *wanted, struct found *f)
{
	struct exec_symbol s;
	const struct exec *x = &file->exec;

	snprintf(f->wanted, sizeof(f->wanted), "%.*s", (int)wanted->name_len, wanted->name);
	nearest_init(&f->near, f->wanted);
	for (unsigned int t = 0; t < NR_SYMBOL_TABLES; t++) {
		const struct exec_table *table = symbol_table(x, t);

		for (uint32_t i = 1; i < table->nr; i++)
			if (exec_symbol(x, table, i, &s))
				examine(f, wanted, &s);
	}
}

bool hint_stripped(struct symbol_file *file, struct error *err)
{
	const struct exec *x = &file->exec;

	if (x->cut_short) {
		error_reason(err, "symbols/damaged");
		error_hint(err,
			   "the file is truncated before its section headers: reinstall it");
		return true;
	}
	if (x->symtab.nr)
		return false;
	error_reason(err, "symbols/stripped");
	error_hint(err, "the file is stripped%s: write PATH:OFFSET; nm on its debug file prints "
			"the address",
		   x->dynsym.nr ? " and has only the names that other files use"
				: " of all names");
	return true;
}

static int imported(const struct symbol_file *file, const struct wanted_name *wanted,
		    struct error *err)
{
	char libraries[300] = "";
	size_t len = 0;
	const char *name;

	for (uint32_t i = 0; len + 80 < sizeof(libraries) && (name = exec_needed(&file->exec, i));
	     i++)
		len += snprintf(libraries + len, sizeof(libraries) - len, "%s%.64s",
				len ? ", " : "", name);
	error_set(err, ENOENT, "'%.*s' is only imported here; another file defines it",
		  (int)(wanted->name_len > 128 ? 128 : wanted->name_len), wanted->name);
	error_reason(err, "symbols/imported");
	if (libraries[0])
		return error_hint(err, "probe the library that defines it: one of %s", libraries);
	return error_hint(err, "probe the library that defines it");
}

int missing_symbol(struct symbol_file *file, const struct wanted_name *wanted, struct error *err)
{
	const int len = wanted->name_len > 128 ? 128 : wanted->name_len;
	char names[NEAREST_MAX * NEAREST_NAME];
	struct found f = { 0 };

	examine_all(file, wanted, &f);
	if (f.function) {
		error_set(err, ENOENT, "'%.*s' has %s%.64s", len, wanted->name,
			  wanted->version ? "no version " : "no default version",
			  wanted->version ? wanted->version : "");
		error_reason(err, "symbols/no-version");
		if (!f.versions[0])
			return error_hint(err,
					  "it has no versions: leave out '@' and the rest");
		return error_hint(err, "it has %s: write %.*s@VERSION", f.versions, len,
				  wanted->name);
	}
	if (f.variable) {
		error_set(err, ENOENT, "'%.*s' is a variable, not a function", len, wanted->name);
		error_reason(err, "symbols/not-code");
		return error_hint(err, "use a breakpoint to watch memory: mem:ADDR");
	}
	if (f.imported)
		return imported(file, wanted, err);
	error_set(err, ENOENT, "has no function '%.*s'", len, wanted->name);
	error_reason(err, "symbols/no-symbol");
	if (f.near.nr)
		return error_hint(err, "did you mean %s?",
				  nearest_text(&f.near, names, sizeof(names)));
	if (hint_stripped(file, err))
		return -ENOENT;
	return error_hint(err,
			  "nm -C lists its functions; use mangled names for C++ and Rust");
}
