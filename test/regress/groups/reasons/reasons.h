/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Reasons that are provoked: the attempts, their privileges, and their errors. */
#ifndef PLOAD_REGRESS_REASONS_H
#define PLOAD_REGRESS_REASONS_H

#include "loader/core/event/scope.h"
#include "loader/observe/firing/firing.h"
#include "test/regress/harness/regress.h"

/* A child fills this in, and sends it back through a pipe. */
struct attempt {
	struct sys *sys;
	struct error err;
	char skip[200];		/* why it cannot be tried here; "": it was */
};

/*
 * attempt_skip() - skip the row, since this machine cannot provoke it. Returns false, for `return
 * attempt_skip(...)`.
 */
bool attempt_skip(struct attempt *t, const char *why);

/*
 * Take away privileges or resources. false: that is not possible, and the row is skipped.
 * reasons_become.c
 */
typedef bool become_fn(struct attempt *t);
become_fn become_self, become_unprivileged, become_watcher, become_nobody, become_namespaced;
become_fn filter_bpf, filter_prog_load, filter_iter_create, filter_perf, filter_ioctl;
become_fn lack_perfmon, lack_descriptors, lack_memlock;

/* An event with a program that has been loaded before. */
struct opened {
	struct event_spec spec;
	struct event_scope scope;
	struct attach_set set;
	struct firing_prog prog;
};

/*
 * opened_prepare() - false: it cannot be opened, and t->err has why. opened_attach() - as
 * attach_prog().
 */
bool opened_prepare(struct attempt *t, struct opened *a, const char *event, const char *pid);
int opened_attach(struct attempt *t, struct opened *a, const char *method);

/* Attempts with events. reasons_act.c */
typedef void act_fn(struct attempt *t);
act_fn second_by_ioctl, second_by_link, same_program, other_type_by_ioctl, other_type_by_link;
act_fn too_many_programs, use_up_breakpoints, not_mine, link_with_flags;

#endif
