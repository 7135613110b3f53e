/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A part of a session: what it does at each stage, and the table of all parts. */
#ifndef PLOAD_CORE_SESSION_PART_H
#define PLOAD_CORE_SESSION_PART_H

#include "loader/core/session/session.h"

struct losses;

/* The stages of a session: each part does its own work of a stage when this holds. */
enum session_stage {
	STAGE_PLANNED,	/* each program has its events and link targets; nothing is loaded */
	STAGE_SCOPE,	/* as before; the list of online CPUs is read next */
	STAGE_LOADED,	/* maps and programs are loaded, and nothing is attached */
	STAGE_BOUND,	/* each entry of the plan is attached, and no event is enabled */
	STAGE_ENABLED,	/* all events are; the session's time begins next */
	STAGE_BEGUN,	/* it has; not called with -d 0 */
	STAGE_READY,	/* all has begun: what runs from here on is for the user to see */
	STAGE_RUN,	/* before the loop waits for the first time */
	STAGE_WAITED,	/* the loop has ended without a failure */
	STAGE_DRAIN,	/* programs are detached: read the rest */
	STAGE_MAPS,	/* all records have been read: print the contents of maps */
	STAGE_REPORT,	/* maps have been printed */
	STAGE_PRINTED,	/* the summary, too */
	NR_STAGES,
};

/*
 * A part has descriptors of its own beside those of maps, programs and attachments: it is opened,
 * waited for, read and released. A function that a part has no use for is NULL. Those that return
 * int return 0 or -errno, which ends the session.
 */
struct session_part {
	int (*at[NR_STAGES])(struct session *s, struct error *err);
	int (*fd)(const struct session *s);	/* to poll; borrowed; or -1 */
	int (*due_ms)(const struct session *s);	/* when it reads at the latest; -1: no limit */
	/* Called after each wait. @ready: the descriptor is readable. */
	int (*read)(struct session *s, bool ready, struct error *err);
	/* Called before programs are detached, perhaps twice. */
	void (*stop)(struct session *s);
	/* Called when they are detached, perhaps twice: nothing is sampled any more. */
	void (*detached)(struct session *s);
	/* Called once after that, also after a failure: wait for what still runs. */
	void (*finish)(struct session *s);
	/* Add what was lost to the summary's. */
	void (*lost)(const struct session *s, struct losses *losses);
	/* Add members to the message "summary". */
	void (*summary)(struct session *s, struct json_object *msg);
	/* Print these members as text, each in a line. */
	void (*print)(FILE *file, struct json_object *msg);
	/* Release all; called also if it has not begun. */
	void (*end)(struct session *s);
};

#define SESSION_PARTS_MAX 24

/*
 * The table of parts, in the order in which they begin, and in which each stage visits them, except
 * that they end from the last to the first. Ends with NULL.
 */
extern const struct session_part *const session_parts[];

extern const struct session_part part_signals;

/**
 * session_stage() - Let each part do its work of @stage, until one fails.
 *
 * The others call that function of each part; session_end_parts() from the last to the first.
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
