/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The command "load" from inside: what became of one object, and saying it. */
#ifndef PLOAD_CMD_LOAD_H
#define PLOAD_CMD_LOAD_H

#include "loader/session/load.h"
#include "loader/output/output.h"

/* A program that --skip-failing left out. */
struct load_refusal {
	uint32_t prog;
	struct error err;
};

/* What became of one object. */
struct load_result {
	const struct loading *l;	/* borrowed, as the next */
	const struct options *options;
	int ret;			/* 0, or a failure ... */
	struct error err;		/* ... which is this; owned */
	uint32_t nr_wanted, nr_loaded;	/* programs */
	struct load_refusal *refused;	/* owned */
	uint32_t nr_refused;
	const char *pinned;		/* borrowed; the directory, once its pins are there */
};

/* load_print() - the message "load" of @r. Fails as output_message(). */
int load_print(struct output *out, const struct load_result *r, struct error *err);

#endif
