/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* From the name of a file to maps and programs in the kernel: what every command begins with. */
#ifndef PLOAD_CMD_LOADING_H
#define PLOAD_CMD_LOADING_H

#include "loader/cmd/options.h"
#include "loader/core/core.h"
#include "loader/kernel/kernel.h"

/*
 *	file -> bytes -> object -> maps -> programs
 *
 * Each stage reads what stands above its own fields and fills them in; loading_end() empties them
 * from the bottom up. Zeroed is empty.
 */
struct loading {
	struct sys *sys;		/* borrowed, as the next two */
	const struct load_options *options;
	const char *path;

	unsigned char *file;		/* loading_begin() */
	size_t file_size;
	struct bpf_object object;
	struct kernel_types types;	/* of the running kernel; empty until somebody asks */
	struct kernel_types other_types;	/* of --btf */
	struct core core;		/* the object's CO-RE relocations */
	struct cpu_list possible;	/* loading_maps(): read when a map asks for it */
	struct kernel_object kernel;
	struct map_usage *usage;	/* of each map, by the programs loaded so far */
	int *map_fds;			/* of each map, borrowed from kernel */
	uint64_t linked_insns;		/* of all programs together */
};

/*
 * loading_begin() - read the file and understand the object in it. @path and @o are borrowed. Fails
 * with the errno of the file, with what bpf_object_parse() says, or EINVAL without a license. On
 * failure, too, loading_end().
 */
int loading_begin(struct loading *l, struct sys *sys, const struct load_options *o,
		  const char *path, struct error *err);

/* loading_maps() - every map of the object. As kernel_load_maps(). */
int loading_maps(struct loading *l, struct error *err);

/* loading_program() - link program @prog and give it to the verifier. As relocate(), kernel_load_prog(). */
int loading_program(struct loading *l, uint32_t prog, struct error *err);

/*
 * loading_finish() - what can be done only when all programs that shall be loaded are: program
 * arrays begin with theirs. Notes which slots stay empty.
 */
int loading_finish(struct loading *l, struct error *err);

/*
 * loading_nr_cpus() - as many as the kernel numbers, which with holes is more than there are; 0
 * when no map asked.
 */
unsigned int loading_nr_cpus(const struct loading *l);

void loading_end(struct loading *l);

#endif
