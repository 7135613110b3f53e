// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Attach a program many times in one way, and end the attachments in one of several ways. */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "loader/base/calls/processes.h"
#include "loader/compare/scale/scale_internal.h"
#include "loader/core/kernel/attr.h"
#include "loader/core/kernel/kernel.h"
#include "loader/events/probes/probes.h"
#include "loader/observe/firing/firing.h"

const char *const scale_end_names[SCALE_NR_ENDS] = {
	"close", "exit", "kill", "events_first", "disable", "threads",
};

/* --- one attachment --- */

/* Return location @i. If there are more attachments than locations, start over at the first. */
static void locate(struct scale_many *m, unsigned int i, struct event_spec *spec)
{
	static char text[] = WAITS_COMM;
	const unsigned int at = i % m->number;
	const struct scale_locations *l = m->locations;

	*spec = (struct event_spec){ .kind = EVENT_SOFTWARE, .text = text };
	switch (m->way->kind) {
	case SCALE_TRACEPOINT:
		*spec = l->tracepoints.specs[at];
		break;
	case SCALE_KPROBE:
		spec->kind = EVENT_KPROBE;
		spec->kprobe.symbol = l->functions[at];
		break;
	case SCALE_UPROBE:
	case SCALE_USDT:
		spec->kind = m->way->kind == SCALE_USDT ? EVENT_USDT : EVENT_UPROBE;
		spec->resolved = true;
		spec->uprobe.path = m->path;
		spec->uprobe.provider = spec->uprobe.symbol = text;
		spec->uprobe.file_offset = (uint64_t)at * SCALE_STRIDE;
		if (m->way->kind == SCALE_USDT)
			spec->uprobe.ref_ctr_offset =
				scale_many_semaphores_at(m) + at * sizeof(uint16_t);
		break;
	default:
		spec->fixed.config = m->way->kind == SCALE_CPUS ? PERF_COUNT_SW_CPU_CLOCK :
								  PERF_COUNT_SW_PAGE_FAULTS;
	}
}

/* Sampling events belong to one task or CPU; tracing events are opened on the first CPU. */
static struct event_target target_of(const struct scale_many *m, unsigned int i)
{
	const unsigned int at = i % m->number;

	switch (m->way->kind) {
	case SCALE_SOFTWARE:
		return (struct event_target){ .tid = 0, .cpu = -1 };
	case SCALE_CPUS:
		return (struct event_target){ .tid = -1, .cpu = m->locations->cpus.cpus[at] };
	case SCALE_TASKS:
		return (struct event_target){ .tid = m->tasks[at], .cpu = -1 };
	default:
		return (struct event_target){ .tid = -1, .cpu = 0 };
	}
}

/*
 * The attrs of probe PMUs differ in what they point to and in the semaphore's offset, which is in
 * the upper half of config. The files in sysfs are read only once.
 */
static int describe(struct scale_many *m, const struct event_spec *spec, struct error *err)
{
	struct perf_event_attr *attr = &m->attr;
	struct cpu_list cpus = { 0 };
	const bool is_probe = event_is_probe(spec);
	int ret = 0;

	if (is_probe && !m->way->by_tracefs && attr->size) {
		attr->config1 = attr_pointer(spec->kind == EVENT_KPROBE ? spec->kprobe.symbol :
									  spec->uprobe.path);
		attr->config2 = spec->kind == EVENT_KPROBE ? 0 : spec->uprobe.file_offset;
		if (spec->kind == EVENT_USDT)
			attr->config = (uint32_t)attr->config | spec->uprobe.ref_ctr_offset << 32;
		return 0;
	}
	*attr = (struct perf_event_attr){ .size = sizeof(*attr) };
	if (is_probe)
		ret = probe_describe(m->way->by_tracefs)(&m->sys, spec, &m->probes, m->symbol,
							 attr, err);
	else
		ret = event_by_type(&m->sys, spec, attr, &cpus, err);
	cpu_list_free(&cpus);
	if (!ret)
		ret = event_sampling(spec, m->way->kind == SCALE_CPUS ? 1000000000 : 1, 0, attr,
				     err);
	attr->disabled = 1;
	return ret;
}

static int attach_event(struct scale_many *m, unsigned int i, int prog_fd, struct error *err)
{
	const char *bind = m->way->bind == SCALE_LINK ? "link" : "ioctl";
	struct attachment *a = &m->list[m->nr++];
	struct event_spec spec;
	int ret;

	locate(m, i, &spec);
	*a = (struct attachment){ .event_fd = -1, .link_fd = -1, .target = target_of(m, i) };
	ret = describe(m, &spec, err);
	if (ret >= 0)
		ret = event_open(&m->sys, &spec, &m->attr, &a->target, -1, err);
	if (ret < 0)
		return ret;
	a->event_fd = ret;
	ret = attach_method_find(bind, NULL)->bind(&m->sys, a, prog_fd, 0, err);
	if (ret < 0)
		return ret;
	ret = sys_ioctl(&m->sys, a->event_fd, PERF_EVENT_IOC_ENABLE, 0);
	return ret < 0 ? error_set(err, -ret, "PERF_EVENT_IOC_ENABLE: %s", error_strerror(-ret)) :
			 0;
}

static int attach_raw(struct scale_many *m, unsigned int i, int prog_fd, struct error *err)
{
	const struct event_spec *spec = &m->locations->tracepoints.specs[i % m->number];
	union bpf_attr attr;
	int ret;

	memset(&attr, 0, sizeof(attr));
	attr.raw_tracepoint.name = attr_pointer(spec->tracepoint.name);
	attr.raw_tracepoint.prog_fd = prog_fd;
	ret = sys_bpf(&m->sys, BPF_RAW_TRACEPOINT_OPEN, &attr, ATTR_SIZE(raw_tracepoint.prog_fd));
	m->list[m->nr++] = (struct attachment){ .event_fd = -1, .link_fd = ret < 0 ? -1 : ret };
	return ret < 0 ? error_set(err, -ret, "BPF_RAW_TRACEPOINT_OPEN of %s: %s",
				   spec->tracepoint.name, error_strerror(-ret)) : 0;
}

/* The arrays of a multi link: function names, or file offsets of locations and semaphores. */
struct arrays {
	const char **names;
	uint64_t *offsets, *semaphores;
};

static void fill_multi(struct scale_many *m, unsigned int nr, int prog_fd, struct arrays *a,
		       union bpf_attr *attr)
{
	for (unsigned int i = 0; i < nr; i++) {
		struct event_spec spec;

		locate(m, i, &spec);
		if (!scale_many_is_user(m)) {
			a->names[i] = spec.kprobe.symbol;
			continue;
		}
		a->offsets[i] = spec.uprobe.file_offset;
		a->semaphores[i] = spec.uprobe.ref_ctr_offset;
	}
	memset(attr, 0, sizeof(*attr));
	attr->link_create.prog_fd = prog_fd;
	attr->link_create.attach_type = scale_many_attach_type(m);
	if (scale_many_is_user(m)) {
		attr->link_create.uprobe_multi.path = attr_pointer(m->path);
		attr->link_create.uprobe_multi.offsets = attr_pointer(a->offsets);
		if (m->way->kind == SCALE_USDT)
			attr->link_create.uprobe_multi.ref_ctr_offsets =
				attr_pointer(a->semaphores);
		attr->link_create.uprobe_multi.cnt = nr;
	} else {
		attr->link_create.kprobe_multi.syms = attr_pointer(a->names);
		attr->link_create.kprobe_multi.cnt = nr;
	}
}

static int attach_multi(struct scale_many *m, unsigned int nr, int prog_fd, struct error *err)
{
	struct arrays a = { calloc(nr, sizeof(*a.names)), calloc(nr, sizeof(*a.offsets)),
			    calloc(nr, sizeof(*a.semaphores)) };
	union bpf_attr attr;
	int ret = -ENOMEM;

	if (a.names && a.offsets && a.semaphores) {
		fill_multi(m, nr, prog_fd, &a, &attr);
		ret = sys_bpf(&m->sys, BPF_LINK_CREATE, &attr,
			      scale_many_is_user(m) ? ATTR_SIZE(link_create.uprobe_multi.pid) :
					   ATTR_SIZE(link_create.kprobe_multi.cookies));
	}
	free(a.names);
	free(a.offsets);
	free(a.semaphores);
	m->list[m->nr++] = (struct attachment){ .event_fd = -1, .link_fd = ret < 0 ? -1 : ret };
	return ret < 0 ? error_set(err, -ret, "BPF_LINK_CREATE of a multi link: %s",
				   error_strerror(-ret)) : 0;
}

static int attach_one(struct scale_many *m, unsigned int i, int prog_fd, struct error *err)
{
	if (m->way->bind == SCALE_MULTI)
		return attach_multi(m, i ? 1 : m->number, prog_fd, err);
	return m->way->bind == SCALE_RAW ? attach_raw(m, i, prog_fd, err) :
					   attach_event(m, i, prog_fd, err);
}

int scale_many_attach(struct scale_many *m, struct error *err)
{
	const unsigned int nr = m->way->bind == SCALE_MULTI ? 1 : m->number;
	int ret = 0;

	for (unsigned int i = 0; !ret && i < nr; i++)
		ret = attach_one(m, i, m->prog_fds[0], err);
	return ret;
}

/* --- the end --- */

static void close_one(struct scale_many *m, struct attachment *a, enum scale_end end)
{
	if (end == SCALE_DISABLE && a->event_fd >= 0)
		sys_ioctl(&m->sys, a->event_fd, PERF_EVENT_IOC_DISABLE, 0);
	if (end == SCALE_EVENTS_FIRST)
		sys_close_fd(&m->sys, &a->event_fd);
	sys_close_fd(&m->sys, &a->link_fd);
	sys_close_fd(&m->sys, &a->event_fd);
}

/* Tasks that share the descriptors close some of them each. */
static int close_by_tasks(struct scale_many *m, struct error *err)
{
	pid_t tasks[SCALE_CLOSERS];
	siginfo_t info;
	int ret = 0;

	for (unsigned int t = 0; t < SCALE_CLOSERS; t++) {
		tasks[t] = sys_fork(&m->sys, CLONE_FILES | SIGCHLD);
		if (tasks[t] < 0)
			ret = tasks[t];
		if (tasks[t])
			continue;
		for (unsigned int i = t; i < m->nr; i += SCALE_CLOSERS)
			close_one(m, &m->list[i], SCALE_CLOSE);
		sys_exit_group(m->next, 0);
	}
	for (unsigned int t = 0; t < SCALE_CLOSERS; t++)
		if (tasks[t] > 0)
			sys_waitid(&m->sys, tasks[t], &info, WEXITED);
	return ret < 0 ? error_set(err, -ret, "clone: %s", error_strerror(-ret)) : 0;
}

int scale_many_detach(struct scale_many *m, enum scale_end end, struct error *err)
{
	int ret = 0;

	if (end == SCALE_THREADS)
		ret = close_by_tasks(m, err);
	else
		for (unsigned int i = 0; i < m->nr; i++)
			close_one(m, &m->list[i], end);
	probes_end(&m->sys, &m->probes);
	return ret;
}

/* Task events are not tied to a location, so the second one is simply another event. */
int scale_many_attach_second(struct scale_many *m, struct error *err)
{
	return attach_one(m, m->number, m->prog_fds[1], err);
}

void scale_many_detach_second(struct scale_many *m)
{
	close_one(m, &m->list[--m->nr], SCALE_CLOSE);
	probes_remove(&m->sys, &m->probes, m->nr);
}

/* --- hits --- */

#define LOOP_NS 500000
#define LOOPS 7

static void hit(const struct scale_many *m)
{
	switch (m->way->kind) {
	case SCALE_TRACEPOINT:
		prctl(PR_SET_NAME, WAITS_COMM);
		break;
	case SCALE_KPROBE:
		getppid();
		break;
	case SCALE_UPROBE:
	case SCALE_USDT:
		m->function();
		break;
	default: {
		struct event_spec spec = { .kind = EVENT_SOFTWARE };

		spec.fixed.config = PERF_COUNT_SW_PAGE_FAULTS;
		firing_work_find(&spec)->unit();
	}
	}
}

static uint64_t take(const struct scale_many *m, unsigned int units)
{
	const uint64_t begin = sys_monotonic_ns();

	for (unsigned int i = 0; i < units; i++)
		hit(m);
	return sys_monotonic_ns() - begin;
}

/* Disturbances only make a loop slower, so the fastest counts. */
uint64_t scale_many_hit_ns(const struct scale_many *m)
{
	uint64_t best = SCALE_UNKNOWN, ns;
	unsigned int units = 1;

	if (m->way->kind == SCALE_CPUS || m->way->kind == SCALE_TASKS)
		return SCALE_UNKNOWN;
	while (take(m, units) < LOOP_NS && units < 1u << 20)
		units *= 2;
	for (int i = 0; i < LOOPS; i++) {
		ns = take(m, units);
		best = ns < best ? ns : best;
	}
	return (best + units / 2) / units;
}

uint64_t scale_many_runs(const struct scale_many *m)
{
	const uint32_t zero = 0;
	uint64_t runs = 0;

	return map_lookup(m->next, m->map_fd, &zero, &runs) < 0 ? 0 : runs;
}
