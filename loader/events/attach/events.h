/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Probes, event groups, and scopes that change while programs are being attached: rows of
 * `features`.
 */
#ifndef PLOAD_EVENTS_ATTACH_EVENTS_H
#define PLOAD_EVENTS_ATTACH_EVENTS_H

#include "loader/core/attach/steps.h"

extern const struct attach_feature attach_probes, attach_groups, attach_new_threads,
	attach_fd_limit, attach_surprises;

/** attach_note_kprobe_misses() - Report how many calls the kprobes missed. */
void attach_note_kprobe_misses(struct sys *sys, struct attach_set *set);

/**
 * attach_add_processes() - If @req is a uprobe for several processes, append an event for each
 * process in its scope and return 1; otherwise 0.
 */
int attach_add_processes(struct sys *sys, const struct attach_request *req, unsigned int index,
			 struct attach_events *all, struct error *err);

#endif
