/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The kernel's symbols: /proc/kallsyms, read when somebody first asks, and once for all who do. */
#ifndef PLOAD_SYS_MORE_KALLSYMS_H
#define PLOAD_SYS_MORE_KALLSYMS_H

#include <stdbool.h>

#include "elf/error.h"
#include "loader/sys/sys.h"

#define KALLSYMS "/proc/kallsyms"

/* A copy of one line; name and module are borrowed and end with a NUL. */
struct kernel_symbol {
	const char *name;
	const char *module;	/* "" for the kernel's own */
	uint64_t address;	/* 0 where addresses are hidden */
	char type;		/* as nm has it: 't', 'T', 'w' and 'W' are code */
	uint32_t slot;		/* of the table; for kernel_symbols_same() */
};

/* Zeroed, with a sys, is not yet read. */
struct kernel_symbols {
	struct sys *sys;	/* borrowed */
	bool is_read;
	bool hidden;		/* no address is shown to this process */
	uint64_t data, data_size;	/* from _sdata to _edata: no code, whatever type it has */
	char *text;		/* owned; the file, with a NUL behind each name and module */
	uint32_t size;
	uint32_t nr;		/* symbols */
	uint32_t *table;	/* owned; a hash table of places of lines in text, + 1 */
	uint32_t mask;
};

/* kernel_symbols_init() - reads nothing yet. */
void kernel_symbols_init(struct kernel_symbols *k, struct sys *sys);
void kernel_symbols_free(struct kernel_symbols *k);

/*
 * kernel_symbols_read() - read them, if nobody has. Fails with the errno of the file, EFBIG,
 * ENOMEM, where KALLSYMS; who asks next tries again. Those below call it.
 */
int kernel_symbols_read(struct kernel_symbols *k, struct error *err);

/*
 * kernel_symbols_find() - 1: @s is the first symbol called @name. 0: there is none. Modules and
 * static functions have names that others have, too: kernel_symbols_same() makes @s the next one of
 * its name and returns true, or false after the last.
 */
int kernel_symbols_find(struct kernel_symbols *k, const char *name, struct kernel_symbol *s,
			struct error *err);
bool kernel_symbols_same(const struct kernel_symbols *k, struct kernel_symbol *s);

/*
 * kernel_symbols_each() - the symbol at *@at (0: the first) into @s, and *@at becomes that of the
 * next. false behind the last. They have been read.
 */
bool kernel_symbols_each(const struct kernel_symbols *k, uint32_t *at, struct kernel_symbol *s);

/* kernel_symbols_nearest() - offer every name, or with @code those of functions only. */
int kernel_symbols_nearest(struct kernel_symbols *k, struct nearest *near, bool code,
			   struct error *err);

/* kernel_symbol_is_code() - whether it can be a function. */
static inline bool kernel_symbol_is_code(const struct kernel_symbol *s)
{
	return s->type == 't' || s->type == 'T' || s->type == 'w' || s->type == 'W';
}

#endif
