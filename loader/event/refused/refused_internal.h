/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Shared by the files that find out why perf_event_open(2) failed. */
#ifndef PLOAD_EVENT_REFUSED_REFUSED_INTERNAL_H
#define PLOAD_EVENT_REFUSED_REFUSED_INTERNAL_H

#include "loader/event/event_internal.h"

/** open_fail() - Set "perf_event_open: STRERROR: WHAT" and a reason in @err. Return: -@code. */
int open_fail(int code, struct error *err, const char *reason, const char *what);

/**
 * open_breakpoint_failed() - event_open_failed() for a breakpoint refused with ENOSPC or EINVAL.
 */
int open_breakpoint_failed(struct sys *sys, const struct event_call *call, int code,
			   struct error *err);

#endif
