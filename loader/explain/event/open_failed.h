/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Why the kernel refused to open an event: a row of `explanations`, and the files behind it. */
#ifndef PLOAD_EXPLAIN_EVENT_OPEN_FAILED_H
#define PLOAD_EXPLAIN_EVENT_OPEN_FAILED_H

#include "loader/core/event/steps.h"

/*
 * event_open_failed() - Find out why the kernel refused @call with the positive @code, usually by
 * opening the event again without one of its attributes. Return: -@code ("perf-open/...",
 * "scope/no-controller", "probe/...").
 * explain_event() - FAILED_EVENT.
 */
int event_open_failed(struct sys *sys, const struct event_call *call, int code, struct error *err);
void explain_event(struct sys *sys, const void *failed, struct error *err);

/* A failed call to explain. All borrowed. */
struct open_failure {
	struct sys *sys;
	const struct event_call *call;
	const struct perf_event_attr *attr;
	int code;	/* positive errno */
};

/** open_fail() - Set "perf_event_open: STRERROR: WHAT" and a reason in @err. Return: -@code. */
int open_fail(int code, struct error *err, const char *reason, const char *what);

/** open_failed_by() - The same for @f. */
int open_failed_by(const struct open_failure *f, struct error *err, const char *reason,
		   const char *what);

/**
 * * open_unknown() - Report that no known cause applies, and which were ruled out. Return:
 * -f->code.
 */
int open_unknown(const struct open_failure *f, struct error *err, const char *ruled_out);

/**
 * * open_again() - Open @call with @attr instead of its own, and close it again. Return: 0 or
 * -errno.
 */
int open_again(struct sys *sys, const struct event_call *call, const struct perf_event_attr *attr);

/**
 * open_takes_dummy() - Return true if the dummy event, which every kernel has, opens for the same
 * task and CPU, which means that the event is at fault, not the call.
 */
bool open_takes_dummy(const struct open_failure *f);

#define OPEN_NOT_THE_EVENT \
	"ruled out: the event (the dummy event, which every kernel has, is refused, too)"

/** open_breakpoint_failed() - Explain why a breakpoint was refused with ENOSPC or EINVAL. */
int open_breakpoint_failed(const struct open_failure *f, struct error *err);

/*
 * Each explains one errno by looking up its cause (open_limits.c): a task that has ended, file
 * descriptors, too many stack frames, an attr newer than the kernel, memory, and anything else.
 */
int open_explain_task(const struct open_failure *f, struct error *err);
int open_explain_fds(const struct open_failure *f, struct error *err);
int open_explain_wait(const struct open_failure *f, struct error *err);
int open_explain_stack(const struct open_failure *f, struct error *err);
int open_explain_version(const struct open_failure *f, struct error *err);
int open_explain_memory(const struct open_failure *f, struct error *err);
int open_explain_other(const struct open_failure *f, struct error *err);

/* --- events/probes/probe_failed.c --- */

/**
 * probe_open_failed() - Fill @err if perf_event_open(2) failed with @code because of the probe that
 * @attr of probe_by_pmu() asks for. Return: false if the cause may be that of any event.
 */
bool probe_open_failed(struct sys *sys, const struct event_spec *spec,
		       const struct perf_event_attr *attr, int code, struct error *err);

#endif
