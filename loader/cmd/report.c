// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The end of a session in words: what the maps hold, which program ran how often, what was lost or
 * left out.
 */
#include <errno.h>
#include <string.h>

#include "loader/cmd/session.h"

static struct json_object *events_of(const struct session *s, uint32_t prog)
{
	struct json_object *events = json_object_new_array();

	for (uint32_t i = 0; i < s->plan.nr; i++)
		if (s->plan.list[i].prog == prog)
			json_object_array_add(events,
					      json_object_new_string(s->plan.list[i].spec.text));
	return events;
}

static struct json_object *program(const struct session *s, uint32_t prog)
{
	const struct kernel_prog *k = &s->kernel.progs[prog];
	struct json_object *p = json_object_new_object();
	const bool counted = s->kernel.stats_fd >= 0;

	json_object_object_add(p, "name", json_object_new_string(s->object.progs[prog].name));
	json_object_object_add(p, "section", json_object_new_string(s->object.progs[prog].section));
	json_object_object_add(p, "events", events_of(s, prog));
	/* null where this kernel counts no runs: 0 would be a lie. */
	json_object_object_add(p, "run_cnt", counted ? json_object_new_uint64(k->run_cnt) : NULL);
	json_object_object_add(p, "run_time_ns",
			       counted ? json_object_new_uint64(k->run_time_ns) : NULL);
	json_object_object_add(p, "cookie", json_object_new_uint64(s->options->cookie));
	return p;
}

/*
 * Possible CPUs that are not online: nothing was opened there, and coming online later changes
 * nothing.
 */
static struct json_object *skipped_cpus(const struct session *s)
{
	struct json_object *list = json_object_new_array();

	for (unsigned int i = 0; i < s->scope.offline.nr; i++)
		json_object_array_add(list, json_object_new_int(s->scope.offline.cpus[i]));
	return list;
}

static int summary(struct session *s, struct error *err)
{
	const struct options *o = s->options;
	struct json_object *msg = json_object_new_object(), *programs = json_object_new_array();

	for (uint32_t i = 0; i < s->object.nr_progs; i++)
		if (s->plan.loads[i])
			json_object_array_add(programs, program(s, i));
	json_object_object_add(msg, "type", json_object_new_string("summary"));
	json_object_object_add(msg, "attach",
			       o->test_runs ? NULL : json_object_new_string(o->method->name));
	json_object_object_add(msg, "duration_ns", json_object_new_uint64(s->duration_ns));
	json_object_object_add(msg, "programs", programs);
	json_object_object_add(msg, "records", json_object_new_uint64(rings_records(s->rings)));
	json_object_object_add(msg, "lost", json_object_new_uint64(rings_lost(s->rings)));
	json_object_object_add(msg, "skipped_cpus", skipped_cpus(s));
	return output_message(s->out, msg, err);
}

int session_report(struct session *s, struct error *err)
{
	int ret = 0;

	/* With -d 0 nothing had the time to run: what was refused is the whole result. */
	if (session_waits(s)) {
		if (s->kernel.stats_fd >= 0)
			ret = kernel_count_runs(s->sys, &s->kernel, err);
		if (!ret)
			ret = rings_count_lost(s->rings, err);
		if (!ret)
			ret = event_scope_offline(s->sys, &s->scope, err);
		if (!ret)
			ret = output_maps(s->sys, s->out, &s->kernel, session_nr_cpus(s), err);
	}
	if (!ret)
		ret = summary(s, err);
	if (ret < 0 && ret != -EPIPE)
		error_where(err, "%s", s->object.name);
	return ret;
}
