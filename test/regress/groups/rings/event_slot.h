/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Events as elements of a PERF_EVENT_ARRAY. */
#ifndef PLOAD_REGRESS_EVENT_SLOT_H
#define PLOAD_REGRESS_EVENT_SLOT_H

#include "test/regress/groups/helpers/carrier.h"

/*
 * slot_open() - return an event, owned; @pid and @cpu as in perf_event_open(2). Ends the test on
 * failure.
 */
int slot_open(struct regress *t, struct perf_event_attr *attr, pid_t pid, int cpu);

/* slot_event() - the same of @type and @config, counting, disabled if @disabled. */
int slot_event(struct regress *t, uint32_t type, uint64_t config, pid_t pid, int cpu,
	       bool disabled);

/* slot_put() - store @event_fd in element @index of the map "events". Returns 0 or -errno. */
int slot_put(struct regress *t, const struct carried *c, uint32_t index, int event_fd);

/* slot_read() - the values that read(2) returns for the event: count, enabled, running. */
struct slot_count {
	uint64_t count, enabled, running;
};
struct slot_count slot_read(struct regress *t, int event_fd);

/* slot_skip_alone() - skip the test if there is no second CPU. */
void slot_skip_alone(struct regress *t, const struct carried *c);

#endif
