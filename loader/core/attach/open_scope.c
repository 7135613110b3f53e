// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Describe an event to the kernel, and open it for each task and CPU in its scope. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/attach/steps.h"
#include "loader/core/event/scope.h"

void attach_note(const struct attach_set *set, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	if (!set->probes.note)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	set->probes.note(set->probes.note_arg, text);
}

/* The first half of a method: which event to open, and how often it samples. */
static int describe_event(struct sys *sys, struct attach_event *e, struct attach_set *set,
			  struct error *err)
{
	const struct attach_request *req = &e->req;
	int ret;

	e->attr.size = sizeof(e->attr);
	ret = attach_describe_feature(sys, e, set, err);
	if (!ret)
		ret = req->method->describe(sys, req->spec, &e->attr, &e->cpus, err);
	ret = ret < 0 ? ret : 0;
	if (!ret)
		ret = event_sampling(req->spec, req->period, req->freq, &e->attr, err);
	e->nr_probes = set->probes.nr;
	return ret;
}

/* Return true for a member of a group whose leader samples for all members (modifier :S). */
static bool leader_samples(const struct attach_event *e)
{
	const struct event_spec *spec = e->req.spec;

	return e->leader && !event_is_tracing(spec) && !spec->counts &&
	       e->leader->req.spec->modifiers.flags & EVENT_SAMPLE_READ;
}

int attach_describe(struct sys *sys, struct attach_event *e, struct attach_set *set,
		    struct error *err)
{
	const struct attach_request *req = &e->req;
	const bool tracing = event_is_tracing(req->spec);
	int ret = describe_event(sys, e, set, err);

	if (ret)
		return ret;
	/*
	 * Tracing events are not inherited: when a child with an inherited event exits, the kernel
	 * detaches the program from the parent's event, too.
	 */
	e->attr.inherit = req->scope->inherit && !tracing;
	e->attr.enable_on_exec = req->on_exec && !tracing && !e->leader;
	e->attr.disabled = !e->leader;	/* the leader enables its whole group */
	if (!leader_samples(e))
		return 0;
	e->attr.sample_period = e->attr.freq = e->attr.precise_ip = 0;
	attach_note(set, "event '%.128s': it only counts and never runs its program: with :S, the "
			 "group leader samples for all", req->spec->text);
	return 0;
}

/* Add the open event @fd to the list, along with what later steps need to know. */
static void add_attachment(struct attach_event *e, const struct event_target *target, int fd,
			   bool member, struct attach_set *set)
{
	set->list[set->nr++] = (struct attachment){
		.event_fd = fd, .link_fd = -1, .by_map = { .map_fd = -1 }, .target = *target,
		.prog = e->req.prog, .nr_probes = e->nr_probes, .on_exec = e->attr.enable_on_exec,
		.member = member, .is_kprobe = e->req.spec->kind == EVENT_KPROBE,
		.sleepable = e->req.sleepable,
		.precise = e->attr.precise_ip && !(e->attr.sample_type & PERF_SAMPLE_CALLCHAIN),
		.samples = e->attr.sample_period && !event_is_tracing(e->req.spec),
		.period = event_fixed_period(&e->attr),
		.stays = e->cpus.nr || event_is_tracing(e->req.spec),
	};
	e->nr++;
}

static int open_one(struct sys *sys, struct attach_event *e, const struct event_target *target,
		    unsigned int nr_targets, struct attach_set *set, struct error *err)
{
	const struct attach_progress progress = { .event = e, .done = e->nr, .all = nr_targets };
	int fd, group_fd;

	do {
		fd = attach_find_group(e, target, set, &group_fd, err);
		if (fd < 0)
			return fd;
		fd = event_open(sys, e->req.spec, &e->attr, target, group_fd, err);
	} while (attach_again(sys, progress, fd, set, err));
	if (fd < 0)
		return fd;
	add_attachment(e, target, fd, group_fd >= 0, set);
	return 0;
}

int attach_open(struct sys *sys, struct attach_event *e, struct attach_set *set, struct error *err)
{
	struct event_target *targets = NULL;
	struct attachment *list;
	int nr = event_targets(e->req.spec, e->req.scope, &e->cpus, &targets, err);
	int ret = nr < 0 ? nr : 0;

	e->first = set->nr;
	e->nr = 0;
	list = nr < 0 ? NULL : realloc(set->list, (set->nr + (size_t)nr) * sizeof(*list));
	if (list)
		set->list = list;
	else if (!ret)
		ret = error_set(err, ENOMEM, "no memory for %d attachments", nr);
	for (int i = 0; !ret && i < nr; i++) {
		ret = open_one(sys, e, &targets[i], nr, set, err);
		/* One tracing event is enough: its program runs for every task and CPU. */
		if (!ret && event_is_tracing(e->req.spec))
			break;
		/* A thread may have ended since the list was made. */
		if (ret == -ESRCH && targets[i].tid >= 0 && (i + 1 < nr || e->nr)) {
			error_clear(err);
			ret = 0;
		}
	}
	free(targets);
	return ret;
}
