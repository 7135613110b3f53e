/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Internals of the command show: the inventory that it has read, and its messages. */
#ifndef PLOAD_COMMANDS_SHOW_SHOW_H
#define PLOAD_COMMANDS_SHOW_SHOW_H

#include "loader/tools/inventory/inventory.h"
#include "loader/core/print/output.h"

struct show {
	struct sys *sys;		/* borrowed */
	struct output *out;		/* borrowed */
	unsigned int parts;		/* INVENTORY_* */
	struct inventory attached;
	struct inventory_names names;
};

/**
 * show_link() - Print the message "link" of one link.
 * show_prog() - Print the message "program" of one program.
 * @details: print "link-details" or "program-details" instead, with every field.
 *
 * Return: 0 or -errno, like output_message_as().
 */
int show_link(struct show *s, const struct inventory_link *link, bool details, struct error *err);
int show_prog(struct show *s, const struct inventory_prog *prog, bool details, struct error *err);

/**
 * show_parts() - Print a message for each object of s->parts, then what could not be read, then
 *	the numbers of all.
 *
 * Return: 0 or -errno, like output_message_as().
 */
int show_parts(struct show *s, struct error *err);

#endif
