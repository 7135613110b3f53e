/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Runs a comparison: chooses events, measures each part of them, and prints the document. */
#ifndef PLOAD_COMPARE_RUN_RUN_H
#define PLOAD_COMPARE_RUN_RUN_H

#include "loader/compare/measure/compare.h"
#include "loader/core/print/message.h"
#include "loader/core/session/options.h"

/* A part of an event's document. The list ends with a row without a name. */
struct compare_part {
	const char *name;	/* for --only */
	int (*measure)(const struct compare_subject *s, struct json_object *event,
		       struct error *err);
};

extern const struct compare_part compare_parts[];

/* The formats text and html; every command has json. */
extern const struct output_format compare_formats[];

/**
 * compare_run() - Measure the events of @o, or read the document of --from, or profile a command;
 *	print the result.
 *
 * Return: 0; 1 when nothing could be attached; -errno.
 */
int compare_run(struct sys *sys, const struct options *o, struct output *out, struct error *err);

#endif
