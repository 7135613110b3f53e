/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The steps from a request to a bound program, and the hooks of features. */
#ifndef PLOAD_CORE_ATTACH_STEPS_H
#define PLOAD_CORE_ATTACH_STEPS_H

#include "loader/core/attach/attach.h"
#include "loader/core/event/scope.h"
#include "loader/core/sys/tables.h"

/* One event to open over one scope. */
struct attach_event {
	struct attach_request req;
	unsigned int index;	/* index of the request in reqs */
	struct attach_event *leader;	/* borrowed; leader of its event group, or NULL */
	struct perf_event_attr attr;	/* may point into @function */
	char function[PROBE_FUNCTION_MAX];
	struct cpu_list cpus;	/* owned; CPUs that its PMU allows, empty: any */
	unsigned int nr_probes;	/* probes of the set once it was described */
	unsigned int first, nr;	/* its attachments in the set */
	unsigned int next;	/* see find_leader() */
	struct event_scope scope;	/* one process only: per_process.c; owns tids */
};

/* All the events of one attach_events(). */
struct attach_events {
	struct attach_event *list;	/* owned */
	unsigned int nr;
	struct attach_event joined;	/* the leader that is attached already, if reqs[0].joins */
};

/**
 * attach_describe() - Fill attr and cpus of @e; creates a probe. (open_scope.c)
 * attach_open() - Open @e for each task and CPU of its scope. Appends what it opened to @set, also
 * when it fails. A task that has ended is skipped unless it is the last.
 */
int attach_describe(struct sys *sys, struct attach_event *e, struct attach_set *set,
		    struct error *err);
int attach_open(struct sys *sys, struct attach_event *e, struct attach_set *set,
		struct error *err);

/* A call that binds a program, which the kernel refused. */
struct bind_call {
	const char *name;	/* "BPF_LINK_CREATE" */
	int event_fd, prog_fd;	/* borrowed */
	long nr;		/* number of the system call; see struct sys_asked */
	unsigned long request;
	bool kprobe;		/* the event is a kprobe */
	bool sleepable;		/* the program may sleep */
	bool precise;		/* the event has precise_ip and no call chain */
};

/* FAILED_BIND: the same, and its errno, which is positive. */
struct refused_bind {
	const struct bind_call *call;
	int code;
};

/** attach_note() - Format a note to the user. */
void attach_note(const struct attach_set *set, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * attach_list_events() - Fill @all with the events to open for @reqs. (list_events.c)
 * attach_add_event() - Append an event for @req. Return NULL without memory.
 */
int attach_list_events(struct sys *sys, const struct attach_request *reqs, unsigned int nr,
		       struct attach_events *all, struct attach_set *set, struct error *err);
struct attach_event *attach_add_event(struct attach_events *all, const struct attach_request *req,
				      unsigned int index, struct error *err);
void attach_events_free(struct attach_events *all);

/* --- hooks of features --- */

/* How much of an event has its descriptors. */
struct attach_progress {
	struct attach_event *event;
	bool links;			/* of links; otherwise of events */
	unsigned int done, all;		/* number of those that are open, and that shall be */
};

/* NULL: no such hook. Those that return int return 0 or -errno, and 1 as described. */
struct attach_feature {
	/* Append events for @req, in place of one. Return: 1 if it has. */
	int (*list)(struct sys *sys, const struct attach_request *req, unsigned int index,
		    struct attach_events *all, struct error *err);
	/* All events are listed: find the leader of each. */
	void (*listed)(const struct attach_request *reqs, const struct attach_set *set,
		       struct attach_events *all);
	/* Create a probe, and fill the type and config of @e. Return: 1 if it has. */
	int (*describe)(struct sys *sys, struct attach_event *e, struct attach_set *set,
			struct error *err);
	/*
	 * Find the descriptor of the event group of @e on @target, which is borrowed. -ESRCH: the
	 * leader's task has ended.
	 */
	int (*find_group)(struct attach_event *e, const struct event_target *target,
			  struct attach_set *set, int *group_fd, struct error *err);
	/* Return true if the call that failed with @code shall be made again. */
	bool (*again)(struct sys *sys, struct attach_progress progress, int code,
		      struct attach_set *set, struct error *err);
	/* All events are open, for the @round-th time. Return: 1 to open them all again. */
	int (*opened)(struct sys *sys, const struct attach_events *all, unsigned int round,
		      struct attach_set *set, struct error *err);
	/* Events were closed after a failure: remove all but the first @nr_probes probes. */
	void (*closed)(struct sys *sys, struct attach_set *set, unsigned int nr_probes);
	/* Before all is closed, and after that. */
	void (*begin_end)(struct sys *sys, struct attach_set *set);
	void (*end)(struct sys *sys, struct attach_set *set);
	/* See attach_notes(). */
	void (*notes)(const struct attach_request *req,
		      void (*note)(void *arg, const char *text), void *arg);
};

/* The hooks of all features, in the order of the table. (feature.c) */
int attach_list_features(struct sys *sys, const struct attach_request *req, unsigned int index,
			 struct attach_events *all, struct error *err);
void attach_listed(const struct attach_request *reqs, const struct attach_set *set,
		   struct attach_events *all);
int attach_describe_feature(struct sys *sys, struct attach_event *e, struct attach_set *set,
			    struct error *err);
int attach_find_group(struct attach_event *e, const struct event_target *target,
		      struct attach_set *set, int *group_fd, struct error *err);
bool attach_again(struct sys *sys, struct attach_progress progress, int code,
		  struct attach_set *set, struct error *err);
int attach_opened(struct sys *sys, const struct attach_events *all, unsigned int round,
		  struct attach_set *set, struct error *err);
void attach_closed(struct sys *sys, struct attach_set *set, unsigned int nr_probes);
void attach_end(struct sys *sys, struct attach_set *set, bool closed);

#endif
