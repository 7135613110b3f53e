/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The state of an observation: processes with their descriptors, the call recorder, the facts. */
#ifndef PLOAD_OBSERVE_WATCH_WATCH_INTERNAL_H
#define PLOAD_OBSERVE_WATCH_WATCH_INTERNAL_H

#include "loader/base/text/text_stream.h"
#include "loader/observe/watch/copy.h"
#include "loader/observe/watch/facts.h"
#include "loader/observe/tracer/tracer.h"
#include "loader/observe/watch/watch.h"

struct watched_process {
	pid_t pid;
	struct sys *trace;	/* owned: the recorder, which knows the names of its descriptors */
	struct held_fds held;	/* owned */
	uint64_t fds;		/* a hash of its last known set of descriptors */
	int stage;		/* index of a stage in watch.c, or -1 */
	uint64_t elements;	/* consecutive calls that read or write map elements */
	bool said_foreign, is_exiting, has_called;
};

/* Calls that may be probes of the kernel are held back until that is clear. */
struct held_back {
	struct text_stream text;
	bool is_open;
	unsigned int nr, nr_refused, nr_open;	/* nr_open: objects that are still open */
	pid_t pid;
};

struct watch {
	struct tracer tracer;	/* first: the client gets a pointer to it */
	const struct watch_options *o;
	struct watched_process *processes;	/* owned */
	unsigned int nr_processes;
	struct facts facts;
	/* The recorder. Its kernel is @replay, which returns the observed results. */
	struct sys replay;
	struct copy *copy;	/* of the current call */
	struct copy *pending;	/* owned; of a call that has returned but is not recorded yet */
	pid_t pending_pid;
	bool leaving;		/* the observation has ended */
	long ret;
	struct text_stream line;	/* that the recorder prints */
	uint64_t nr_calls, nr_folded, nr_said;	/* calls; those not decoded, and how many of
						 * these the text mentioned */
	pid_t last_pid;		/* whose call was printed last */
	struct held_back back;
	FILE *calls;		/* owned; the lines of a page's steps */
	struct text_stream findings;	/* a page: their text */
	/* With o->replay: what programs refer to, and the number of files. */
	struct kept_object *kept;	/* owned: replay.c */
	unsigned int nr_kept, nr_objects;
	uint64_t kept_size;	/* bytes */
	bool replay_failed;
};

/* watch_record() - Print a call, and update the names of descriptors. */
void watch_record(struct watch *w, struct watched_process *p, struct copy *copy, long ret);

/* --- descriptors.c --- */

/**
 * descriptors_compare() - Compare the descriptors of a process with the known ones, and record
 * those that were closed, copied or received since.
 */
void descriptors_compare(struct watch *w, struct watched_process *p);
/* descriptors_returned() - A call has returned @fd, which is therefore open. */
void descriptors_returned(struct watched_process *p, int fd);

/* --- print.c --- */

/* watch_print() - Print @text of a call, or hold it back if it may be one of many probes. */
void watch_print(struct watch *w, const struct watched_process *p, const char *text, size_t len,
		 const struct copy *copy, long ret);
/* watch_release() - Print what was held back, or how many probes it was. */
void watch_release(struct watch *w);
/* watch_findings() - Print the findings, or the page that includes them. Return: 0 or -errno. */
int watch_findings(struct watch *w, struct error *err);

/* --- cause.c --- */

/**
 * watch_cause() - Find out why a call was refused, while its task is stopped.
 * @object: the object that the call is about, an event or what is pinned; or NULL
 */
void watch_cause(pid_t pid, const struct copy *copy, const struct fact_object *object,
		 struct fact_refusal *r);

/**
 * cause_in_sight() - The same if the cause is visible from outside (cause_in_sight.c).
 *
 * Return: false if the call must be repeated.
 */
bool cause_in_sight(pid_t pid, const struct copy *copy, const struct fact_object *object,
		    struct fact_refusal *r);

/* --- replay.c --- */

/** watch_keep() - Write the object passed by a call to a file in o->replay. */
void watch_keep(struct watch *w, const struct watched_process *p, const struct copy *copy);
void watch_kept_free(struct watch *w);

#endif
