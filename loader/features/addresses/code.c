// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The functions of a file by address. A file has up to two tables:
 *
 *	.symtab of the file itself		all functions
 *	or .symtab of its debug file		... that were stripped from it
 *	or .symtab of its .gnu_debugdata	... those that .dynsym lacks
 *	and .dynsym, without the first		functions for other files
 *
 * Tables that were not used for long are released when there are too many, and read again.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "loader/features/addresses/addresses_internal.h"
#include "loader/features/symbols/process_files.h"
#include "loader/features/symbols/symbol_file.h"

#define FILE_MAX (256ull << 20)	/* bytes of headers and symbols of one file */
#define ALL_MAX (256ull << 20)	/* ... and of all files, before some are released */
#define VDSO_MAX (1u << 20)

/* Mappings overlap in a list of functions if one is within another. So many are looked at. */
#define NESTED_MAX 64u

struct code {
	uint64_t dev, ino;	/* the file's; the vDSO: 0 */
	bool is_loaded;
	struct symbol_file *file;	/* owned; NULL: not an ELF file of the file system */
	struct exec memory;	/* owned; the vDSO, or what .gnu_debugdata has; zeroed: none */
	struct bytes memory_bytes;	/* owned */
	struct code_table tables[2];	/* owned */
	int fd;			/* owned; of a perf map, whose names are read from it; or -1 */
	struct perf_map map;
	unsigned char build_id[64];
	size_t build_id_size;
	const char *doubt;	/* kept */
	uint64_t used, bytes;	/* when; memory that it takes */
};

const char *code_doubt(const struct code *code)
{
	return code->doubt;
}

bool code_is_loaded(const struct code *code)
{
	return code->is_loaded;
}

struct bytes code_build_id(const struct code *code)
{
	return (struct bytes){ code->build_id, code->build_id_size };
}

/* --- tables --- */

static int compare(const void *a, const void *b)
{
	const struct code_symbol *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return x->name < y->name ? -1 : x->name > y->name;
}

void code_table_sort(struct code_table *table)
{
	for (uint32_t i = 1; i < table->nr; i++)
		if (compare(&table->list[i - 1], &table->list[i]) > 0) {
			qsort(table->list, table->nr, sizeof(*table->list), compare);
			break;
		}
}

/* Return true if it is a function. Labels are, in code; those of mapping symbols, "$x", are not. */
static bool is_function(const struct exec *x, const struct exec_symbol *s)
{
	if (!exec_symbol_is_function(s))
		return false;
	if (s->type != STT_NOTYPE)
		return true;
	return s->name[0] != '$' && s->section < x->nr_sections &&
	       x->sections[s->section].flags & SHF_EXECINSTR;
}

static unsigned int rank_of(const struct exec_symbol *s)
{
	return (s->size && s->type != STT_NOTYPE) << 3 | (s->bind != STB_WEAK) << 2 |
	       (s->bind == STB_GLOBAL) << 1 | (s->name[0] != '_');
}

/* A label has no size: it reaches up to the next function. */
static void guess_sizes(struct code_table *table)
{
	uint64_t next = 0;

	for (uint32_t i = table->nr; i--;) {
		struct code_symbol *s = &table->list[i];
		uint64_t size;

		if (i + 1 < table->nr && table->list[i + 1].start > s->start)
			next = table->list[i + 1].start;
		size = next > s->start ? next - s->start : 4096;
		if (!s->size)
			s->size = size < CODE_SYMBOL_SIZE_MAX ? size : CODE_SYMBOL_SIZE_MAX;
	}
}

static void read_table(struct code *code, const struct exec *x, const struct exec_table *from,
		       struct code_table *table)
{
	struct exec_symbol s;

	table->names = from->names;
	for (uint32_t i = 0; i < from->nr; i++) {
		struct code_symbol *grown;

		if (!exec_symbol(x, from, i, &s) || !is_function(x, &s) ||
		    (const unsigned char *)s.name - from->names.data > UINT32_MAX)
			continue;
		grown = array_grow(table->list, table->nr, sizeof(*grown));
		if (!grown)
			break;
		table->list = grown;
		table->list[table->nr++] = (struct code_symbol){
			.start = s.value, .rank = rank_of(&s),
			.size = s.size < CODE_SYMBOL_SIZE_MAX ? s.size : CODE_SYMBOL_SIZE_MAX,
			.name = (const unsigned char *)s.name - from->names.data,
		};
	}
	code_table_sort(table);
	guess_sizes(table);
	code->bytes += table->nr * sizeof(*table->list);
}

static const struct code_symbol *find(const struct code_table *table, uint64_t address)
{
	const struct code_symbol *best = NULL, *s;
	uint32_t low = 0, high = table->nr;

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;

		if (table->list[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	for (uint32_t i = 0; i < NESTED_MAX && low--; i++) {
		s = &table->list[low];
		if (address - s->start >= s->size)
			continue;
		/*
		 * In an ELF file the innermost function is the answer. A perf map only grows: the
		 * latest line that has the address is valid.
		 */
		if (table->names.size)
			return s;
		if (!best || s->name > best->name)
			best = s;
	}
	return best;
}

/* --- load and release --- */

static void release(struct addresses *a, struct code *code)
{
	symbol_file_close(code->file);
	code->file = NULL;
	exec_close(&code->memory);
	free((void *)code->memory_bytes.data);
	code->memory_bytes = (struct bytes){ 0 };
	for (int i = 0; i < 2; i++)
		free(code->tables[i].list);
	memset(code->tables, 0, sizeof(code->tables));
	sys_close_fd(a->sys, &code->fd);
	a->code_bytes -= code->bytes;
	code->bytes = 0;
	code->is_loaded = false;
}

/* Release what was used longest ago, until there is room; @code stays. */
static void make_room(struct addresses *a, const struct code *code)
{
	while (a->code_bytes > ALL_MAX) {
		struct code *oldest = NULL;

		for (uint32_t i = 0; i < a->nr_codes; i++) {
			struct code *c = a->codes[i];

			if (c != code && c->is_loaded && (!oldest || c->used < oldest->used))
				oldest = c;
		}
		if (!oldest)
			return;
		release(a, oldest);
	}
}

static struct code *loaded(struct addresses *a, struct code *code)
{
	code->is_loaded = true;
	code->used = ++a->use;
	a->code_bytes += code->bytes;
	make_room(a, code);
	return code;
}

/* Return the code of that file, known or new; NULL: no memory. */
static struct code *code_of(struct addresses *a, uint64_t dev, uint64_t ino)
{
	struct code **grown, *code;

	for (uint32_t i = 0; i < a->nr_codes; i++)
		if (a->codes[i]->dev == dev && a->codes[i]->ino == ino)
			return a->codes[i];
	grown = array_grow(a->codes, a->nr_codes, sizeof(*grown));
	if (!grown)
		return NULL;
	a->codes = grown;
	code = calloc(1, sizeof(*code));
	if (!code)
		return NULL;
	*code = (struct code){ .dev = dev, .ino = ino, .fd = -1 };
	a->codes[a->nr_codes++] = code;
	return code;
}

void codes_free(struct addresses *a)
{
	for (uint32_t i = 0; i < a->nr_codes; i++) {
		release(a, a->codes[i]);
		free(a->codes[i]);
	}
	free(a->codes);
}

/* Read ELF from code->memory_bytes. */
static bool read_memory(struct code *code)
{
	struct source source = source_memory(&code->memory_bytes);

	return code->memory_bytes.size && !exec_open(&code->memory, &source, NULL) &&
	       !exec_read_symbols(&code->memory, NULL);
}

static void read_tables(struct code *code)
{
	struct symbol_file *file = code->file, *debug;
	const struct exec *x = &file->exec;

	if (x->symtab.nr) {
		read_table(code, x, &x->symtab, &code->tables[0]);
		return;
	}
	debug = symbol_file_debug(file);
	if (debug) {
		code->bytes += debug->total;
		sys_close_fd(debug->sys, &debug->fd);
		read_table(code, &debug->exec, &debug->exec.symtab, &code->tables[0]);
	} else {
		code->memory_bytes = mini_debug_read(x);
		code->bytes += code->memory_bytes.size;
		if (read_memory(code))
			read_table(code, &code->memory, &code->memory.symtab, &code->tables[0]);
	}
	read_table(code, x, &x->dynsym, &code->tables[1]);
}

static void set_build_id(struct code *code, struct bytes id)
{
	code->build_id_size = id.size;
	if (id.size)
		memcpy(code->build_id, id.data, id.size);
}

struct code *code_open(struct addresses *a, const char *path, int fd)
{
	struct error err = { 0 };
	struct code *code = NULL;
	struct stat st;

	if (sys_fstat(a->sys, fd, &st) >= 0)
		code = code_of(a, st.st_dev, st.st_ino);
	if (!code || code->is_loaded) {
		sys_close_fd(a->sys, &fd);
		return code;
	}
	if (symbol_file_of(a->sys, path, fd, FILE_MAX, &code->file, &err)) {
		code->doubt = strings_format(&a->strings, "%.200s: %.200s", path, err.what);
		error_clear(&err);
		return loaded(a, code);
	}
	read_tables(code);
	set_build_id(code, exec_build_id(&code->file->exec));
	code->bytes += code->file->total;
	sys_close_fd(a->sys, &code->file->fd);
	return loaded(a, code);
}

/* --- the vDSO --- */

static int copy_vdso(void *arg, const struct process_mapping *m)
{
	struct bytes *copy = arg;
	const size_t size = m->end - m->start;
	void *data;

	if (strcmp(m->path, "[vdso]") || size > VDSO_MAX)
		return 0;
	data = malloc(size);
	if (data)
		*copy = (struct bytes){ memcpy(data, (void *)(uintptr_t)m->start, size), size };
	return 1;
}

struct code *code_open_vdso(struct addresses *a)
{
	struct code *code = code_of(a, 0, 0);

	if (!code || code->is_loaded)
		return code;
	process_each_mapping(a->sys, getpid(), copy_vdso, &code->memory_bytes, NULL);
	code->bytes = code->memory_bytes.size;
	if (read_memory(code)) {
		read_table(code, &code->memory, &code->memory.dynsym, &code->tables[0]);
		set_build_id(code, exec_build_id(&code->memory));
	}
	return loaded(a, code);
}

struct code *code_open_perf_map(struct addresses *a, const char *path, int fd)
{
	struct code *code = NULL;
	struct stat st;

	if (sys_fstat(a->sys, fd, &st) >= 0)
		code = code_of(a, st.st_dev, st.st_ino);
	if (!code || (code->is_loaded && code->map.size == (uint64_t)st.st_size)) {
		sys_close_fd(a->sys, &fd);
		return code;
	}
	release(a, code);
	if (perf_map_read(a->sys, fd, &code->tables[0], &code->map))
		code->doubt = strings_format(&a->strings, "%.400s cannot be read", path);
	else if (code->map.doubt)
		code->doubt = strings_format(&a->strings, "%.400s %s", path, code->map.doubt);
	code->fd = fd;
	code->bytes = code->tables[0].nr * sizeof(struct code_symbol);
	return loaded(a, code);
}

/* --- find --- */

bool code_address(const struct code *code, uint64_t offset, uint64_t *address)
{
	uint32_t flags;

	if (code->file)
		return exec_address(&code->file->exec, offset, address, &flags);
	return code->memory.nr_segments && exec_address(&code->memory, offset, address, &flags);
}

static const char *name_of(struct addresses *a, const struct code *code,
			   const struct code_table *table, uint32_t name)
{
	char line[512];
	const char *text = line;
	size_t len;
	ssize_t n;

	if (table->names.size) {
		text = (const char *)table->names.data + name;
		len = strcspn(text, "@");
		return symbol_shown(&a->strings, text, len ? len : strlen(text));
	}
	n = sys_pread(a->sys, code->fd, line, sizeof(line), code->map.begin + name);
	len = 0;
	while ((ssize_t)len < n && line[len] && line[len] != '\n')
		len++;
	return len ? symbol_shown(&a->strings, line, len) : NULL;
}

const char *code_find(struct addresses *a, struct code *code, uint64_t address, uint64_t *start)
{
	code->used = ++a->use;
	for (int i = 0; i < 2; i++) {
		const struct code_symbol *s = find(&code->tables[i], address);
		const char *name = s ? name_of(a, code, &code->tables[i], s->name) : NULL;

		if (!name)
			continue;
		*start = s->start;
		return name;
	}
	return NULL;
}
