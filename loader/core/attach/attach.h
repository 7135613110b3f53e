/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Attach programs to perf events: open the events, bind the programs, enable, and close them. */
#ifndef PLOAD_CORE_ATTACH_ATTACH_H
#define PLOAD_CORE_ATTACH_ATTACH_H

#include <stdbool.h>

#include "loader/core/event/event.h"
#include "loader/core/event/probe.h"
#include "loader/core/sys/fd_limit.h"

/* A program attached to a map without a link, which BPF_PROG_DETACH detaches. All borrowed. */
struct attached_to_map {
	int map_fd;		/* -1: none */
	int prog_fd;
	uint32_t attach_type;
};

/* One program bound to one open event or link target. Closing both descriptors detaches it. */
struct attachment {
	int event_fd;		/* owned; -1 at a link target, which has no event */
	int link_fd;		/* owned; -1 for methods without a link */
	struct attached_to_map by_map;	/* its descriptors stay open while it is attached */
	struct event_target target;	/* task, CPU or cgroup of its event */
	unsigned int prog;	/* the caller's index of the program */
	unsigned int count;	/* the caller's id of what it has counted; 0: none yet */
	unsigned int nr_probes;	/* number of probes in the set when this event was described */
	uint64_t period;	/* sampling event: see event_fixed_period() */
	bool on_exec;		/* enabled by enable_on_exec */
	bool leads, member;	/* in an event group: enabled together with the leader */
	bool samples;		/* a sampling event whose samples run the program */
	bool is_kprobe;		/* its link counts missed calls */
	bool sleepable;		/* the program may sleep */
	bool precise;		/* the event has precise_ip and no call chain */
	bool stays;		/* survives its CPU going offline: a tracing event, or its PMU
				 * moves it */
};

/*
 * How a method opens an event:
 *
 *	OPEN_BY_KIND	depends on the kind of event: docs/methods.md
 *	OPEN_TYPE	by a fixed PERF_TYPE_*
 *	OPEN_PMU	by the directory of its PMU in sysfs
 *	OPEN_TRACEFS	by its id in tracefs, where a line creates a probe. Tracepoints also have a
 *			fixed type, so for them this is the same as OPEN_TYPE.
 */
enum attach_open { OPEN_BY_KIND, OPEN_TYPE, OPEN_PMU, OPEN_TRACEFS };

/* An attach method: how events are opened and programs are bound to them. */
struct attach_method {
	const char *name;	/* name in --attach= */
	enum attach_open open;
	event_describe_fn *describe;	/* fills in the perf_event_attr of an event */
	int (*bind)(struct sys *sys, struct attachment *a, int prog_fd, uint64_t cookie,
		    struct error *err);
	bool probes_by_tracefs;	/* probes are created in tracefs, not through their PMU */
	bool takes_cookie;	/* see cookie.c */
	bool is_link;		/* binds with a link, as link targets do (link_target.h) */
};

/*
 * The attach_nr_methods methods ioctl, pmu and link, followed by the cells of the table "open x
 * bind": type+ioctl, type+link, pmu+ioctl ... (method.c)
 */
extern const struct attach_method attach_methods[];
extern const unsigned int attach_nr_methods;

/** attach_method_find() - Return the method or cell named @name; NULL: "attach/no-method". */
const struct attach_method *attach_method_find(const char *name, struct error *err);

/**
 * attach_method_check() - Reject an event that a cell cannot open: one without a fixed type, or one
 * not in tracefs ("attach/no-cell"). Return: 0 or -ENOTSUP.
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
	unsigned int prog;	/* index stored in the attachments */
	bool member;		/* joins the event group of the previous request */
	bool joins;		/* only reqs[0]: the group leader is already attached, by the
				 * request whose prog was @leader */
	unsigned int leader;
	bool on_exec;		/* sampling events are enabled when their task calls execve(2) */
};

/* The attachments of a session, in the order in which they were created. */
struct attach_set {
	struct attachment *list;	/* owned */
	unsigned int nr;
	unsigned int failed;	/* after attach_events() failed: index of the failed request */
	struct probes probes;	/* probes created for them; probes.note also receives our notes */
	struct fd_limit room;
	bool enable;		/* attach_events() also enables the events */
};

/**
 * attach_events() - Open the events of @reqs for their scopes, bind the programs, and enable the
 * events.
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
 * attach_enable_from() - Like attach_enable(), for the attachments from @from on.
 */
int attach_enable_from(struct sys *sys, struct attach_set *set, unsigned int from,
		       struct error *err);
static inline int attach_enable(struct sys *sys, struct attach_set *set, struct error *err)
{
	return attach_enable_from(sys, set, 0, err);
}

/**
 * attach_add_link() - Append a link created by the caller, without an event.
 * @link_fd: @set takes ownership, and closes it on failure (-ENOMEM). -1: none.
 */
int attach_add_link(struct sys *sys, struct attach_set *set, int link_fd, unsigned int prog,
		    struct error *err);

/** attach_undo() - Close the attachments from @from on and remove the probes created for them. */
void attach_undo(struct sys *sys, struct attach_set *set, unsigned int from);

/**
 * attach_close() - Close links, then events, then remove probes. No program of the set runs
 * afterwards. Return: 0, or -errno if a map keeps its program (BPF_PROG_DETACH).
 */
int attach_close(struct sys *sys, struct attach_set *set);

/**
 * attach_cpu_gone() - Close the events of @req on @cpu, which is offline. (cpu_gone.c)
 *
 * They would not resume counting when the CPU comes back. Keep events that the kernel moves: task
 * events, tracing events, and events of a PMU whose cpumask now names another CPU. Return: number
 * of events closed.
 */
unsigned int attach_cpu_gone(struct sys *sys, const struct attach_request *req, int cpu,
			     struct attach_set *set);

/**
 * attach_notes() - Pass anything that may surprise the user about this request to @note, one
 * sentence each.
 *
 * For example, a tracepoint runs its program for every task on every CPU, whatever -p and -C say.
 */
void attach_notes(const struct attach_request *req, void (*note)(void *arg, const char *text),
		  void *arg);

/**
 * attach_cookie_check() - Reject a cookie that @method cannot pass. (cookie.c)
 */
int attach_cookie_check(const struct attach_method *method, bool has_cookie, struct error *err);

#endif
