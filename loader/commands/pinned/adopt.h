/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Internals of the command adopt, which resumes a session from its pins without an object. */
#ifndef PLOAD_COMMANDS_PINNED_ADOPT_H
#define PLOAD_COMMANDS_PINNED_ADOPT_H

#include "loader/commands/pinned/pinned_session.h"
#include "loader/core/session/session.h"

/* BTF that the kernel keeps for maps and programs. */
struct adopted_btf {
	uint32_t id;
	unsigned char *data;		/* owned */
	struct btf btf;			/* owned */
	bool has;			/* it could be read; else values are printed in hex */
};

/* A pinned map, presented to output_maps() as the only map of a loaded object. */
struct adopted_map {
	const struct pinned_object *pin;	/* borrowed */
	uint32_t id;
	struct object_map map;
	struct bpf_object object;	/* its BTF is borrowed */
	struct kernel_map in_kernel;	/* its fd belongs to the pin */
	struct kernel_object kernel;
};

struct adopt {
	struct session s;		/* has no object; its rings, counters and wait are used */
	struct pinned_session session;
	struct adopted_btf **btfs;	/* owned; each at an address that does not change */
	uint32_t nr_btfs;
	struct adopted_map *maps;	/* owned; one for each pinned map */
	uint32_t nr_maps;
	uint32_t prog_btf;		/* BTF id of the programs; 0: none */
	struct object_prog *progs;	/* owned */
	struct kernel_prog *in_kernel;	/* owned */
	uint64_t (*before)[3];		/* run_cnt, run_time_ns, recursion_misses at the start */
	struct bpf_object object;	/* has only the programs; its parts are borrowed */
	struct kernel_object kernel;
	struct cpu_list possible;	/* owned */
	bool counts;			/* run statistics are enabled */
};

/* adopt_maps(), adopt_progs() - Read what the kernel reports of the pinned maps or programs. */
int adopt_maps(struct adopt *a, struct error *err);
int adopt_progs(struct adopt *a, struct error *err);

/**
 * adopt_btf() - Return in *@btf the BTF with this id, which is opened once.
 * @btf: set to an entry of a->btfs; its member has is false if the BTF cannot be read.
 *
 * Return: 0 or -ENOMEM.
 */
int adopt_btf(struct adopt *a, uint32_t id, const struct adopted_btf **btf, struct error *err);

/**
 * adopt_listen() - Open rings and counters by the command line and the mark of the session.
 *
 * Return: 0 or -errno; -EBUSY: another process has the maps open, and a ring has one reader.
 */
int adopt_listen(struct adopt *a, struct error *err);

/**
 * adopt_print() - Print the message "adopted"; adopt_print_text() prints it as text.
 * adopt_print_summary() - Print the contents of the maps and the summary.
 */
int adopt_print(struct adopt *a, struct error *err);
void adopt_print_text(FILE *file, struct json_object *msg);
int adopt_print_summary(struct adopt *a, struct error *err);

void adopt_free(struct adopt *a);

#endif
