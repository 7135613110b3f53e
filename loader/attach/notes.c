// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What the kernel does with a request other than one would think, said beforehand. */
#include "loader/attach/attach.h"

static bool ignores_pid(const struct attach_request *req)
{
	return event_is_traced(req->spec) && req->scope->pid;
}

static bool ignores_cpus(const struct attach_request *req)
{
	return event_is_traced(req->spec) && req->scope->cpus_given;
}

static bool ignores_period(const struct attach_request *req)
{
	return event_is_traced(req->spec) && (req->spec->has_freq || req->spec->sample_period > 1 ||
					      req->freq || req->period > 1);
}

static bool has_own_rate(const struct attach_request *req)
{
	return !event_is_traced(req->spec) && (req->spec->has_freq || req->spec->has_period) &&
	       (req->freq || req->period);
}

/*
 * perf_event_alloc() gives an inherited event the program of its parent and not the cookie; and
 * when parent and child follow each other on a CPU, perf_event_context_sched_out() may swap their
 * events instead of exchanging them.
 */
static bool cookie_gets_lost(const struct attach_request *req)
{
	return !event_is_traced(req->spec) && req->scope->nr_tids && req->cookie;
}

static const struct {
	bool (*applies)(const struct attach_request *req);
	const char *text;
} notes[] = {
	{ ignores_pid, "a tracepoint runs its program for every task, whatever -p says: "
		       "compare bpf_get_current_pid_tgid() in the program" },
	{ ignores_cpus, "a tracepoint runs its program on every CPU, whatever -C says: "
			"compare bpf_get_smp_processor_id() in the program" },
	{ ignores_period,
	  "a tracepoint runs its program each time, whatever the period or frequency" },
	{ has_own_rate,
	  "the event has a period or frequency of its own: -c and -F are for events without one" },
	{ cookie_gets_lost,
	  "once the process starts threads or children, "
	  "the program may see cookie 0 in any of them: "
	  "the kernel does not inherit it" },
};

void attach_notes(const struct attach_request *req, void (*note)(void *arg, const char *text),
		  void *arg)
{
	for (size_t i = 0; i < sizeof(notes) / sizeof(notes[0]); i++)
		if (notes[i].applies(req))
			note(arg, notes[i].text);
}
