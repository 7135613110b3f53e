/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The attachment methods, one row of a table each, and the lifetime of what they make. */
#ifndef PLOAD_ATTACH_ATTACH_H
#define PLOAD_ATTACH_ATTACH_H

#include <stdbool.h>

#include "loader/event/event.h"
#include "loader/event/probe.h"
#include "loader/sys/fd_limit.h"

/* A program that a map has without a link: it is taken off by saying so. All borrowed. */
struct attached_to_map {
	int map_fd;		/* 0: nothing of that kind */
	int prog_fd;
	uint32_t attach_type;
};

/* A program bound to one open event. Closing both fds ends it. */
struct attachment {
	int event_fd;		/* owned; -1 at an attach point that is no event */
	int link_fd;		/* owned; -1 for methods without a link */
	struct attached_to_map by_map;	/* whose descriptors stay open until it is closed */
	struct event_target target;
	unsigned int prog;	/* caller's index of the program */
	unsigned int nr_probes;	/* of the set, with those that were made for this one */
	bool on_exec;		/* it enables itself */
	bool leads, follows;	/* in a group: it is enabled with those that follow, or by who
				 * leads */
	bool is_kprobe;		/* its link tells what it has missed */
	bool stays;		/* wherever its CPU goes: traced, or its PMU may move it */
};

struct attach_method {
	const char *name;	/* as of --attach= */
	const char *summary;	/* one line for --help */
	event_describe_fn *describe;	/* how the event is opened ... */
	probe_describe_fn *probe;	/* ... where it is a probe, which is made for that ... */
	int (*bind)(struct sys *sys, struct attachment *a, int prog_fd, uint64_t cookie,
		    struct error *err);
	bool takes_cookie;	/* ... and how the program is bound */
	bool is_link;		/* by a link, which goes on other attach points as well (point.h) */
};

/* The table; nothing else in pload asks "which method is this?". */
extern const struct attach_method attach_methods[];
extern const unsigned int attach_nr_methods;

/* attach_method_find() - the row of that name, or NULL with EINVAL and the names there are. */
const struct attach_method *attach_method_find(const char *name, struct error *err);

/* What to attach. All borrowed. */
struct attach_request {
	const struct attach_method *method;
	const struct event_spec *spec;
	struct event_scope *scope;	/* its threads change when others appear meanwhile */
	uint64_t period, freq;	/* of the command line; 0: not given */
	bool has_cookie;
	uint64_t cookie;
	int prog_fd;
	uint32_t prog_type;	/* BPF_PROG_TYPE_* of the program */
	unsigned int prog;	/* index kept in the attachments */
	bool joins;		/* the group of the attachments with index @leader */
	unsigned int leader;
	bool on_exec;		/* counted events are enabled when their task executes a command */
};

/* Attachments of a session, in the order they were made. */
struct attach_set {
	struct attachment *list;	/* owned */
	unsigned int nr;
	unsigned int failed;	/* after a failure of attach_group(): which of its requests */
	struct probes probes;	/* what has been made for them; its note() gets ours, too */
	struct fd_room room;
};

/*
 * attach_prog() - open the event over the scope and bind the program to each, without enabling:
 * open all, then bind all. Appends to @set. Refused beforehand: a program type the event does not
 * carry ("attach/prog-type"), a cookie with a method that has none ("attach/no-cookie"). EEXIST
 * from the kernel is "attach/already-bound". On failure what this call opened is closed.
 */
int attach_prog(struct sys *sys, const struct attach_request *req, struct attach_set *set,
		struct error *err);

/*
 * attach_group() - the same for the @nr events of a group, of which the first leads: they are on
 * their PMU together or not at all. The leader of :S samples for all, and the others run no
 * program. A group that does not fit its PMU is an error, "perf-open/group", unless it is weak
 * (:W).
 */
int attach_group(struct sys *sys, const struct attach_request *reqs, unsigned int nr,
		 struct attach_set *set, struct error *err);

/*
 * attach_add_link() - append a link that the caller has made, with no event. Takes @link_fd, also
 * when it fails (ENOMEM).
 */
int attach_add_link(struct sys *sys, struct attach_set *set, int link_fd, unsigned int prog,
		     struct error *err);

/*
 * attach_detach_from_map() - take the program of @a off its map, if it is on one without a link. 0 or
 * -errno.
 */
int attach_detach_from_map(struct sys *sys, struct attachment *a);

/* attach_undo() - close those from @from on, which were made last, and take their probes away. */
void attach_undo(struct sys *sys, struct attach_set *set, unsigned int from);

/*
 * attach_enable() - PERF_EVENT_IOC_ENABLE for each that is an event. attach_enable_from(): from the
 * attachment @from on.
 */
int attach_enable(struct sys *sys, struct attach_set *set, struct error *err);
int attach_enable_from(struct sys *sys, struct attach_set *set, unsigned int from,
		       struct error *err);

/*
 * attach_cpu_gone() - @cpu is offline now, and what @req has open for it counts no more, also when
 * it comes back: it is closed. Events that the kernel moves are left alone: those of tasks, traced
 * ones, and those of a PMU whose cpumask has another CPU in place of this one. Returns how many
 * were closed. hotplug.c
 */
unsigned int attach_cpu_gone(struct sys *sys, const struct attach_request *req, int cpu,
			     struct attach_set *set);

/*
 * attach_close() - links first, then events, then probes, which are in use until then: when it
 * returns no program of the set runs any more. Returns 0, or the -errno with which a map has kept
 * one.
 */
int attach_close(struct sys *sys, struct attach_set *set);

/*
 * attach_notes() - what the user would be surprised by with this request, one sentence each, passed
 * to @note: a tracepoint's program runs for every task and on every CPU whatever -p and -C say, an
 * event's own period, and so on. Pure.
 */
void attach_notes(const struct attach_request *req, void (*note)(void *arg, const char *text),
		  void *arg);

/* Inside this room. */

/* attach_note_kprobe_misses() - tell the user how many calls kprobes that are links have missed. missed.c */
void attach_note_kprobe_misses(struct sys *sys, const struct attach_set *set);

/*
 * attach_together() - attach_group() for events over all of the scope. attach_by_process(): this
 * one is opened for each process; attach_processes() does it.
 */
int attach_together(struct sys *sys, const struct attach_request *reqs, unsigned int nr,
		    struct attach_set *set, struct error *err);
bool attach_by_process(const struct attach_request *req);
int attach_processes(struct sys *sys, const struct attach_request *req, struct attach_set *set,
		     struct error *err);

#endif
