/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Attach one program to many functions with one link: kprobe.multi, uprobe.multi, fentry.multi. */
#ifndef PLOAD_OBJECTS_MULTI_MULTI_H
#define PLOAD_OBJECTS_MULTI_MULTI_H

#include "loader/core/attach/link_target.h"
#include "loader/objects/kernel_types/kernel_types.h"

struct symbols;

/* The sources of functions, and the receiver of notes. All borrowed. */
struct multi {
	struct sys *sys;
	struct kernel_types *types;	/* types and symbols of the running kernel */
	struct symbols *files;		/* functions in files */
	void (*note)(void *arg, const char *text);
	void *arg;
};

/* The program and the functions to attach it to. All borrowed. */
struct multi_request {
	const struct link_target *target;	/* its on is TARGET_FUNCTIONS */
	uint32_t attach_type;		/* expected attach type, such as BPF_TRACE_KPROBE_MULTI */
	bool returns;			/* run when the functions return */
	const char *functions;		/* from --functions or the section name; NULL: none */
	bool has_cookie;
	uint64_t cookie;		/* used for every function */
	pid_t pid;			/* uprobe.multi: only in this process; 0: in all */
	int prog_fd;
	unsigned int prog;		/* caller's index */
};

/**
 * multi_check() - Check the syntax of req->functions. Makes no system call.
 *
 *	kprobe.multi, fentry.multi: PATTERN[,PATTERN]...
 *		Names with '*', '?' and '[...]'. A pattern after '!' excludes what it matches;
 *		"MODULE:PATTERN" (kprobe.multi) matches functions of that module only.
 *	uprobe.multi: PATH:PATTERN
 *
 * Return: 0, -EINVAL or -ENOMEM.
 */
int multi_check(const struct multi_request *req, struct error *err);

/**
 * multi_attach() - Bind the program to all matching functions with one link, and append that to
 * @set.
 *
 * Functions matched by a pattern that the kernel refuses are left out, with a note; a function
 * named without a pattern never is.
 *
 * Return: the number of functions; or "multi/no-function" (with similar names),
 * "multi/not-traceable" (which one), "multi/too-many", "attach/link-unsupported" (kprobe.multi
 * needs Linux 5.18, uprobe.multi 6.6), and errors of bpf(2).
 */
int multi_attach(const struct multi *m, const struct multi_request *req, struct attach_set *set,
		 struct error *err);

/* --- traceable_functions.c: the functions that ftrace can trace --- */

struct traceable_function {
	const char *name, *module;	/* module: "" for vmlinux */
	uint64_t address;	/* the patched instruction's; 0: unknown */
};

/**
 * traceable_functions_each() - Call @fn for each function until it returns a nonzero value.
 *
 * Return: that value, 0, or -errno; -ENOENT without tracefs or the function tracer.
 */
int traceable_functions_each(struct sys *sys,
			     int (*fn)(void *arg, const struct traceable_function *t), void *arg);

#endif
