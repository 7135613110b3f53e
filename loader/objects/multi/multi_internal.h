/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * From patterns to a link to many functions:
 *
 *	function_pattern.c	"vfs_*,!vfs_read" -> struct patterns
 *	kernel_functions.c, fentry_functions.c, user_functions.c
 *				patterns -> struct multi_functions
 *	link_multi.c		BPF_LINK_CREATE with arrays of all functions
 *	attach_multi.c		leaves out a function that the kernel refuses
 */
#ifndef PLOAD_OBJECTS_MULTI_MULTI_INTERNAL_H
#define PLOAD_OBJECTS_MULTI_MULTI_INTERNAL_H

#include "loader/objects/multi/multi.h"

/* MAX_KPROBE_MULTI_CNT and MAX_UPROBE_MULTI_CNT in kernel/trace/bpf_trace.c. */
#define MULTI_FUNCTIONS_MAX (1u << 20)

/* How the kernel identifies functions, and the kind of link. */
enum multi_kind {
	MULTI_KERNEL,		/* kprobe.multi: an address; a name if addresses are hidden */
	MULTI_USER,		/* uprobe.multi: an offset in a file */
	MULTI_TYPE,		/* fentry.multi: the id of a FUNC in the kernel's BTF */
};

enum multi_kind multi_kind(uint32_t attach_type);

struct multi_function {
	char *name;		/* owned */
	uint64_t at;		/* address, file offset or BTF id; 0: by name */
};

/* The functions of one link. All zero except for path_fd means empty. */
struct multi_functions {
	enum multi_kind kind;
	struct multi_function *list;	/* owned; ascending by at, or by name if at is 0 */
	uint32_t nr;
	bool by_name;		/* KERNEL: addresses are hidden */
	bool exact;		/* all were named without patterns: none may be left out */
	char path[4096];	/* USER: the file */
	int path_fd;		/* USER: the file, borrowed from the symbols; -1: use the path */
};

void multi_functions_free(struct multi_functions *f);

/*
 * multi_functions_add() - Add a function; @name is copied. -ENOMEM, or -E2BIG ("multi/too-many").
 */
int multi_functions_add(struct multi_functions *f, const char *name, uint64_t at,
			struct error *err);

/* multi_functions_sort() - Sort the list, and remove duplicates. */
void multi_functions_sort(struct multi_functions *f);
void multi_functions_remove(struct multi_functions *f, uint32_t index);

/* --- function_pattern.c: "PATTERN[,PATTERN]..." --- */

#define PATTERN_MAX 32

struct patterns {
	char *text;		/* owned */
	struct pattern {
		const char *module;	/* NULL: any */
		const char *glob;
		bool out;		/* '!': excludes what it matches */
		bool whole;		/* a name without '*', '?', '[' */
	} list[PATTERN_MAX];
	unsigned int nr;
};

/* patterns_parse() - Parse a list. -EINVAL: an empty pattern, too many, or all exclude. -ENOMEM. */
int patterns_parse(struct patterns *p, const char *text, struct error *err);
void patterns_free(struct patterns *p);

/* patterns_match() - Return true if function @name of @module ("": of vmlinux) matches. */
bool patterns_match(const struct patterns *p, const char *name, const char *module);

/* patterns_exact() - Return true if every entry is a plain function name. */
bool patterns_exact(const struct patterns *p);

/*
 * --- kernel_functions.c, fentry_functions.c, user_functions.c: find the functions that a request
 * matches ---
 */

int find_kernel_functions(const struct multi *m, const struct multi_request *req,
			  struct multi_functions *f, struct error *err);
int find_fentry_functions(const struct multi *m, const struct multi_request *req,
			  struct multi_functions *f, struct error *err);
int find_user_functions(const struct multi *m, const struct multi_request *req,
			struct multi_functions *f, struct error *err);

/* no_function() - Report that nothing matches, with similar names. kernel_functions.c */
int no_function(const struct multi *m, const struct multi_request *req, struct error *err);

/*
 * note_unlisted() - Print a note that traceable_functions_each() failed with @code.
 * kernel_functions.c
 */
void note_unlisted(const struct multi *m, int code);

/* multi_note() - Format a note for the user. attach_multi.c */
void multi_note(const struct multi *m, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* --- link_multi.c --- */

/*
 * multi_link() - Link @nr functions from @from on. Return the link, owned by the caller, or -errno.
 */
int multi_link(struct sys *sys, const struct multi_request *req, const struct multi_functions *f,
	       uint32_t from, uint32_t nr);

/* multi_show_call() - Add the refused system call for all of @f to @err; it failed with @code. */
void multi_show_call(const struct multi_request *req, const struct multi_functions *f, int code,
		     struct error *err);

/*
 * multi_may_be_one() - Return true for an errno that a single function may have caused.
 * attach_multi.c
 */
bool multi_may_be_one(int code);

/* --- multi_failed.c --- */

/*
 * multi_failed() - Explain why the kernel returned @code. @name: the refused function, or NULL.
 */
int multi_failed(const struct multi *m, const struct multi_request *req,
		 const struct multi_functions *f, const char *name, int code, struct error *err);

#endif
