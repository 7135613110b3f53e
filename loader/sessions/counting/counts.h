/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The counts of a session: a table of its events and a table of their descriptors. */
#ifndef PLOAD_SESSIONS_COUNTING_COUNTS_H
#define PLOAD_SESSIONS_COUNTING_COUNTS_H

#include "loader/core/session/part.h"

/* The result of read(2) on an event with our read_format. The times are in ns. */
struct count {
	uint64_t value, enabled, running;
};

/* The counts of one descriptor of an event, which remain after the descriptor is closed. */
struct counted {
	unsigned int row;
	int cpu;		/* -1: any */
	struct count now;
	struct count before;	/* at the end of the previous interval */
};

/* One event: all its descriptors, for all CPUs and tasks. */
struct count_row {
	const void *key;	/* the plan entry or map event that identifies the row */
	const struct event_spec *spec;	/* borrowed from the plan or the counters */
	const char *map;	/* borrowed; the map in which programs read it; or NULL */
	const struct event_cgroup *cgroup;	/* borrowed, or NULL */
	struct error why;	/* if why.code is set: why it could not be opened */
};

struct counts {
	struct count_row *rows;	/* owned, like the next */
	unsigned int nr_rows;
	struct counted *list;
	unsigned int nr;
	uint64_t end_ns;	/* start of the -I interval, relative to that of the session */
	struct error failed;	/* the first read(2) error of the last reading */
};

/* A sum of counts: those of a CPU or of an event. */
struct sum {
	struct count count;
	uint64_t scaled;
	unsigned int nr, nr_waiting;	/* nr_waiting of them were enabled but never ran */
};

/**
 * session_read_counts() - Read the counts of events without a program and of counters in maps. Call
 * it before any of them is closed; the counts remain. session_print_counts() reports failed reads.
 * session_print_counts() - Print a "counter" message per event, for the whole session.
 * session_free_counts() - Release them.
 */
void session_read_counts(struct session *s);
int session_print_counts(struct session *s, struct error *err);
void session_free_counts(struct session *s);

/* counts_of() - Return the counts of @s, creating them if necessary. NULL if out of memory. */
struct counts *counts_of(struct session *s);

/*
 * counts_refuse() - Add a row for a plan entry that cannot be opened because of @why, which is
 * copied. Fails with ENOMEM.
 */
int counts_refuse(struct session *s, const struct plan_entry *entry, const struct error *why,
		  struct error *err);

/* Print the messages "counters-begin" and "counter" as text. (counters_text.c) */
void counts_print_headline(FILE *file, struct json_object *msg);
void counts_print_row(FILE *file, struct json_object *msg);

#endif
