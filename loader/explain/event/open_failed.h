/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Why the kernel refused to open an event: a row of `explanations`. */
#ifndef PLOAD_EXPLAIN_EVENT_OPEN_FAILED_H
#define PLOAD_EXPLAIN_EVENT_OPEN_FAILED_H

#include "loader/core/event/steps.h"

/*
 * event_open_failed() - Find out why the kernel refused @call with @code (positive), mostly by
 * opening the event again without one of its attributes. Return: -@code ("perf-open/...",
 * "scope/no-controller", "probe/...").
 * explain_event() - FAILED_EVENT.
 */
int event_open_failed(struct sys *sys, const struct event_call *call, int code, struct error *err);
void explain_event(struct sys *sys, const void *failed, struct error *err);

#endif
