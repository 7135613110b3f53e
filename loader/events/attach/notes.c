// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Notes before attaching, about what may surprise the user. */
#include <stdio.h>

#include "loader/events/attach/events.h"
#include "loader/core/event/scope.h"

/* A uprobe is limited to the memory of its process; other tracing events have no limits. */
static bool is_uprobe(const struct attach_request *req)
{
	return event_is_probe(req->spec) && req->spec->kind != EVENT_KPROBE && !req->spec->counts;
}

static bool leaves_children_out(const struct attach_request *req)
{
	return is_uprobe(req) && event_scope_by_task(req->scope) && req->scope->inherit;
}

static bool ignores_cpus(const struct attach_request *req)
{
	return event_is_tracing(req->spec) && req->scope->cpus_given;
}

static bool ignores_period(const struct attach_request *req)
{
	return event_is_tracing(req->spec) &&
	       (req->spec->has_freq || req->spec->sample_period > 1 ||
					      req->freq || req->period > 1);
}

static bool ignores_modifiers(const struct attach_request *req)
{
	return event_is_tracing(req->spec) && req->spec->modifiers.exclude;
}

static bool has_own_rate(const struct attach_request *req)
{
	return !event_is_tracing(req->spec) && (req->spec->has_freq || req->spec->has_period) &&
	       (req->freq || req->period);
}

/*
 * perf_event_alloc() passes the parent's program on to an inherited event, but not its cookie. And
 * when the CPU switches from parent to child, perf_event_context_sched_out() may swap their
 * contexts, so that the parent ends up with the event without the cookie.
 */
static bool cookie_gets_lost(const struct attach_request *req)
{
	return !event_is_tracing(req->spec) && req->scope->inherit && req->cookie;
}

static const struct {
	bool (*applies)(const struct attach_request *req);
	const char *text;
} notes[] = {
	{ leaves_children_out,
	  "a uprobe runs its program in existing processes, not in children forked later" },
	{ ignores_cpus, "a tracing event runs its program on every CPU, whatever -C says: check "
			"bpf_get_smp_processor_id() in the program" },
	{ ignores_period,
	  "a tracing event runs its program every time, whatever the period or frequency" },
	{ ignores_modifiers,
	  "a tracing event runs its program in user and kernel mode, whatever its modifiers" },
	{ has_own_rate,
	  "the event has its own period or frequency, which overrides -c and -F" },
	{ cookie_gets_lost,
	  "once the process starts threads or children, the program may see cookie 0 in any of "
	  "them: the cookie is not inherited" },
};

/* A tracing event ignores the task scope. */
static void note_task_scope(const struct attach_request *req,
			    void (*note)(void *arg, const char *text), void *arg)
{
	static const char *const options[] = {
		[TASK_SCOPE_PROCESSES] = "-p says", [TASK_SCOPE_THREADS] = "-t says",
		[TASK_SCOPE_USER] = "-u says",
		[TASK_SCOPE_CGROUPS] = "-G says", [TASK_SCOPE_COMMAND] = "the command is",
	};
	static const char *const compare[] = {
		[TASK_SCOPE_PROCESSES] = "bpf_get_current_pid_tgid()",
		[TASK_SCOPE_THREADS] = "bpf_get_current_pid_tgid()",
		[TASK_SCOPE_USER] = "bpf_get_current_uid_gid()",
		[TASK_SCOPE_CGROUPS] = "bpf_get_current_cgroup_id()",
		[TASK_SCOPE_COMMAND] = "bpf_get_current_comm()",
	};
	char text[256];

	if (!event_is_tracing(req->spec) || req->scope->tasks == TASK_SCOPE_ALL ||
	    (is_uprobe(req) && event_scope_by_task(req->scope) &&
	     req->scope->tasks != TASK_SCOPE_THREADS))
		return;
	snprintf(text, sizeof(text),
		 "a %s, whatever %s: check %s in the program",
		 is_uprobe(req) && event_scope_by_task(req->scope) ?
			 "uprobe runs its program for all threads of a process" :
			 "tracing event runs its program for every task",
		 options[req->scope->tasks], compare[req->scope->tasks]);
	note(arg, text);
}

static void surprises(const struct attach_request *req, void (*note)(void *arg, const char *text),
		  void *arg)
{
	note_task_scope(req, note, arg);
	for (size_t i = 0; i < sizeof(notes) / sizeof(notes[0]); i++)
		if (notes[i].applies(req))
			note(arg, notes[i].text);
}

const struct attach_feature attach_surprises = { .notes = surprises };
