/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A cell under test: its event can be opened any number of times, with two counting programs. */
#ifndef PLOAD_COMPARE_MEASURE_SECTIONS_FIXTURE_H
#define PLOAD_COMPARE_MEASURE_SECTIONS_FIXTURE_H

#include "loader/compare/measure/sections/peer.h"
#include "loader/compare/measure/compare.h"

/*
 * The event is described once, so that everything opened from a fixture is the same event. Closing
 * the last event of a tracepoint, or of a probe in tracefs, costs grace periods, so one event
 * without a program stays open. For a uprobe, that event belongs to a bystander process, because
 * the kernel writes the breakpoint into the memory of the event's task.
 */
struct fixture {
	const struct compare_subject *s;
	const struct compare_cell *cell;
	struct sys *sys;
	struct compare_event e;		/* the event that stays open */
	struct peer bystander;		/* the process for which a uprobe stays open */
	struct firing_prog prog, second;	/* owned */
	unsigned int units;		/* units of work that certainly make the program run */
	bool never_ends;		/* an end did not come: do not wait that long again */
	bool has_begun;			/* fixture_starts_running() has seen a run, */
	unsigned int not_begun;		/* or how often it has waited for none */
};

/** fixture_begin() - Return: 0 or -errno. Call fixture_end() in any case. */
int fixture_begin(struct fixture *fx, const struct compare_subject *s,
		  const struct compare_cell *cell, struct error *err);
void fixture_end(struct fixture *fx);

/* An event target other than the subject's. */
struct fixture_scope {
	struct event_target target;
	bool inherit;
};

/**
 * fixture_open() - Open the event, disabled, into @a.
 * @scope: NULL for the event target of the subject.
 * fixture_bind() - Bind @prog_fd by the method of the cell.
 * fixture_enable() - PERF_EVENT_IOC_ENABLE.
 * fixture_attach() - Do these three with the first program.
 * fixture_ioctl() - Issue an ioctl without an argument on the event.
 * @name: of the request, for the error.
 *
 * Return: 0 or -errno.
 */
int fixture_open(const struct fixture *fx, const struct fixture_scope *scope, struct attachment *a,
		 struct error *err);
int fixture_bind(const struct fixture *fx, struct attachment *a, int prog_fd, struct error *err);
int fixture_enable(const struct fixture *fx, const struct attachment *a, struct error *err);
int fixture_attach(const struct fixture *fx, const struct fixture_scope *scope,
		   struct attachment *a, struct error *err);
int fixture_ioctl(const struct fixture *fx, const struct attachment *a, unsigned long request,
		  const char *name, struct error *err);

/** fixture_close() - Close the link, then the event. */
void fixture_close(const struct fixture *fx, struct attachment *a);

/** fixture_work() - Do one round of the work that makes the event happen. */
void fixture_work(const struct fixture *fx);

/**
 * fixture_count_runs() - Return how often @prog has run so far, or -errno.
 * fixture_runs_of_work() - Return how often it runs during a round of work here, or -errno.
 */
int64_t fixture_count_runs(const struct fixture *fx, const struct firing_prog *prog);
int64_t fixture_runs_of_work(const struct fixture *fx, const struct firing_prog *prog);

/**
 * fixture_still_runs() - Work until a round has no run, for at most 25 ms.
 * fixture_still_runs_late() - The same for at most 10 s, if the program is expected to stop.
 * fixture_starts_running() - Work until a round makes @prog run, for at most 2 s: the previous
 * event may not have ended yet, and an emulator triggers only one breakpoint per address. The limit
 * is 0.1 s if no program has ever run: some machines never trigger a breakpoint.
 *
 * Return: 1 if it runs at the end, 0 if not, or -errno.
 */
int fixture_still_runs(const struct fixture *fx, const struct firing_prog *prog);
int fixture_still_runs_late(struct fixture *fx, const struct firing_prog *prog);
int fixture_starts_running(struct fixture *fx, const struct firing_prog *prog);

/* Rounds of work that should make a program run. */
struct fixture_rounds {
	const struct firing_prog *prog;
	uint64_t missed;
	unsigned int nr;
};

/** fixture_rounds() - Start before the first round. */
struct fixture_rounds fixture_rounds(const struct fixture *fx, const struct firing_prog *prog);

/**
 * fixture_retry_round() - After a round without a run, return true if another round is needed.
 *
 * Another round is needed if the kernel may have skipped the program because another program was
 * running on that CPU. Pauses before returning true.
 */
bool fixture_retry_round(const struct fixture *fx, struct fixture_rounds *rounds);

#endif
