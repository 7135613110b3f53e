// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The steps of attaching one cell, and the work that makes its event happen. */
#include <errno.h>
#include <string.h>

#include "loader/compare/measure/compare.h"
#include "loader/core/kernel/kernel.h"
#include "loader/core/sys/refused.h"
#include "loader/base/kernel/kernel_calls.h"
#include "loader/events/probes/probes.h"

#define UNITS_COUNTED 20	/* if each unit is one event */
#define UNITS_TIMED 50		/* at most, 1 ms each, until the program runs */

static bool never_runs(const struct error *err)
{
	return err->reason && !strcmp(err->reason, "event/never-runs");
}

static int describe(const struct compare_subject *s, const struct compare_cell *cell,
		    struct compare_event *e, struct error *err)
{
	const struct attach_method *m = cell->method;
	struct cpu_list cpus = { 0 };
	struct error why = { 0 };
	const bool own = s->spec->has_period || s->spec->has_freq;
	int ret = attach_method_check(m, s->spec, err);

	if (ret < 0)
		return ret;
	if (event_is_probe(s->spec))
		ret = probe_describe(m->probes_by_tracefs)(s->sys, s->spec, &e->probes,
							   e->function, &e->attr, err);
	else
		ret = m->describe(s->sys, s->spec, &e->attr, &cpus, err);
	cpu_list_free(&cpus);
	if (ret < 0)
		return ret;
	ret = event_sampling(s->spec, own ? 0 : s->period, 0, &e->attr, &why);
	/* Other commands reject an event that never runs a program. Here, that is a result. */
	if (ret < 0 && never_runs(&why)) {
		e->attr.sample_period = s->spec->has_period || s->spec->has_freq ? 0 : 1;
		ret = 0;
	} else if (ret < 0 && err) {
		*err = why;	/* there is no log to own */
	}
	e->attr.disabled = 1;
	return ret;
}

int compare_open_as(const struct compare_subject *s, const struct compare_cell *cell,
		    void (*change)(struct perf_event_attr *attr), struct compare_event *e,
		    struct error *err)
{
	int ret;

	memset(e, 0, sizeof(*e));
	e->attr.size = sizeof(e->attr);
	e->a = (struct attachment){ .event_fd = -1, .link_fd = -1, .target = s->target };
	ret = describe(s, cell, e, err);
	if (ret < 0)
		return ret;
	if (change)
		change(&e->attr);
	ret = event_open(s->sys, s->spec, &e->attr, &s->target, -1, err);
	if (ret < 0)
		return ret;
	e->a.event_fd = ret;
	return 0;
}

int compare_open(const struct compare_subject *s, const struct compare_cell *cell,
		 struct compare_event *e, struct error *err)
{
	return compare_open_as(s, cell, NULL, e, err);
}

int compare_bind(const struct compare_subject *s, const struct compare_cell *cell,
		 struct compare_event *e, int prog_fd, struct error *err)
{
	const struct attach_method *m = cell->method;

	return m->bind(s->sys, &e->a, prog_fd, m->takes_cookie ? s->cookie : 0, err);
}

int compare_enable(const struct compare_subject *s, struct compare_event *e, struct error *err)
{
	int ret = sys_ioctl(s->sys, e->a.event_fd, PERF_EVENT_IOC_ENABLE, 0);

	if (ret >= 0)
		return 0;
	error_set(err, -ret, "PERF_EVENT_IOC_ENABLE: %s", error_strerror(-ret));
	error_reason(err, "attach/enable");
	return sys_error_ioctl(err, e->a.event_fd, PERF_EVENT_IOC_ENABLE, 0, -ret);
}

static int not_loaded(const struct compare_subject *s, struct error *err)
{
	if (!err)
		return s->no_prog.code;
	*err = s->no_prog;
	err->log = NULL;	/* owned by the subject */
	return err->code;
}

int compare_attach(const struct compare_subject *s, const struct compare_cell *cell,
		   const struct firing_prog *prog, struct compare_event *e, struct error *err)
{
	int ret = compare_open(s, cell, e, err);

	if (!ret && prog->prog_fd < 0)
		ret = not_loaded(s, err);
	if (!ret)
		ret = compare_bind(s, cell, e, prog->prog_fd, err);
	return ret ? ret : compare_enable(s, e, err);
}

void compare_close(const struct compare_subject *s, struct compare_event *e)
{
	sys_close_fd(s->sys, &e->a.link_fd);
	sys_close_fd(s->sys, &e->a.event_fd);
	probes_end(s->sys, &e->probes);
}

/* --- work --- */

/* Read the number of runs; NULL: of the user's program, which the kernel counts. */
static int read_runs(const struct compare_subject *s, const struct firing_prog *prog,
		     struct firing_value *value)
{
	struct bpf_prog_info info;
	int ret;

	if (prog)
		return firing_prog_read(s->sys, prog, value);
	ret = kernel_prog_info(s->sys, s->object->prog_fd, &info);
	*value = (struct firing_value){ .own.runs = ret < 0 ? 0 : info.run_cnt };
	return ret;
}

static void subtract(struct firing_value *after, const struct firing_value *before)
{
	after->own.runs -= before->own.runs;
	after->others.runs -= before->others.runs;
}

int compare_work(const struct compare_subject *s, const struct firing_prog *prog,
		 struct compare_runs *r)
{
	const bool counted = s->work->certain && !s->work->load;
	const unsigned int max = counted ? UNITS_COUNTED : UNITS_TIMED;
	struct firing_value before = { 0 };
	int ret = read_runs(s, prog, &before);

	*r = (struct compare_runs){ 0 };
	while (ret >= 0 && r->units < max && !r->runs) {
		s->work->unit();
		r->units++;
		if (counted && r->units < max)
			continue;
		ret = read_runs(s, prog, &r->more);
		if (ret < 0)
			break;
		subtract(&r->more, &before);
		r->runs = r->more.own.runs + (s->target.tid < 0 ? r->more.others.runs : 0);
	}
	return ret < 0 ? ret : 0;
}
