/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The kernel's symbols, /proc/kallsyms: read once for all users, or only as far as needed. */
#ifndef PLOAD_BASE_TEXT_KALLSYMS_H
#define PLOAD_BASE_TEXT_KALLSYMS_H

#include <stdbool.h>

#include "elf/error.h"
#include "loader/core/sys/sys.h"

#define KALLSYMS "/proc/kallsyms"

/* A line of the file; name and module are borrowed from kernel_symbols.text. */
struct kernel_symbol {
	const char *name;
	const char *module;	/* "" for the kernel itself */
	uint64_t address;	/* 0 if addresses are hidden */
	char type;		/* as in nm(1): 't', 'T', 'w' and 'W' are code */
	uint32_t slot;		/* slot in the hash table; for kernel_symbols_same() */
};

/* All zero except for sys means not read yet. */
struct kernel_symbols {
	struct sys *sys;	/* borrowed */
	bool is_read;
	bool hidden;		/* all addresses are 0 (kernel.kptr_restrict) */
	uint64_t data, data_size;	/* from _sdata to _edata: not code, whatever the type */
	char *text;		/* owned; the file, with a NUL after each name and module */
	uint32_t size;
	uint32_t nr;		/* symbols */
	uint32_t *table;	/* owned; hash table of offsets in text, plus 1; 0: free */
	uint32_t mask;
};

/** kernel_symbols_init() - Prepare @k without reading the file. */
static inline void kernel_symbols_init(struct kernel_symbols *k, struct sys *sys)
{
	*k = (struct kernel_symbols){ .sys = sys };
}
void kernel_symbols_free(struct kernel_symbols *k);

/**
 * kernel_symbols_read() - Read the file unless already read; the functions below call it. Return: 0
 * or -errno, in which case the next call tries again.
 */
int kernel_symbols_read(struct kernel_symbols *k, struct error *err);

/**
 * kernel_symbols_visit() - Visit the symbols in file order: first vmlinux by address, then modules.
 * If the file has not been read, reads it up to the symbol for which @visit returns a nonzero
 * value, and keeps nothing.
 * @visit: may use the symbol until it returns
 *
 * Return: 0, the nonzero value from @visit, or -errno of the file.
 */
int kernel_symbols_visit(const struct kernel_symbols *k,
			 int (*visit)(void *arg, const struct kernel_symbol *s), void *arg,
			 struct error *err);

/**
 * kernel_symbols_find() - Find the first symbol named @name. Modules and static functions may share
 * names. Return: 1 if found, 0, or -errno.
 *
 * kernel_symbols_same() - Advance @s to the next symbol with the same name. Return: false after the
 * last.
 */
int kernel_symbols_find(struct kernel_symbols *k, const char *name, struct kernel_symbol *s,
			struct error *err);
bool kernel_symbols_same(const struct kernel_symbols *k, struct kernel_symbol *s);

/**
 * kernel_symbols_each() - Copy the symbol at *@at (0: the first) to @s and advance *@at. The file
 * must have been read. Return: false after the last symbol.
 */
bool kernel_symbols_each(const struct kernel_symbols *k, uint32_t *at, struct kernel_symbol *s);

/** kernel_symbols_nearest() - Offer every name, or with @code only function names. */
int kernel_symbols_nearest(struct kernel_symbols *k, struct nearest *near, bool code,
			   struct error *err);

/**
 * kernel_symbol_is_global() - Return true if the symbol is in vmlinux and not static. Such names
 * are unique; the linker would use them to resolve an extern.
 */
static inline bool kernel_symbol_is_global(const struct kernel_symbol *s)
{
	return s->type >= 'A' && s->type <= 'Z' && !s->module[0];
}

/** kernel_symbol_is_code() - Return true if the symbol can be a function. */
static inline bool kernel_symbol_is_code(const struct kernel_symbol *s)
{
	return s->type == 't' || s->type == 'T' || s->type == 'w' || s->type == 'W';
}

#endif
