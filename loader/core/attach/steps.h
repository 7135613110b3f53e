/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The steps from a request to a bound program, and the features' hooks. */
#ifndef PLOAD_CORE_ATTACH_STEPS_H
#define PLOAD_CORE_ATTACH_STEPS_H

#include "loader/core/attach/attach.h"
#include "loader/core/event/scope.h"
#include "loader/core/sys/tables.h"

/* One event to open for one scope. */
struct attach_event {
	struct attach_request req;
	unsigned int index;	/* index of the request in reqs */
	struct attach_event *leader;	/* borrowed; leader of its event group; or NULL */
	struct perf_event_attr attr;	/* may point into @function */
	char function[PROBE_FUNCTION_MAX];
	struct cpu_list cpus;	/* owned; CPUs that its PMU allows; empty: any */
	unsigned int nr_probes;	/* number of probes in the set after it was described */
	unsigned int first, nr;	/* its attachments in the set */
	unsigned int next;	/* see find_leader() */
	struct event_scope scope;	/* a single process: see per_process.c; owns tids */
};

/* All events of one attach_events() call. */
struct attach_events {
	struct attach_event *list;	/* owned */
	unsigned int nr;
	struct attach_event joined;	/* the leader already attached, if reqs[0].joins */
};

/**
 * attach_describe() - Fill in attr and cpus of @e; creates the probe if it is one. (open_scope.c)
 * attach_open() - Open @e for each task and CPU in its scope. Appends what it opened to @set, even
 * on failure. Skips tasks that have ended, unless all have.
 */
int attach_describe(struct sys *sys, struct attach_event *e, struct attach_set *set,
		    struct error *err);
int attach_open(struct sys *sys, struct attach_event *e, struct attach_set *set,
		struct error *err);

/* A binding call that the kernel refused. */
struct bind_call {
	const char *name;	/* "BPF_LINK_CREATE" */
	int event_fd, prog_fd;	/* borrowed */
	long nr;		/* system call number; see struct sys_asked */
	unsigned long request;
	bool kprobe;		/* the event is a kprobe */
	bool sleepable;		/* the program may sleep */
	bool precise;		/* the event has precise_ip and no call chain */
};

/* FAILED_BIND: the call and its positive errno. */
struct refused_bind {
	const struct bind_call *call;
	int code;
};

/** attach_note() - Format a note for the user. */
void attach_note(const struct attach_set *set, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * attach_list_events() - Fill @all with the events to open for @reqs. (list_events.c)
 * attach_add_event() - Append an event for @req. Return NULL if out of memory.
 */
int attach_list_events(struct sys *sys, const struct attach_request *reqs, unsigned int nr,
		       struct attach_events *all, struct attach_set *set, struct error *err);
struct attach_event *attach_add_event(struct attach_events *all, const struct attach_request *req,
				      unsigned int index, struct error *err);
void attach_events_free(struct attach_events *all);

/* --- hooks of features --- */

/* How far opening an event has got. */
struct attach_progress {
	struct attach_event *event;
	bool links;			/* number of links, otherwise of events */
	unsigned int done, all;		/* how many are open, and how many are planned */
};

/* NULL: no hook. Hooks that return int return 0 or -errno, or 1 as described. */
struct attach_feature {
	/* Append several events for @req instead of one. Return: 1 if done. */
	int (*list)(struct sys *sys, const struct attach_request *req, unsigned int index,
		    struct attach_events *all, struct error *err);
	/* All events are listed: find the group leader of each. */
	void (*listed)(const struct attach_request *reqs, const struct attach_set *set,
		       struct attach_events *all);
	/* Create a probe and set the type and config of @e. Return: 1 if done. */
	int (*describe)(struct sys *sys, struct attach_event *e, struct attach_set *set,
			struct error *err);
	/*
	 * Find the group leader's descriptor (borrowed) for @e on @target. -ESRCH: the leader's
	 * task has ended.
	 */
	int (*find_group)(struct attach_event *e, const struct event_target *target,
			  struct attach_set *set, int *group_fd, struct error *err);
	/* Return true if the call that failed with @code should be retried. */
	bool (*again)(struct sys *sys, struct attach_progress progress, int code,
		      struct attach_set *set, struct error *err);
	/* All events are open, for the @round-th time. Return: 1 to open them all again. */
	int (*opened)(struct sys *sys, const struct attach_events *all, unsigned int round,
		      struct attach_set *set, struct error *err);
	/* Events were closed after a failure: remove all probes but the first @nr_probes. */
	void (*closed)(struct sys *sys, struct attach_set *set, unsigned int nr_probes);
	/* Called before everything is closed, and afterwards. */
	void (*begin_end)(struct sys *sys, struct attach_set *set);
	void (*end)(struct sys *sys, struct attach_set *set);
	/* See attach_notes(). */
	void (*notes)(const struct attach_request *req,
		      void (*note)(void *arg, const char *text), void *arg);
};

/* All features' hooks, in table order. (feature.c) */
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
