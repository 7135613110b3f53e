// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Opens an event wherever its scope wants it, each in its group. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "loader/attach/attach_internal.h"

void attach_where(struct error *err, const struct event_target *target)
{
	if (target->tid >= 0)
		error_where(err, "task %d", target->tid);
	if (target->cgroup)
		error_where(err, "cgroup '%s'", target->cgroup->name);
	if (target->cpu >= 0)
		error_where(err, "CPU %d", target->cpu);
}

void attach_say(const struct attach_set *set, const char *fmt, ...)
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

/* " of 2000 (1000 threads on each of 2 CPUs)" */
static void say_how_many(const struct event_scope *scope, unsigned int all, char *text, size_t size)
{
	const char *what = scope->nr_tids ? "thread" : "cgroup";
	const unsigned int nr = scope->nr_tids ? scope->nr_tids : scope->nr_cgroups;

	if (nr && scope->cpus.nr)
		snprintf(text, size, "%u (%u %ss on each of %u CPUs)", all, nr, what,
			 scope->cpus.nr);
	else if (nr)
		snprintf(text, size, "%u (%u %ss)", all, nr, what);
	else
		snprintf(text, size, "%u (of %u CPUs)", all, scope->cpus.nr);
}

bool attach_room(struct sys *sys, const struct opening *o, bool links, unsigned int done,
		 unsigned int all, struct attach_set *set, struct error *err)
{
	const unsigned int each = o->req->method->is_link ? 2 : 1;
	const uint64_t soft = set->room.to;
	char of[96], call[sizeof(err->call)] = "";

	/* And some for what a session opens besides. */
	if (fd_room_make(sys, &set->room, (uint64_t)(all - done) * each + 64)) {
		if (err)
			error_clear(err);
		attach_say(set, "the limit of open files (RLIMIT_NOFILE) was raised from %llu to "
				"%llu",
			   (unsigned long long)(soft ? soft : set->room.from),
			   (unsigned long long)set->room.to);
		return true;
	}
	say_how_many(o->req->scope, all, of, sizeof(of));
	if (err)
		memcpy(call, err->call, sizeof(call));
	error_set(err, EMFILE, "%s: %s: there are no more file descriptors after %u of %s%s",
		  links ? "BPF_LINK_CREATE" : "perf_event_open", error_strerror(EMFILE), done, of,
		  o->first ? ", and those of other events" : "");
	error_reason(err, links ? "attach/fd-limit" : "perf-open/fd-limit");
	error_hint(err, "the limit is %llu (hard: %llu), and raising it takes CAP_SYS_RESOURCE: "
			"ulimit -n %llu as root, or name fewer CPUs, threads or cgroups",
		   (unsigned long long)set->room.to, (unsigned long long)set->room.hard,
		   ((unsigned long long)o->first + all) * each + 64);
	if (err)
		memcpy(err->call, call, sizeof(call));
	if (!links)	/* who binds says it himself */
		error_where(err, "event '%s'", o->req->spec->text);
	return false;
}

int opening_describe(struct sys *sys, struct opening *o, const struct opening *leader,
		     struct attach_set *set, struct error *err)
{
	const struct attach_request *req = o->req;
	const bool traced = event_is_traced(req->spec);
	int ret;

	o->attr.size = sizeof(o->attr);
	if (event_is_probe(req->spec))
		ret = req->method->probe(sys, req->spec, &set->probes, o->function, &o->attr, err);
	else
		ret = req->method->describe(sys, req->spec, &o->attr, &o->cpus, err);
	if (ret == 0)
		ret = event_sampling(req->spec, req->period, req->freq, &o->attr, err);
	o->nr_probes = probes_nr(&set->probes);
	/*
	 * Never for tracing events: a child that inherited one and exits takes the program off the
	 * parent's, too.
	 */
	o->attr.inherit = req->scope->inherit && !traced;
	o->attr.enable_on_exec = req->on_exec && !traced && !leader;
	/* The leader is what is enabled and disabled; the others are with it. */
	o->attr.disabled = !leader;
	if (!leader || !(leader->req->spec->modifiers.flags & EVENT_SAMPLE_READ) || traced)
		return ret;
	o->attr.sample_period = o->attr.freq = o->attr.precise_ip = 0;
	o->counts = true;
	if (!ret)
		attach_say(set, "event '%.128s': it only counts, and its program does not run: "
				"with :S the leader of a group samples for all", req->spec->text);
	return ret;
}

/* --- which group --- */

static bool same_target(const struct event_target *a, const struct event_target *b)
{
	return a->tid == b->tid && a->cpu == b->cpu && a->cgroup == b->cgroup;
}

/* The attachments that lead; they are in the order of the targets, so the next is where to look. */
struct leaders {
	const struct attachment *list;
	unsigned int nr, next;
};

static const struct attachment *find_leader(struct leaders *leaders,
					    const struct event_target *target)
{
	for (unsigned int i = 0; i < leaders->nr; i++) {
		const unsigned int at = (leaders->next + i) % leaders->nr;

		if (!same_target(&leaders->list[at].target, target))
			continue;
		leaders->next = at + 1;
		return &leaders->list[at];
	}
	return NULL;
}

static int no_leader(const struct opening *o, const struct event_target *target, struct error *err)
{
	error_set(err, EINVAL, "the first event of its group is not open there");
	error_reason(err, "attach/no-leader");
	error_hint(err, "a traced event is opened once, and one of a PMU on the CPUs of its "
			"cpumask: begin the group with another, or leave the {} out");
	attach_where(err, target);
	return error_where(err, "event '%s'", o->req->spec->text);
}

/* --- one after the other --- */

struct walk {
	struct sys *sys;
	struct opening *o;
	struct attach_set *set;
	struct leaders leaders;
	const struct event_target *targets;
	unsigned int nr;
};

/* A group that does not fit its PMU, and that may be taken apart: ":W". */
static bool is_weak(const struct walk *w, int code, const struct error *err)
{
	return w->leaders.nr && code == -EINVAL && err && err->reason &&
	       !strcmp(err->reason, "perf-open/group") &&
	       w->o->req->spec->modifiers.flags & EVENT_WEAK;
}

static int open_one(struct walk *w, unsigned int i, const struct attachment *leader,
		    struct error *err)
{
	const struct attach_request *req = w->o->req;
	struct perf_event_attr attr = w->o->attr;
	int fd, group_fd = leader ? leader->event_fd : -1;

	do
		fd = event_open(w->sys, req->spec, &attr, &w->targets[i], group_fd, err);
	while (fd == -EMFILE && attach_room(w->sys, w->o, false, w->o->nr, w->nr, w->set, err));
	w->o->attr.precise_ip = attr.precise_ip;	/* what opened, for those to come */
	if (is_weak(w, fd, err)) {
		attach_say(w->set, "event '%.128s': its group does not fit the PMU: it is opened "
				   "by itself", req->spec->text);
		error_clear(err);
		w->leaders.nr = 0;
		w->o->attr.disabled = 1;
		return open_one(w, i, NULL, err);
	}
	if (fd < 0)
		return fd;
	w->set->list[w->set->nr++] = (struct attachment){
		.event_fd = fd, .link_fd = -1, .target = w->targets[i], .prog = req->prog,
		.nr_probes = w->o->nr_probes, .is_kprobe = w->o->req->spec->kind == EVENT_KPROBE,
		.on_exec = attr.enable_on_exec,
		.follows = leader != NULL, .stays = w->o->cpus.nr || event_is_traced(req->spec),
	};
	w->o->nr++;
	return 0;
}

static int open_each(struct walk *w, struct error *err)
{
	for (unsigned int i = 0; i < w->nr; i++) {
		const struct event_target *target = &w->targets[i];
		const bool by_task = target->tid >= 0;
		const struct attachment *leader = find_leader(&w->leaders, target);
		int ret;

		/* The leader's task has ended, where it is one that follows its tasks. */
		if (w->leaders.nr && !leader && !(by_task && !w->leaders.list[0].stays))
			return no_leader(w->o, target, err);
		ret = w->leaders.nr && !leader ? -ESRCH : open_one(w, i, leader, err);
		/* A thread may have ended since the threads were listed; its process goes on. */
		if (ret == -ESRCH && (i + 1 < w->nr || w->o->nr)) {
			if (err)
				error_clear(err);
			continue;
		}
		if (ret < 0)
			return ret;
		/* Its program runs for every task and CPU, and fits on no second event. */
		if (event_is_traced(w->o->req->spec))
			break;
	}
	return 0;
}

int opening_open(struct sys *sys, struct opening *o, unsigned int leaders, unsigned int nr_leaders,
		 struct attach_set *set, struct error *err)
{
	struct walk w = { .sys = sys, .o = o, .set = set };
	struct event_target *targets = NULL;
	struct attachment *list;
	int ret = event_targets(o->req->spec, o->req->scope, &o->cpus, &targets, err);

	o->first = set->nr;
	o->nr = 0;
	if (ret < 0)
		return ret;
	w.targets = targets;
	w.nr = ret;
	list = realloc(set->list, (set->nr + (size_t)w.nr) * sizeof(*list));
	if (list) {
		set->list = list;
		w.leaders = (struct leaders){ list + leaders, nr_leaders, 0 };
		ret = open_each(&w, err);
	} else {
		ret = error_set(err, ENOMEM, "no memory for %u attachments", w.nr);
	}
	free(targets);
	return ret;
}
