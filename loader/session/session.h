/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* One session: what each stage of pload's line has made so far, and the stages. */
#ifndef PLOAD_SESSION_SESSION_H
#define PLOAD_SESSION_SESSION_H

#include "loader/attach/attach.h"
#include "loader/session/with/child.h"
#include "loader/session/pins/pin_session.h"
#include "loader/session/load.h"
#include "loader/session/plan.h"
#include "loader/session/with/counters.h"
#include "loader/event/scope/cpu_hotplug.h"
#include "loader/output/output.h"

/*
 *	object -> plan -> maps, programs -> rings, counters -> attachments -> output
 *
 * Each stage reads what stands above its own fields and fills them in; session_end() empties them
 * from the bottom up. Zeroed is empty.
 */
struct session {
	struct sys *sys;		/* borrowed, as options and out */
	const struct options *options;
	struct output *out;

	struct loading_types types;
	struct loading load;
	struct plan plan;
	struct child child;		/* the command behind "--" */
	struct hotplug hotplug;		/* CPUs that go and come ... */
	void (*cpu_gone)(struct session *s, int cpu);	/* ... and who else is told; may be NULL */
	struct event_scope scope;
	struct rings *rings;		/* listen() */
	struct counters counters;
	int signal_fd;			/* run_attached(); 0 when empty: no session owns standard
					 * input */
	int map_fd;			/* of --target-map, when it is none of the object's;
					 * likewise */
	int end_fd;			/* readable when what is watched has ended; likewise */
	const char *watched;		/* "12,34": those whose end is waited for after that */
	struct attach_set attachments;
	uint32_t nr_structs;		/* maps below are given to the kernel, if they are
					 * structs of functions */
	struct session_pins pins;		/* with --pin: what stays */
	uint64_t begin_ns;		/* when they were enabled */
	uint64_t duration_ns;		/* until they were closed */
	bool ended;			/* a signal came, or what was watched has ended */
	bool from_terminal;		/* the signal, which the command has got as well then */
	char noted[4096];		/* what has been said of events, and is not said again */
	bool stopped;			/* they have been closed: nothing is waited for any more */
};

/* session_waits() - whether programs are given time to run: not so with -d 0. */
static inline bool session_waits(const struct session *s)
{
	return s->options->seconds != 0 || s->options->test_runs;
}

/* session_run() - the whole line once, from the file to the summary, and everything given back. */
int session_run(struct sys *sys, const struct options *o, struct output *out, struct error *err);

/*
 * session_listen() - rings for maps that programs write records to, counters for maps that they
 * read. session_note_fd_limit() - that the limit of descriptors was raised for them, if it was.
 */
void session_note_fd_limit(const struct session *s);
int session_listen(struct session *s, struct error *err);

/*
 * session_target_map() - the descriptor of the map that @entry is about, borrowed; that of another
 * program is opened by the first call. Returns it, or fails where "--target-map=x".
 */
int session_target_map(struct session *s, const struct plan_entry *entry, struct error *err);

/*
 * attach_event_groups() - bind the program of the @nr entries of the plan with these numbers to
 * their events, all or none: one group, or events that are in none. *@failed: which of them did,
 * after a failure. groups.c
 * session_request() - what is asked of the event of entry @i.
 * session_same_group() - whether two are of one group, with the same program; session_joins() -
 * whether the first event of its group has a program of another type, so that it is attached after
 * all that has.
 */
int attach_event_groups(struct session *s, const uint32_t *entries, uint32_t nr,
			 unsigned int *failed, struct error *err);
struct attach_request session_request(struct session *s, uint32_t i);
bool session_same_group(const struct plan_entry *a, const struct plan_entry *b);
bool session_joins(const struct plan_entry *entry);

/*
 * attach_alternatives() - entries @first to @end, which are a group or one choice: of each choice
 * the first rank with which all can be attached. What is not is marked as dropped, and that another
 * one is taken is said. alternatives_end(): behind those that belong to @first. session_say() -
 * who says what events stand for.
 */
int attach_alternatives(struct session *s, uint32_t first, uint32_t end, struct error *err);
uint32_t alternatives_end(const struct session *s, uint32_t first);
struct event_say session_say(struct session *s);

/*
 * session_open_counters() - open what @text of --counter means on each of @online, and put it into the map
 * @km for programs to read.
 */
int session_open_counters(struct session *s, const char *text, const struct kernel_map *km,
		  const struct cpu_list *online, struct error *err);

/*
 * session_attach_multi() - bind the program of entry @i to all the functions that are meant. many.c
 */
int session_attach_multi(struct session *s, uint32_t i, struct error *err);

/* session_iterate() - let each iterator that is attached run once, and say what it says. */
int session_iterate(struct session *s, struct error *err);

/* session_has_iterated() - whether nothing else was attached, and no time was given: it is over. */
bool session_has_iterated(const struct session *s);

/*
 * session_test_run() - run xdp and tc programs over a packet of ours, and say what they returned.
 */
int session_test_run(struct session *s, struct error *err);

/*
 * session_attach_struct_ops() - give the kernel the structs whose programs are in the plan. It takes
 * one without a link back by session_detach_struct_ops(), and keeps it when pload is killed.
 */
int session_attach_struct_ops(struct session *s, struct error *err);
void session_detach_struct_ops(struct session *s);

/*
 * session_watch() - let the end of the processes or threads asked for be the end of the session.
 * session_wait() - go on until then, a signal, or session_end_ns(): when the time of -d is over (0:
 * never). Prints what comes.
 * session_check_end() - whether that has come already, without waiting: s->ended then.
 */
void session_watch(struct session *s);
int session_wait(struct session *s, struct error *err);
int session_check_end(struct session *s, struct error *err);
uint64_t session_end_ns(const struct session *s);

/*
 * session_needs_cpus() - whether something of the plan or of the maps is going to be open on CPUs,
 * and is gone when they are. session_hotplug_begin() - listen to what becomes of CPUs; that nobody
 * tells is said, and no error. session_hotplug_read() - close what was open on CPUs that are
 * offline now, and open it again on those that have come back. What fails is said, and the session
 * goes on. hotplug.c
 */
bool session_needs_cpus(const struct session *s);
int session_hotplug_begin(struct session *s, struct error *err);
void session_hotplug_read(struct session *s);

/* session_report() - what the maps hold, and the summary. */
int session_report(struct session *s, struct error *err);

#endif
