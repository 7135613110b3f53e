/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Load an object: from its path to maps and programs in the kernel. */
#ifndef PLOAD_CORE_SESSION_LOAD_H
#define PLOAD_CORE_SESSION_LOAD_H

#include "loader/core/session/options.h"
#include "loader/objects/co_re/co_re.h"
#include "loader/objects/externs/externs.h"
#include "loader/core/kernel/kernel.h"
#include "loader/objects/analysis/stack_fields.h"
#include "loader/core/print/output.h"
#include "loader/objects/struct_ops/struct_ops.h"
#include "loader/core/sys/file.h"
#include "loader/objects/load_target/load_target.h"
#include "loader/core/sys/tables.h"

/* The kernel types that objects are relocated against; opened once for all objects. */
struct loading_types {
	struct kernel_types running;	/* the running kernel's */
	struct kernel_types other;	/* those of --btf */
};

void loading_types_init(struct loading_types *types, struct sys *sys, const struct load_options *o);
void loading_types_free(struct loading_types *types);

/** loading_check_files() - Check the --btf and --kconfig files, even if no object needs them. */
int loading_check_files(struct loading_types *types, const struct load_options *o,
			struct error *err);

/*
 *	file -> bytes -> object -> maps -> programs
 *
 * Each stage reads the fields above its own and sets its own; loading_end() clears them from the
 * bottom up. All zero means empty.
 */
struct loading {
	struct sys *sys;		/* borrowed, like the next four */
	struct output *out;		/* receives notes */
	const struct load_options *options;
	struct loading_types *types;
	const char *path;

	struct file file;		/* loading_begin() */
	struct bpf_object object;
	bool *wanted;			/* one per program: whether to load it */
	struct co_re core;		/* the object's CO-RE relocations */
	struct externs externs;		/* its kconfig values, kernel symbols and kfuncs */
	struct struct_ops ops;		/* its struct_ops; found by loading_maps() */
	struct load_targets targets;	/* the functions and hooks its programs are loaded for */
	struct cpu_list possible;	/* loading_maps(); read only if a map needs it */
	struct kernel_object kernel;
	struct map_usage *usage;	/* one per map: how the loaded programs use it */
	struct failure_counts failures;	/* how programs count failed calls */
	struct stack_fields *stack_fields;	/* borrowed; receives what the programs write to
						 * them; NULL: not tracked */
	bool calls_printk;		/* a program calls bpf_trace_printk() */
	int *map_fds;			/* one per map; borrowed from kernel */
	uint64_t linked_insns;		/* total over all programs */
};

/**
 * loading_begin() - Read the object file, parse it, and choose the programs to load. @o, @types,
 * @path: borrowed until loading_end(), which must be called even on failure.
 *
 * Return: 0, or -errno of the file or of bpf_object_read(); -ENOENT: --prog matches no program.
 */
int loading_begin(struct loading *l, struct sys *sys, struct output *out,
		  const struct load_options *o, struct loading_types *types, const char *path,
		  struct error *err);

/**
 * loading_check_target() - Check in the kernel's types that the function or hook of @prog exists.
 */
int loading_check_target(struct loading *l, uint32_t prog, struct error *err);

/**
 * loading_maps() - Create all maps of the object; see kernel_load_maps().
 * load_program() - Link and load program @prog; see relocate() and kernel_verify_prog().
 * loading_finish() - Once all programs are loaded, fill the program arrays. Prints notes for empty
 * slots and for anything omitted for an older kernel.
 */
int loading_maps(struct loading *l, struct error *err);
int load_program(struct loading *l, uint32_t prog, struct error *err);
int loading_finish(struct loading *l, struct error *err);


/** loading_note_fd_limit() - Print a note if the limit on open files was raised. */
void loading_note_fd_limit(struct output *out, const struct fd_limit *room);

void loading_end(struct loading *l);

/**
 * tuning_check() - Check that --map and --set have the form NAME=VALUE.
 * Return: 0 or -EINVAL.
 * tuning_apply() - Apply --map and --set to @obj, which borrows strings from @o. (loading/tuning.c)
 */
int tuning_check(const struct load_options *o, struct error *err);
int tuning_apply(struct bpf_object *obj, const struct load_options *o, struct error *err);

/* --- features: loading/ has the rows --- */

enum loading_stage {
	LOADING_PARSED,	/* the object is parsed, but its programs are not chosen yet */
	LOADING_MAPS,	/* the maps are created next */
	LOADING_LOADED,	/* all programs are loaded */
	NR_LOADING_STAGES,
};

/*
 * A feature's hooks for loading an object. NULL: no hook. Hooks that return int return 0 or -errno.
 */
struct load_feature {
	/* Open and close the kernel's types, for all objects. */
	void (*open_types)(struct loading_types *types, struct sys *sys,
			   const struct load_options *o);
	void (*close_types)(struct loading_types *types);
	/* Check the files named by options, before any object is read. */
	int (*check)(struct loading_types *types, const struct load_options *o,
		     struct error *err);
	void (*begin)(struct loading *l);
	int (*at[NR_LOADING_STAGES])(struct loading *l, struct error *err);
	/* Check that a program can be loaded for the target in its section name. */
	int (*check_target)(struct loading *l, uint32_t prog, struct error *err);
	/* Find its load target: kernel.progs[prog].target. */
	int (*target)(struct loading *l, uint32_t prog, struct error *err);
	/*
	 * Called before a program is linked, when it has been linked, and when it has been loaded
	 * or not.
	 */
	void (*begin_prog)(struct loading *l);
	int (*linked)(struct loading *l, uint32_t prog, struct prog_code *code,
		      struct error *err);
	void (*end_prog)(struct loading *l, struct prog_code *code);
	/* Explain why the last linked program was refused. */
	void (*explain)(const struct loading *l, const struct prog_code *code, struct error *err);
	/* Return true if it may load after linking it again in a form for older kernels. */
	bool (*again)(struct loading *l, struct error *err);
	void (*end)(struct loading *l);	/* called even if it has not begun */
};

#endif
