// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Find a function by its name and version.
 *
 * Symbol versioning (.gnu.version) allows several functions with one name in a library. "@@" marks
 * the default, which new programs link with:
 *
 *	.dynsym			.gnu.version -> .gnu.version_d
 *	memcpy	0x9f2b0		"GLIBC_2.2.5"			memcpy@GLIBC_2.2.5
 *	memcpy	0xa1480		"GLIBC_2.14", default		memcpy@@GLIBC_2.14
 *
 * "memcpy" is the default version, "memcpy@GLIBC_2.2.5" the other one.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/objects/symbols/symbols_internal.h"

/* Functions with one name; additional static ones are counted, not listed. */
#define CANDIDATES_MAX 64

/* The functions with that name, each address once. */
struct candidates {
	struct exec_symbol list[CANDIDATES_MAX];
	uint32_t nr, more;
};

const struct exec_table *symbol_table(const struct exec *x, unsigned int i)
{
	return i ? &x->dynsym : &x->symtab;
}

bool symbol_has_name(const struct exec_symbol *s, const struct wanted_name *wanted)
{
	return s->name_len == wanted->name_len && !memcmp(s->name, wanted->name, s->name_len);
}

static bool has_version(const struct exec_symbol *s, const struct wanted_name *wanted)
{
	if (!wanted->version)
		return s->is_default;
	return s->version && s->version_len == strlen(wanted->version) &&
	       !memcmp(s->version, wanted->version, s->version_len) &&
	       (s->is_default || !wanted->only_default);
}

/* Replace a static function in a full list: the global ones in a table come last. */
static void keep_global(struct candidates *c, const struct exec_symbol *s)
{
	for (uint32_t i = c->nr; i--;) {
		if (c->list[i].bind != STB_LOCAL)
			continue;
		c->list[i] = *s;
		return;
	}
}

static void add_candidate(struct candidates *c, const struct exec_symbol *s)
{
	for (uint32_t i = 0; i < c->nr; i++) {
		struct exec_symbol *there = &c->list[i];

		if (there->value != s->value)
			continue;
		/* The same function in another table: merge the two entries. */
		if (s->size > there->size)
			there->size = s->size;
		if (s->bind != STB_LOCAL)
			there->bind = s->bind;
		if (s->type == STT_GNU_IFUNC)
			there->type = s->type;
		return;
	}
	if (c->nr < CANDIDATES_MAX) {
		c->list[c->nr++] = *s;
		return;
	}
	c->more++;
	if (s->bind != STB_LOCAL)
		keep_global(c, s);
}

static void collect(struct symbol_file *file, const struct wanted_name *wanted,
		    struct candidates *c)
{
	struct exec_symbol s;
	const struct exec *x = &file->exec;

	for (unsigned int t = 0; t < NR_SYMBOL_TABLES; t++) {
		const struct exec_table *table = symbol_table(x, t);

		for (uint32_t i = 1; i < table->nr; i++)
			if (exec_symbol(x, table, i, &s) && symbol_has_name(&s, wanted) &&
			    exec_symbol_is_function(&s) && has_version(&s, wanted))
				add_candidate(c, &s);
	}
}

int code_offset(const struct symbol_file *file, uint64_t address, uint64_t *offset,
		struct error *err)
{
	uint32_t flags;

	if (!exec_offset(&file->exec, address, offset, &flags))
		error_set(err, ENOEXEC, "address 0x%" PRIx64 " is not in any segment of the file",
			  address);
	else if (!(flags & PF_X))
		error_set(err, ENOEXEC,
			  "address 0x%" PRIx64 " is in a segment that is not executable", address);
	else
		return 0;
	error_reason(err, "symbols/not-code");
	return error_hint(err, "probes can only be set on instructions");
}

int symbol_locations_add(struct symbol_locations *locations, const struct symbol_location *location,
			 const char *name, uint32_t len, struct error *err)
{
	const uint32_t nr = locations->nr;
	struct symbol_location *list;
	char *copy = name ? strndup(name, len) : NULL;

	if (nr == SYMBOL_LOCATIONS_MAX) {
		free(copy);
		return error_set(err, E2BIG, "it matches more than %u functions", nr);
	}
	list = array_grow(locations->list, nr, sizeof(*list));
	if (list)
		locations->list = list;
	if (!list || (name && !copy)) {
		free(copy);
		return error_set(err, ENOMEM, "no memory for %u locations", nr);
	}
	list[nr] = *location;
	list[nr].name = copy;
	locations->nr++;
	return 0;
}

static int compare(const void *a, const void *b)
{
	const struct symbol_location *x = a, *y = b;

	return (x->file_offset > y->file_offset) - (x->file_offset < y->file_offset);
}

void symbol_locations_sort(struct symbol_locations *locations)
{
	uint32_t kept = 0;

	qsort(locations->list, locations->nr, sizeof(*locations->list), compare);
	for (uint32_t i = 0; i < locations->nr; i++) {
		struct symbol_location *p = &locations->list[i];

		if (kept && locations->list[kept - 1].file_offset == p->file_offset) {
			free(p->name);
			free(p->args);
		} else {
			locations->list[kept++] = *p;
		}
	}
	locations->nr = kept;
}

/* List the file offsets, which can be used instead of the name: "0x1139, 0x1157 and 3 more". */
static void list_offsets(const struct symbol_file *file, const struct candidates *c, char *buf,
			 size_t size)
{
	uint32_t flags, left = c->nr + c->more;
	size_t len = 0;

	buf[0] = '\0';
	for (uint32_t i = 0; i < c->nr && len + 64 < size; i++, left--) {
		uint64_t offset;

		if (exec_offset(&file->exec, c->list[i].value, &offset, &flags))
			len += snprintf(buf + len, size - len, "%s0x%" PRIx64, len ? ", " : "",
					offset);
	}
	if (left)
		snprintf(buf + len, size - len, " and %u more", left);
}

static int ambiguous(const struct symbol_file *file, const struct wanted_name *wanted,
		     const struct candidates *c, struct error *err)
{
	char offsets[400];

	list_offsets(file, c, offsets, sizeof(offsets));
	error_set(err, ENOTUNIQ, "%u functions are named '%.*s'", c->nr + c->more,
		  (int)wanted->name_len, wanted->name);
	error_hint(err, "use the offset of one instead of the name: they are at %s", offsets);
	return error_reason(err, "symbols/ambiguous");
}

/* Choose the only global function of several; the others are static. */
static const struct exec_symbol *choose(const struct symbol_file *file, const struct candidates *c,
					struct symbol_locations *locations)
{
	const struct exec_symbol *global = NULL;
	char offsets[300];

	if (c->nr == 1)
		return &c->list[0];
	for (uint32_t i = 0; i < c->nr; i++) {
		if (c->list[i].bind == STB_LOCAL)
			continue;
		if (global)
			return NULL;
		global = &c->list[i];
	}
	if (!global)
		return NULL;
	list_offsets(file, c, offsets, sizeof(offsets));
	symbol_locations_note(
		locations,
		"%u static functions in the file are also named '%.*s' and are not probed; all "
		"are at %s",
		c->nr + c->more - 1, (int)(global->name_len > 64 ? 64 : global->name_len),
		global->name, offsets);
	return global;
}

static int beyond(const struct exec_symbol *s, uint64_t offset, struct error *err)
{
	error_set(err, ERANGE, "'%.*s' has %" PRIu64 " bytes, and +%" PRIu64 " is after its end",
		  (int)(s->name_len > 128 ? 128 : s->name_len), s->name, s->size, offset);
	error_hint(err, "to use a file offset, write it instead of the name: PATH:0x1234");
	return error_reason(err, "symbols/offset");
}

static int add_function(struct symbol_file *file, const struct exec_symbol *s, uint64_t offset,
			struct symbol_locations *locations, struct error *err)
{
	struct symbol_location location = { .address = s->value + offset };
	char name[EVENT_WORD_MAX];
	int len, ret;

	if (offset && s->size && offset >= s->size)
		return beyond(s, offset, err);
	ret = code_offset(file, s->value, &location.file_offset, err);
	if (!ret && offset)
		ret = code_offset(file, location.address, &location.file_offset, err);
	if (ret)
		return error_where(err, "'%.*s'", (int)(s->name_len > 128 ? 128 : s->name_len),
				   s->name);
	if (s->type == STT_GNU_IFUNC)
		symbol_locations_note(
			locations,
			"'%.*s' is an IFUNC: its code runs once to select the real function; "
			"probe that one by its own name",
			(int)(s->name_len > 64 ? 64 : s->name_len), s->name);
	len = snprintf(name, sizeof(name), "%.*s%s%.*s", (int)s->name_len, s->name,
		       s->version ? "@" : "", (int)s->version_len, s->version ? s->version : "");
	return symbol_locations_add(locations, &location, name,
				    len < (int)sizeof(name) ? len : (int)sizeof(name) - 1, err);
}

static struct wanted_name split(const char *name)
{
	const char *at = strchr(name, '@');
	struct wanted_name wanted = { .name = name, .name_len = strcspn(name, "@") };

	if (!at || at == name) {
		wanted.name_len = strlen(name);
		return wanted;
	}
	wanted.only_default = at[1] == '@';
	wanted.version = at + 1 + wanted.only_default;
	return wanted;
}

/* A file offset must also be in executable code. */
static int add_offset(const struct symbol_file *file, uint64_t offset,
		      struct symbol_locations *locations, struct error *err)
{
	struct symbol_location location = { .file_offset = offset };
	uint32_t flags;

	if (exec_address(&file->exec, offset, &location.address, &flags) && (flags & PF_X))
		return symbol_locations_add(locations, &location, NULL, 0, err);
	error_set(err, ENOEXEC,
		  "offset 0x%" PRIx64 " of the file is in no segment that is executed", offset);
	error_reason(err, "symbols/not-code");
	return error_hint(err,
			  "offsets are relative to the start of the file: for a symbol in readelf "
			  "-s, it is Value - VirtAddr + Offset of its segment (readelf -l)");
}

int find_function(struct symbol_file *file, const struct event_spec *spec,
		  struct symbol_locations *locations, struct error *err)
{
	const struct exec_symbol *found;
	struct wanted_name wanted;
	struct candidates *c;
	int ret;

	if (!spec->uprobe.symbol)
		return add_offset(file, spec->uprobe.offset, locations, err);
	wanted = split(spec->uprobe.symbol);
	c = calloc(1, sizeof(*c));
	if (!c)
		return error_set(err, ENOMEM, "no memory for symbols");
	collect(file, &wanted, c);
	found = c->nr ? choose(file, c, locations) : NULL;
	if (found)
		ret = add_function(file, found, spec->uprobe.offset, locations, err);
	else if (c->nr)
		ret = ambiguous(file, &wanted, c, err);
	else
		ret = missing_symbol(file, &wanted, err);
	free(c);
	return ret;
}
