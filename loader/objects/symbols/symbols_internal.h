/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The steps from a name to locations:
 *
 *	"libc"		find_file.c, find_library.c, process_files.c	/usr/lib/libc.so.6
 *	the file	symbol_file.c					symbol tables
 *	"malloc"	find_function.c, symbol_pattern.c		file offset 0x9a0c0
 *	"provider:name"	usdt_probes.c					file offsets, arguments
 */
#ifndef PLOAD_OBJECTS_SYMBOLS_SYMBOLS_INTERNAL_H
#define PLOAD_OBJECTS_SYMBOLS_SYMBOLS_INTERNAL_H

#include "elf/error.h"
#include "loader/objects/symbols/process_files.h"
#include "loader/objects/symbols/symbol_file.h"
#include "loader/objects/symbols/symbols.h"

/*
 * symbol_file_get() - Return the file at @path, borrowed from @s, opened on first use.
 *	"symbols/no-file", "symbols/not-elf", "symbols/damaged", "symbols/machine".
 */
int symbol_file_get(struct symbols *s, const char *path, struct symbol_file **file,
		    struct error *err);

/* --- find_file.c, find_library.c --- */

/* path_base() - Return the part of @path after the last '/'. */
const char *path_base(const char *path);

/*
 * find_file() - Store the path of the program, library or file @name in @locations, as seen by
 * process @pid or pload itself (0), with a note if it was one of several. "symbols/no-file".
 */
int find_file(struct symbols *s, const char *name, pid_t pid, struct symbol_locations *locations,
	      struct error *err);

/* is_library() - Return true if file @base ("libc.so.6") is library @name ("c", "libc"). */
bool is_library(const char *base, const char *name);

/**
 * find_library() - Find a library like the dynamic linker.
 * @root: "" or "/proc/PID/root"
 * @path: without @root
 * @others: set to true if there are files with that name for other processors
 *
 * Return: 1; 0 if there is none; -errno ("symbols/ambiguous").
 */
int find_library(struct symbols *s, const char *root, const char *name, char path[EVENT_PATH_MAX],
		 bool *others, struct error *err);

/* --- find_function.c, symbol_pattern.c, usdt_probes.c: symbols of an open file --- */

/* find_function() - Find the location of the symbol, or of the offset if there is no symbol. */
int find_function(struct symbol_file *file, const struct event_spec *spec,
		  struct symbol_locations *locations, struct error *err);
int find_matching_functions(struct symbol_file *file, const struct event_spec *spec,
			    struct symbol_locations *locations, struct error *err);
int find_usdt_probes(struct symbol_file *file, const struct event_spec *spec,
		     struct symbol_locations *locations, struct error *err);

/* A file has up to two symbol tables: .symtab and .dynsym. */
#define NR_SYMBOL_TABLES 2

/* symbol_table() - Return table @i of @x. */
const struct exec_table *symbol_table(const struct exec *x, unsigned int i);

/* code_offset() - Convert an address in executable code to a file offset. "symbols/not-code". */
int code_offset(const struct symbol_file *file, uint64_t address, uint64_t *offset,
		struct error *err);

/* symbol_locations_add() - Append a location; @name is copied. -ENOMEM or -E2BIG. */
int symbol_locations_add(struct symbol_locations *locations, const struct symbol_location *location,
			 const char *name, uint32_t len, struct error *err);

/* symbol_locations_note() - Add a sentence to the note. */
void symbol_locations_note(struct symbol_locations *locations, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* symbol_locations_sort() - Sort by file offset, and remove duplicates. */
void symbol_locations_sort(struct symbol_locations *locations);

/* --- missing_symbol.c --- */

/* The name of a function as the user wrote it. */
struct wanted_name {
	const char *name, *version;	/* borrowed; version NULL: the default version */
	uint32_t name_len;
	bool only_default;	/* "name@@VERSION" */
};

/* symbol_has_name() - Compare without the version. find_function.c */
bool symbol_has_name(const struct exec_symbol *s, const struct wanted_name *wanted);

/* missing_symbol() - Report why no table contains function @wanted. Return: err->code. */
int missing_symbol(struct symbol_file *file, const struct wanted_name *wanted, struct error *err);

/* hint_stripped() - Add a hint if the file has no .symtab. Return false if it has one. */
bool hint_stripped(struct symbol_file *file, struct error *err);

#endif
