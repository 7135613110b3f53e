/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Names that somebody looks for in a kernel's BTF: one walk over a hundred thousand types, which
 * looks at the names of those kinds only that are asked for.
 */
#ifndef PLOAD_FEATURES_KERNEL_TYPES_TYPE_NAMES_H
#define PLOAD_FEATURES_KERNEL_TYPES_TYPE_NAMES_H

#include "elf/btf.h"

/*
 * As long as names in a kernel get (KSYM_NAME_LEN): longer ones are compared by so many bytes of
 * them, so that comparing all names of hostile types stays linear in their size.
 */
#define TYPE_NAME_MAX 512

/* type_name_essential() - the length of @name without its flavour: 4 of "task___old". */
size_t type_name_essential(const char *name);

/* type_names_equal() - Return true if two names differ at most in their flavours. */
bool type_names_equal(const char *a, const char *b);

/* A hash table. Zeroed is empty. */
struct type_names {
	struct type_name {
		const char *name;	/* NULL: free */
		uint32_t first, last;	/* the owner's: both 0 at first */
	} *names;		/* owned */
	uint32_t mask;
	uint32_t kinds;		/* a bit 1 << BTF_KIND_* for each kind wanted */
	bool flavours;		/* "task" and "task___old" are the same */
	uint8_t begins[1 << 13];	/* a bit for each two characters that a name wanted
					 * begins with */
};

/* type_names_init() - room for @nr names. Returns 0 or -ENOMEM. */
int type_names_init(struct type_names *names, uint64_t nr, bool flavours);
void type_names_free(struct type_names *names);

/*
 * type_names_add() - want @name (borrowed) among the types of @kinds; the same entry for the same
 * name. type_names_get(): the entry, whose name is NULL when @name is not wanted.
 */
struct type_name *type_names_add(struct type_names *names, const char *name, uint32_t kinds);
struct type_name *type_names_get(const struct type_names *names, const char *name);

/*
 * A walk over types: @found is called for each that has a name wanted and one of the kinds wanted
 * (of any name), in ascending order, until it returns something else than 0.
 */
struct type_visit {
	const struct type_names *names;	/* borrowed */
	int (*found)(void *arg, struct type_name *name, uint32_t kind, uint32_t id);
	void *arg;
	int result;		/* what it returned last, 0 at first */
};

/* type_visit_visitor() - what walks while BTF is indexed. @walk is borrowed. */
struct btf_visitor type_visit_visitor(struct type_visit *walk);

/*
 * type_names_visit() - walk over @btf's own types, and return what @found returned last. @btf may
 * be one that was only indexed.
 */
int type_names_visit(const struct type_names *names, const struct btf *btf,
		     int (*found)(void *arg, struct type_name *name, uint32_t kind, uint32_t id),
		     void *arg);

#endif
