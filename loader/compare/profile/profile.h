/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* pload compare --profile: one run of a command, profiled by each method at once. */
#ifndef PLOAD_COMPARE_PROFILE_PROFILE_H
#define PLOAD_COMPARE_PROFILE_PROFILE_H

#include "loader/print/message.h"
#include "loader/session/options.h"

#define PROFILE_METHODS 3

/**
 * compare_profile_run() - Run the command of @o, profile it by each method, and print the document
 * that docs/compare.md describes. Returns as the run() of a command.
 */
int compare_profile_run(struct sys *sys, const struct options *o, struct output *out,
			struct error *err);

/**
 * compare_profile_differences() - List the functions whose share differs between @methods, an array
 * of the document, by more than chance explains:
 *
 *	[{"function", "of": "self" | "total", "weights": [N or null, ...]}, ...]
 *
 * Two shares differ when they are more than PROFILE_SIGMAS standard errors apart. Return: new, or
 * NULL for ENOMEM.
 */
#define PROFILE_SIGMAS 4
struct json_object *compare_profile_differences(struct json_object *methods);

/**
 * compare_profile_text() - Print a table of the methods, and where they differ.
 * compare_profile_html() - Print a page with the same and a flame graph of each method, which loads
 * nothing from elsewhere. Return: false for ENOMEM.
 */
bool compare_profile_text(FILE *file, struct json_object *doc);
bool compare_profile_html(FILE *file, struct json_object *doc);

#endif
