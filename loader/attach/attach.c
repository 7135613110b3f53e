// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* From a request to bound events, and back: open all, bind all, enable all, close all. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/attach/attach_internal.h"
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
 * The kernel lets go of them on the way out of the call, of the last one first: task_work_run().
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
		left = attach_detach_from_map(sys, &set->list[i]);
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

/* --- a group --- */

/* How often it is looked for threads that started while events were opened for the others. */
#define ROUNDS 4

struct group {
	struct opening *openings;	/* owned; the first leads */
	unsigned int nr;
	unsigned int leaders, nr_leaders;	/* of a leader opened before: its attachments */
};

static void group_free(struct group *g)
{
	for (unsigned int i = 0; i < g->nr; i++)
		cpu_list_free(&g->openings[i].cpus);
	free(g->openings);
}

/*
 * Where the attachments of the leader are, when it has been opened before: the last of them, which
 * are those of a CPU that has just come online.
 */
static void find_leaders(const struct attach_request *req, const struct attach_set *set,
			 struct group *g)
{
	unsigned int end = set->nr, first;

	if (!req->joins)
		return;
	while (end && set->list[end - 1].prog != req->leader)
		end--;
	for (first = end; first && set->list[first - 1].prog == req->leader;)
		first--;
	g->leaders = first;
	g->nr_leaders = end - first;
}

static int describe_all(struct sys *sys, const struct attach_request *reqs, struct group *g,
			struct attach_set *set, struct error *err)
{
	struct opening before = { .req = reqs };	/* the leader's, of which the modifiers
							 * matter */
	int ret = 0;

	for (unsigned int i = 0; !ret && i < g->nr; i++) {
		struct opening *o = &g->openings[i];

		set->failed = i;
		o->req = &reqs[i];
		ret = opening_describe(sys, o, i ? g->openings : g->nr_leaders ? &before : NULL,
				       set, err);
	}
	return ret;
}

static int open_all(struct sys *sys, struct group *g, struct attach_set *set, struct error *err)
{
	struct opening *o = g->openings;
	int ret;

	set->failed = 0;
	ret = opening_open(sys, o, g->leaders, g->nr_leaders, set, err);
	for (unsigned int i = 1; ret == 0 && i < g->nr; i++) {
		const unsigned int before = set->nr;

		set->failed = i;
		ret = opening_open(sys, &o[i], o->first, o->nr, set, err);
		if (ret == 0 && o->nr && set->nr > before && set->list[before].follows)
			for (unsigned int l = 0; l < o->nr; l++)
				set->list[o->first + l].leads = true;
	}
	return ret;
}

/*
 * What a thread starts inherits the events that it has then. Threads that were started before
 * theirs was open, and were not yet there to be listed, have none: so it is looked again, and when
 * there are others all is opened anew. In the end each thread has every event once, its own or
 * inherited.
 */
static int open_settled(struct sys *sys, struct group *g, struct attach_set *set, struct error *err)
{
	const unsigned int before = set->nr;
	int ret, round = 0;

	for (;;) {
		ret = open_all(sys, g, set, err);
		if (ret < 0 || event_is_traced(g->openings->req->spec))
			return ret;
		do	/* which takes a descriptor, too */
			ret = event_scope_again(sys, g->openings->req->scope, err);
		while (ret == -EMFILE && attach_room(sys, g->openings, false, set->nr - before,
						     set->nr - before, set, err));
		if (ret <= 0)
			return ret;
		if (++round == ROUNDS)
			break;
		close_from(sys, set, before);
	}
	attach_say(set, "event '%.128s': threads start faster than it is opened for them: some may "
			"be without", g->openings->req->spec->text);
	return 0;
}

static int bind_one(struct sys *sys, const struct opening *o, struct attachment *a,
		    struct attach_set *set, struct error *err)
{
	const struct attach_request *req = o->req;
	const unsigned int done = a - &set->list[o->first];
	int ret;

	do
		ret = req->method->bind(sys, a, req->prog_fd, req->cookie, err);
	while (ret == -EMFILE && attach_room(sys, o, true, done, o->nr, set, err));
	if (ret == 0)
		return 0;
	attach_where(err, &a->target);
	error_where(err, "event '%s'", req->spec->text);
	return ret;
}

static int bind_all(struct sys *sys, const struct group *g, struct attach_set *set,
		    struct error *err)
{
	int ret = 0;

	for (unsigned int i = 0; !ret && i < g->nr; i++) {
		const struct opening *o = &g->openings[i];

		set->failed = i;
		for (unsigned int n = 0; !ret && !o->counts && n < o->nr; n++)
			ret = bind_one(sys, o, &set->list[o->first + n], set, err);
	}
	return ret;
}

int attach_together(struct sys *sys, const struct attach_request *reqs, unsigned int nr,
		    struct attach_set *set, struct error *err)
{
	const unsigned int before = set->nr;
	struct group g = { .openings = calloc(nr, sizeof(*g.openings)), .nr = nr };
	int ret;

	if (!g.openings)
		return error_set(err, ENOMEM, "no memory for %u events", nr);
	find_leaders(reqs, set, &g);
	ret = describe_all(sys, reqs, &g, set, err);
	if (ret == 0)
		ret = open_settled(sys, &g, set, err);
	if (ret == 0)
		ret = bind_all(sys, &g, set, err);
	if (ret < 0)
		attach_undo(sys, set, before);
	group_free(&g);
	return ret;
}

/* Those from @first to @end; which one fails is told as one of all. */
static int attach_some(struct sys *sys, const struct attach_request *reqs, unsigned int first,
		       unsigned int end, struct attach_set *set, struct error *err)
{
	int ret;

	set->failed = 0;
	ret = attach_together(sys, reqs + first, end - first, set, err);
	set->failed += first;
	return ret;
}

int attach_group(struct sys *sys, const struct attach_request *reqs, unsigned int nr,
		 struct attach_set *set, struct error *err)
{
	const unsigned int before = set->nr;
	unsigned int first = 0, i = 0;
	int ret = 0;

	/*
	 * What is one for each process is in no group: those before it are one, and those behind
	 * it.
	 */
	for (; !ret && i < nr; i++) {
		set->failed = i;
		ret = check_request(&reqs[i], err);
		if (ret || !attach_by_process(&reqs[i]))
			continue;
		if (nr > 1)
			attach_say(set, "event '%.128s': it is opened in each process, and in no "
					"group",
				   reqs[i].spec->text);
		if (i > first)
			ret = attach_some(sys, reqs, first, i, set, err);
		if (!ret) {
			ret = attach_processes(sys, &reqs[i], set, err);
			set->failed = i;
		}
		first = i + 1;
	}
	if (!ret && nr > first)
		ret = attach_some(sys, reqs, first, nr, set, err);
	if (ret < 0)
		attach_undo(sys, set, before);
	return ret;
}

int attach_prog(struct sys *sys, const struct attach_request *req, struct attach_set *set,
		struct error *err)
{
	return attach_group(sys, req, 1, set, err);
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
		.event_fd = -1,
		.link_fd = link_fd,
		.target = { .tid = -1, .cpu = -1 },
		.prog = prog,
	};
	return 0;
}

int attach_enable_from(struct sys *sys, struct attach_set *set, unsigned int from,
		       struct error *err)
{
	for (unsigned int i = from; i < set->nr; i++) {
		const struct attachment *a = &set->list[i];
		int ret;

		if (a->event_fd < 0 || a->on_exec || a->follows)
			continue;
		ret = sys_ioctl(sys, a->event_fd, PERF_EVENT_IOC_ENABLE,
				a->leads ? PERF_IOC_FLAG_GROUP : 0);
		if (ret >= 0)
			continue;
		error_set(err, -ret, "PERF_EVENT_IOC_ENABLE: %s", error_strerror(-ret));
		error_reason(err, "attach/enable");
		error_hint(err, "see dmesg, and whether its CPU is online");
		sys_error_ioctl(err, a->event_fd, PERF_EVENT_IOC_ENABLE, 0, -ret);
		attach_where(err, &a->target);
		return ret;
	}
	return 0;
}

int attach_enable(struct sys *sys, struct attach_set *set, struct error *err)
{
	return attach_enable_from(sys, set, 0, err);
}

int attach_close(struct sys *sys, struct attach_set *set)
{
	int ret;

	attach_note_kprobe_misses(sys, set);
	ret = close_from(sys, set, 0);
	probes_end(sys, &set->probes);
	free(set->list);
	set->list = NULL;
	return ret;
}
