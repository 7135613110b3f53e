/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* pload compare --scale: what attaching costs in each way, from one attachment to thousands. */
#ifndef PLOAD_COMPARE_SCALE_SCALE_H
#define PLOAD_COMPARE_SCALE_SCALE_H

#include "loader/core/print/message.h"
#include "loader/core/session/options.h"

/* scale_kind_name() - Return "uprobe" and so on for the @kind-th kind, NULL after the last. */
const char *scale_kind_name(unsigned int kind);

#define SCALE_NUMBERS_MAX 16

/* The items of --scale=1,10,cpus=128,hz=250. */
struct scale_words {
	unsigned int numbers[SCALE_NUMBERS_MAX], nr;	/* ascending; 0: the default ones */
	unsigned int cpus, hz;		/* to predict for; 0: not given */
};

/**
 * scale_parse() - Parse the value of --scale; NULL: none.
 *
 * Return: 0 or -EINVAL.
 */
int scale_parse(const char *text, struct scale_words *words, struct error *err);

/**
 * compare_scale_run() - Measure the kinds of -e, or all.
 * @stop: asked between steps; true ends the measurement. May be NULL.
 * @scale: the member "scale" of the document (docs/scale.md), new; NULL on failure.
 *
 * Return: 0, 1 when nothing could be attached, or -errno.
 */
int compare_scale_run(struct sys *sys, const struct options *o, bool (*stop)(void *arg), void *arg,
		      struct json_object **scale, struct error *err);

#endif
