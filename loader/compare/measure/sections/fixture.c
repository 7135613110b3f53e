// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Open the event of a cell any number of times, and find out whether its program runs. */
#include <errno.h>
#include <string.h>

#include "loader/base/calls/looking.h"
#include "loader/compare/measure/sections/fixture.h"
#include "loader/core/kernel/kernel.h"
#include "loader/core/sys/refused.h"
#include "loader/base/kernel/kernel_calls.h"

/* Units of work in a round. */
#define UNITS_EXACT 20	/* if each unit is one event */
#define RUNS_ENOUGH 3	/* otherwise enough to run the program this often ... */
#define UNITS_MIN 6	/* ... but at least this many if the runs cannot be read in between ... */
#define UNITS_MAX 50	/* ... and at most this many */
#define UNITS_SURE 20	/* without a run: it does not run, even if an emulated clock is late */

/*
 * On an idle machine, an attachment that the kernel ends asynchronously is gone within 4 ms. If an
 * end is expected, allow for a busy machine: after unlinking the last name of a link it took 2 s on
 * an emulated Linux 6.12 while three other processes attached and detached.
 */
#define GOES_ON_NS (25 * UINT64_C(1000000))
#define ENDS_NS (10 * UINT64_C(1000000000))
#define BEGINS_NS (2 * UINT64_C(1000000000))
#define NEVER_BEGINS_NS (100 * UINT64_C(1000000))
#define NEVER_BEGINS 2	/* waits without a run, after which none is expected */

/*
 * Find the number of units of work that make the program run, because a unit may take a
 * millisecond. Wait for the attachment to end: a process that inspects all links may hold this one
 * for a moment, during which the program cannot be bound to the same tracepoint (EEXIST).
 */
static int measure_work(struct fixture *fx, struct error *err)
{
	int64_t before = fixture_count_runs(fx, &fx->prog), runs = 0;
	struct attachment a;
	int ret;

	fx->units = UNITS_EXACT;
	if (fx->s->work->exact)
		return 0;
	ret = fixture_attach(fx, NULL, &a, err);
	for (fx->units = 0; !ret && fx->units < UNITS_MAX && runs < RUNS_ENOUGH; fx->units++) {
		fx->s->work->unit();
		runs = fixture_count_runs(fx, &fx->prog) - before;
	}
	if (fx->units < UNITS_MIN)
		fx->units = UNITS_MIN;
	fixture_close(fx, &a);
	if (!ret)
		fixture_still_runs_late(fx, &fx->prog);
	return ret;
}

static void stand_by(struct peer *self, void *arg)
{
	(void)arg;
	peer_wait(self);
}

/*
 * Keep one event open (see struct fixture). An event that the kernel creates anew each time is only
 * described.
 */
static int keep_one(struct fixture *fx, struct error *err)
{
	const enum event_kind kind = fx->s->spec->kind;
	struct event_target other = { .cpu = -1 };
	struct perf_event_attr attr = fx->e.attr;
	int ret;

	if (attr.type == PERF_TYPE_TRACEPOINT && kind != EVENT_UPROBE && kind != EVENT_USDT)
		return 0;
	sys_close_fd(fx->sys, &fx->e.a.event_fd);
	if (attr.type != PERF_TYPE_TRACEPOINT)
		return 0;
	ret = peer_begin(&fx->bystander, fx->sys, stand_by, NULL, err);
	if (ret < 0)
		return ret;
	other.tid = fx->bystander.pid;
	ret = event_open(fx->sys, fx->s->spec, &attr, &other, -1, err);
	if (ret >= 0)
		fx->e.a.event_fd = ret;
	return ret < 0 ? ret : 0;
}

int fixture_begin(struct fixture *fx, const struct compare_subject *s,
		  const struct compare_cell *cell, struct error *err)
{
	const uint32_t type = event_prog_type(s->spec);
	int ret;

	*fx = (struct fixture){ .s = s, .cell = cell, .sys = s->sys };
	fx->prog = fx->second = (struct firing_prog){ .map_fd = -1, .prog_fd = -1 };
	fx->bystander = (struct peer){ .sys = s->sys, .tell_fd = -1, .hear_fd = -1 };
	ret = compare_open(s, cell, &fx->e, err);
	if (!ret)
		ret = keep_one(fx, err);
	if (!ret)
		ret = firing_prog_load(fx->sys, &fx->prog, type, 1, err);
	if (!ret)
		ret = firing_prog_load(fx->sys, &fx->second, type, 1, err);
	return ret ? ret : measure_work(fx, err);
}

void fixture_end(struct fixture *fx)
{
	firing_prog_close(fx->sys, &fx->second);
	firing_prog_close(fx->sys, &fx->prog);
	compare_close(fx->s, &fx->e);
	peer_end(&fx->bystander, true);
}

/* --- events --- */

int fixture_open(const struct fixture *fx, const struct fixture_scope *where, struct attachment *a,
		 struct error *err)
{
	const struct event_target *target = where ? &where->target : &fx->s->target;
	struct perf_event_attr attr = fx->e.attr;
	int ret;

	*a = (struct attachment){ .event_fd = -1, .link_fd = -1, .target = *target };
	attr.inherit = where && where->inherit;
	ret = event_open(fx->sys, fx->s->spec, &attr, target, -1, err);
	if (ret >= 0)
		a->event_fd = ret;
	return ret < 0 ? ret : 0;
}

int fixture_bind(const struct fixture *fx, struct attachment *a, int prog_fd, struct error *err)
{
	const bool has_cookie = fx->cell->method->takes_cookie;

	return fx->cell->method->bind(fx->sys, a, prog_fd, has_cookie ? fx->s->cookie : 0, err);
}

int fixture_ioctl(const struct fixture *fx, const struct attachment *a, unsigned long request,
		  const char *name, struct error *err)
{
	int ret = sys_ioctl(fx->sys, a->event_fd, request, 0);

	if (ret >= 0)
		return 0;
	error_set(err, -ret, "%s: %s", name, error_strerror(-ret));
	error_reason(err, "attach/enable");
	return sys_error_ioctl(err, a->event_fd, request, 0, -ret);
}

int fixture_enable(const struct fixture *fx, const struct attachment *a, struct error *err)
{
	return fixture_ioctl(fx, a, PERF_EVENT_IOC_ENABLE, "PERF_EVENT_IOC_ENABLE", err);
}

int fixture_attach(const struct fixture *fx, const struct fixture_scope *where,
		   struct attachment *a, struct error *err)
{
	int ret = fixture_open(fx, where, a, err);

	if (!ret)
		ret = fixture_bind(fx, a, fx->prog.prog_fd, err);
	return ret ? ret : fixture_enable(fx, a, err);
}

void fixture_close(const struct fixture *fx, struct attachment *a)
{
	sys_close_fd(fx->sys, &a->link_fd);
	sys_close_fd(fx->sys, &a->event_fd);
}

/* --- runs --- */

int64_t fixture_count_runs(const struct fixture *fx, const struct firing_prog *prog)
{
	struct firing_value value;
	int ret = firing_prog_read(fx->sys, prog, &value);

	if (ret < 0)
		return ret;
	return value.own.runs + (fx->s->target.tid < 0 ? value.others.runs : 0);
}

/*
 * The kernel skips a program while another one is running on the CPU, and counts a miss. - In Linux
 * 7.2 the program of a system call's tracepoint can be preempted, and until it continues
 *   no tracing program runs on that CPU: with two processes on one CPU 4 of 100 runs were lost.
 * - No program of a perf event runs on a CPU where a task was preempted that looks up an element of
 *   a map (bpf_disable_instrumentation()): with another process that did nothing else, 9 of 100
 *   rounds on an emulated 7.2.
 * So do a round in portions with pauses. Repeat a round without a run if the program was missed or
 * if that is unknown, after a pause in which the preempted task gets the CPU.
 */
#define PORTIONS 3
#define PAUSE_MS 2
#define ROUNDS 3
#define TURN_MS 20

void fixture_work(const struct fixture *fx)
{
	const unsigned int portion = (fx->units + PORTIONS - 1) / PORTIONS;

	for (unsigned int i = 0; i < fx->units; i++) {
		if (i && i % portion == 0 && event_is_tracing(fx->s->spec))
			sys_poll(fx->sys, NULL, 0, PAUSE_MS);
		fx->s->work->unit();
	}
}

/* The kernel counts misses of tracing events since Linux 6.7; those of other events are unknown. */
static uint64_t misses_of(const struct fixture *fx, const struct firing_prog *prog)
{
	struct bpf_prog_info info;

	if (!event_is_tracing(fx->s->spec) || prog->prog_fd < 0 ||
	    kernel_prog_info(fx->sys, prog->prog_fd, &info) < 0)
		return UINT64_MAX;
	return info.recursion_misses;
}

struct fixture_rounds fixture_rounds(const struct fixture *fx, const struct firing_prog *prog)
{
	return (struct fixture_rounds){ .prog = prog,
					.missed = fx->s->work->exact ? misses_of(fx, prog) : 0 };
}

bool fixture_retry_round(const struct fixture *fx, struct fixture_rounds *rounds)
{
	const uint64_t before = rounds->missed;

	if (!fx->s->work->exact || ++rounds->nr >= ROUNDS)
		return false;
	rounds->missed = misses_of(fx, rounds->prog);
	if (rounds->missed == before && before != UINT64_MAX)
		return false;
	sys_poll(fx->sys, NULL, 0, TURN_MS);
	return true;
}

int64_t fixture_runs_of_work(const struct fixture *fx, const struct firing_prog *prog)
{
	const int64_t before = fixture_count_runs(fx, prog);
	struct fixture_rounds rounds;
	int64_t after = before;

	if (before < 0)
		return before;
	if (fx->s->work->exact) {
		rounds = fixture_rounds(fx, prog);
		do {
			fixture_work(fx);
			after = fixture_count_runs(fx, prog);
		} while (after == before && fixture_retry_round(fx, &rounds));
	}
	for (unsigned int i = 0; !fx->s->work->exact && i < UNITS_SURE && after == before; i++) {
		fx->s->work->unit();
		after = fixture_count_runs(fx, prog);
	}
	return after < 0 ? after : after - before;
}

static int runs_for(const struct fixture *fx, const struct firing_prog *prog, uint64_t ns)
{
	struct sys_looking looking = sys_looking(ns);
	int64_t runs;

	while ((runs = fixture_runs_of_work(fx, prog)) > 0 && sys_look_again(&looking))
		if (looking.left_ns + GOES_ON_NS < ns)	/* the task that ends it needs a CPU, too */
			sys_poll(fx->sys, NULL, 0, TURN_MS);
	return runs < 0 ? runs : runs > 0;
}

int fixture_still_runs(const struct fixture *fx, const struct firing_prog *prog)
{
	return runs_for(fx, prog, GOES_ON_NS);
}

int fixture_still_runs_late(struct fixture *fx, const struct firing_prog *prog)
{
	const int runs = runs_for(fx, prog, fx->never_ends ? GOES_ON_NS : ENDS_NS);

	fx->never_ends |= runs > 0;
	return runs;
}

int fixture_starts_running(struct fixture *fx, const struct firing_prog *prog)
{
	const bool never_begins = !fx->has_begun && fx->not_begun >= NEVER_BEGINS;
	struct sys_looking looking = sys_looking(never_begins ? NEVER_BEGINS_NS : BEGINS_NS);
	int64_t runs;

	do
		runs = fixture_runs_of_work(fx, prog);
	while (!runs && sys_look_again(&looking));
	fx->has_begun |= runs > 0;
	fx->not_begun += !runs;
	return runs < 0 ? runs : runs > 0;
}
