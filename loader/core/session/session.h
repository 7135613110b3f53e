/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A session loads an object, attaches its programs, waits, and detaches them: state and stages. */
#ifndef PLOAD_CORE_SESSION_SESSION_H
#define PLOAD_CORE_SESSION_SESSION_H

#include "loader/core/attach/attach.h"
#include "loader/core/event/scope.h"
#include "loader/core/print/output.h"
#include "loader/core/read/rings.h"
#include "loader/core/session/child.h"
#include "loader/core/session/counters.h"
#include "loader/core/session/load.h"
#include "loader/core/session/pin_session.h"
#include "loader/core/session/plan.h"

struct addresses;
struct hotplug;
struct program_output;
struct throttles;

/*
 *	object -> plan -> maps, programs -> rings, counters -> attachments -> records, summary
 *
 * Each stage reads the fields above its own and sets its own; session_end() clears them from the
 * bottom up. session_init() clears everything.
 */
struct session {
	struct sys *sys;		/* borrowed, like options and out */
	const struct options *options;
	struct output *out;

	struct loading_types types;	/* session_open() */
	struct loading load;		/* ... and its maps and programs: session_load() */

	struct plan plan;		/* session_plan() */
	struct hotplug *hotplug;	/* owned; CPUs that go offline and come back, or NULL */
	void (*cpu_gone)(struct session *s, int cpu);	/* called when @cpu went offline; or NULL */
	struct child child;		/* the command after "--" */
	struct event_scope scope;

	struct stack_fields stack_fields;	/* parts/stacks.c */
	struct stacks *stacks;		/* owned, like the next one; or NULL */
	struct profile *profile;	/* owned; profile of the stacks; or NULL */
	struct addresses *addresses;	/* names for the addresses of stacks; or NULL */

	struct rings *rings;		/* parts/rings.c */
	struct counters counters;
	struct program_output *printed;	/* owned; parts/program_output.c */
	struct counts *counts;		/* owned; counts of the events; NULL: none */

	int signal_fd;			/* session_load() or session_attach(); owned; -1: signals
					 * kill pload */
	int map_fd;			/* owned; the --target-map, if not in the object; or -1 */
	struct attach_set attachments;
	uint32_t nr_structs;		/* STRUCT_OPS maps below this index are registered */
	char *noted;			/* owned; notes about events already printed; or NULL */

	struct session_pins pins;	/* session_start(); with --pin */
	uint64_t begin_ns;		/* when the programs were enabled; 0: not yet */
	int end_fd;			/* owned; readable when the watched task ends; or -1 */
	const char *watched;		/* "12,34": the tasks to watch after that one */
	struct throttles *throttles;	/* owned; parts/throttles.c; or NULL */
	struct progress {
		bool shown;	/* session_progress_begin() */
		uint64_t drawn_ns;	/* time of the progress line; 0: none yet */
		uint64_t due_ns;	/* time of the next update */
		uint64_t count;		/* samples or records at that time */
	} progress;
	bool ended;			/* a signal arrived, or the watched tasks ended */
	bool interrupted;		/* ... it was a signal */
	bool from_terminal;		/* ... which the terminal also sent to the command */
	bool stopped;			/* session_stop() */
	uint64_t duration_ns;		/* time from begin_ns to the end */
	bool lossy;			/* the summary has losses */
};

/** session_waits() - Return true unless -d 0 gives the programs no time to run. */
static inline bool session_waits(const struct session *s)
{
	return s->options->seconds != 0 || s->options->test_runs;
}

/**
 * session_run() - Run a whole session with o->objects[0], from the file to the summary.
 *
 * Releases everything before it returns, except what --pin pinned.
 */
int session_run(struct sys *sys, const struct options *o, struct output *out, struct error *err);

/**
 * session_stat() - Run a session without an object, which counts the -e events. (counting/stat.c)
 */
int session_stat(struct sys *sys, const struct options *o, struct output *out, struct error *err);

/* --- stages shared by both --- */

/**
 * session_begin_scope() - Look up the scope of the events. If there is a command, its process now
 * waits until everything is attached.
 * session_block_signals() - From here on, no signal ends pload without a summary. Pins, tracefs
 * lines and programs attached without a link would outlive a killed process.
 * session_start() - Everything is attached: pin it, and let the command run.
 * session_finish() - Detach, print the summary unless @ret is a failure, and release everything.
 *
 * Return: 0 or -errno; session_finish() returns @ret if that is an error.
 */
int session_begin_scope(struct session *s, struct error *err);
int session_block_signals(struct session *s, struct error *err);
int session_start(struct session *s, struct error *err);
int session_finish(struct session *s, int ret, struct error *err);
void session_init(struct session *s, struct sys *sys, const struct options *o, struct output *out);

/* --- attach: the plain form, one event at a time --- */

/**
 * session_attach_event() - Attach entry @first of the plan; see session_attach_fn.
 * session_request() - Return the attach request of entry @i.
 */
session_attach_fn session_attach_event;
struct attach_request session_request(struct session *s, uint32_t i);

/* --- loop.c --- */

/**
 * session_wait() - Print records until the session ends: because of a signal, because the -p or -t
 * tasks or the command ended, or because of -d.
 * session_check_end() - Set s->ended if the session is over, without waiting.
 * session_end_ns() - Return when -d expires; 0: never.
 */
int session_wait(struct session *s, struct error *err);
int session_check_end(struct session *s, struct error *err);
uint64_t session_end_ns(const struct session *s);

/** session_summary() - Print the map contents and the summary. */
int session_summary(struct session *s, struct error *err);

/* --- messages as text: "summary", "pinned", "test-run", "iter" --- */

void session_print_summary(FILE *file, struct json_object *msg);
void session_print_pinned(FILE *file, struct json_object *msg);
void session_print_test_run(FILE *file, struct json_object *msg);
void session_print_iter(FILE *file, struct json_object *msg);

#endif
