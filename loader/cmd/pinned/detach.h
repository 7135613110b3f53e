/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Internals of the command detach: links and programs to end, waiting for it, the message. */
#ifndef PLOAD_CMD_PINNED_DETACH_H
#define PLOAD_CMD_PINNED_DETACH_H

#include "loader/cmd/pinned/pinned_session.h"
#include "loader/print/output.h"

/* Ids of links or programs that are expected to end. */
struct detach_ids {
	uint32_t *ids;			/* owned */
	uint32_t nr;
};

struct detach {
	struct sys *sys;		/* borrowed */
	struct output *out;		/* borrowed */
	struct detach_ids links, progs;
	uint32_t nr_links, nr_progs, nr_maps;	/* pins removed */
	uint32_t nr_detached;		/* links detached by id */
	uint32_t nr_others;		/* pins in the directory that are not the session's */
	bool stays;			/* the directory remains: it is not empty */
	bool any;			/* detach all: a session was found */
	bool failed;			/* a link or a foreign pin remains */
};

/**
 * detach_expect() - Record that link @id, whose pin is removed, and its program should end.
 * @prog: id; 0: not known. The kernel releases a program once it cannot run any more, shortly
 *	after the link has lost its id.
 *
 * Return: 0 or -ENOMEM.
 */
int detach_expect(struct detach *d, uint32_t id, uint32_t prog, struct error *err);

/**
 * detach_finish() - Wait until the expected links have ended, or their holders are found, and print
 *	the message "detached" about @what.
 *
 * Afterwards @d is empty and can be used for the next argument.
 */
int detach_finish(struct detach *d, const char *what, struct error *err);

/* detach_link_failed() - Explain why BPF_LINK_DETACH of @id failed with @code. Return -@code. */
int detach_link_failed(struct detach *d, uint32_t id, int code, struct error *err);

void detach_free(struct detach *d);

/* detach_print_text() - Print the message "detached" as text. */
void detach_print_text(FILE *file, struct json_object *msg);

#endif
