// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* One cell on the stage: its event opened as often as is wanted, and whether its program runs. */
#include <errno.h>
#include <string.h>

#include "loader/tools/compare/lifetime/lifetime.h"
#include "loader/kernel/kernel.h"
#include "loader/sys/error_call.h"

/*
 * Where each unit of work is one run, so many; else as many as make RUNS_ENOUGH of them, and where
 * nobody can look meanwhile at least UNITS_MIN. UNITS_SURE in vain are none: a clock of a machine
 * that is emulated may be late by some milliseconds.
 */
#define UNITS_EXACT 20
#define UNITS_MIN 6
#define UNITS_SURE 20
#define UNITS_MAX 50
#define RUNS_ENOUGH 3

/*
 * What ends asynchronously has ended within 4 ms on a machine that has nothing else to do. Where
 * nothing but an end is expected there is time for one that is busy: a link whose last name was
 * unlinked took 2 s on an emulated Linux 6.12, while three more processes attached and detached.
 */
#define GOES_ON_NS (25 * UINT64_C(1000000))
#define ENDS_NS (10 * UINT64_C(1000000000))
#define BEGINS_NS (2 * UINT64_C(1000000000))

/*
 * How much work is certain to make it run: of what takes a millisecond a unit not more than needed.
 * Where nothing comes of it all is done each time, and the rows tell. Who looks through all links
 * may hold this one for a moment longer, and until it ends its program cannot be bound to the same
 * tracepoint again (EEXIST).
 */
static int measure_work(struct stage *st, struct error *err)
{
	int64_t before = stage_count(st, &st->prog), runs = 0;
	struct attachment a;
	int ret;

	st->units = UNITS_EXACT;
	if (st->s->work->exact)
		return 0;
	ret = stage_attach(st, NULL, &a, err);
	for (st->units = 0; !ret && st->units < UNITS_MAX && runs < RUNS_ENOUGH; st->units++) {
		st->s->work->unit();
		runs = stage_count(st, &st->prog) - before;
	}
	if (st->units < UNITS_MIN)
		st->units = UNITS_MIN;
	stage_close(st, &a);
	if (!ret)
		stage_ends(st, &st->prog);
	return ret;
}

static void stand_by(struct actor *self, void *arg)
{
	(void)arg;
	actor_wait(self);
}

/*
 * What stays open. The kinds that are made for each event anew have nothing that could stay: then
 * the event is only described.
 */
static int keep_one(struct stage *st, struct error *err)
{
	const enum event_kind kind = st->s->spec->kind;
	struct event_target other = { .cpu = -1 };
	struct perf_event_attr attr = st->e.attr;
	int ret;

	if (attr.type == PERF_TYPE_TRACEPOINT && kind != EVENT_UPROBE && kind != EVENT_USDT)
		return 0;
	sys_close_fd(st->sys, &st->e.a.event_fd);
	if (attr.type != PERF_TYPE_TRACEPOINT)
		return 0;
	ret = actor_begin(&st->bystander, st->sys, stand_by, NULL, err);
	if (ret < 0)
		return ret;
	other.tid = st->bystander.pid;
	ret = event_open(st->sys, st->s->spec, &attr, &other, -1, err);
	if (ret >= 0)
		st->e.a.event_fd = ret;
	return ret < 0 ? ret : 0;
}

int stage_begin(struct stage *st, const struct compare_subject *s, const struct compare_cell *cell,
		struct error *err)
{
	const uint32_t type = event_prog_type(s->spec);
	int ret;

	*st = (struct stage){ .s = s, .cell = cell, .sys = s->sys };
	st->prog = st->second = (struct trial_prog){ .map_fd = -1, .prog_fd = -1 };
	st->bystander = (struct actor){ .sys = s->sys, .tell_fd = -1, .hear_fd = -1 };
	ret = compare_open(s, cell, &st->e, err);
	if (!ret)
		ret = keep_one(st, err);
	if (!ret)
		ret = trial_prog_load(st->sys, &st->prog, type, 1, err);
	if (!ret)
		ret = trial_prog_load(st->sys, &st->second, type, 1, err);
	return ret ? ret : measure_work(st, err);
}

void stage_end(struct stage *st)
{
	trial_prog_close(st->sys, &st->second);
	trial_prog_close(st->sys, &st->prog);
	compare_close(st->s, &st->e);
	actor_end(&st->bystander, true);
}

/* --- events --- */

int stage_open(const struct stage *st, const struct stage_where *where, struct attachment *a,
	       struct error *err)
{
	const struct event_target *target = where ? &where->target : &st->s->target;
	struct perf_event_attr attr = st->e.attr;
	int ret;

	*a = (struct attachment){ .event_fd = -1, .link_fd = -1, .target = *target };
	attr.inherit = where && where->inherit;
	ret = event_open(st->sys, st->s->spec, &attr, target, -1, err);
	if (ret >= 0)
		a->event_fd = ret;
	return ret < 0 ? ret : 0;
}

int stage_bind(const struct stage *st, struct attachment *a, int prog_fd, struct error *err)
{
	const bool has_cookie = st->cell->method.takes_cookie;

	return st->cell->method.bind(st->sys, a, prog_fd, has_cookie ? st->s->cookie : 0, err);
}

int stage_ioctl(const struct stage *st, const struct attachment *a, unsigned long request,
		const char *name, struct error *err)
{
	int ret = sys_ioctl(st->sys, a->event_fd, request, 0);

	if (ret >= 0)
		return 0;
	error_set(err, -ret, "%s: %s", name, error_strerror(-ret));
	error_reason(err, "attach/enable");
	return sys_error_ioctl(err, a->event_fd, request, 0, -ret);
}

int stage_enable(const struct stage *st, const struct attachment *a, struct error *err)
{
	return stage_ioctl(st, a, PERF_EVENT_IOC_ENABLE, "PERF_EVENT_IOC_ENABLE", err);
}

int stage_attach(const struct stage *st, const struct stage_where *where, struct attachment *a,
		 struct error *err)
{
	int ret = stage_open(st, where, a, err);

	if (!ret)
		ret = stage_bind(st, a, st->prog.prog_fd, err);
	return ret ? ret : stage_enable(st, a, err);
}

void stage_close(const struct stage *st, struct attachment *a)
{
	sys_close_fd(st->sys, &a->link_fd);
	sys_close_fd(st->sys, &a->event_fd);
}

/* --- runs --- */

int64_t stage_count(const struct stage *st, const struct trial_prog *prog)
{
	struct trial_value value;
	int ret = trial_prog_read(st->sys, prog, &value);

	if (ret < 0)
		return ret;
	return value.own.runs + (st->s->target.tid < 0 ? value.others.runs : 0);
}

/*
 * In portions, with a pause between them: in Linux 7.2 the program of a system call's tracepoint
 * may be preempted, and until it goes on no tracing program runs on that CPU. Of two processes on
 * one CPU 4 of 100 runs were lost. Nor does any program of a perf event while somebody is preempted
 * who looks up a map's element (bpf_disable_instrumentation()): 9 of 100 rounds on an emulated 7.2
 * where another process did nothing else. A round in vain in which it was missed, or nobody can
 * tell, is done again, after a pause in which who was preempted gets a turn on a CPU that has more
 * to do.
 */
#define PORTIONS 3
#define PAUSE_MS 2
#define ROUNDS 3
#define TURN_MS 20

void stage_work(const struct stage *st)
{
	const unsigned int portion = (st->units + PORTIONS - 1) / PORTIONS;

	for (unsigned int i = 0; i < st->units; i++) {
		if (i && i % portion == 0 && event_is_traced(st->s->spec))
			sys_poll(st->sys, NULL, 0, PAUSE_MS);
		st->s->work->unit();
	}
}

/* Of traced events the kernel counts them since Linux 6.7, of others nobody does. */
static uint64_t misses_of(const struct stage *st, const struct trial_prog *prog)
{
	struct bpf_prog_info info;

	if (!event_is_traced(st->s->spec) || prog->prog_fd < 0 ||
	    kernel_prog_info(st->sys, prog->prog_fd, &info) < 0)
		return UINT64_MAX;
	return info.recursion_misses;
}

struct stage_rounds stage_rounds(const struct stage *st, const struct trial_prog *prog)
{
	return (struct stage_rounds){ .prog = prog,
				      .missed = st->s->work->exact ? misses_of(st, prog) : 0 };
}

bool stage_once_more(const struct stage *st, struct stage_rounds *rounds)
{
	const uint64_t before = rounds->missed;

	if (!st->s->work->exact || ++rounds->nr >= ROUNDS)
		return false;
	rounds->missed = misses_of(st, rounds->prog);
	if (rounds->missed == before && before != UINT64_MAX)
		return false;
	sys_poll(st->sys, NULL, 0, TURN_MS);
	return true;
}

int64_t stage_runs(const struct stage *st, const struct trial_prog *prog)
{
	const int64_t before = stage_count(st, prog);
	struct stage_rounds rounds;
	int64_t after = before;

	if (before < 0)
		return before;
	if (st->s->work->exact) {
		rounds = stage_rounds(st, prog);
		do {
			stage_work(st);
			after = stage_count(st, prog);
		} while (after == before && stage_once_more(st, &rounds));
	}
	for (unsigned int i = 0; !st->s->work->exact && i < UNITS_SURE && after == before; i++) {
		st->s->work->unit();
		after = stage_count(st, prog);
	}
	return after < 0 ? after : after - before;
}

static int runs_for(const struct stage *st, const struct trial_prog *prog, uint64_t ns)
{
	struct sys_looking looking = sys_looking(ns);
	int64_t runs;

	while ((runs = stage_runs(st, prog)) > 0 && sys_look_again(&looking))
		if (looking.left_ns + GOES_ON_NS < ns)	/* who ends it needs a CPU, too */
			sys_poll(st->sys, NULL, 0, TURN_MS);
	return runs < 0 ? runs : runs > 0;
}

int stage_goes_on(const struct stage *st, const struct trial_prog *prog)
{
	return runs_for(st, prog, GOES_ON_NS);
}

int stage_ends(struct stage *st, const struct trial_prog *prog)
{
	const int runs = runs_for(st, prog, st->never_ends ? GOES_ON_NS : ENDS_NS);

	st->never_ends |= runs > 0;
	return runs;
}

int stage_begins(const struct stage *st, const struct trial_prog *prog)
{
	struct sys_looking looking = sys_looking(BEGINS_NS);
	int64_t runs;

	do
		runs = stage_runs(st, prog);
	while (!runs && sys_look_again(&looking));
	return runs < 0 ? runs : runs > 0;
}

void stage_put_runs(struct section *s, unsigned int row, int runs, const char *none)
{
	struct error err = { 0 };

	if (runs >= 0) {
		section_put(s, row, runs ? "runs" : none, NULL);
		return;
	}
	error_set(&err, -runs, "BPF_MAP_LOOKUP_ELEM: %s: how often it ran is not known",
		  error_strerror(-runs));
	section_refused(s, row, &err);
}
