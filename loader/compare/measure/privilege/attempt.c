// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The steps of attaching a cell, taken by a process with few privileges. */
#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "loader/base/text/names.h"
#include "loader/compare/measure/privilege/attempt.h"
#include "loader/events/probes/probes.h"

const char *const attempt_steps[STEP_NR] = { "find", "load", "open", "bind", "enable", "mmap",
					     "runs" };

static int try_find(struct attempt *r, struct error *err)
{
	const struct attach_method *m = r->fx->cell->method;
	const struct event_spec *spec = r->fx->s->spec;
	struct perf_event_attr attr = { .size = sizeof(attr) };
	char function[PROBE_FUNCTION_MAX];
	struct probes probes = { 0 };
	struct cpu_list cpus = { 0 };
	int ret;

	if (event_is_probe(spec))
		ret = probe_describe(m->probes_by_tracefs)(r->fx->sys, spec, &probes,
							   function, &attr, err);
	else
		ret = m->describe(r->fx->sys, spec, &attr, &cpus, err);
	probes_end(r->fx->sys, &probes);
	cpu_list_free(&cpus);
	return ret;
}

static int try_load(struct attempt *r, struct error *err)
{
	return firing_prog_load(r->fx->sys, &r->prog, event_prog_type(r->fx->s->spec), 1, err);
}

static int try_open(struct attempt *r, struct error *err)
{
	return fixture_open(r->fx, NULL, &r->a, err);
}

/* If an earlier step was refused, continue with the privileged process's program or event. */
static int try_bind(struct attempt *r, struct error *err)
{
	if (r->prog.prog_fd < 0)
		r->prog = r->fx->prog;
	if (r->a.event_fd < 0 && r->spare)
		r->a = *r->spare;
	return fixture_bind(r->fx, &r->a, r->prog.prog_fd, err);
}

static int try_enable(struct attempt *r, struct error *err)
{
	return fixture_enable(r->fx, &r->a, err);
}

/* The control page and one data page: any user may lock this much. */
static int try_mmap(struct attempt *r, struct error *err)
{
	const size_t size = 2 * getpagesize();
	long address = sys_mmap(r->fx->sys, size, PROT_READ | PROT_WRITE, MAP_SHARED,
				r->a.event_fd, 0);

	if (sys_failed(address))
		return error_set(err, -address, "mmap of the event: %s", error_strerror(-address));
	sys_munmap(r->fx->sys, (void *)address, size);
	return 0;
}

static int try_runs(struct attempt *r, struct error *err)
{
	const int64_t runs = fixture_runs_of_work(r->fx, &r->prog);

	if (runs > 0)
		return 0;
	return error_set(err, runs < 0 ? -runs : ENODATA, "%s",
			 runs < 0 ? "the count of runs is not known" : "it did not run");
}

static int (*const steps[STEP_NR])(struct attempt *r, struct error *err) = {
	try_find, try_load, try_open, try_bind, try_enable, try_mmap, try_runs,
};

int attempt_step(struct attempt *r, int step, struct error *err)
{
	return steps[step](r, err);
}

void attempt_failure(int step, const struct error *err, char *buf, size_t size)
{
	const char *name = sys_errno_name(-err->code);

	if (step == STEP_RUNS)
		snprintf(buf, size, "no runs");
	else
		snprintf(buf, size, "%s %s", attempt_steps[step], name ? name : "");
}

void attempt_put_failure(struct section *s, unsigned int row, int step, const struct error *err)
{
	char word[48];

	attempt_failure(step, err, word, sizeof(word));
	section_put(s, row, word, "%s", err->what);
}
