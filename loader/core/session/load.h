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

/* Kernel types that objects are relocated against; opened once, for all objects. */
struct loading_types {
	struct kernel_types running;	/* the running kernel's */
	struct kernel_types other;	/* those of --btf */
};

void loading_types_init(struct loading_types *types, struct sys *sys, const struct load_options *o);
void loading_types_free(struct loading_types *types);

/** loading_check_files() - Check the files of --btf and --kconfig, even if no object needs them. */
int loading_check_files(struct loading_types *types, const struct load_options *o,
			struct error *err);

/*
 *	file -> bytes -> object -> maps -> programs
 *
 * Each stage reads the fields above its own and fills in its own; loading_end() empties them from
 * the bottom up. Zeroed is empty.
 */
struct loading {
	struct sys *sys;		/* borrowed, as the next four */
	struct output *out;		/* notes go there */
	const struct load_options *options;
	struct loading_types *types;
	const char *path;

	struct file file;		/* loading_begin() */
	struct bpf_object object;
	bool *wanted;			/* one for each program: load it */
	struct co_re core;		/* the object's CO-RE relocations */
	struct externs externs;		/* its kconfig values, kernel symbols and kfuncs */
	struct struct_ops ops;		/* its struct_ops; found by loading_maps() */
	struct load_targets targets;	/* functions and hooks its programs are loaded for */
	struct cpu_list possible;	/* loading_maps(); read if a map needs it */
	struct kernel_object kernel;
	struct map_usage *usage;	/* one for each map: how the loaded programs use it */
	struct failure_counts failures;	/* how programs count calls that fail */
	struct stack_fields *stack_fields;	/* borrowed; receives what the programs write to
						 * them; NULL: they are not followed */
	bool calls_printk;		/* a program calls bpf_trace_printk() */
	int *map_fds;			/* one for each map; borrowed from kernel */
	uint64_t linked_insns;		/* sum over all programs */
};

/**
 * loading_begin() - Read the object file, parse it, and choose the programs to load.
 * @o, @types, @path: borrowed until loading_end(), which is due also on failure.
 *
 * Return: 0, or -errno of the file or of bpf_object_read(); -ENOENT: --prog names no program.
 */
int loading_begin(struct loading *l, struct sys *sys, struct output *out,
		  const struct load_options *o, struct loading_types *types, const char *path,
		  struct error *err);

/**
 * loading_check_target() - Check that the function or hook of @prog exists, by the kernel's types.
 */
int loading_check_target(struct loading *l, uint32_t prog, struct error *err);

/**
 * loading_maps() - Create every map of the object, as kernel_load_maps().
 * load_program() - Link program @prog and load it, as relocate() and kernel_verify_prog().
 * loading_finish() - Once all programs are loaded, fill the program arrays. Prints a note for slots
 * that stay empty and for what was left out for an older kernel.
 */
int loading_maps(struct loading *l, struct error *err);
int load_program(struct loading *l, uint32_t prog, struct error *err);
int loading_finish(struct loading *l, struct error *err);


/** loading_note_fd_limit() - Print a note if the limit of open files was raised. */
void loading_note_fd_limit(struct output *out, const struct fd_limit *room);

void loading_end(struct loading *l);

/**
 * tuning_check() - Check that the texts of --map and --set have the form NAME=VALUE. -EINVAL.
 * tuning_apply() - Change @obj as --map and --set ask; it borrows texts of @o. (loading/tuning.c)
 */
int tuning_check(const struct load_options *o, struct error *err);
int tuning_apply(struct bpf_object *obj, const struct load_options *o, struct error *err);

/* --- features: loading/ has the rows --- */

enum loading_stage {
	LOADING_PARSED,	/* the object is parsed, and its programs are not chosen yet */
	LOADING_MAPS,	/* the maps are created next */
	LOADING_LOADED,	/* all programs are loaded */
	NR_LOADING_STAGES,
};

/*
 * The hooks of a feature while an object is loaded. NULL: it has none. Those that return int return
 * 0 or -errno.
 */
struct load_feature {
	/* Open and close the kernel's types, for all objects. */
	void (*open_types)(struct loading_types *types, struct sys *sys,
			   const struct load_options *o);
	void (*close_types)(struct loading_types *types);
	/* Check the files that options name, before any object is read. */
	int (*check)(struct loading_types *types, const struct load_options *o,
		     struct error *err);
	void (*begin)(struct loading *l);
	int (*at[NR_LOADING_STAGES])(struct loading *l, struct error *err);
	/* Check that a program can be loaded for what its section names. */
	int (*check_target)(struct loading *l, uint32_t prog, struct error *err);
	/* Find what it is loaded for: kernel.progs[prog].target. */
	int (*target)(struct loading *l, uint32_t prog, struct error *err);
	/* Called before a program is linked, when it is linked, and when it is loaded or not. */
	void (*begin_prog)(struct loading *l);
	int (*linked)(struct loading *l, uint32_t prog, struct prog_code *code,
		      struct error *err);
	void (*end_prog)(struct loading *l, struct prog_code *code);
	/* Explain the refusal of the program linked last. */
	void (*explain)(const struct loading *l, const struct prog_code *code, struct error *err);
	/* Return true if it may load when it is linked again, in a form for older kernels. */
	bool (*again)(struct loading *l, struct error *err);
	void (*end)(struct loading *l);	/* called also if it has not begun */
};

#endif
