// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Events that happen on every CPU at once, and a program attached to them. */
#include <errno.h>
#include <sched.h>
#include <string.h>

#include "test/regress/common/probed.h"
#include "test/regress/common/stress.h"
#include "loader/core/event/scope.h"

const struct stress_kind stress_kinds[STRESS_NR_KINDS] = {
	[STRESS_FAULTS] = { "page faults", "page-faults,period=1", false },
	[STRESS_CLOCK] = { "a clock", "cpu-clock,period=500000", false },
	[STRESS_BREAKPOINT] = { "a breakpoint", "mem:%p/8:w", true },
	[STRESS_TRACEPOINT] = { "a tracepoint", "syscalls:sys_enter_getppid", true },
	[STRESS_KPROBE] = { "a kprobe", "kprobe:" PROBED_GETPPID, false },	/* some may be missed */
	[STRESS_UPROBE] = { "a uprobe", "uprobe:" FIRING_PATH ":firing_function", true },
};

/* --- threads --- */

static void pin_to(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

/*
 * Wait until there is more to do. The caller calls this without the lock, and only if there seems
 * to be nothing to do.
 */
static void wait_for_more(struct firer *me)
{
	struct firing *f = me->of;

	pthread_mutex_lock(&f->lock);
	while (!f->stop && me->done >= f->target)
		pthread_cond_wait(&f->more, &f->lock);
	pthread_mutex_unlock(&f->lock);
}

static void *fire(void *arg)
{
	struct firer *me = arg;
	struct firing *f = me->of;

	pin_to(me->cpu);
	while (!f->stop) {
		if (me->done >= f->target) {
			wait_for_more(me);
			continue;
		}
		f->work->unit();
		/* Grace periods should not have to wait for a tick. */
		if (++me->done % 8 == 0)
			sched_yield();
	}
	return NULL;
}

void firing_begin(struct regress *t, struct firing *f, const struct firing_work *work)
{
	cpu_set_t allowed;

	*f = (struct firing){ .t = t, .work = work };
	pthread_mutex_init(&f->lock, NULL);
	pthread_cond_init(&f->more, NULL);
	regress_expect(t, !sched_getaffinity(0, sizeof(allowed), &allowed), "sched_getaffinity: %s",
		       strerror(errno));
	for (int cpu = 0; cpu < CPU_SETSIZE && f->nr < FIRERS; cpu++) {
		struct firer *one = &f->list[f->nr];

		if (!CPU_ISSET(cpu, &allowed))
			continue;
		one->of = f;
		one->cpu = cpu;
		regress_expect(t, !pthread_create(&one->id, NULL, fire, one), "no thread");
		f->nr++;
	}
}

static void set_target(struct firing *f, uint64_t target, bool stop)
{
	pthread_mutex_lock(&f->lock);
	f->target = target;
	f->stop = stop;
	pthread_cond_broadcast(&f->more);
	pthread_mutex_unlock(&f->lock);
}

struct reached {
	const struct firing *f;
	uint64_t done[FIRERS];
};

static bool have_reached(void *arg)
{
	const struct reached *r = arg;

	for (unsigned int i = 0; i < r->f->nr; i++)
		if (r->f->list[i].done < r->done[i])
			return false;
	return true;
}

static void fire_each(struct firing *f, unsigned int units)
{
	struct reached r = { .f = f };
	uint64_t most = 0;

	for (unsigned int i = 0; i < f->nr; i++)
		most = f->list[i].done > most ? f->list[i].done : most;
	for (unsigned int i = 0; i < f->nr; i++)
		r.done[i] = most + units;
	set_target(f, most + units, false);
	regress_expect(f->t, regress_until(have_reached, &r), "threads do not get on");
}

void firing_each(struct firing *f, unsigned int units)
{
	/*
	 * A thread that has no target may be in the middle of a unit when the target is set:
	 * another round starts after it.
	 */
	if (f->target == UINT64_MAX)
		fire_each(f, units);
	fire_each(f, units);
}

void firing_always(struct firing *f)
{
	set_target(f, UINT64_MAX, false);
}

void firing_settle(struct firing *f, unsigned int units)
{
	struct reached r = { .f = f };

	for (unsigned int i = 0; i < f->nr; i++)
		r.done[i] = f->list[i].done + 1 + units;
	regress_expect(f->t, regress_until(have_reached, &r), "threads do not get on");
}

uint64_t firing_total(const struct firing *f)
{
	uint64_t total = 0;

	for (unsigned int i = 0; i < f->nr; i++)
		total += f->list[i].done;
	return total;
}

void firing_end(struct firing *f)
{
	set_target(f, 0, true);
	for (unsigned int i = 0; i < f->nr; i++)
		pthread_join(f->list[i].id, NULL);
	pthread_cond_destroy(&f->more);
	pthread_mutex_destroy(&f->lock);
}

/* --- the attachment --- */

void stress_spec(struct regress *t, const struct stress_kind *kind, struct event_spec *spec)
{
	const char *address = strstr(kind->event, "%p");
	char text[128];

	if (address)
		snprintf(text, sizeof(text), "%.*s%p%s", (int)(address - kind->event), kind->event,
			 (void *)&firing_watched, address + 2);
	else
		snprintf(text, sizeof(text), "%s", kind->event);
	regress_event(t, spec, text);
	if (spec->kind != EVENT_UPROBE)
		return;
	spec->resolved = true;
	spec->uprobe.file_offset = firing_function_offset();
}

void stress_begin(struct regress *t, struct stress *s, struct sys *sys,
		  const struct stress_kind *kind, const char *method,
		  const struct event_scope_options *asked)
{
	const struct event_scope_options all = { 0 };
	struct error err = { 0 };

	*s = (struct stress){ .t = t, .sys = sys, .kind = kind };
	stress_spec(t, kind, &s->spec);
	s->work = firing_work_find(&s->spec);
	s->method = attach_method_find(method, NULL);
	regress_expect(t, s->method, "no method %s", method);
	regress_ok(t, event_scope_init(sys, &s->scope, asked ? asked : &all, &err), &err, "scope");
	regress_ok(t, firing_prog_load(sys, &s->prog, event_prog_type(&s->spec), 1, &err), &err,
		   "program");
	if (!s->prog.tells_tasks)
		regress_skip(t, "bpf_get_ns_current_pid_tgid() is refused: runs of others are not "
				"told apart");
}

void stress_begin_self(struct regress *t, struct stress *s, int kind, const char *method)
{
	char self[16];
	const struct event_scope_options asked = { .threads = self, .no_inherit = true };

	snprintf(self, sizeof(self), "%d", gettid());
	stress_begin(t, s, t->sys, &stress_kinds[kind], method, &asked);
}

void stress_end(struct stress *s)
{
	stress_close(s);
	firing_prog_close(s->sys, &s->prog);
	event_scope_free(s->sys, &s->scope);
}

int stress_try_attach(struct stress *s, struct error *err)
{
	const struct attach_request req = {
		.method = s->method, .spec = &s->spec, .scope = &s->scope,
		.has_cookie = s->method->takes_cookie, .cookie = s->method->takes_cookie ? 77 : 0,
		.prog_fd = s->prog.prog_fd, .prog_type = s->prog.prog_type,
	};
	int ret = attach_prog(s->sys, &req, &s->set, err);

	if (ret >= 0)
		ret = attach_enable(s->sys, &s->set, err);
	if (ret < 0)
		attach_close(s->sys, &s->set);
	return ret;
}

int stress_ok(struct stress *s, int ret, const struct error *err, const char *what)
{
	if (ret == -ENOSPC && s->spec.kind == EVENT_BREAKPOINT)
		regress_skip(s->t, "every breakpoint of this machine is taken by others");
	return regress_ok(s->t, ret, err, what);
}

void stress_attach(struct stress *s)
{
	struct error err = { 0 };

	stress_ok(s, stress_try_attach(s, &err), &err, s->method->name);
}

void stress_close(struct stress *s)
{
	attach_close(s->sys, &s->set);
}

static struct firing_value read_value(const struct stress *s)
{
	struct firing_value value = { 0 };

	regress_ok(s->t, firing_prog_read(s->sys, &s->prog, &value), NULL, "reading the count");
	return value;
}

uint64_t stress_runs(const struct stress *s)
{
	return read_value(s).own.runs;
}

uint64_t stress_all(const struct stress *s)
{
	const struct firing_value value = read_value(s);

	return value.own.runs + value.others.runs;
}

void stress_quiet(struct stress *s, struct firing *f)
{
	uint64_t before;

	firing_settle(f, 0);
	before = stress_runs(s);
	firing_settle(f, s->work->load ? 3 : 20);
	regress_expect(s->t, stress_runs(s) == before,
		       "%llu runs after all was closed", (unsigned long long)(stress_runs(s) - before));
}
