/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Two of the four tables through which the core calls everything else: `features` and
 * `explanations`. The others are `session_parts` (part.h) and the commands of a program
 * (command.h).
 *
 *	core calls a table's rows in order; a table may be empty
 *	loader/rows/		the tables of pload
 *	loader/core/plain/	the tables of build/pload-core
 *
 * Each row points to a constant in an annex. The core never calls a function of an annex by name.
 */
#ifndef PLOAD_CORE_SYS_TABLES_H
#define PLOAD_CORE_SYS_TABLES_H

#include "elf/error.h"

struct sys;

/*
 * Something that an object may contain, or that an option adds to loading, attaching or reading.
 * The header named next to each member describes the hooks; NULL: no hooks there.
 */
struct feature {
	const char *name;			/* plural: "CO-RE relocations" */
	const struct object_feature *object;	/* core/object/feature.h */
	const struct kernel_feature *kernel;	/* core/kernel/feature.h */
	const struct event_feature *event;	/* core/event/steps.h */
	const struct attach_feature *attach;	/* core/attach/steps.h */
	const struct load_feature *load;	/* core/session/load.h */
	const struct plan_feature *plan;	/* core/session/plan.h */
};

/* In calling order. The last row has no name. */
extern const struct feature features[];

/**
 * * feature_missing() - Report that the object needs @what, which is not linked in. Return:
 * -ENOTSUP.
 */
int feature_missing(const char *what, struct error *err);

/* A failure that a row may explain. The argument of each is described where it is raised. */
enum explained {
	FAILED_SYMBOL,		/* struct unresolved_symbol: a symbol that nothing defines */
	FAILED_KIND,		/* struct object_prog: a section with an unknown name */
	FAILED_INSN,		/* struct failed_insn: the instruction that an error is about */
	FAILED_BTF,		/* struct refused_btf: BPF_BTF_LOAD */
	FAILED_MAP,		/* struct refused_map: BPF_MAP_CREATE */
	FAILED_PROG,		/* struct refused_prog: BPF_PROG_LOAD */
	FAILED_LOG,		/* struct refused_prog, whose log is in err->log */
	FAILED_EVENT,		/* struct refused_event: perf_event_open(2) */
	FAILED_BIND,		/* struct refused_bind: the call that binds a program */
	FAILED_PLAN,		/* struct object_prog: a program that runs on no event */
	FAILED_CALL,		/* struct failed_call: any call, for err->call */
	FAILED,			/* NULL: any failure, before the error is printed */
};

/*
 * explain() finds the cause of a failure and replaces the generic error in @err. The errno stays.
 */
struct explanation {
	enum explained failure;
	void (*explain)(struct sys *sys, const void *call, struct error *err);
};

/* The last row has no function. */
extern const struct explanation explanations[];

/* FAILED_CALL: the arguments of system call @nr and its positive errno. */
struct failed_call {
	long nr;
	const unsigned long *arg;
	int code;
};

/** explain_failure() - Let each row for @failure explain it. Does nothing if @err is NULL. */
void explain_failure(struct sys *sys, enum explained failure, const void *call, struct error *err);

#endif
