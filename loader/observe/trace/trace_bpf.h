/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Macros for tables of the fields of union bpf_attr, and tables used by two files. */
#ifndef PLOAD_OBSERVE_TRACE_TRACE_BPF_H
#define PLOAD_OBSERVE_TRACE_TRACE_BPF_H

#include <stdbool.h>

#include <linux/bpf.h>

#include "loader/observe/trace/trace_internal.h"

#define WIDTH(member) sizeof(((union bpf_attr *)0)->member)
#define AT(label, member, kind_) \
	.name = label, .off = offsetof(union bpf_attr, member), \
	.width = WIDTH(member), .kind = (kind_)

/* FIELD: a member of the union itself. SUB: a member of a struct in it. */
#define FIELD(member, kind_)		{ AT(#member, member, kind_) }
#define SUB(outer, member, kind_)	{ AT(#member, outer.member, kind_) }
#define FIELD_NAMED(member, kind_, fn)	{ AT(#member, member, kind_), .name_of = (fn) }
#define SUB_NAMED(outer, member, fn)	{ AT(#member, outer.member, TRACE_ENUM), .name_of = (fn) }
#define FIELD_FLAGS(member, table)	{ AT(#member, member, TRACE_FLAGS), .flags = (table) }
#define SUB_FLAGS(outer, member, table)	{ AT(#member, outer.member, TRACE_FLAGS), .flags = (table) }
#define END				{ .name = NULL }
#define FLAG(id)			{ id, #id }

/* A command of bpf(2): its arguments, and its results in the same union. */
struct trace_command {
	const char *group;	/* the struct in the union that contains the fields, or NULL */
	const struct trace_field *args;
	const struct trace_field *result;	/* or NULL */
	bool even_failed;	/* the kernel writes results on failure, too */
};

/* trace_command_find() - Return the command, with or without BPF_COMMON_ATTRS; or NULL. */
const struct trace_command *trace_command_find(unsigned long cmd);

/* Flags of BPF_PROG_ATTACH and of links. */
extern const struct sys_flag trace_attach_flags[];

/*
 * The fields that every BPF_LINK_CREATE has, and a function that prints the fields within a call's
 * @size bytes.
 */
extern const struct trace_field trace_link_create[];
/* trace_link_table() - Return table @i of those of all attach types, or NULL after the last. */
const struct trace_field *trace_link_table(unsigned int i);
void trace_link_fields(struct trace_list *list, const union bpf_attr *attr, size_t size);

#endif
