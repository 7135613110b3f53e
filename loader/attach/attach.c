// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* From a request to bound events, and back: open all, bind all, enable all, close all. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/attach/attach.h"
#include "loader/sys/error_call.h"

/* What the kernel would refuse with a bare EINVAL, or take and do nothing with. */
static int check_request(const struct attach_request *req, struct error *err)
{
	uint32_t wanted = event_prog_type(req->spec);

	if (req->has_cookie && !req->method->takes_cookie) {
		error_set(err, EINVAL, "method %s has no cookie", req->method->name);
		error_reason(err, "attach/no-cookie");
		error_hint(err, "leave --cookie out, or use --attach=link");
		return -EINVAL;
	}
	if (req->prog_type == wanted)
		return 0;
	error_set(err, EINVAL, "event '%s' does not run programs of type %u", req->spec->text,
		  req->prog_type);
	error_reason(err, "attach/prog-type");
	if (wanted == BPF_PROG_TYPE_TRACEPOINT)
		error_hint(err,
			   "a tracepoint runs SEC(\"tracepoint/category/name\") programs, type %u",
			   wanted);
	else if (wanted == BPF_PROG_TYPE_KPROBE)
		error_hint(err,
			   "a probe runs SEC(\"kprobe/...\") and SEC(\"uprobe/...\") programs, "
			   "type %u",
			   wanted);
	else
		error_hint(err, "a counted event runs SEC(\"perf_event\") programs, type %u",
			   wanted);
	return -EINVAL;
}

static int *link_of(struct attachment *a)
{
	return &a->link_fd;
}

static int *event_of(struct attachment *a)
{
	return &a->event_fd;
}

/*
 * Descriptors made one after the other mostly have numbers that follow each other: a run of them is
 * closed by one call, which on many CPUs is one instead of hundreds. Before Linux 5.9 one by one.
 */
static void close_all(struct sys *sys, struct attach_set *set, unsigned int from,
		      int *(*fd)(struct attachment *))
{
	for (unsigned int i = from, end; i < set->nr; i = end) {
		const int first = *fd(&set->list[i]);

		for (end = i + 1; end < set->nr && *fd(&set->list[end]) == first + (int)(end - i);)
			end++;
		if (first < 0 || end - i < 2 ||
		    sys_close_range(sys, first, first + (int)(end - i) - 1) < 0) {
			for (unsigned int j = i; j < end; j++)
				sys_close_fd(sys, fd(&set->list[j]));
		}
		for (unsigned int j = i; j < end; j++)
			*fd(&set->list[j]) = -1;
	}
}

/* Closes what stands in the list from @from on: links first, as a link holds on to its event. */
static int close_from(struct sys *sys, struct attach_set *set, unsigned int from)
{
	int ret = 0, left;

	for (unsigned int i = from; i < set->nr; i++) {
		left = attach_leave_map(sys, &set->list[i]);
		ret = ret < 0 ? ret : left;
	}
	close_all(sys, set, from, link_of);
	close_all(sys, set, from, event_of);
	set->nr = from;
	return ret;
}

/* How many probes the attachments before the @nr-th have made. */
static unsigned int probes_before(const struct attach_set *set, unsigned int nr)
{
	unsigned int probes = 0;

	for (unsigned int i = 0; i < nr; i++)
		if (set->list[i].nr_probes > probes)
			probes = set->list[i].nr_probes;
	return probes;
}

void attach_undo(struct sys *sys, struct attach_set *set, unsigned int from)
{
	close_from(sys, set, from);
	probes_remove(sys, &set->probes, probes_before(set, from));
}

static int open_all(struct sys *sys, const struct attach_request *req, struct perf_event_attr *attr,
		    const struct event_target *targets, unsigned int nr, struct attach_set *set,
		    struct error *err)
{
	unsigned int before = set->nr;

	for (unsigned int i = 0; i < nr; i++) {
		struct attachment *a = &set->list[set->nr];
		int fd = event_open(sys, req->spec, attr, &targets[i], -1, err);

		/* A thread may have ended since the threads were listed; its process goes on. */
		if (fd == -ESRCH && (i + 1 < nr || set->nr > before)) {
			if (err)
				error_clear(err);
			continue;
		}
		if (fd < 0)
			return fd;
		*a = (struct attachment){
			.event_fd = fd, .link_fd = -1, .target = targets[i], .prog = req->prog,
			.nr_probes = probes_nr(&set->probes),
			.on_exec = attr->enable_on_exec,
		};
		set->nr++;
		/* Its program runs for every task and CPU, and fits on no second event. */
		if (event_is_traced(req->spec))
			break;
	}
	return 0;
}

static void where_target(struct error *err, const struct event_target *target)
{
	if (target->tid >= 0)
		error_where(err, "task %d", target->tid);
	if (target->cgroup)
		error_where(err, "cgroup '%s'", target->cgroup->name);
	if (target->cpu >= 0)
		error_where(err, "CPU %d", target->cpu);
}

static int bind_all(struct sys *sys, const struct attach_request *req, struct attach_set *set,
		    unsigned int from, struct error *err)
{
	for (unsigned int i = from; i < set->nr; i++) {
		struct attachment *a = &set->list[i];
		int ret = req->method->bind(sys, a, req->prog_fd, req->cookie, err);

		if (ret == 0)
			continue;
		where_target(err, &a->target);
		error_where(err, "event '%s'", req->spec->text);
		return ret;
	}
	return 0;
}

/*
 * How the event is opened, and where. Returns how many targets or an error; *@targets is owned by
 * the caller. A probe is made here, and @attr points to @function then.
 */
static int plan(struct sys *sys, const struct attach_request *req, struct probes *probes,
		char function[PROBE_FUNCTION_MAX], struct perf_event_attr *attr,
		struct event_target **targets, struct error *err)
{
	struct cpu_list cpus = { 0 };
	int ret;

	*targets = NULL;
	memset(attr, 0, sizeof(*attr));
	attr->size = sizeof(*attr);
	if (event_is_probe(req->spec))
		ret = req->method->probe(sys, req->spec, probes, function, attr, err);
	else
		ret = req->method->describe(sys, req->spec, attr, &cpus, err);
	if (ret == 0)
		ret = event_sampling(req->spec, req->period, req->freq, attr, err);
	if (ret == 0)
		ret = event_targets(req->spec, req->scope, &cpus, targets, err);
	/*
	 * Never for tracing events: a child that inherited one and exits takes the program off the
	 * parent's, too.
	 */
	attr->inherit = req->scope->inherit && !event_is_traced(req->spec);
	attr->enable_on_exec = req->on_exec && !event_is_traced(req->spec);
	cpu_list_free(&cpus);
	return ret;
}

int attach_events(struct sys *sys, const struct attach_request *req, struct attach_set *set,
		  struct error *err)
{
	struct event_target *targets = NULL;
	const unsigned int before = set->nr;
	char function[PROBE_FUNCTION_MAX];
	struct perf_event_attr attr;
	struct attachment *list;
	int ret = plan(sys, req, &set->probes, function, &attr, &targets, err);

	if (ret < 0) {
		attach_undo(sys, set, before);
		return ret;
	}
	list = realloc(set->list, (before + (size_t)ret) * sizeof(*list));
	if (list) {
		set->list = list;
		ret = open_all(sys, req, &attr, targets, ret, set, err);
	} else {
		ret = error_set(err, ENOMEM, "no memory for %d attachments", ret);
	}
	if (ret == 0)
		ret = bind_all(sys, req, set, before, err);
	if (ret < 0)
		attach_undo(sys, set, before);
	free(targets);
	return ret;
}

int attach_prog(struct sys *sys, const struct attach_request *req, struct attach_set *set,
		struct error *err)
{
	int ret = check_request(req, err);

	if (ret < 0)
		return ret;
	if (attach_by_process(req))
		return attach_processes(sys, req, set, err);
	return attach_events(sys, req, set, err);
}

int attach_keep_link(struct sys *sys, struct attach_set *set, int link_fd, unsigned int prog,
		     struct error *err)
{
	struct attachment *list = realloc(set->list, (set->nr + 1) * sizeof(*list));

	if (!list) {
		sys_close_fd(sys, &link_fd);
		return error_set(err, ENOMEM, "no memory for an attachment");
	}
	set->list = list;
	list[set->nr++] = (struct attachment){
		.event_fd = -1,
		.link_fd = link_fd,
		.target = { .tid = -1, .cpu = -1 },
		.prog = prog,
	};
	return 0;
}

int attach_enable(struct sys *sys, struct attach_set *set, struct error *err)
{
	for (unsigned int i = 0; i < set->nr; i++) {
		int ret;

		if (set->list[i].event_fd < 0 || set->list[i].on_exec)
			continue;
		ret = sys_ioctl(sys, set->list[i].event_fd, PERF_EVENT_IOC_ENABLE, 0);
		if (ret >= 0)
			continue;
		error_set(err, -ret, "PERF_EVENT_IOC_ENABLE: %s", error_strerror(-ret));
		error_reason(err, "attach/enable");
		error_hint(err, "see dmesg, and whether its CPU is online");
		sys_error_ioctl(err, set->list[i].event_fd, PERF_EVENT_IOC_ENABLE, 0, -ret);
		where_target(err, &set->list[i].target);
		return ret;
	}
	return 0;
}

int attach_close(struct sys *sys, struct attach_set *set)
{
	int ret = close_from(sys, set, 0);

	probes_end(sys, &set->probes);
	free(set->list);
	set->list = NULL;
	return ret;
}
