// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The limit on open files: raise it when there is no descriptor for an event or link. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "loader/events/attach/events.h"
#include "loader/core/sys/fd_limit.h"

/* " of 2000 (1000 threads on each of 2 CPUs)" */
static void print_total(const struct event_scope *scope, unsigned int all, char *text, size_t size)
{
	const char *unit = scope->nr_tids ? "thread" : "cgroup";
	const unsigned int nr = scope->nr_tids ? scope->nr_tids : scope->nr_cgroups;

	if (nr && scope->cpus.nr)
		snprintf(text, size, "%u (%u %ss on each of %u CPUs)", all, nr, unit,
			 scope->cpus.nr);
	else if (nr)
		snprintf(text, size, "%u (%u %ss)", all, nr, unit);
	else
		snprintf(text, size, "%u (of %u CPUs)", all, scope->cpus.nr);
}

/* Preserve the call shown by @err: reading the limits for the message makes more calls. */
static void report(struct sys *sys, const struct attach_progress *p, const struct attach_set *set,
		   struct error *err)
{
	const struct attach_event *e = p->event;
	/* When links are being created, the remaining events are already open. */
	const uint64_t nr = p->links ? set->nr : e->first + p->all;
	const unsigned int each = e->req.method->is_link ? 2 : 1;
	char total[96], call[sizeof(err->call)] = "";

	print_total(e->req.scope, p->all, total, sizeof(total));
	if (err)
		memcpy(call, err->call, sizeof(call));
	error_set(err, EMFILE, "%s: %s: out of file descriptors after %u of %s%s",
		  p->links ? "BPF_LINK_CREATE" : "perf_event_open", error_strerror(EMFILE), p->done,
		  total, e->first ? ", and those of other events" : "");
	fd_limit_failed(sys, EMFILE, p->links ? "attach/fd-limit" : "perf-open/fd-limit",
			nr * each + 64, err);
	if (err)
		memcpy(err->call, call, sizeof(call));
	if (!p->links)	/* bind_all() adds its own context */
		error_where(err, "event '%s'", e->req.spec->text);
}

/* Called for every event, so the code for failures is in separate functions. */
static bool raise_fd_limit(struct sys *sys, struct attach_progress progress, int code,
			   struct attach_set *set, struct error *err)
{
	const unsigned int each = progress.event->req.method->is_link ? 2 : 1;
	const uint64_t soft = set->room.to;

	if (code != -EMFILE)
		return false;
	/* Plus 64 for everything else that a session opens. */
	if (!fd_limit_raise(sys, &set->room,
			    (uint64_t)(progress.all - progress.done) * each + 64)) {
		report(sys, &progress, set, err);
		return false;
	}
	error_clear(err);
	attach_note(set, "the limit on open files (RLIMIT_NOFILE) was raised from %llu to %llu",
		    (unsigned long long)(soft ? soft : set->room.from),
		    (unsigned long long)set->room.to);
	return true;
}

const struct attach_feature attach_fd_limit = { .again = raise_fd_limit };
