/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Internals of the command load: the result of loading one object, and its message. */
#ifndef PLOAD_COMMANDS_LOAD_H
#define PLOAD_COMMANDS_LOAD_H

#include "loader/core/session/load.h"
#include "loader/core/print/output.h"

/* A program that --skip-failing left out. */
struct load_refusal {
	uint32_t prog;
	struct error err;
};

/* The result of loading one object. */
struct load_result {
	const struct loading *l;	/* borrowed */
	const struct options *options;	/* borrowed */
	int ret;			/* 0 or -errno */
	struct error err;		/* owned; describes ret */
	uint32_t nr_wanted, nr_loaded;	/* programs */
	struct load_refusal *refused;	/* owned */
	uint32_t nr_refused;
	const char *pinned;		/* borrowed; directory of its pins; NULL: not pinned */
};

/* load_print() - Print the message "load" of @r. Fails like output_message_as(). */
int load_print(struct output *out, const struct load_result *r, struct error *err);

#endif
