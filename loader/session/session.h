/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A session: one object loaded, attached, waited for and detached; its state and its stages. */
#ifndef PLOAD_SESSION_SESSION_H
#define PLOAD_SESSION_SESSION_H

#include "loader/attach/attach.h"
#include "loader/event/scope.h"
#include "loader/print/results.h"
#include "loader/print/output.h"
#include "loader/read/rings.h"
#include "loader/session/child.h"
#include "loader/session/counters.h"
#include "loader/session/load.h"
#include "loader/session/pin_session.h"
#include "loader/session/plan.h"

struct addresses;
struct hotplug;
struct prints;
struct repeats;
struct throttles;

/*
 *	object -> plan -> maps, programs -> rings, counters -> attachments -> records, summary
 *
 * Each stage reads the fields above its own and fills in its own; session_end() empties them from
 * the bottom up. session_init() makes all of them empty.
 */
struct session {
	struct sys *sys;		/* borrowed, as options and out */
	const struct options *options;
	struct output *out;

	struct loading_types types;	/* session_open() */
	struct loading load;		/* ... its maps and programs: session_load() */

	struct plan plan;		/* session_plan() */
	struct hotplug *hotplug;	/* owned; CPUs that go offline and come back, or NULL */
	void (*cpu_gone)(struct session *s, int cpu);	/* called when @cpu is offline; or NULL */
	struct child child;		/* the command after "--" */
	struct event_scope scope;

	struct stack_fields stack_fields;	/* session_load(); session_stacks_begin() */
	struct stacks *stacks;		/* owned, as the next one; or NULL */
	struct profile *profile;	/* owned; of the stacks; or NULL */
	struct addresses *addresses;	/* names for the addresses of stacks; or NULL */

	struct rings *rings;		/* session_listen() */
	struct counters counters;
	struct prints *prints;		/* owned; what programs print; session_prints_begin() */
	struct counts *counts;		/* owned; what events have counted; NULL: none */

	struct repeats *repeats;	/* borrowed; of -r: receives the counts of this run, which
					 * are not printed; or NULL */
	int repeats_status;		/* of the first command that failed in another run */

	int signal_fd;			/* session_load() or session_attach(); owned; -1: signals
					 * end pload */
	int map_fd;			/* owned; of --target-map if not in the object; or -1 */
	struct attach_set attachments;
	uint32_t nr_structs;		/* the STRUCT_OPS maps with a lower index are
					 * registered */
	char *noted;			/* owned; notes about events that were printed; or NULL */

	struct session_pins pins;	/* session_start(); with --pin */
	uint64_t begin_ns;		/* when the programs were enabled; 0: not yet */
	int end_fd;			/* owned; readable when the watched task has ended; or -1 */
	const char *watched;		/* "12,34": tasks to watch after that one */
	struct throttles *throttles;	/* owned; session_throttles_begin(); or NULL */
	struct progress {
		bool shown, top;	/* session_progress_begin() */
		uint64_t drawn_ns;	/* when; 0: not yet */
		uint64_t due_ns;	/* when it is drawn again */
		uint64_t count;		/* of samples or records, then */
	} progress;
	bool ended;			/* a signal came, or the watched tasks have ended */
	bool interrupted;		/* ... a signal */
	bool from_terminal;		/* ... which the terminal sent to the command, too */
	bool stopped;			/* session_stop() */
	uint64_t duration_ns;		/* from begin_ns until then */
	bool lossy;			/* the summary has losses */
};

/** session_waits() - Return true if programs are given time to run; not so with -d 0. */
static inline bool session_waits(const struct session *s)
{
	return s->options->seconds != 0 || s->options->test_runs;
}

/**
 * session_run() - A whole session over o->objects[0], from the file to the summary.
 *
 * Everything is released when it returns, except what --pin pinned.
 */
int session_run(struct sys *sys, const struct options *o, struct output *out, struct error *err);

/**
 * session_stat() - A session without an object: it counts the events of -e. (counting/stat.c)
 */
int session_stat(struct sys *sys, const struct options *o, struct output *out, struct error *err);

/* --- the parts of a session: loop.c has their table --- */

/* When a part begins. */
enum session_stage {
	WITH_SCOPE,	/* before the list of online CPUs is read, and the object loaded */
	WITH_MAPS,	/* maps and programs are loaded, and nothing is attached */
	WITH_EVENTS,	/* all is attached: the session's time begins */
};

/*
 * A part has descriptors of its own beside those of maps, programs and attachments: it is opened,
 * waited for, read and released. A function that a part has no use for is NULL. Those that return
 * int return 0 or -errno, which ends the session.
 */
struct session_part {
	enum session_stage stage;
	int (*begin)(struct session *s, struct error *err);
	int (*fd)(const struct session *s);	/* to poll; borrowed; or -1 */
	int (*due_ms)(const struct session *s);	/* when it reads at the latest; -1: no limit */
	/* Called after each wait. @ready: the descriptor is readable. */
	int (*read)(struct session *s, bool ready, struct error *err);
	/* Called before programs are detached, perhaps twice. */
	void (*stop)(struct session *s);
	/* Called when they are detached, perhaps twice: nothing is sampled any more. */
	void (*detached)(struct session *s);
	/* Called after that: read the rest. */
	int (*drain)(struct session *s, struct error *err);
	/* Called when maps have been printed. */
	int (*report)(struct session *s, struct error *err);
	/* Release all; called also if it has not begun. */
	void (*end)(struct session *s);
};

extern const struct session_part part_signals, part_hotplug, part_child, part_stacks, part_rings,
	part_prints, part_counts, part_throttles, part_tasks, part_names, part_progress;

/* Call that function of each part which has it; from the last to the first to end them. */
int session_begin_parts(struct session *s, enum session_stage stage, struct error *err);
void session_stop_parts(struct session *s);
void session_parts_detached(struct session *s);
int session_drain_parts(struct session *s, struct error *err);
int session_report_parts(struct session *s, struct error *err);
void session_end_parts(struct session *s);

/* --- stages that both have --- */

/**
 * session_begin_scope() - Look up the scope of the events. A child of ours waits from here on until
 * all is attached.
 * session_block_signals() - From here on no signal ends pload without a summary. Pins, lines of
 * tracefs and programs that are attached without a link outlive a process that a signal ends.
 * session_start() - All is attached: pin it, and let the command run.
 * session_finish() - Detach, print the summary unless @ret is a failure, and release everything.
 *
 * Return: 0 or -errno; session_finish() @ret if that is one.
 */
int session_begin_scope(struct session *s, struct error *err);
int session_block_signals(struct session *s, struct error *err);
int session_start(struct session *s, struct error *err);
int session_finish(struct session *s, int ret, struct error *err);
void session_init(struct session *s, struct sys *sys, const struct options *o, struct output *out);

/* --- attach: attach_alternatives.c, attach_event_groups.c, targets/ --- */

/**
 * attach_alternatives() - Attach entries @first to @end of the plan, which are one event, an event
 * group or alternatives; of alternatives, the first one that can be attached.
 *
 * The others are marked as dropped, and a fallback is reported.
 * session_event_hooks() - How event_list_expand() reports the same.
 */
int attach_alternatives(struct session *s, uint32_t first, uint32_t end, struct error *err);
struct event_expand_hooks session_event_hooks(struct session *s);

/**
 * session_request() - Return the attach request of entry @i of the plan.
 * session_requests() - Allocate those of the @nr @entries, which are one event group or in none,
 * and print the notes about them. @reqs: owned by the caller.
 */
struct attach_request session_request(struct session *s, uint32_t i);
int session_requests(struct session *s, const uint32_t *entries, uint32_t nr,
		     struct attach_request **reqs, struct error *err);

/** session_attach_multi() - Attach the program of entry @i to many functions by one link. */
int session_attach_multi(struct session *s, uint32_t i, struct error *err);

/**
 * session_attach_struct_ops() - Register the structs whose programs are in the plan.
 * session_detach_struct_ops() - Unregister those without a link. The kernel keeps such a struct if
 * pload is killed.
 */
int session_attach_struct_ops(struct session *s, struct error *err);
void session_detach_struct_ops(struct session *s);

/**
 * session_target_map() - Return the descriptor (borrowed) of the map that @entry is attached to or
 * iterates over. The first call opens one that is not the object's.
 */
int session_target_map(struct session *s, const struct plan_entry *entry, struct error *err);

/**
 * session_stacks_of_records() - Print which fields of the records of @map are stacks; @type: their
 * BTF type, or 0. (parts/stacks.c)
 */
int session_stacks_of_records(struct session *s, uint32_t map, uint32_t type, struct error *err);

/* --- listen: rings and counters --- */

/**
 * session_set_rings() - Pass --latency, --sort and --overwrite to s->rings.
 * session_open_counters() - Open the event @text on each CPU of @online and put it into map @km.
 */
void session_set_rings(struct session *s);
int session_open_counters(struct session *s, const char *text, const struct kernel_map *km,
			  const struct cpu_list *online, struct error *err);

/* --- loop.c --- */

/**
 * session_wait() - Print records until the session ends: by a signal, the end of the tasks of -p or
 * -t, the end of the command, or -d.
 * session_check_end() - Set s->ended if the end has come, without waiting.
 * session_end_ns() - Return when -d is over; 0: never.
 */
int session_wait(struct session *s, struct error *err);
int session_check_end(struct session *s, struct error *err);
uint64_t session_end_ns(const struct session *s);

/**
 * session_iterate() - Run each attached iterator once and print its output. (targets/iterate.c)
 * session_has_iterated() - Return true if nothing else is attached and -d is not given.
 */
int session_iterate(struct session *s, struct error *err);
bool session_has_iterated(const struct session *s);

/** session_test_run() - Run the programs without an event, for --test-run. (targets/test_run.c) */
int session_test_run(struct session *s, struct error *err);

/**
 * session_hotplug_begin() - Listen for CPUs that go offline or come back. Without uevents, print a
 * note and poll. (parts/cpu_hotplug.c)
 * session_hotplug_read() - Close what was open on CPUs that are offline now, and open it on those
 * that have come back. A failure is noted, and the session continues.
 */
int session_hotplug_begin(struct session *s, struct error *err);
void session_hotplug_read(struct session *s);

/** session_prints_lost() - Return the number of lines of programs that were lost. */
uint64_t session_prints_lost(const struct session *s);

/* --- what was counted: counting/ --- */

/**
 * session_read_counts() - Read the counts of events without a program, and of the counters in maps.
 * Called before any of them is closed; what one has counted then stays. A read(2) that fails is
 * reported by session_print_counts().
 * session_print_counts() - Print the message "counter" of each event; the begin is 0.
 * session_free_counts() - Release them.
 */
void session_read_counts(struct session *s);
int session_print_counts(struct session *s, struct error *err);
void session_free_counts(struct session *s);

/**
 * session_throttles() - Return how often the kernel has throttled each sampling event (borrowed),
 * and their number in *@nr. (parts/throttles.c)
 * session_due_samples() - Return how often each program was to run (borrowed), or NULL.
 */
const struct throttled *session_throttles(const struct session *s, unsigned int *nr);
const struct due_samples *session_due_samples(const struct session *s);

/**
 * session_progress_begin() - Decide if a line of progress, or with --top the tables, are drawn
 * while the session waits: only on a terminal that nobody else writes to. Return: 0.
 */
int session_progress_begin(struct session *s, struct error *err);

/**
 * session_losses() - Return the sources of the session's ledger, which stay its own.
 * session_summary() - Print the contents of maps and the summary.
 */
struct losses session_losses(const struct session *s);
int session_summary(struct session *s, struct error *err);

/* --- messages as text: "summary", "instead", "pinned", "test-run", "iter" --- */

void session_print_summary(FILE *file, struct json_object *msg);
void session_print_instead(FILE *file, struct json_object *msg);
void session_print_pinned(FILE *file, struct json_object *msg);
void session_print_test_run(FILE *file, struct json_object *msg);
void session_print_iter(FILE *file, struct json_object *msg);

#endif
