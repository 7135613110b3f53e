/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the sections of a comparison share: one cell on the stage, other processes, and answers. */
#ifndef PLOAD_TOOLS_COMPARE_LIFETIME_LIFETIME_H
#define PLOAD_TOOLS_COMPARE_LIFETIME_LIFETIME_H

#include "loader/tools/compare/compare_internal.h"

/* --- a section while it is filled --- */

struct section_row {
	const char *id, *what;	/* static */
};

#define SECTION_ROWS 48

struct section {
	const char *id;				/* static */
	struct json_object *rows[SECTION_ROWS];	/* borrowed, in the order of the table */
	bool answered[SECTION_ROWS];		/* by the cell that is on the stage */
	unsigned int nr;
	const struct compare_cell *cell;
	bool no_memory;				/* an answer got lost */
};

/* section_begin() - append it with all its rows to @event. 0 or -ENOMEM. */
int section_begin(struct section *s, struct json_object *event, const char *id, const char *title,
		  const struct section_row *rows, unsigned int nr, struct error *err);

/* section_cell() - the answers from here on are of @cell. */
void section_cell(struct section *s, const struct compare_cell *cell);

/*
 * section_put() - the answer in @row: a short word, and a sentence or NULL. The first answer of a
 * cell stays. section_refused(): the errno of @err is the answer, and @err, which is cleared, says
 * more. section_rest(): @err is the answer of those from @row to @last that have none yet.
 */
void section_put(struct section *s, unsigned int row, const char *word, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
void section_refused(struct section *s, unsigned int row, struct error *err);
void section_rest(struct section *s, unsigned int row, unsigned int last, struct error *err);

/* section_untried() - those from @row to @last were not tried, because of @err, which is cleared. */
void section_untried(struct section *s, unsigned int row, unsigned int last, struct error *err);

/* section_fill() - the rows that have no answer of this cell were not tried. */
void section_fill(struct section *s);

/* section_any_fires() - whether there is anything to ask. */
bool section_any_fires(const struct compare_subject *s, struct json_object *event);

/*
 * section_each_fires() - call @call with each cell of @event's "cells" that fires, until the user
 * wants an end; it answers the rows of @section. 0 or -ENOMEM.
 */
typedef void section_try(void *arg, const struct compare_subject *s,
			 const struct compare_cell *cell);
int section_each_fires(const struct compare_subject *s, struct json_object *event,
		       struct section *section, section_try *call, void *arg, struct error *err);

/* --- other processes --- */

/* A copy of this process, which does one thing, says how that went, and does more when told. */
struct actor {
	struct sys *sys;	/* borrowed */
	pid_t pid;		/* 0: none */
	int tell_fd, hear_fd;	/* owned; in each of the two its own ends */
};

/* What it says. As large as a pipe takes at once. */
struct actor_word {
	int ret;		/* 0 or -errno, and then ... */
	struct error err;	/* ... why; without a log */
	int64_t number[4];
};

/*
 * actor_begin() - make it; @act is what it does, and when that returns it ends. 0 or -errno.
 * actor_hear(): wait for its next word, which is given back as the result: 0 or -errno with @err; a
 * bounded time ("compare/no-answer"). actor_tell(): one byte. actor_end(): it is told that there is
 * no more, and waited for; or with @kill it gets SIGKILL.
 * In the copy: actor_say() and actor_wait(), which returns the byte, or 0: there is no more.
 */
int actor_begin(struct actor *actor, struct sys *sys, void (*act)(struct actor *self, void *arg),
		void *arg, struct error *err);
int actor_hear(struct actor *actor, struct actor_word *word, struct error *err);
int actor_tell(struct actor *actor, char what);
void actor_end(struct actor *actor, bool kill);
void actor_say(struct actor *self, const struct actor_word *word);
char actor_wait(struct actor *self);

/* --- one cell on the stage --- */

/*
 * A cell whose event has been described, once: all that is opened from here on is the same event.
 * Where it is a tracepoint, or a probe that is one, one more stays open on it without a program, as
 * closing the last one takes the kernel grace periods. A uprobe that stays is put into the memory
 * of whom it is opened for: so that is another process.
 */
struct stage {
	const struct compare_subject *s;
	const struct compare_cell *cell;
	struct sys *sys;
	struct compare_event e;		/* the one that stays */
	struct actor bystander;		/* whose it is, of a uprobe */
	struct trial_prog prog, second;	/* owned */
	unsigned int units;		/* of work that make it run for certain */
	bool never_ends;		/* what was waited for: not so long again */
};

/* stage_begin() - 0 or -errno; stage_end() in any case. */
int stage_begin(struct stage *st, const struct compare_subject *s, const struct compare_cell *cell,
		struct error *err);
void stage_end(struct stage *st);

/* Where and how an event is opened, if not as the subject is. */
struct stage_where {
	struct event_target target;
	bool inherit;
};

/*
 * stage_open() - into @a, for @where (NULL: as the subject is), disabled. stage_bind(): @prog_fd.
 * stage_enable(), stage_disable(). stage_attach(): open, bind, enable. 0 or -errno.
 * stage_close(): the link, then the event.
 */
int stage_open(const struct stage *st, const struct stage_where *where, struct attachment *a,
	       struct error *err);
int stage_bind(const struct stage *st, struct attachment *a, int prog_fd, struct error *err);
int stage_enable(const struct stage *st, const struct attachment *a, struct error *err);
int stage_attach(const struct stage *st, const struct stage_where *where, struct attachment *a,
		 struct error *err);
void stage_close(const struct stage *st, struct attachment *a);

/* The table of the seam: an ioctl on an event that says only whether it went well. */
int stage_ioctl(const struct stage *st, const struct attachment *a, unsigned long request,
		const char *name, struct error *err);

/*
 * stage_count() - how often @prog has run so far for whom it watches. stage_runs(): while the work
 * was done here. stage_goes_on(): whether it runs when the work is done again: 1, or 0 when there
 * was no run in a whole round of work; what ends asynchronously has a bounded time for it.
 * stage_ends(): the same with more time, where its end is what is to be expected. stage_begins():
 * whether it comes to run in that time, as the event before it may still be on its way out, and an
 * emulator tells of one breakpoint for an address. All of these: or -errno. stage_work(): that
 * work.
 */
int64_t stage_count(const struct stage *st, const struct trial_prog *prog);
int64_t stage_runs(const struct stage *st, const struct trial_prog *prog);
int stage_goes_on(const struct stage *st, const struct trial_prog *prog);
int stage_ends(struct stage *st, const struct trial_prog *prog);
int stage_begins(const struct stage *st, const struct trial_prog *prog);
void stage_work(const struct stage *st);

/*
 * stage_rounds() - before the first round of work that is to make @prog run. stage_once_more():
 * after one in vain, whether another is due, as the kernel was in a program when this one was: it
 * has paused for that.
 */
struct stage_rounds {
	const struct trial_prog *prog;
	uint64_t missed;
	unsigned int nr;
};

struct stage_rounds stage_rounds(const struct stage *st, const struct trial_prog *prog);
bool stage_once_more(const struct stage *st, struct stage_rounds *rounds);

/* stage_put_runs() - whether it @runs: "runs", @none, or why nobody knows (-errno). */
void stage_put_runs(struct section *s, unsigned int row, int runs, const char *none);

/* --- the scenes of a lifetime; each answers some rows --- */

enum life_row {
	LIFE_NEVER_ENABLED, LIFE_ENABLED, LIFE_DISABLED, LIFE_ENABLED_AGAIN,
	LIFE_SECOND_IOCTL, LIFE_SECOND_LINK, LIFE_SAME_OTHER_EVENT, LIFE_OTHER_OTHER_EVENT,
	LIFE_PROG_FD,
	LIFE_LINK_UPDATE, LIFE_LINK_DETACH, LIFE_PROG_DETACH,
	LIFE_LINK_FD, LIFE_COUNTS_ON, LIFE_BOUND_AGAIN,
	LIFE_EVENT_FD,
	LIFE_EXIT, LIFE_KILL, LIFE_FORK_HOLDS,
	LIFE_EVENT_HANDED, LIFE_LINK_HANDED,
	LIFE_PIN, LIFE_PINNED_EXIT, LIFE_PINNED_KILL, LIFE_UNPINNED,
	LIFE_CHILD, LIFE_CHILD_INHERITS, LIFE_CHILD_ENDED,
	LIFE_THREAD, LIFE_THREAD_INHERITS, LIFE_THREAD_ENDED,
	LIFE_OTHER_PID, LIFE_OTHER_CPU, LIFE_CGROUP_OUTSIDE, LIFE_CGROUP_INSIDE,
	LIFE_NR,
};

typedef void life_scene(struct stage *st, struct section *s);

life_scene life_bound, life_event_fd;	/* lifetime_bound.c: while it is bound */
life_scene life_ends, life_handed, life_pinned;	/* lifetime_ends.c: when its process ends */
life_scene life_children, life_threads;	/* lifetime_tasks.c: what is inherited */
life_scene life_filters, life_cgroup;	/* lifetime_filters.c: whose work makes it run */

/* stage_runs_for_actor() - whether it runs while @actor works: 1, 0 or -errno with @err. */
int stage_runs_for_actor(struct stage *st, struct actor *actor, struct error *err);

/* life_no_bpffs() - say that there is none because of @code (-errno). Returns @code. */
int life_no_bpffs(int code, struct error *err);

/* What is said where a binding has no link. */
#define NO_LINK "no link"

#endif
