/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The reason for which a loader makes a call, where the caller gives none of its own. */
#ifndef PLOAD_OBSERVE_TRACE_ANNOTATE_PURPOSE_H
#define PLOAD_OBSERVE_TRACE_ANNOTATE_PURPOSE_H

#include "loader/observe/trace/annotate/fd_names.h"

/** purpose_of_call() - Return a few words; NULL if the call speaks for itself. */
const char *purpose_of_call(const struct fd_names *names, long nr, const unsigned long arg[6]);

#endif
