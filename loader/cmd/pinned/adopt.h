/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The command "adopt" from inside: a session made of pins, where others have an object. */
#ifndef PLOAD_CMD_PINNED_ADOPT_H
#define PLOAD_CMD_PINNED_ADOPT_H

#include "loader/cmd/pinned/pinned_session.h"
#include "loader/session/session.h"

/* Types that the kernel keeps for maps and programs. */
struct adopted_btf {
	uint32_t id;
	unsigned char *data;		/* owned */
	struct btf btf;			/* owned */
	bool has;			/* they could be read; else values are shown in hex */
};

/* A map as what shows maps wants it: as the only one of an object in the kernel. */
struct adopted_map {
	const struct pinned_object *pin;	/* borrowed */
	uint32_t id;
	struct object_map map;
	struct bpf_object object;	/* its BTF is borrowed */
	struct kernel_map in_kernel;	/* its fd is the pin's */
	struct kernel_object kernel;
};

struct adopt {
	struct session s;		/* without an object: what listens, counts and waits */
	struct pinned_session session;
	struct adopted_btf **btfs;	/* owned, each at a place that stays */
	uint32_t nr_btfs;
	struct adopted_map *maps;	/* owned; as many as kept has */
	uint32_t nr_maps;
	uint32_t prog_btf;		/* id of that of the programs; 0: none */
	struct object_prog *progs;	/* owned, as the next */
	struct kernel_prog *in_kernel;
	uint64_t (*before)[3];		/* run_cnt, run_time_ns and recursion_misses when we
					 * came */
	struct bpf_object object;	/* of programs alone; borrowed parts */
	struct kernel_object kernel;
	struct cpu_list possible;	/* owned */
	bool counts;			/* runs are counted */
};

/*
 * adopt_maps() - what the kernel says of the pinned maps and their types; adopt_progs(): likewise.
 */
int adopt_maps(struct adopt *a, struct error *err);
int adopt_progs(struct adopt *a, struct error *err);

/*
 * adopt_btf() - the types with that id, opened once; has no types when they cannot be had. ENOMEM.
 */
int adopt_btf(struct adopt *a, uint32_t id, const struct adopted_btf **btf, struct error *err);

/*
 * adopt_listen() - rings and counters as the command line and the mark of the session say. EBUSY:
 * another process has the maps open, and a ring has one reader.
 */
int adopt_listen(struct adopt *a, struct error *err);

/* adopt_print() - the message "adopted"; adopt_print_summary(): what the maps hold, and the summary. */
int adopt_print(struct adopt *a, struct error *err);
int adopt_print_summary(struct adopt *a, struct error *err);

void adopt_free(struct adopt *a);

#endif
