/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the steps to a link on many functions share with each other, and with nobody else. */
#ifndef PLOAD_FEATURES_MULTI_MULTI_INTERNAL_H
#define PLOAD_FEATURES_MULTI_MULTI_INTERNAL_H

#include "loader/features/multi/multi.h"

/*
 * As many as a link takes: MAX_KPROBE_MULTI_CNT, MAX_UPROBE_MULTI_CNT of kernel/trace/bpf_trace.c.
 */
#define MULTI_TARGETS_MAX (1u << 20)

/* What functions are to the kernel. */
enum multi_kind {
	MULTI_KERNEL, /* an address, or where addresses are hidden a name: kprobe.multi */
	MULTI_USER, /* an offset in a file: uprobe.multi */
	MULTI_TYPE, /* the id of a FUNC in the kernel's BTF: fentry.multi */
};

enum multi_kind multi_kind(uint32_t attach_type);

struct multi_target {
	char *name;		/* owned */
	uint64_t at;
	uint64_t ref_ctr_offset;	/* USER: 0: it has none */
};

/* Zeroed is empty. */
struct multi_targets {
	enum multi_kind kind;
	struct multi_target *list; /* owned; ascending by at, or where at is 0 by name */
	uint32_t nr;
	bool by_name;		/* KERNEL: addresses are hidden */
	bool exact;		/* each was named whole: none may be left out */
	char path[4096];	/* USER: the file */
};

void multi_targets_free(struct multi_targets *p);

/* multi_targets_add() - @name is copied. ENOMEM, or E2BIG ("multi/too-many"). */
int multi_targets_add(struct multi_targets *p, const char *name, uint64_t at,
		      uint64_t ref_ctr_offset, struct error *err);

/* multi_targets_sort() - as the list is to be, each once. */
void multi_targets_sort(struct multi_targets *p);

/* multi_targets_remove() - without the place at @index. */
void multi_targets_remove(struct multi_targets *p, uint32_t index);

/* --- pattern.c: "PATTERN[,PATTERN]..." --- */

#define PATTERN_MAX 32

struct patterns {
	char *text;		/* owned */
	struct pattern {
		const char *module;	/* NULL: of no or any module */
		const char *glob;
		bool out;		/* '!': what it matches is taken out */
		bool whole;		/* a name without '*', '?', '[' */
	} list[PATTERN_MAX];
	unsigned int nr;
};

/* patterns_parse() - EINVAL: an empty one, too many, or all of them take out. ENOMEM. */
int patterns_parse(struct patterns *p, const char *text, struct error *err);
void patterns_free(struct patterns *p);

/* patterns_match() - whether function @name of @module ("": the kernel's own) is meant. */
bool patterns_match(const struct patterns *p, const char *name, const char *module);

/* patterns_exact() - whether each names one function whole. */
bool patterns_exact(const struct patterns *p);

/* --- traceable.c: functions that ftrace can change --- */

struct traceable_function {
	const char *name, *module;	/* module: "" for the kernel's own */
	uint64_t address;	/* of the instruction that is changed, near the beginning; 0: not
				 * known */
};

/*
 * traceable_functions_each() - call @fn with each. Returns 0, what @fn returned when that is not 0
 * (which ends the walk), or -errno: ENOENT where there is no such list, without tracefs or the
 * function tracer.
 */
int traceable_functions_each(struct sys *sys,
			     int (*fn)(void *arg, const struct traceable_function *t), void *arg);

/* --- kernel.c, trampoline.c, user.c: what a request means --- */

int find_kernel_functions(const struct multi *m, const struct multi_request *req,
			  struct multi_targets *p, struct error *err);
int find_fentry_functions(const struct multi *m, const struct multi_request *req,
			  struct multi_targets *p, struct error *err);
int find_user_functions(const struct multi *m, const struct multi_request *req,
			struct multi_targets *p, struct error *err);

/* no_function() - say that nothing matches, and what is near. kernel.c */
int no_function(const struct multi *m, const struct multi_request *req, struct error *err);

/* note_unlisted() - note that nobody has said what can be traced: traceable_functions_each() failed
 * so. */
void note_unlisted(const struct multi *m, int code);

/* multi_note() - tell m->note. */
void multi_note(const struct multi *m, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* --- link.c --- */

/*
 * multi_link() - bind to @nr places from the @from-th on. The link (owned by the caller) or -errno.
 */
int multi_link(struct sys *sys, const struct multi_request *req, const struct multi_targets *p,
	       uint32_t from, uint32_t nr);

/* multi_show_call() - put that call for all of @p into @err, as it was refused with @code. */
void multi_show_call(const struct multi_request *req, const struct multi_targets *p, int code,
		     struct error *err);

/* --- failed.c --- */

/*
 * multi_failed() - why the kernel said @code; @name: of the one function that it is about, or NULL.
 */
int multi_failed(const struct multi *m, const struct multi_request *req,
		 const struct multi_targets *p, const char *name, int code, struct error *err);

#endif
