/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The section "lifetime": its rows, and the functions that answer them. */
#ifndef PLOAD_COMPARE_MEASURE_LIFETIME_LIFETIME_H
#define PLOAD_COMPARE_MEASURE_LIFETIME_LIFETIME_H

#include "loader/compare/measure/sections/fixture.h"
#include "loader/compare/measure/sections/section.h"

enum life_row {
	LIFE_NEVER_ENABLED, LIFE_ENABLED, LIFE_DISABLED, LIFE_ENABLED_AGAIN,
	LIFE_SECOND_IOCTL, LIFE_SECOND_LINK, LIFE_SAME_OTHER_EVENT, LIFE_OTHER_OTHER_EVENT,
	LIFE_PROG_FD,
	LIFE_LINK_UPDATE, LIFE_LINK_DETACH, LIFE_PROG_DETACH,
	LIFE_LINK_FD, LIFE_COUNTS_ON, LIFE_BOUND_AGAIN,
	LIFE_EVENT_FD,
	LIFE_EXIT, LIFE_KILL, LIFE_FORK_HOLDS,
	LIFE_EVENT_HANDED, LIFE_LINK_HANDED,
	LIFE_PIN, LIFE_PINNED_EXIT, LIFE_PINNED_KILL, LIFE_UNPINNED,
	LIFE_CHILD, LIFE_CHILD_INHERITS, LIFE_CHILD_ENDED,
	LIFE_THREAD, LIFE_THREAD_INHERITS, LIFE_THREAD_ENDED,
	LIFE_OTHER_PID, LIFE_OTHER_CPU, LIFE_CGROUP_OUTSIDE, LIFE_CGROUP_INSIDE,
	LIFE_NR,
};

/** typedef life_case - Answers some rows of the section for the cell of @fx. */
typedef void life_case(struct fixture *fx, struct section *s);

life_case life_bound, life_event_fd;		/* while_bound.c */
life_case life_ends, life_handed, life_pinned;	/* process_ends.c */
life_case life_children, life_threads;		/* children_and_threads.c */
life_case life_filters, life_cgroup;		/* other_scopes.c */

/**
 * life_runs_for_peer() - Make @peer do a round of work.
 *
 * Return: 1 if the program ran for it, 0 if not, or -errno.
 */
int life_runs_for_peer(struct fixture *fx, struct peer *peer, struct error *err);

/** life_error_no_bpffs() - Fill @err: no bpffs because of @code (-errno). Return: @code. */
int life_error_no_bpffs(int code, struct error *err);

#endif
