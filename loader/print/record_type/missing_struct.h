/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Name a struct that the source of an object has and its BTF does not. */
#ifndef PLOAD_PRINT_RECORD_TYPE_MISSING_STRUCT_H
#define PLOAD_PRINT_RECORD_TYPE_MISSING_STRUCT_H

#include "loader/object/object.h"

/* A struct of which only the name is known, and a line of the source that has it. */
struct missing_struct {
	char name[64];
	const char *file;	/* borrowed from the BTF */
	uint32_t line;
};

/*
 * missing_struct_find() - Find the struct that lines of the programs' source name and the BTF of
 * @obj does not describe. Return: false if there is none, or more than one.
 */
bool missing_struct_find(const struct bpf_object *obj, struct missing_struct *found);

#endif
