/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The table rows of pload-core: simple versions of what a session needs. */
#ifndef PLOAD_CORE_PLAIN_PLAIN_H
#define PLOAD_CORE_PLAIN_PLAIN_H

#include "loader/core/session/part.h"

extern const struct load_feature plain_usage;
extern const struct session_part plain_rings, plain_maps;

/*
 * plain_trace() - Print each call with its numeric arguments to standard error, and forward it to
 * @next.
 */
struct sys *plain_trace(struct sys *next);

#endif
