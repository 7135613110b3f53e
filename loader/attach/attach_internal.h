/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Inside this room: events on their way from a request to what is bound. */
#ifndef PLOAD_ATTACH_ATTACH_INTERNAL_H
#define PLOAD_ATTACH_ATTACH_INTERNAL_H

#include "loader/attach/attach.h"

/* One event of a group, or one alone. Zeroed is empty. */
struct opening {
	const struct attach_request *req;
	struct perf_event_attr attr;
	struct cpu_list cpus;	/* owned; what its PMU allows */
	char function[PROBE_FUNCTION_MAX];	/* attr may point to it */
	unsigned int nr_probes;	/* of the set, with those that were made for it */
	unsigned int first, nr;	/* its attachments in the set */
	bool counts;		/* samples nothing, so that no program would run */
};

/*
 * opening_describe() - how the event is opened: attr, cpus. A probe is made here. @leader: of its
 * group, or NULL when it leads or is in none.
 */
int opening_describe(struct sys *sys, struct opening *o, const struct opening *leader,
		     struct attach_set *set, struct error *err);

/*
 * opening_open() - open it over the scope of its request, in the groups of the @nr_leaders
 * attachments of @set from @leaders on (0: in none). Appends to @set, all or what was opened.
 */
int opening_open(struct sys *sys, struct opening *o, unsigned int leaders, unsigned int nr_leaders,
		 struct attach_set *set, struct error *err);

/* attach_where() - put @target in front of the places of @err. */
void attach_where(struct error *err, const struct event_target *target);

/* attach_say() - tell the user something. */
void attach_say(const struct attach_set *set, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * attach_room() - after EMFILE, when @done of @all events of @o were open, or (@links) had a link:
 * whether there is room for more now, and the call is to be made again. Else @err has the numbers.
 */
bool attach_room(struct sys *sys, const struct opening *o, bool links, unsigned int done,
		 unsigned int all, struct attach_set *set, struct error *err);

#endif
