/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* pload compare --profile: one run of a command, profiled by all methods at once. */
#ifndef PLOAD_COMPARE_PROFILE_PROFILE_H
#define PLOAD_COMPARE_PROFILE_PROFILE_H

#include "loader/core/print/message.h"
#include "loader/core/session/options.h"

#define PROFILE_METHODS 3

/**
 * compare_profile_run() - Run the command of @o, and profile it by each method.
 * @profile: the member "profile" of the document (docs/compare.md), new; NULL on failure.
 *
 * Return: 0, or 1 when no method could be attached, with the exit status in @out; or -errno.
 */
int compare_profile_run(struct sys *sys, const struct options *o, struct output *out,
			struct json_object **profile, struct error *err);

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
 * compare_profile_sections() - Add conclusions to @profile, which has "methods": "differences",
 * "verdict", and "sections" like those of an event, with a cell per method.
 */
void compare_profile_sections(struct json_object *profile);

#endif
