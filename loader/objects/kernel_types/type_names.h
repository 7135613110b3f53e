/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A set of type names that are looked for in a kernel's BTF. One visit over a hundred thousand
 * types answers all of them, and compares names only of the kinds that are wanted.
 */
#ifndef PLOAD_OBJECTS_KERNEL_TYPES_TYPE_NAMES_H
#define PLOAD_OBJECTS_KERNEL_TYPES_TYPE_NAMES_H

#include "elf/btf.h"

/*
 * KSYM_NAME_LEN. Of a longer name so many bytes are compared, which keeps the comparison of all
 * names of hostile BTF linear in its size.
 */
#define TYPE_NAME_MAX 512

/* type_name_essential() - Return the length of @name without its flavour: 4 of "task___old". */
size_t type_name_essential(const char *name);

/* type_names_equal() - Return true if two names differ at most in their flavours. */
bool type_names_equal(const char *a, const char *b);

/* A hash table. Zeroed is empty. */
struct type_names {
	struct type_name {
		const char *name;	/* borrowed; NULL: free */
		uint32_t first, last;	/* for the user of the table; 0 at first */
	} *names;		/* owned */
	uint32_t mask;
	uint32_t kinds;		/* a bit 1 << BTF_KIND_* for each kind that is wanted */
	bool flavours;		/* "task" and "task___old" are the same name */
	uint8_t begins[1 << 13];	/* filter: a bit for two first characters */
};

/* type_names_init() - Allocate a table for @nr names. Returns 0 or -ENOMEM. */
int type_names_init(struct type_names *names, uint64_t nr, bool flavours);
void type_names_free(struct type_names *names);

/*
 * type_names_add() - Add @name (borrowed) for types of @kinds, and return its entry.
 * type_names_get() - Return the entry of @name; its name is NULL if it is not in the table.
 */
struct type_name *type_names_add(struct type_names *names, const char *name, uint32_t kinds);
struct type_name *type_names_get(const struct type_names *names, const char *name);

/**
 * type_names_visit() - Visit types of opened or indexed BTF, without those of its base, in
 *	ascending order.
 * @found: called for each type whose name is in the table and whose kind is one of the wanted kinds
 *	(of any name), until it returns a value other than 0
 *
 * Return: the value that @found returned last, or 0.
 */
int type_names_visit(const struct type_names *names, const struct btf *btf,
		     int (*found)(void *arg, struct type_name *name, uint32_t kind, uint32_t id),
		     void *arg);

#endif
