/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* pload pin remove: links and programs to end, waiting for it, the message. */
#ifndef PLOAD_COMMANDS_PINNED_REMOVE_H
#define PLOAD_COMMANDS_PINNED_REMOVE_H

#include "loader/commands/pinned/pinned_session.h"
#include "loader/core/print/output.h"

/* Ids of links or programs that are expected to end. */
struct removal_ids {
	uint32_t *ids;			/* owned */
	uint32_t nr;
};

struct removal {
	struct sys *sys;		/* borrowed */
	struct output *out;		/* borrowed */
	struct removal_ids links, progs;
	uint32_t nr_links, nr_progs, nr_maps;	/* pins removed */
	uint32_t nr_others;		/* pins in the directory that are not the session's */
	bool stays;			/* the directory remains: it is not empty */
	bool any;			/* of all: a session was found */
	bool failed;			/* a link or a foreign pin remains */
};

/**
 * removal_expect() - Record that link @id, whose pin is removed, and its program should end.
 * @prog: id; 0: not known. The kernel releases a program once it cannot run any more, shortly
 *	after the link has lost its id.
 *
 * Return: 0 or -ENOMEM.
 */
int removal_expect(struct removal *d, uint32_t id, uint32_t prog, struct error *err);

/**
 * removal_finish() - Wait until the expected links have ended, or their holders are found, and
 *	print the message "detached" about @what.
 *
 * Afterwards @d is empty and can be used for the next argument.
 */
int removal_finish(struct removal *d, const char *what, struct error *err);

void removal_free(struct removal *d);

/* removal_print_text() - Print the message "detached" as text. */
void removal_print_text(FILE *file, struct json_object *msg);

#endif
