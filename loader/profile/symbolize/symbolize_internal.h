/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The steps of a reader from a request to an answer:
 *
 *	symbolizer.c			which of its files the request means
 *	open_mapped.c			a descriptor of the file, if it is the one that was mapped
 *	code.c				its symbol tables
 *	perf_map.c			or the lines of a JIT compiler
 *	demangle.c			the name as in the source
 */
#ifndef PLOAD_PROFILE_SYMBOLIZE_SYMBOLIZE_INTERNAL_H
#define PLOAD_PROFILE_SYMBOLIZE_SYMBOLIZE_INTERNAL_H

#include "elf/bytes.h"
#include "elf/exec/exec.h"
#include "loader/profile/symbolize/symbolize.h"

/* --- open_mapped.c --- */

/*
 * open_mapped() - Open the file of a request: a regular file whose inode is that of the mapped one.
 * open_perf_map() - Open the perf map of process pids[0], if it belongs to its user or to root.
 *
 * Return: a descriptor, or -errno: -ESTALE: it is another file; -EINVAL: it is not a regular file;
 * -EPERM: it belongs to another user; -ESRCH: its mount namespace is unknown.
 */
int open_mapped(struct sys *sys, const struct symbol_request *request);
int open_perf_map(struct sys *sys, const struct symbol_request *request);

/* --- code.c, perf_map.c: the functions of a file by address --- */

/* All files whose symbols were read. All zero: none. */
struct codes {
	struct sys *sys;	/* borrowed */
	struct code **list;	/* owned, as its elements */
	uint32_t nr;
	uint64_t use, bytes;	/* a counter of uses; memory of all */
	uint32_t nr_open;	/* files that are kept open */
};

struct code;

/*
 * code_open() - Read the symbols of an ELF file.
 * @path: for messages
 * @fd: owned by the callee
 *
 * code_open_vdso() - Read those of the vDSO of this process, which others have, too.
 * code_open_perf_map() - Read what a JIT compiler wrote.
 *
 * A file is read only once, until it is released. Return: borrowed from @codes, NULL only if out of
 * memory; if it has no symbols, code_doubt() returns the reason.
 */
struct code *code_open(struct codes *codes, const char *path, int fd);
struct code *code_open_vdso(struct codes *codes);
struct code *code_open_perf_map(struct codes *codes, const char *path, int fd);
const char *code_doubt(const struct code *code);
struct bytes code_build_id(const struct code *code);
void codes_free(struct codes *codes);

/* code_known() - Return the code of a file whose symbols have been read, or NULL. */
struct code *code_known(struct codes *codes, uint64_t dev, uint64_t ino);

/* code_segment() - Return the segment that contains the byte at @offset of the file, or NULL. */
const struct exec_segment *code_segment(const struct code *code, uint64_t offset);

/* A function, or none, and the range of addresses with the same answer. */
struct code_function {
	size_t len;		/* 0: none */
	uint64_t start, begin, end;
	char name[SYMBOL_NAME_MAX];
};

/*
 * code_find() - Find the function at @address, as linked. Return false if there is none; @function
 * then has the range without a function.
 */
bool code_find(struct codes *codes, struct code *code, uint64_t address,
	       struct code_function *function);

/* A function: 16 bytes, because there may be millions. */
struct code_symbol {
	uint64_t start;
	uint32_t size : 28, rank : 4;	/* at one address, the highest rank is shown */
	uint32_t name;			/* offset of its name */
};
#define CODE_SYMBOL_SIZE_MAX ((1u << 28) - 1)

struct code_table {
	struct code_symbol *list;	/* owned; ascending */
	uint32_t nr;
	struct bytes names;	/* borrowed; empty: read from the file when needed */
};

/* code_table_sort() - Sort by address, rank, and offset of the name. */
void code_table_sort(struct code_table *table);

struct perf_map {
	uint64_t begin, size;	/* the bytes of the file that were read */
	const char *doubt;	/* static; why it is incomplete, or NULL */
};

/* perf_map_read() - Read the lines of the map open as @fd. Return 0 or -errno. */
int perf_map_read(struct sys *sys, int fd, struct code_table *table, struct perf_map *map);

/* --- demangle.c --- */

/*
 * symbol_shown() - Write a name of @len bytes as in the source of a C++ or Rust program to @shown.
 * Return its length. A name that is longer than 1 kB or takes more than 20 ms of CPU time is left
 * unchanged.
 */
size_t symbol_shown(const char *name, size_t len, char shown[SYMBOL_NAME_MAX]);

#endif
