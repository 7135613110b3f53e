/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The counts of a session: a table of its events, and one of their descriptors. */
#ifndef PLOAD_SESSION_COUNTING_COUNTS_H
#define PLOAD_SESSION_COUNTING_COUNTS_H

#include "loader/session/part.h"

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
	unsigned int runs;	/* of -r: these are the means of so many; 0: without -r */
	double stddev;		/* the standard deviation of scaled over the runs */
};

/* A number beside a count: it over that of another event, or over time. */
struct ratio {
	double value;
	const char *unit;	/* as perf stat has it; static. NULL: there is no ratio */
	const char *of;		/* borrowed; the other event, or NULL: elapsed time */
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

/*
 * counts_ratio() - Return the ratio of row @row. @sums: of each row; @elapsed_ns: in which they
 *	were counted.
 * counts_clock() - Return the clock whose time the rates are of, among the rows with the map and
 *	cgroup of @row; -1: elapsed time.
 */
struct ratio counts_ratio(const struct counts *c, const struct sum *sums, unsigned int row,
			  uint64_t elapsed_ns);
int counts_clock(const struct counts *c, const struct sum *sums, unsigned int row);

/* counts_sum() - Add what row @row has counted to the empty @sum; of @interval, in the last one. */
void counts_sum(const struct counts *c, unsigned int row, bool interval, struct sum *sum);

/*
 * repeats_run() - Run the command of -r again, as often as @s->options has it, after its first run
 *	in @s. A signal ends this; the run that it ended does not count.
 * @sums: of each row in the first run; set to the means of all. @elapsed_ns: likewise.
 * @runs: set to the number of runs that count.
 *
 * Return: 0, or -errno with the number of the run as error context.
 * repeats_add() - Take the counts of @s, one of these runs.
 */
int repeats_run(struct session *s, struct sum *sums, uint64_t *elapsed_ns, unsigned int *runs,
		struct error *err);
void repeats_add(struct repeats *r, const struct session *s);

/* stat_run() - Run one session of pload stat. @s: empty but for @s->repeats; afterwards ended. */
int stat_run(struct session *s, struct sys *sys, const struct options *o, struct output *out,
	     struct error *err);

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

/*
 * The format of pload stat -x: counters are lines of fields, and other messages go to standard
 * error as text. (separated.c)
 * The messages have a "separator", and members that say which fields a line has: "time_ns",
 * "per_cpu", "repeats".
 */
extern const struct output_format separated_output_format;

#endif
