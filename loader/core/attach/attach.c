// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The idea of pload: open the events, bind a program to each, enable them, and finally close them.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/attach/steps.h"
#include "loader/core/kernel/attr.h"
#include "loader/core/sys/refused.h"

static int *link_of(struct attachment *a)
{
	return &a->link_fd;
}

static int *event_of(struct attachment *a)
{
	return &a->event_fd;
}

/*
 * Descriptors opened in sequence usually have consecutive numbers. A single close_range(2) (Linux
 * 5.9) closes such a run, which saves hundreds of calls with many CPUs. The kernel drops the files
 * when the call returns, last one first: task_work_run().
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

/* BPF_PROG_DETACH for an attachment to a map without a link. */
static int detach_from_map(struct sys *sys, struct attachment *a)
{
	const struct attached_to_map by = a->by_map;
	union bpf_attr attr;

	a->by_map.map_fd = -1;
	if (by.map_fd < 0)
		return 0;
	memset(&attr, 0, sizeof(attr));
	attr.target_fd = by.map_fd;
	attr.attach_bpf_fd = by.prog_fd;
	attr.attach_type = by.attach_type;
	return sys_bpf(sys, BPF_PROG_DETACH, &attr, ATTR_SIZE(attach_flags));
}

/* Close the attachments from @from on, links before events, because a link holds its event. */
static int close_from(struct sys *sys, struct attach_set *set, unsigned int from)
{
	int ret = 0, left;

	for (unsigned int i = from; i < set->nr; i++) {
		left = detach_from_map(sys, &set->list[i]);
		ret = ret < 0 ? ret : left;
	}
	close_all(sys, set, from, link_of);
	close_all(sys, set, from, event_of);
	set->nr = from;
	return ret;
}

void attach_undo(struct sys *sys, struct attach_set *set, unsigned int from)
{
	unsigned int nr_probes = 0;

	close_from(sys, set, from);
	for (unsigned int i = 0; i < from; i++)
		if (set->list[i].nr_probes > nr_probes)
			nr_probes = set->list[i].nr_probes;
	attach_closed(sys, set, nr_probes);
}

/*
 * Reject what the kernel answers with a bare EINVAL or accepts without effect:
 *  - an event that the method cannot open;
 *  - a cookie that the method cannot pass;
 *  - a program of a type that the event cannot run.
 */
static int check_requests(const struct attach_request *reqs, unsigned int nr,
			  struct attach_set *set, struct error *err)
{
	for (unsigned int i = 0; i < nr; i++) {
		const struct attach_request *req = &reqs[i];
		const uint32_t wanted = event_prog_type(req->spec);

		set->failed = i;
		if (attach_method_check(req->method, req->spec, err))
			return -ENOTSUP;
		if (attach_cookie_check(req->method, req->has_cookie, err))
			return -EINVAL;
		if (req->prog_type == wanted)
			continue;
		error_set(err, EINVAL, "event '%s' cannot run programs of type %u",
			  req->spec->text, req->prog_type);
		error_reason(err, "attach/prog-type");
		return error_hint(err, "%s programs, type %u",
				  wanted == BPF_PROG_TYPE_TRACEPOINT ?
				  "a tracepoint runs SEC(\"tracepoint/category/name\")" :
				  wanted == BPF_PROG_TYPE_KPROBE ?
				  "a probe runs SEC(\"kprobe/...\") and SEC(\"uprobe/...\")" :
				  "a sampling event runs SEC(\"perf_event\")", wanted);
	}
	return 0;
}

static int describe_all(struct sys *sys, struct attach_events *all, struct attach_set *set,
			struct error *err)
{
	int ret = 0;

	for (unsigned int i = 0; !ret && i < all->nr; i++) {
		set->failed = all->list[i].index;
		ret = attach_describe(sys, &all->list[i], set, err);
	}
	return ret;
}

/* It does not matter that a process has ended, as long as the event is open in another one. */
static bool process_ended(const struct attach_events *all, unsigned int i)
{
	const struct attach_event *list = all->list;
	bool others = i + 1 < all->nr && list[i + 1].index == list[i].index;

	for (unsigned int k = 0; k < i; k++)
		others |= list[k].index == list[i].index && list[k].nr;
	return others;
}

/* Open all events. A thread that started in the meantime has none: close all and start over. */
static int open_all(struct sys *sys, struct attach_events *all, struct attach_set *set,
		    struct error *err)
{
	const unsigned int before = set->nr;
	unsigned int round = 0;
	int ret;

	do {
		close_from(sys, set, before);
		for (unsigned int i = 0; i < all->nr; i++) {
			set->failed = all->list[i].index;
			ret = attach_open(sys, &all->list[i], set, err);
			if (ret == -ESRCH && process_ended(all, i))
				error_clear(err);
			else if (ret < 0)
				return ret;
		}
		ret = attach_opened(sys, all, ++round, set, err);
	} while (ret > 0);
	return ret;
}

static int bind_all(struct sys *sys, const struct attach_events *all, struct attach_set *set,
		    struct error *err)
{
	for (unsigned int i = 0; i < all->nr; i++) {
		struct attach_event *e = &all->list[i];
		const struct attach_request *req = &e->req;

		set->failed = e->index;
		/* An event without a sampling period (:S) never runs a program. */
		for (unsigned int n = 0; e->attr.sample_period && n < e->nr; n++) {
			const struct attach_progress progress = { e, true, n, e->nr };
			struct attachment *a = &set->list[e->first + n];
			int ret;

			do
				ret = req->method->bind(sys, a, req->prog_fd, req->cookie, err);
			while (attach_again(sys, progress, ret, set, err));
			if (ret < 0) {
				event_target_context(err, &a->target);
				return error_where(err, "event '%s'", req->spec->text);
			}
		}
	}
	return 0;
}

int attach_events(struct sys *sys, const struct attach_request *reqs, unsigned int nr,
		  struct attach_set *set, struct error *err)
{
	const unsigned int before = set->nr;
	struct attach_events all = { 0 };
	int ret;

	ret = check_requests(reqs, nr, set, err);
	if (!ret)
		ret = attach_list_events(sys, reqs, nr, &all, set, err);
	if (!ret)
		ret = describe_all(sys, &all, set, err);
	if (!ret)
		ret = open_all(sys, &all, set, err);
	if (!ret)
		ret = bind_all(sys, &all, set, err);
	if (!ret && set->enable)
		ret = attach_enable_from(sys, set, before, err);
	if (ret < 0)
		attach_undo(sys, set, before);
	attach_events_free(&all);
	return ret;
}

int attach_enable_from(struct sys *sys, struct attach_set *set, unsigned int from,
		       struct error *err)
{
	for (unsigned int i = from; i < set->nr; i++) {
		const struct attachment *a = &set->list[i];
		const unsigned long flags = a->leads ? PERF_IOC_FLAG_GROUP : 0;
		int ret;

		if (a->event_fd < 0 || a->on_exec || a->member)
			continue;
		ret = sys_ioctl(sys, a->event_fd, PERF_EVENT_IOC_ENABLE, flags);
		if (ret >= 0)
			continue;
		error_set(err, -ret, "PERF_EVENT_IOC_ENABLE: %s", error_strerror(-ret));
		error_reason(err, "attach/enable");
		error_hint(err, "check dmesg, and whether the CPU is online");
		sys_error_ioctl(err, a->event_fd, PERF_EVENT_IOC_ENABLE, flags, -ret);
		event_target_context(err, &a->target);
		return ret;
	}
	return 0;
}

int attach_add_link(struct sys *sys, struct attach_set *set, int link_fd, unsigned int prog,
		    struct error *err)
{
	struct attachment *list = realloc(set->list, (set->nr + 1) * sizeof(*list));

	if (!list) {
		sys_close_fd(sys, &link_fd);
		return error_set(err, ENOMEM, "no memory for an attachment");
	}
	set->list = list;
	list[set->nr++] = (struct attachment){
		.event_fd = -1, .link_fd = link_fd, .by_map = { .map_fd = -1 },
		.target = { .tid = -1, .cpu = -1 }, .prog = prog,
	};
	return 0;
}

int attach_close(struct sys *sys, struct attach_set *set)
{
	int ret;

	attach_end(sys, set, false);
	ret = close_from(sys, set, 0);
	attach_end(sys, set, true);
	free(set->list);
	set->list = NULL;
	return ret;
}
