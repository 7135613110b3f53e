/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the steps from names to locations share with each other, and with nobody else. */
#ifndef PLOAD_FEATURES_SYMBOLS_SYMBOLS_INTERNAL_H
#define PLOAD_FEATURES_SYMBOLS_SYMBOLS_INTERNAL_H

#include "elf/error.h"
#include "loader/features/symbols/symbols.h"

/* --- file.c: a file that is read where somebody looks --- */

struct symbol_piece {
	uint64_t off;
	struct bytes bytes;	/* owned */
};

struct symbol_file {
	char *path;	/* owned */
	struct sys *sys;	/* borrowed */
	int fd;	/* owned */
	uint64_t dev, ino;
	struct exec exec;	/* owned; with its symbols */
	struct symbol_piece *pieces;	/* owned; what was read of it */
	uint32_t nr_pieces;
	uint64_t total;	/* bytes of them */
	struct symbol_file *debug;	/* owned; where its symbols were moved to; NULL: nowhere */
	bool looked_for_debug;
};

/*
 * symbol_file_get() - the file at @path, opened and understood, borrowed from @s. Fails with
 * "symbols/no-file", "symbols/not-elf", "symbols/damaged", "symbols/machine", where @path.
 */
int symbol_file_get(struct symbols *s, const char *path, struct symbol_file **file,
		    struct error *err);

/* symbol_file_open() - the same, owned by the caller, of any machine; symbol_file_close(). */
int symbol_file_open(struct sys *sys, const char *path, struct symbol_file **file,
		     struct error *err);
void symbol_file_close(struct symbol_file *file);

/* --- debug_file.c --- */

/*
 * symbol_file_debug() - the file that the symbols of @file were moved to, by its build id or debug
 * link, or NULL: there is none here.
 */
struct symbol_file *symbol_file_debug(struct symbol_file *file);

/* --- find.c: files by the names of programs and libraries --- */

/*
 * find_file() - the path of what the user calls @name, for process @pid or ourselves (0),
 * into @locations, and a note where it was chosen among several. "symbols/no-file".
 */
int find_file(struct symbols *s, const char *name, pid_t pid, struct symbol_locations *locations,
	      struct error *err);

/* --- library.c --- */

/*
 * is_library() - whether file @base ("libc.so.6") is what @name ("c", "libc") stands for.
 */
bool is_library(const char *base, const char *name);

/*
 * find_library() - the library called @name below @root ("" or "/proc/7/root"), as the
 * dynamic linker finds it: 1, with its path without @root, and *@others is set where processes on
 * other processors have another file. 0: there is none. "symbols/ambiguous".
 */
int find_library(struct symbols *s, const char *root, const char *name, char path[EVENT_PATH_MAX],
		 bool *others, struct error *err);

/* --- process.c: files as another process sees them --- */

/*
 * process_root() - what to put in front of the paths of process @pid: "" when it has our root, else
 * "/proc/PID/root". "symbols/no-process".
 */
int process_root(struct sys *sys, pid_t pid, char root[32], struct error *err);

/*
 * process_path() - @path as seen below @root, with the symbolic links of that root followed, into
 * @out. 0; -ENAMETOOLONG, -ELOOP.
 */
int process_path(struct sys *sys, const char *root, const char *path, char out[EVENT_PATH_MAX]);

/* A line of /proc/PID/maps that is of a file. */
struct process_mapping {
	uint64_t start, end, offset;
	bool executable, deleted;
	uint64_t inode;
	unsigned int major, minor;
	const char *path;	/* as the process sees it */
};

/*
 * process_each_mapping() - call @each until it returns something else than 0, which is returned.
 * "symbols/no-process".
 */
int process_each_mapping(struct sys *sys, pid_t pid,
			 int (*each)(void *arg, const struct process_mapping *m), void *arg,
			 struct error *err);

/* --- lookup.c, pattern.c: functions by name; usdt.c: probes by name --- */

/* find_function() - the one location of spec->second, or of the offset without it. */
int find_function(struct symbol_file *file, const struct event_spec *spec,
		  struct symbol_locations *locations, struct error *err);
int find_matching_functions(struct symbol_file *file, const struct event_spec *spec,
			    struct symbol_locations *locations, struct error *err);
int find_usdt_probes(struct symbol_file *file, const struct event_spec *spec,
		     struct symbol_locations *locations, struct error *err);

/* The tables a file's symbols may be in: its own two, and that of its debug file. */
#define NR_SYMBOL_TABLES 3

/* symbol_table() - table @i (with the exec it is of), or NULL: it has no such table. */
const struct exec_table *symbol_table(struct symbol_file *file, unsigned int i,
				      const struct exec **x);

/* symbol_locations_add() - append a location, of which @name is copied. ENOMEM, E2BIG. */
int symbol_locations_add(struct symbol_locations *locations, const struct symbol_location *location,
			 const char *name, uint32_t len, struct error *err);

/* symbol_locations_note() - add a sentence to what is said to the user of @locations. */
void symbol_locations_note(struct symbol_locations *locations, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* symbol_locations_sort() - ascending by offset, each once. */
void symbol_locations_sort(struct symbol_locations *locations);

/* code_offset() - where in the file the code at @address is. "symbols/not-code" */
int code_offset(const struct symbol_file *file, uint64_t address, uint64_t *offset,
		struct error *err);

/* --- missing.c: why there is no such function --- */

/* A function's name as the user wrote it. */
struct wanted_name {
	const char *name, *version;	/* borrowed; version NULL: the default one */
	uint32_t name_len;
	bool only_default;	/* "@@" */
};

/* missing_symbol() - fill @err for @wanted, which no table has as a function. Returns err->code. */
int missing_symbol(struct symbol_file *file, const struct wanted_name *wanted, struct error *err);

/* hint_stripped() - the hint where a file has no .symtab, into @err; false: it has one. */
bool hint_stripped(struct symbol_file *file, struct error *err);

#endif
