/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A part of a session: what it does at each stage, and the table of all parts. */
#ifndef PLOAD_CORE_SESSION_PART_H
#define PLOAD_CORE_SESSION_PART_H

#include "loader/core/session/session.h"

struct losses;

/* The stages of a session, and the state in which the parts' hooks run. */
enum session_stage {
	STAGE_PLANNED,	/* each program has its events and link targets; nothing is loaded yet */
	STAGE_SCOPE,	/* the same; the list of online CPUs is read next */
	STAGE_LOADED,	/* maps and programs are loaded, but nothing is attached */
	STAGE_BOUND,	/* every entry of the plan is attached, but no event is enabled */
	STAGE_ENABLED,	/* all events are enabled; the clock starts next */
	STAGE_BEGUN,	/* the clock has started; not called with -d 0 */
	STAGE_READY,	/* everything is running, and the user sees what happens from now on */
	STAGE_RUN,	/* the main loop is about to wait for the first time */
	STAGE_WAITED,	/* the main loop ended without an error */
	STAGE_DRAIN,	/* programs are detached: read what is left */
	STAGE_MAPS,	/* all records have been read: print the maps */
	STAGE_REPORT,	/* the maps have been printed */
	STAGE_PRINTED,	/* the summary has been printed, too */
	NR_STAGES,
};

/*
 * A part may own a descriptor that is polled and read during the session. Unneeded functions are
 * NULL. Stages and read() return 0, or -errno, which ends the session.
 */
struct session_part {
	int (*at[NR_STAGES])(struct session *s, struct error *err);
	int (*fd)(const struct session *s);	/* to poll; borrowed; or -1 */
	int (*due_ms)(const struct session *s);	/* longest time until the next read(); -1: no
						 * limit */
	/* Called after each wait. @ready: the descriptor is readable. */
	int (*read)(struct session *s, bool ready, struct error *err);
	/* Called before programs are detached; may be called twice. */
	void (*stop)(struct session *s);
	/*
	 * Called after programs are detached, so nothing is sampled any more; may be called twice.
	 */
	void (*detached)(struct session *s);
	/* Called once after that, even after a failure: wait for what is still running. */
	void (*finish)(struct session *s);
	/* Add this part's losses to @losses, for the summary. */
	void (*lost)(const struct session *s, struct losses *losses);
	/* Add members to the message "summary". */
	void (*summary)(struct session *s, struct json_object *msg);
	/* Print these members as text, one per line. */
	void (*print)(FILE *file, struct json_object *msg);
	/* Release everything; called even if the part never started. */
	void (*end)(struct session *s);
};

#define SESSION_PARTS_MAX 24

/*
 * The table of parts, in the order in which each stage visits them. Parts end in reverse order.
 * Ends with NULL.
 */
extern const struct session_part *const session_parts[];

extern const struct session_part part_signals;

/**
 * session_stage() - Run each part's hook for @stage, until one fails.
 *
 * The other functions call the hook of the same name in each part; session_end_parts() calls end()
 * in reverse order.
 */
int session_stage(struct session *s, enum session_stage stage, struct error *err);
void session_stop_parts(struct session *s);
void session_parts_detached(struct session *s);
void session_finish_parts(struct session *s);
void session_parts_lost(const struct session *s, struct losses *losses);
void session_parts_summary(struct session *s, struct json_object *msg);
void session_parts_print(FILE *file, struct json_object *msg);
void session_end_parts(struct session *s);

#endif
