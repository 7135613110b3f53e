/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The command "show" from inside: what was read, and saying it. */
#ifndef PLOAD_CMD_SHOW_H
#define PLOAD_CMD_SHOW_H

#include "loader/tools/inventory/inventory.h"
#include "loader/output/output.h"

enum { SHOW_LINKS = 1, SHOW_EVENTS = 2, SHOW_PROGS = 4, SHOW_ALL = 7 };

struct show {
	struct sys *sys;		/* borrowed, as out */
	struct output *out;
	unsigned int parts;		/* SHOW_* */
	struct inventory attached;
	struct inventory_names names;
};

/*
 * show_link(), show_prog() - the message of one; @details: all that is known, for a reader line by
 * line. Fail as output_message().
 */
int show_link(struct show *s, const struct inventory_link *link, bool details, struct error *err);
int show_prog(struct show *s, const struct inventory_prog *prog, bool details, struct error *err);

/*
 * show_parts() - a message for each thing in the parts asked for, what was not seen, and a summary.
 */
int show_parts(struct show *s, struct error *err);

#endif
