/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* From the name of an object to maps and programs in the kernel: what loads, begins with this. */
#ifndef PLOAD_SESSION_LOAD_H
#define PLOAD_SESSION_LOAD_H

#include "loader/session/options.h"
#include "loader/features/co_re/co_re.h"
#include "loader/features/externs/externs.h"
#include "loader/kernel/kernel.h"
#include "loader/output/output.h"
#include "loader/features/struct_ops/struct_ops.h"
#include "loader/sys/file.h"
#include "loader/features/load_target/load_target.h"

/*
 * What objects are relocated against. Opened once, by the first object that asks, for all that
 * follow.
 */
struct loading_types {
	struct kernel_types running;	/* of the running kernel */
	struct kernel_types other;	/* of --btf */
};

void loading_types_init(struct loading_types *types, struct sys *sys, const struct load_options *o);
void loading_types_free(struct loading_types *types);

/*
 * loading_check_files() - whether the files of --btf and --kconfig are there and what they have to
 * be: also where no object comes to need them.
 */
int loading_check_files(struct loading_types *types, const struct load_options *o,
			struct error *err);

/*
 *	file -> bytes -> object -> maps -> programs
 *
 * Each stage reads what stands above its own fields and fills them in; loading_end() empties them
 * from the bottom up. Zeroed is empty.
 */
struct loading {
	struct sys *sys;		/* borrowed, as the next four */
	struct output *out;		/* notes go there */
	const struct load_options *options;
	struct loading_types *types;
	const char *path;

	struct file file;		/* loading_begin() */
	struct bpf_object object;
	bool *wanted;			/* of each program, whether it is to be loaded */
	struct co_re core; /* the object's CO-RE relocations */
	struct externs externs;		/* its config values, kernel symbols and kernel functions */
	struct struct_ops ops;		/* its structs of functions; found by loading_maps() */
	struct load_targets targets; /* what its programs are loaded for */
	struct cpu_list possible;	/* loading_maps(): read when a map asks for it */
	struct kernel_object kernel;
	bool has_rings;			/* among its maps */
	struct map_usage *usage;	/* of each map, by the programs loaded so far */
	int *map_fds;			/* of each map, borrowed from kernel */
	uint64_t linked_insns;		/* of all programs together */
};

/*
 * loading_begin() - read the file, understand the object in it, and choose its programs. @out, @o,
 * @types and @path are borrowed. Fails with the errno of the file, with what bpf_object_parse() says,
 * or ENOENT when --prog names what is not there. On failure, too, loading_end().
 */
int loading_begin(struct loading *l, struct sys *sys, struct output *out,
		  const struct load_options *o, struct loading_types *types, const char *path,
		  struct error *err);

/*
 * loading_check_target() - whether there is what program @prog is loaded for, as far as the
 * kernel's types say. As load_targets_get().
 */
int loading_check_target(struct loading *l, uint32_t prog, struct error *err);

/* loading_maps() - every map of the object. As kernel_load_maps(). */
int loading_maps(struct loading *l, struct error *err);

/*
 * loading_program() - link program @prog and give it to the verifier. As relocate(),
 * kernel_load_prog().
 */
int loading_program(struct loading *l, uint32_t prog, struct error *err);

/*
 * loading_finish() - what can be done only when all programs that shall be loaded are: program
 * arrays begin with theirs. Notes which slots stay empty, and what an older kernel did
 * not take.
 */
int loading_finish(struct loading *l, struct error *err);

/*
 * loading_nr_cpus() - as many as the kernel numbers, which with holes is more than there are; 0
 * when no map asked.
 */
unsigned int loading_nr_cpus(const struct loading *l);

/*
 * loading_note_compat() - notes what an older kernel did not take of the programs that are loaded.
 */
void loading_note_compat(const struct loading *l);

void loading_end(struct loading *l);

/**
 * tuning_check() - Check that the texts of --map and --set have the form NAME=VALUE. -EINVAL.
 * tuning_apply() - Change @obj as --map and --set ask; it borrows texts of @o. (with/tuning.c)
 */
int tuning_check(const struct load_options *o, struct error *err);
int tuning_apply(struct bpf_object *obj, const struct load_options *o, struct error *err);

#endif
