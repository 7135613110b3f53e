/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * One program on many functions by one link: kprobe.multi, uprobe.multi, fentry.multi and their
 * kin. A room beside the core: an object without such sections never gets there.
 */
#ifndef PLOAD_FEATURES_MULTI_MULTI_H
#define PLOAD_FEATURES_MULTI_MULTI_H

#include "loader/attach/link_target.h"
#include "loader/features/kernel_types/kernel_types.h"

struct symbols;

/* Whom to ask for functions, and whom to tell. All borrowed. */
struct multi {
	struct sys *sys;
	struct kernel_types *types;	/* the running kernel's types, and its symbols */
	struct symbols *files;		/* of functions in files */
	void (*note)(void *arg, const char *text);	/* what has been left out */
	void *arg;
};

/* What to attach; as struct target_request for one place. All borrowed. */
struct multi_request {
	const struct link_target *target;	/* whose on is TARGET_FUNCTIONS */
	uint32_t attach_type;		/* BPF_TRACE_KPROBE_MULTI ..., that the program was
					 * loaded for */
	bool returns;			/* when the functions return */
	const char *functions;		/* what --functions or the section says; NULL: nothing */
	bool has_cookie;
	uint64_t cookie;		/* of each function */
	pid_t pid;			/* of functions in files: in this process only; 0: in all */
	int prog_fd;
	unsigned int prog;		/* caller's index */
};

/*
 * multi_check() - EINVAL when @req names no functions, or not as its kind wants them. Pure.
 *
 *	kprobe.multi, fentry.multi: PATTERN[,PATTERN]...
 *		Names with '*', '?' and '[...]'. A pattern after '!' excludes what it matches;
 *		"MODULE:PATTERN" (kprobe.multi) matches functions of that module only.
 *	uprobe.multi: PATH:PATTERN
 */
int multi_check(const struct multi_request *req, struct error *err);

/*
 * multi_attach() - find the functions and bind the program to all of them by one link, which is
 * appended to @set. Of those that a pattern matches, the few that the kernel refuses are left out,
 * and noted; one that is named whole is not. Returns how many functions, or fails:
 * "multi/no-function" (with the nearest names), "multi/not-traceable" (which one),
 * "multi/too-many", "attach/link-unsupported" (before Linux 5.18, 6.6 ...), or with what the kernel
 * says.
 */
int multi_attach(const struct multi *m, const struct multi_request *req, struct attach_set *set,
		 struct error *err);

#endif
