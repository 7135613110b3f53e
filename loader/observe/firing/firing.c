// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tries one event by one method: opens and binds it, makes it happen, and counts the runs. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "loader/core/event/scope.h"
#include "loader/core/sys/refused.h"
#include "loader/observe/firing/firing.h"

#define UNITS_EXACT 20	/* if each unit is one event */
#define UNITS_MAX 50	/* at most, of a millisecond each, until the program has run */

const char *firing_outcome_name(enum firing_outcome outcome)
{
	static const char *const names[] = {
		[FIRING_FIRES] = "fires", [FIRING_SILENT] = "silent", [FIRING_UNKNOWN] = "unknown",
		[FIRING_ABSENT] = "absent", [FIRING_DENIED] = "denied",
		[FIRING_REFUSED] = "refused",
	};

	return names[outcome];
}

/* Return true if the reason is something that this machine lacks, with whatever errno. */
static bool is_absent(const char *reason)
{
	static const char *const beginnings[] = { "event/no-", "perf-open/no-pmu",
						  "perf-open/no-event", "perf-open/no-syscall",
						  "attach/link-unsupported", "probe/no-" };

	for (size_t i = 0; reason && i < sizeof(beginnings) / sizeof(beginnings[0]); i++)
		if (!strncmp(reason, beginnings[i], strlen(beginnings[i])))
			return true;
	return false;
}

enum firing_outcome firing_outcome_of(const struct error *err)
{
	/* First: without permission it is not known if something is missing. */
	if (sys_is_denial(err->reason) || err->code == -EPERM || err->code == -EACCES)
		return FIRING_DENIED;
	if (is_absent(err->reason))
		return FIRING_ABSENT;
	switch (-err->code) {
	case ENOENT:
	case ENODEV:
	case ENXIO:
	case EOPNOTSUPP:
	case KERNEL_ENOTSUPP:
		return FIRING_ABSENT;
	default:
		return FIRING_REFUSED;
	}
}

static void work(struct sys *sys, const struct firing_prog *p, struct firing_result *r)
{
	const unsigned int max = r->work->exact ? UNITS_EXACT : UNITS_MAX;

	while (r->units < max) {
		r->work->unit();
		r->units++;
		/* All units of exact work are done before the count is read. */
		if (r->work->exact && r->units < max)
			continue;
		if (firing_prog_read(sys, p, &r->counted) < 0)
			break;
		if (r->counted.own.runs || (!r->of_tasks && r->counted.others.runs))
			break;
	}
}

/*
 * attach_prog() refuses an event that never runs a program. Here that is to be shown, so attach it
 * to this thread without that check. It is a sampling event.
 */
static int run_anyway(struct sys *sys, const struct firing_request *t, const struct firing_prog *p,
		      struct firing_result *r)
{
	struct perf_event_attr attr = { .size = sizeof(attr), .sample_period = 1, .disabled = 1 };
	const struct event_target self = { .tid = 0, .cpu = -1 };
	struct attachment a = { .event_fd = -1, .link_fd = -1, .target = self };
	struct cpu_list cpus = { 0 };
	int ret = t->method->describe(sys, t->spec, &attr, &cpus, &r->err);

	cpu_list_free(&cpus);
	if (ret >= 0)
		ret = a.event_fd = event_open(sys, t->spec, &attr, &self, -1, &r->err);
	if (ret >= 0)
		ret = t->method->bind(sys, &a, p->prog_fd, t->cookie, &r->err);
	if (ret >= 0)
		ret = sys_ioctl(sys, a.event_fd, PERF_EVENT_IOC_ENABLE, 0);
	if (ret >= 0)
		work(sys, p, r);
	sys_close_fd(sys, &a.link_fd);
	sys_close_fd(sys, &a.event_fd);
	return ret;
}

static int run(struct sys *sys, const struct firing_request *t, struct event_scope *scope,
	       const struct firing_prog *p, struct firing_result *r)
{
	const struct attach_request req = {
		.method = t->method,
		.spec = t->spec,
		.scope = scope,
		.period = t->spec->has_freq || t->spec->has_period ? 0 : t->period,
		.has_cookie = t->method->takes_cookie,
		.cookie = t->method->takes_cookie ? t->cookie : 0,
		.prog_fd = p->prog_fd,
		.prog_type = p->prog_type,
	};
	struct attach_set set = { .enable = true };
	int ret = attach_prog(sys, &req, &set, &r->err);

	if (ret >= 0)
		work(sys, p, r);
	attach_close(sys, &set);
	return ret;
}

/* Run for this thread, or for all CPUs. */
static int run_over(struct sys *sys, const struct firing_request *t, const struct firing_prog *p,
		    struct firing_result *r)
{
	char self[16];
	const struct event_scope_options asked = {
		.threads = r->of_tasks ? self : NULL,
		.no_inherit = true,
	};
	struct event_scope scope;
	int ret;

	snprintf(self, sizeof(self), "%d", gettid());
	ret = event_scope_init(sys, &scope, &asked, &r->err);
	if (ret < 0)
		return ret;
	ret = run(sys, t, &scope, p, r);
	event_scope_free(sys, &scope);
	return ret;
}

void firing_run(struct sys *sys, const struct firing_request *t, struct firing_result *r)
{
	struct firing_prog p;
	int ret;

	*r = (struct firing_result){ .work = firing_work_find(t->spec), .of_tasks = true };
	ret = firing_prog_load(sys, &p, event_prog_type(t->spec), 1, &r->err);
	if (ret >= 0)
		ret = run_over(sys, t, &p, r);
	if (ret < 0 && r->err.reason && !strcmp(r->err.reason, "event/never-runs")) {
		error_clear(&r->err);
		ret = run_anyway(sys, t, &p, r);
	} else if (ret == -EINVAL && t->spec->kind == EVENT_PMU) {
		/* An uncore PMU cannot count single tasks. */
		error_clear(&r->err);
		r->of_tasks = false;
		ret = run_over(sys, t, &p, r);
	}
	if (ret < 0)
		r->outcome = firing_outcome_of(&r->err);
	else if (r->counted.own.runs || (!r->of_tasks && r->counted.others.runs))
		r->outcome = FIRING_FIRES;
	else
		r->outcome = r->work->certain ? FIRING_SILENT : FIRING_UNKNOWN;
	firing_prog_close(sys, &p);
}
