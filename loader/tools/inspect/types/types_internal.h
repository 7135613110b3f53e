/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * BTF as C. A type is declared before it is named, and defined before a value of it is a member:
 *
 *	struct a;			order.c: b names a before a is defined
 *	struct b { struct a *next; };	define.c: members, padding; declare.c: "struct a *next"
 *	struct a { struct b first; };
 */
#ifndef PLOAD_TOOLS_INSPECT_TYPES_TYPES_INTERNAL_H
#define PLOAD_TOOLS_INSPECT_TYPES_TYPES_INTERNAL_H

#include "elf/btf.h"
#include "elf/error.h"
#include "loader/objects/kernel_types/checked_types.h"

/* Compilers do not nest types deeper than this. */
#define C_DEPTH_MAX 128

/*
 * The limit on characters written per byte of BTF, and a minimum. Function types have no names in
 * C, so ten of them, each using the previous one for two parameters, expand to a thousand.
 */
#define C_WORK_PER_BYTE 64
#define C_WORK_LEAST (1u << 20)

/* A string that grows. */
struct c_text {
	char *s;	/* owned */
	size_t size, room;
};

/* A used name in one of the two name spaces of C. */
struct c_name {
	const char *name;	/* borrowed; NULL: free */
	uint8_t space;
	uint32_t uses;
};

enum { C_TAGS = 1, C_ORDINARY };

struct c_types {
	const struct btf *btf;	/* borrowed */
	uint32_t nr;		/* of types, including those of the base */
	struct c_type_state {
		uint8_t declared, defined, busy;
		uint8_t referenced;	/* an anonymous type inside another one */
		uint32_t align;		/* in bytes; 0: not computed yet */
		uint32_t number;	/* among those of the same name, from 1; 0: not named yet */
	} *states;		/* owned; by id */
	struct c_name *names;	/* owned; a hash table */
	uint32_t mask, nr_names;
	struct c_text text;	/* what is not yet printed */
	uint64_t work, work_max;	/* characters written so far, even in other types */
	bool no_memory, too_long;
	int (*print)(void *arg, uint32_t id, const char *text, size_t size);
	void *arg;
	int ret;
};

/* c_stopped() - Return true if nothing more is written, so that loops can end. */
static inline bool c_stopped(const struct c_types *c)
{
	return c->no_memory || c->too_long;
}

/* --- names.c --- */

void c_put(struct c_types *c, struct c_text *to, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* c_put_name() - Write @name, with characters not allowed in C names replaced by '_'. */
void c_put_name(struct c_types *c, struct c_text *to, const char *name);

/* c_number() - Count another use of @name, and return the total. */
uint32_t c_number(struct c_types *c, uint8_t space, const char *name);

/* c_put_type_name() - Write the name of type @id; the second type of a name is NAME___2. */
void c_put_type_name(struct c_types *c, struct c_text *to, const struct btf_type_view *t);

/* --- declare.c --- */

/*
 * c_declare() - Write the declaration of @name (NULL: none) with type @id, whose members are
 * indented by @level if it is anonymous.
 */
void c_declare(struct c_types *c, struct c_text *to, uint32_t id, const char *name,
	       unsigned int level, unsigned int depth);

/* --- define.c --- */

/* c_define_members() - Write "{ ... }" of a struct, a union or an enum, with its attributes. */
void c_define_members(struct c_types *c, struct c_text *to, const struct btf_type_view *t,
		      unsigned int level, unsigned int depth);

/* c_align() - Return the alignment in bytes of a value of type @id. */
uint32_t c_align(struct c_types *c, uint32_t id, unsigned int depth);

/* --- types.c --- */

/**
 * c_types_print() - Print every named type of @btf, those of its base only where they are needed.
 * @print: called with the text of one type, which ends with a newline, or of several types that
 *	contain each other; returns 0, or an error that ends it
 *
 * Also of BTF that was only indexed. Return: 0, -ENOMEM, the error of @print, or -E2BIG if types
 * contain each other so often that their text is not in proportion to the BTF; those before the one
 * that @err names were printed.
 */
int c_types_print(const struct btf *btf,
		  int (*print)(void *arg, uint32_t id, const char *text, size_t size), void *arg,
		  struct error *err);

#endif
