// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The functions of a file by address: from .symtab or, if that was stripped, from .dynsym, which
 * has only functions used by other files.
 *
 * If there are too many files, the least recently used are released, and read again when needed.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "loader/profile/symbolize/symbolize_internal.h"
#include "loader/objects/symbols/process_files.h"
#include "loader/objects/symbols/symbol_file.h"

#define FILE_MAX (256ull << 20)	/* for the headers and symbols of one file, in bytes */
#define SYMBOLS_MAX (4u << 20)	/* functions of one table */
#define ALL_MAX (512ull << 20)	/* for all files, before some are released, in bytes */
#define CODES_MAX 1024u		/* files */
#define OPEN_MAX 64u		/* files that stay open: perf maps */
#define VDSO_MAX (1u << 20)

/* Functions may be nested in others. The maximum number of candidates to examine. */
#define NESTED_MAX 64u

struct code {
	uint64_t dev, ino;	/* the file's; the vDSO: 0 */
	struct symbol_file *file;	/* owned; NULL: not an ELF file in the file system */
	struct exec memory;	/* owned; the vDSO; zeroed: none */
	struct bytes memory_bytes;	/* owned */
	struct code_table table;	/* owned */
	int fd;			/* owned; the perf map from which names are read; or -1 */
	struct perf_map map;
	unsigned char build_id[64];
	size_t build_id_size;
	char doubt[SYMBOL_DOUBT_MAX];	/* "": none */
	uint64_t used, bytes;	/* when it was last used; its memory */
};

const char *code_doubt(const struct code *code)
{
	return code->doubt[0] ? code->doubt : NULL;
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

/* Return true if it is a function. Labels in code are; mapping symbols ("$x") are not. */
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

/* A label has no size: it extends to the next function. */
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

static void read_table(struct code *code, const struct exec *x, const struct exec_table *from)
{
	struct code_table *table = &code->table;
	struct exec_symbol s;

	table->names = from->names;
	for (uint32_t i = 0; i < from->nr; i++) {
		struct code_symbol *grown;

		if (table->nr == SYMBOLS_MAX) {
			snprintf(code->doubt, sizeof(code->doubt), "the file has more functions "
				 "than pload reads: %u", SYMBOLS_MAX);
			break;
		}
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

/* The symbol at an address, and the range of addresses with the same answer. */
struct found {
	const struct code_symbol *symbol;	/* NULL: none */
	uint64_t begin, end;
};

/* Return the index of the first symbol that starts after @address. */
static uint32_t upper_bound(const struct code_table *table, uint64_t address)
{
	uint32_t low = 0, high = table->nr;

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;

		if (table->list[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * In an ELF file the innermost function is the answer, up to the start of the next one. Between the
 * end of a function and the start of the next there is none.
 */
static struct found find_function(const struct code_table *table, uint64_t address)
{
	const uint32_t next = upper_bound(table, address);
	struct found found = { .end = next < table->nr ? table->list[next].start : UINT64_MAX };

	for (uint32_t i = 0; i < NESTED_MAX && i < next; i++) {
		const struct code_symbol *s = &table->list[next - 1 - i];
		const uint64_t end = s->start + s->size;

		if (address - s->start >= s->size) {
			if (end <= address && end > found.begin)
				found.begin = end;
			continue;
		}
		found.symbol = s;
		if (s->start > found.begin)
			found.begin = s->start;
		if (end > address && end < found.end)
			found.end = end;
		break;
	}
	return found;
}

/* A perf map only grows: the latest line with the address is valid. */
static struct found find_line(const struct code_table *table, uint64_t address)
{
	struct found found = { .begin = address, .end = address + 1 };
	uint32_t next = upper_bound(table, address);

	for (uint32_t i = 0; i < NESTED_MAX && next--; i++) {
		const struct code_symbol *s = &table->list[next];

		if (address - s->start < s->size && (!found.symbol || s->name > found.symbol->name))
			found.symbol = s;
	}
	return found;
}

/* --- load and release --- */

static void release(struct codes *codes, struct code *code)
{
	symbol_file_close(code->file);
	exec_close(&code->memory);
	free((void *)code->memory_bytes.data);
	free(code->table.list);
	codes->nr_open -= code->fd >= 0;
	sys_close_fd(codes->sys, &code->fd);
	codes->bytes -= code->bytes;
	free(code);
}

/* Release the least recently used until there is room; keep @code. */
static void make_room(struct codes *codes, const struct code *code)
{
	while (codes->bytes > ALL_MAX || codes->nr > CODES_MAX || codes->nr_open > OPEN_MAX) {
		uint32_t oldest = codes->nr;

		for (uint32_t i = 0; i < codes->nr; i++)
			if (codes->list[i] != code &&
			    (oldest == codes->nr ||
			     codes->list[i]->used < codes->list[oldest]->used))
				oldest = i;
		if (oldest == codes->nr)
			return;
		release(codes, codes->list[oldest]);
		codes->list[oldest] = codes->list[--codes->nr];
	}
}

static struct code *loaded(struct codes *codes, struct code *code)
{
	code->used = ++codes->use;
	codes->bytes += code->bytes;
	codes->nr_open += code->fd >= 0;
	make_room(codes, code);
	return code;
}

struct code *code_known(struct codes *codes, uint64_t dev, uint64_t ino)
{
	for (uint32_t i = 0; i < codes->nr; i++)
		if (codes->list[i]->dev == dev && codes->list[i]->ino == ino)
			return codes->list[i];
	return NULL;
}

/* Return a new, empty one; NULL if out of memory. */
static struct code *code_new(struct codes *codes, uint64_t dev, uint64_t ino)
{
	struct code **grown = array_grow(codes->list, codes->nr, sizeof(*grown));
	struct code *code = grown ? calloc(1, sizeof(*code)) : NULL;

	if (grown)
		codes->list = grown;
	if (!code)
		return NULL;
	*code = (struct code){ .dev = dev, .ino = ino, .fd = -1 };
	codes->list[codes->nr++] = code;
	return code;
}

static void forget(struct codes *codes, struct code *code)
{
	for (uint32_t i = 0; i < codes->nr; i++)
		if (codes->list[i] == code) {
			codes->list[i] = codes->list[--codes->nr];
			release(codes, code);
			return;
		}
}

void codes_free(struct codes *codes)
{
	while (codes->nr)
		release(codes, codes->list[--codes->nr]);
	free(codes->list);
	codes->list = NULL;
}

/* Read ELF from code->memory_bytes. */
static bool read_memory(struct code *code)
{
	struct source source = source_memory(&code->memory_bytes);

	return code->memory_bytes.size && !exec_open(&code->memory, &source, NULL) &&
	       !exec_read_symbols(&code->memory, NULL);
}

static void set_build_id(struct code *code, struct bytes id)
{
	code->build_id_size = id.size;
	if (id.size)
		memcpy(code->build_id, id.data, id.size);
}

struct code *code_open(struct codes *codes, const char *path, int fd)
{
	struct error err = { 0 };
	struct code *code = NULL;
	const struct exec *x;
	bool known = false;
	struct stat st;

	if (sys_fstat(codes->sys, fd, &st) >= 0) {
		code = code_known(codes, st.st_dev, st.st_ino);
		known = code;
		code = code ? code : code_new(codes, st.st_dev, st.st_ino);
	}
	if (!code || known) {
		sys_close_fd(codes->sys, &fd);
		return code;
	}
	if (symbol_file_of(codes->sys, path, fd, FILE_MAX, &code->file, &err)) {
		snprintf(code->doubt, sizeof(code->doubt), "%.200s: %.200s", path, err.what);
		error_clear(&err);
		return loaded(codes, code);
	}
	x = &code->file->exec;
	read_table(code, x, x->symtab.nr ? &x->symtab : &x->dynsym);
	set_build_id(code, exec_build_id(x));
	code->bytes += code->file->total;
	sys_close_fd(codes->sys, &code->file->fd);
	return loaded(codes, code);
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

struct code *code_open_vdso(struct codes *codes)
{
	struct code *code = code_known(codes, 0, 0);

	if (code)
		return code;
	code = code_new(codes, 0, 0);
	if (!code)
		return NULL;
	process_each_mapping(codes->sys, getpid(), copy_vdso, &code->memory_bytes, NULL);
	code->bytes = code->memory_bytes.size;
	if (read_memory(code)) {
		read_table(code, &code->memory, &code->memory.dynsym);
		set_build_id(code, exec_build_id(&code->memory));
	}
	return loaded(codes, code);
}

struct code *code_open_perf_map(struct codes *codes, const char *path, int fd)
{
	struct code *code = NULL;
	struct stat st;

	if (sys_fstat(codes->sys, fd, &st) >= 0) {
		code = code_known(codes, st.st_dev, st.st_ino);
		if (code && code->map.size == (uint64_t)st.st_size) {
			sys_close_fd(codes->sys, &fd);
			return code;
		}
		if (code)
			forget(codes, code);
		code = code_new(codes, st.st_dev, st.st_ino);
	}
	if (!code) {
		sys_close_fd(codes->sys, &fd);
		return NULL;
	}
	if (perf_map_read(codes->sys, fd, &code->table, &code->map))
		snprintf(code->doubt, sizeof(code->doubt), "%.400s cannot be read", path);
	else if (code->map.doubt)
		snprintf(code->doubt, sizeof(code->doubt), "%.400s %s", path, code->map.doubt);
	code->fd = fd;
	code->bytes = code->table.nr * sizeof(struct code_symbol);
	return loaded(codes, code);
}

/* --- find --- */

const struct exec_segment *code_segment(const struct code *code, uint64_t offset)
{
	return exec_segment_at(code->file ? &code->file->exec : &code->memory, offset);
}

/* Write the name at offset @name of the strings of @table, or of the file. Return its length. */
static size_t name_of(struct codes *codes, const struct code *code, const struct code_table *table,
		      uint32_t name, char shown[SYMBOL_NAME_MAX])
{
	char line[512];
	const char *text = line;
	size_t len = 0;
	ssize_t n;

	if (table->names.size) {
		text = (const char *)table->names.data + name;
		len = strcspn(text, "@");
		return symbol_shown(text, len ? len : strlen(text), shown);
	}
	n = sys_pread(codes->sys, code->fd, line, sizeof(line), code->map.begin + name);
	while ((ssize_t)len < n && line[len] && line[len] != '\n')
		len++;
	return len ? symbol_shown(line, len, shown) : 0;
}

bool code_find(struct codes *codes, struct code *code, uint64_t address,
	       struct code_function *function)
{
	const struct found found = code->fd < 0 ? find_function(&code->table, address) :
						  find_line(&code->table, address);

	*function = (struct code_function){ .begin = found.begin, .end = found.end };
	code->used = ++codes->use;
	if (!found.symbol)
		return false;
	function->start = found.symbol->start;
	function->len = name_of(codes, code, &code->table, found.symbol->name, function->name);
	return function->len;
}
