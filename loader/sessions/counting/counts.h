/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The counts of a session: a table of its events, and one of their descriptors. */
#ifndef PLOAD_SESSIONS_COUNTING_COUNTS_H
#define PLOAD_SESSIONS_COUNTING_COUNTS_H

#include "loader/core/session/part.h"

/* The result of read(2) on an event with our read_format. The times are in ns. */
struct count {
	uint64_t value, enabled, running;
};

/* The counts of one descriptor of an event. They stay when the descriptor is closed. */
struct counted {
	unsigned int row;
	int cpu;		/* -1: any */
	struct count now;
	struct count before;	/* at the end of the interval before this one */
};

/* One event: its descriptors on all CPUs and for all tasks together. */
struct count_row {
	const void *key;	/* the plan's entry or the event of the map; identifies the row */
	const struct event_spec *spec;	/* borrowed from the plan or the counters */
	const char *map;	/* borrowed; programs read it there; or NULL */
	const struct event_cgroup *cgroup;	/* borrowed, or NULL */
	struct error why;	/* if why.code: it could not be opened */
};

struct counts {
	struct count_row *rows;	/* owned, like the next */
	unsigned int nr_rows;
	struct counted *list;
	unsigned int nr;
	uint64_t end_ns;	/* of the interval of -I, since the session began */
	struct error failed;	/* of the first read(2) that failed, of the last reading */
};

/* Several counts together: those of one CPU, or of an event. */
struct sum {
	struct count count;
	uint64_t scaled;
	unsigned int nr, nr_waiting;	/* nr_waiting of them were enabled and never ran */
};

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

/* counts_of() - Return the counts of @s, which are created if it has none. NULL: no memory. */
struct counts *counts_of(struct session *s);

/*
 * counts_refuse() - Add a row for an entry of the plan that cannot be opened because of @why, which
 * is copied. Fails with ENOMEM.
 */
int counts_refuse(struct session *s, const struct plan_entry *entry, const struct error *why,
		  struct error *err);

/* Print the messages "counters-begin" and "counter" as text. (counters_text.c) */
void counts_print_headline(FILE *file, struct json_object *msg);
void counts_print_row(FILE *file, struct json_object *msg);

#endif
