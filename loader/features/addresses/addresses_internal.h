/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The steps from an address to a name:
 *
 *	kernel address	kernel_names.c					function of /proc/kallsyms
 *	user address	side_band.c, records.c, proc_maps.c: events	what each process maps
 *			processes.c					file and offset in it
 *			code_file.c, code_names.c, mini_debug.c		function of its symbol tables
 *			perf_map.c					function of a JIT compiler
 *	mangled name	strings.c					name as in the source
 */
#ifndef PLOAD_FEATURES_ADDRESSES_INTERNAL_H
#define PLOAD_FEATURES_ADDRESSES_INTERNAL_H

#include "loader/features/addresses/addresses.h"

/* --- strings.c: strings that live as long as the namer --- */

/* A tree of strings, in the form of tsearch(3). Zeroed is empty. */
struct strings {
	void *root;	/* owned */
};

/*
 * strings_keep() - Return a copy of the first @len bytes of @text, the same for the same text;
 * NULL: no memory.
 * strings_format() - The same of a formatted text, of at most 511 bytes.
 */
const char *strings_keep(struct strings *s, const char *text, size_t len);
const char *strings_format(struct strings *s, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void strings_free(struct strings *s);

/* --- kernel_names.c --- */

struct kernel_name {
	uint64_t address;
	const char *name, *module;	/* kept; module NULL: of the kernel itself */
};

/* The functions of the kernel, its modules and BPF programs, by address. Zeroed is not yet read. */
struct kernel_names {
	struct kernel_name *list;	/* owned */
	uint32_t nr;
	bool is_read, is_hidden;
};

/* kernel_names_find() - Fill symbol, offset, file and doubt of @frame. */
void kernel_names_find(struct addresses *a, const struct frame_query *query, struct frame *frame);

struct addresses {
	struct frame_namer namer;	/* first: the namer is converted back */
	struct sys *sys;		/* borrowed */
	struct strings strings;
	struct kernel_names kernel;
};

#endif
