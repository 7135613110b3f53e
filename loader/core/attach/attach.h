/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Attach programs to perf events: open the events, bind the programs, enable; and close them. */
#ifndef PLOAD_CORE_ATTACH_ATTACH_H
#define PLOAD_CORE_ATTACH_ATTACH_H

#include <stdbool.h>

#include "loader/core/event/event.h"
#include "loader/core/event/probe.h"
#include "loader/core/sys/fd_limit.h"

/* A program attached to a map without a link: BPF_PROG_DETACH detaches it. All borrowed. */
struct attached_to_map {
	int map_fd;		/* -1: none */
	int prog_fd;
	uint32_t attach_type;
};

/* One program bound to one open event or link target. Closing both descriptors detaches it. */
struct attachment {
	int event_fd;		/* owned; -1 at a link target, which has no event */
	int link_fd;		/* owned; -1 for methods without a link */
	struct attached_to_map by_map;	/* its descriptors stay open until it is detached */
	struct event_target target;	/* task, CPU or cgroup of the event */
	unsigned int prog;	/* caller's index of the program */
	unsigned int count;	/* caller's number of what it has counted; 0: none yet */
	unsigned int nr_probes;	/* probes of the set when this event was described */
	uint64_t period;	/* of a sampling event: event_fixed_period() */
	bool on_exec;		/* enable_on_exec enables it */
	bool leads, member;	/* in an event group: enabling the leader enables all of it */
	bool samples;		/* a sampling event: its samples run the program */
	bool is_kprobe;		/* its link counts missed calls */
	bool sleepable;		/* the program may sleep */
	bool precise;		/* the event has precise_ip, and no call chain */
	bool stays;		/* if its CPU goes offline: a tracing event, or its PMU moves it */
};

/*
 * How a method opens an event:
 *
 *	OPEN_BY_KIND	as the kind of event decides: docs/methods.md
 *	OPEN_TYPE	by a fixed PERF_TYPE_*
 *	OPEN_PMU	by the directory of its PMU in sysfs
 *	OPEN_TRACEFS	by its id in tracefs, where a line creates a probe. The type of a tracepoint
 *			is fixed, too, so for it this is the same as OPEN_TYPE.
 */
enum attach_open { OPEN_BY_KIND, OPEN_TYPE, OPEN_PMU, OPEN_TRACEFS };

/* An attachment method: how events are opened and programs bound to them. */
struct attach_method {
	const char *name;	/* as in --attach= */
	enum attach_open open;
	event_describe_fn *describe;	/* fills the perf_event_attr of an event */
	int (*bind)(struct sys *sys, struct attachment *a, int prog_fd, uint64_t cookie,
		    struct error *err);
	bool probes_by_tracefs;	/* probes are created there, and not by their PMU */
	bool takes_cookie;	/* see cookie.c */
	bool is_link;		/* binds by a link, as link targets do (link_target.h) */
};

/*
 * The methods ioctl, pmu and link, attach_nr_methods in number, and after them the cells of the
 * table "open x bind": type+ioctl, type+link, pmu+ioctl ... (method.c)
 */
extern const struct attach_method attach_methods[];
extern const unsigned int attach_nr_methods;

/** attach_method_find() - Return the method or cell called @name; NULL: "attach/no-method". */
const struct attach_method *attach_method_find(const char *name, struct error *err);

/**
 * attach_method_check() - Refuse an event that a cell cannot open: by a fixed type what has none,
 * or by tracefs what is not in it ("attach/no-cell"). Return: 0 or -ENOTSUP.
 */
int attach_method_check(const struct attach_method *method, const struct event_spec *spec,
			struct error *err);

/* One event to attach a program to. All borrowed. */
struct attach_request {
	const struct attach_method *method;
	const struct event_spec *spec;
	struct event_scope *scope;	/* threads that start meanwhile are added to it */
	uint64_t period, freq;	/* -c and -F; 0: not given */
	bool has_cookie;
	uint64_t cookie;
	int prog_fd;
	uint32_t prog_type;	/* BPF_PROG_TYPE_* */
	bool sleepable;		/* the program may sleep */
	unsigned int prog;	/* index kept in the attachments */
	bool member;		/* it is in the event group of the request before it */
	bool joins;		/* only reqs[0]: the group's leader is attached already, by the
				 * request whose prog was @leader */
	unsigned int leader;
	bool on_exec;		/* sampling events are enabled when their task calls execve */
};

/* The attachments of a session, in the order in which they were created. */
struct attach_set {
	struct attachment *list;	/* owned */
	unsigned int nr;
	unsigned int failed;	/* after attach_events() failed: index of the request to blame */
	struct probes probes;	/* probes created for them; probes.note receives our notes, too */
	struct fd_limit room;
	bool enable;		/* attach_events() enables the events, too */
};

/**
 * attach_events() - Open the events of @reqs over their scopes, bind programs, enable the events.
 *
 * Appends to @set, all or nothing. Without set->enable the events stay disabled until
 * attach_enable(), so that a session can enable all its programs together. A tracing event runs its
 * program as soon as it is bound.
 * "attach/prog-type": the event does not run programs of this type. "attach/no-cookie": see
 * cookie.c. "attach/no-cell": see attach_method_check(). "perf-open/group": the event group does
 * not fit the PMU.
 *
 * Return: 0, or -errno with the failed request in set->failed.
 */
int attach_events(struct sys *sys, const struct attach_request *reqs, unsigned int nr,
		  struct attach_set *set, struct error *err);

static inline int attach_prog(struct sys *sys, const struct attach_request *req,
			      struct attach_set *set, struct error *err)
{
	return attach_events(sys, req, 1, set, err);
}

/**
 * attach_enable() - PERF_EVENT_IOC_ENABLE for each event of @set.
 * attach_enable_from() - For the events of the attachments from @from on.
 */
int attach_enable_from(struct sys *sys, struct attach_set *set, unsigned int from,
		       struct error *err);
static inline int attach_enable(struct sys *sys, struct attach_set *set, struct error *err)
{
	return attach_enable_from(sys, set, 0, err);
}

/**
 * attach_add_link() - Append a link that the caller has created, without an event.
 * @link_fd: owned by @set from here on; closed if this fails (-ENOMEM). -1: none.
 */
int attach_add_link(struct sys *sys, struct attach_set *set, int link_fd, unsigned int prog,
		    struct error *err);

/** attach_undo() - Close the attachments from @from on and remove the probes created for them. */
void attach_undo(struct sys *sys, struct attach_set *set, unsigned int from);

/**
 * attach_close() - Close links, then events, then remove probes. No program of the set runs after
 * that. Return: 0, or -errno if a map keeps its program (BPF_PROG_DETACH).
 */
int attach_close(struct sys *sys, struct attach_set *set);

/**
 * attach_cpu_gone() - Close the events of @req on @cpu, which is offline. (cpu_gone.c)
 *
 * They would not count again when it comes back. Events that the kernel moves are kept: of tasks,
 * tracing events, and events of a PMU whose cpumask names another CPU now.
 * Return: number of events closed.
 */
unsigned int attach_cpu_gone(struct sys *sys, const struct attach_request *req, int cpu,
			     struct attach_set *set);

/**
 * attach_notes() - Pass to @note what may surprise the user of this request, one sentence each.
 *
 * For example, a tracepoint runs its program for every task and on every CPU whatever -p and -C
 * ask for.
 */
void attach_notes(const struct attach_request *req, void (*note)(void *arg, const char *text),
		  void *arg);

/**
 * attach_cookie_check() - Refuse a cookie that @method does not pass. (cookie.c)
 */
int attach_cookie_check(const struct attach_method *method, bool has_cookie, struct error *err);

#endif
