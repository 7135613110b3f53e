/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The steps from a request to a bound program, and the hooks that attach_events() calls. */
#ifndef PLOAD_ATTACH_ATTACH_INTERNAL_H
#define PLOAD_ATTACH_ATTACH_INTERNAL_H

#include "loader/attach/attach.h"
#include "loader/event/scope.h"

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
	struct event_scope scope;	/* one process only: events/per_process.c; owns tids */
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

/** bind_failed() - Decode @code (positive) of @call; "attach/...". (refused/bind_failed.c) */
int bind_failed(struct sys *sys, const struct bind_call *call, int code, struct error *err);

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

/* --- hooks: called by the core, implemented in annexes --- */

/**
 * attach_add_processes() - For a uprobe of several processes, append an event for each process of
 * the scope of @req. Return: 1, or 0 if it is none. (events/per_process.c)
 */
int attach_add_processes(struct sys *sys, const struct attach_request *req, unsigned int index,
			 struct attach_events *all, struct error *err);

/** attach_set_leaders() - Give each event the leader of its event group. (events/event_groups.c) */
void attach_set_leaders(const struct attach_request *reqs, const struct attach_set *set,
			struct attach_events *all);

/**
 * attach_group_fd() - Find the descriptor of the event group of @e on @target.
 * @group_fd: borrowed; -1 if @e is in no group.
 *
 * -ESRCH: the leader's task has ended. "attach/no-leader". (events/event_groups.c)
 */
int attach_group_fd(struct attach_event *e, const struct event_target *target,
		    struct attach_set *set, int *group_fd, struct error *err);

/**
 * attach_leave_group() - After event_open() failed, take a weak event (:W) out of its group.
 * Return: true if it shall be opened again. (events/event_groups.c)
 */
bool attach_leave_group(struct attach_event *e, const struct attach_set *set, int code,
			struct error *err);

/* How much of an event has its descriptors. */
struct attach_progress {
	const struct attach_event *event;
	bool links;			/* of links; otherwise of events */
	unsigned int done, all;		/* number of those that are open, and that shall be */
};

/**
 * attach_raise_fd_limit() - After -EMFILE, raise the limit of open files. (fd_limit.c)
 * @code: of the call that failed; any other is not for this function.
 *
 * Return: true if the call shall be repeated; otherwise @err has the numbers.
 */
bool attach_raise_fd_limit(struct sys *sys, struct attach_progress progress, int code,
			   struct attach_set *set, struct error *err);

/**
 * attach_threads_started() - Look for threads that started while events were opened.
 * @round: 1, 2 ...
 *
 * Return: 1 if all events shall be opened again; 0 or -errno. (scope_changes/new_threads.c)
 */
int attach_threads_started(struct sys *sys, const struct attach_events *all, unsigned int round,
			   struct attach_set *set, struct error *err);

/** attach_note_kprobe_misses() - Note how many calls kprobes missed. (events/kprobe_misses.c) */
void attach_note_kprobe_misses(struct sys *sys, const struct attach_set *set);

#endif
