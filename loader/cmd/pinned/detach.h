/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The command "detach" from inside: what is to go, waiting for it, and saying what did. */
#ifndef PLOAD_CMD_PINNED_DETACH_H
#define PLOAD_CMD_PINNED_DETACH_H

#include "loader/cmd/pinned/pinned_session.h"
#include "loader/output/output.h"

/* Ids of what shall go. */
struct detach_ids {
	uint32_t *ids;			/* owned */
	uint32_t nr;
};

struct detach {
	struct sys *sys;		/* borrowed, as out */
	struct output *out;
	struct detach_ids links, progs;
	uint32_t nr_links, nr_progs, nr_maps;	/* pins removed */
	uint32_t nr_detached;		/* links by their ids */
	uint32_t nr_others;		/* pins in the directory that are not of the session */
	bool stays;			/* a directory, for something is in it */
	bool any, failed;		/* of all: a session was found; something goes on */
};

/*
 * detach_expect() - link @id has lost its pin, and shall go, and so shall its program @prog: that
 * is let go when it does not run any more, and a link loses its id just before. 0: nobody knows
 * which. ENOMEM.
 */
int detach_expect(struct detach *d, uint32_t id, uint32_t prog, struct error *err);

/*
 * detach_finish() - wait until the links that are expected to go have gone, or somebody is found
 * who holds them; and the message "detached" about @what, after which @d is as new for the next.
 */
int detach_finish(struct detach *d, const char *what, struct error *err);

/* detach_link_failed() - why BPF_LINK_DETACH of link @id said @code, and what works. Returns -@code. */
int detach_link_failed(struct detach *d, uint32_t id, int code, struct error *err);

void detach_free(struct detach *d);

#endif
