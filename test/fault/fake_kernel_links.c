// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The fake kernel's links and ids: their holders, the iteration over ids, the info of links. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "test/fault/fake_kernel_parts.h"

/* --- holders of an object --- */

static bool has_fd(const struct fake_kernel *k, enum sim_kind kind, const void *what)
{
	for (unsigned int i = SIM_FIRST_FD; i < k->fds.nr; i++) {
		const struct fake_fd *fd = sim_fd_get(&k->fds, i);

		if (fd && fd->kind == kind &&
		    (fd->map == what || fd->prog == what || fd->link == what))
			return true;
	}
	return false;
}

static bool has_pin(const struct fake_kernel *k, const void *what)
{
	for (unsigned int i = 0; i < k->nr_pins; i++)
		if (k->pins[i].map == what || k->pins[i].prog == what || k->pins[i].link == what)
			return true;
	return false;
}

static bool prog_lives(const struct fake_kernel *k, const struct fake_prog *prog)
{
	for (unsigned int i = 0; i < k->nr_links; i++)
		if (!k->links[i]->gone && k->links[i]->prog == prog)
			return true;
	for (unsigned int i = 0; i < k->nr_events; i++)
		if (k->events[i]->open && k->events[i]->prog == prog)
			return true;
	return has_fd(k, SIM_PROG, prog) || has_pin(k, prog);
}

static bool map_lives(const struct fake_kernel *k, const struct fake_map *map)
{
	return has_fd(k, SIM_MAP, map) || has_pin(k, map);
}

struct fake_link *fake_link_new(struct fake_kernel *k, struct fake_prog *prog,
				struct fake_event *event)
{
	struct fake_link *link = fake_grow(NULL, 0, sizeof(*link));

	*link = (struct fake_link){ .id = ++k->last_id, .prog = prog, .event = event };
	link->cookie = event ? event->cookie : 0;
	k->links = fake_grow(k->links, k->nr_links, sizeof(*k->links));
	k->links[k->nr_links++] = link;
	return link;
}

static void end(struct fake_link *link)
{
	link->gone = true;
	if (link->event)
		link->event->prog = NULL;
}

void fake_links_released(struct fake_kernel *k)
{
	for (unsigned int i = 0; i < k->nr_links; i++) {
		struct fake_link *link = k->links[i];

		if (link->gone || link->lingers || has_fd(k, SIM_LINK, link) || has_pin(k, link))
			continue;
		link->lingers = k->linger;
		if (!link->lingers)
			end(link);
	}
}

void fake_kernel_linger(struct fake_kernel *k, unsigned int walks)
{
	k->linger = walks;
}

struct fake_link *fake_kernel_link(struct fake_kernel *k, unsigned int i)
{
	return i < k->nr_links ? k->links[i] : NULL;
}

/* --- ids: an object that is created later has a higher one --- */

long fake_link_next_id(struct fake_kernel *k, union bpf_attr *attr)
{
	if (fake_too_old(k, FAKE_NO_LINK_ID))
		return -EINVAL;
	for (unsigned int i = 0; i < k->nr_links; i++) {
		struct fake_link *link = k->links[i];

		if (link->gone || link->id <= attr->start_id)
			continue;
		if (link->lingers && !--link->lingers)
			end(link);
		attr->next_id = link->id;
		return 0;
	}
	return -ENOENT;
}

long fake_link_by_id(struct fake_kernel *k, union bpf_attr *attr)
{
	for (unsigned int i = 0; i < k->nr_links; i++) {
		struct fake_fd *fd;
		int nr;

		if (k->links[i]->id != attr->link_id || k->links[i]->gone)
			continue;
		nr = fake_fd_new(k, SIM_LINK, &fd);
		if (nr >= 0)
			fd->link = k->links[i];
		return nr;
	}
	return -ENOENT;
}

/* Links of events have no ->detach(). */
long fake_link_detach(struct fake_kernel *k, union bpf_attr *attr)
{
	int code;
	struct fake_fd *fd = sim_fd_as(&k->fds, attr->link_detach.link_fd, SIM_LINK, &code);

	if (!fd)
		return code;
	return fd->link->event ? -EOPNOTSUPP : 0;
}

long fake_prog_next_id(struct fake_kernel *k, union bpf_attr *attr)
{
	for (unsigned int i = 0; i < k->nr_progs; i++) {
		if (k->progs[i]->id <= attr->start_id || !prog_lives(k, k->progs[i]))
			continue;
		attr->next_id = k->progs[i]->id;
		return 0;
	}
	return -ENOENT;
}

long fake_prog_by_id(struct fake_kernel *k, union bpf_attr *attr)
{
	for (unsigned int i = 0; i < k->nr_progs; i++) {
		struct fake_fd *fd;
		int nr;

		if (k->progs[i]->id != attr->prog_id || !prog_lives(k, k->progs[i]))
			continue;
		nr = fake_fd_new(k, SIM_PROG, &fd);
		if (nr >= 0)
			fd->prog = k->progs[i];
		return nr;
	}
	return -ENOENT;
}

long fake_map_next_id(struct fake_kernel *k, union bpf_attr *attr)
{
	for (unsigned int i = 0; i < k->nr_maps; i++) {
		if (k->maps[i]->id <= attr->start_id || !map_lives(k, k->maps[i]))
			continue;
		attr->next_id = k->maps[i]->id;
		return 0;
	}
	return -ENOENT;
}

long fake_map_by_id(struct fake_kernel *k, union bpf_attr *attr)
{
	for (unsigned int i = 0; i < k->nr_maps; i++) {
		struct fake_fd *fd;
		int nr;

		if (k->maps[i]->id != attr->map_id || !map_lives(k, k->maps[i]))
			continue;
		nr = fake_fd_new(k, SIM_MAP, &fd);
		if (nr >= 0)
			fd->map = k->maps[i];
		return nr;
	}
	return -ENOENT;
}

/* --- the info of a link --- */

/*
 * As in bpf_copy_to_user() (kernel/bpf/syscall.c), a name that is too long is truncated, and an
 * error.
 */
static int put_name(uint64_t to, uint32_t room, const char *name)
{
	const size_t size = strlen(name) + 1;

	if (!to != !room)
		return -EINVAL;
	if (!to)
		return 0;
	memcpy((char *)to, name, size < room ? size : room);
	if (size <= room)
		return 0;
	((char *)to)[room - 1] = '\0';
	return -ENOSPC;
}

/* bpf_perf_link_fill_link_info(). There is one tracepoint. */
static int event_info(const struct fake_link *link, struct bpf_link_info *info)
{
	int ret;

	if (link->event->attr.type != PERF_TYPE_TRACEPOINT) {
		info->perf_event.type = BPF_PERF_EVENT_EVENT;
		info->perf_event.event.type = link->event->attr.type;
		info->perf_event.event.config = link->event->attr.config;
		info->perf_event.event.cookie = link->cookie;
		return 0;
	}
	ret = put_name(info->perf_event.tracepoint.tp_name, info->perf_event.tracepoint.name_len,
		       "sched_switch");
	info->perf_event.type = BPF_PERF_EVENT_TRACEPOINT;
	info->perf_event.tracepoint.name_len = sizeof("sched_switch");
	info->perf_event.tracepoint.cookie = link->cookie;
	return ret;
}

int fake_link_info(const struct fake_link *link, struct bpf_link_info *info)
{
	info->id = link->id;
	info->prog_id = link->prog->id;
	if (link->event) {
		info->type = BPF_LINK_TYPE_PERF_EVENT;
		return event_info(link, info);
	}
	switch (link->prog->attr.prog_type) {
	case BPF_PROG_TYPE_XDP:
		info->type = BPF_LINK_TYPE_XDP;
		info->xdp.ifindex = 1;
		return 0;
	case BPF_PROG_TYPE_SCHED_CLS:
		info->type = BPF_LINK_TYPE_TCX;
		info->tcx.ifindex = 1;
		info->tcx.attach_type = BPF_TCX_INGRESS;
		return 0;
	default:
		info->type = BPF_LINK_TYPE_TRACING;
		info->tracing.attach_type = link->prog->attr.expected_attach_type;
		return 0;
	}
}

/* --- descriptors of other processes --- */

void fake_kernel_query(struct fake_kernel *k, uint32_t pid, uint32_t fd, int code, uint32_t prog_id,
		       uint32_t type, const char *name)
{
	k->queries = fake_grow(k->queries, k->nr_queries, sizeof(*k->queries));
	k->queries[k->nr_queries++] = (struct fake_query){
		.pid = pid, .fd = fd, .code = code, .prog_id = prog_id, .type = type, .name = name,
	};
}

long fake_task_fd_query(struct fake_kernel *k, union bpf_attr *attr)
{
	for (unsigned int i = 0; i < k->nr_queries; i++) {
		const struct fake_query *q = &k->queries[i];
		int ret;

		if (q->pid != attr->task_fd_query.pid || q->fd != attr->task_fd_query.fd)
			continue;
		if (q->code)
			return -q->code;
		ret = put_name(attr->task_fd_query.buf, attr->task_fd_query.buf_len, q->name);
		attr->task_fd_query.buf_len = strlen(q->name);
		attr->task_fd_query.prog_id = q->prog_id;
		attr->task_fd_query.fd_type = q->type;
		return ret;
	}
	return -ENOENT;
}
