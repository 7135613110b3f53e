/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A set of type names to look up in a kernel's BTF. One pass over a hundred thousand types finds
 * them all, and compares only names of the wanted kinds.
 */
#ifndef PLOAD_OBJECTS_KERNEL_TYPES_TYPE_NAMES_H
#define PLOAD_OBJECTS_KERNEL_TYPES_TYPE_NAMES_H

#include "elf/btf.h"

/*
 * KSYM_NAME_LEN. Only this many bytes of a longer name are compared, so that comparing all names of
 * hostile BTF takes linear time.
 */
#define TYPE_NAME_MAX 512

/* type_name_essential() - Return the length of @name without its flavour: 4 of "task___old". */
size_t type_name_essential(const char *name);

/* type_names_equal() - Return true if two names differ at most in their flavours. */
bool type_names_equal(const char *a, const char *b);

/* A hash table. All zero means empty. */
struct type_names {
	struct type_name {
		const char *name;	/* borrowed; NULL: free */
		uint32_t first, last;	/* for use by the caller; initially 0 */
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
 * type_names_visit() - Visit the types of opened or indexed BTF, except those of its base, in
 * ascending order.
 * @found: called for each type whose name is in the table and whose kind is wanted (for any name),
 * until it returns a nonzero value
 *
 * Return: the last value returned by @found, or 0.
 */
int type_names_visit(const struct type_names *names, const struct btf *btf,
		     int (*found)(void *arg, struct type_name *name, uint32_t kind, uint32_t id),
		     void *arg);

#endif
