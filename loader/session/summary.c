// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The end of a session: print the contents of maps, how often each program ran, and what was lost
 * or skipped.
 */
#include <errno.h>
#include <string.h>

#include "loader/event/scope.h"
#include "loader/session/part.h"
#include "loader/print/message.h"
#include "loader/value/value.h"
#include "loader/sys/names.h"

static struct json_object *entry_text(const struct session *s, const struct plan_entry *entry)
{
	char text[512];

	if (!entry->target)
		return json_object_new_string(entry->spec.text);
	plan_target_text(s->options, &s->load.object, entry, text, sizeof(text));
	return json_object_new_string(text);
}

bool plan_same_uprobe(const struct plan_entry *entry)
{
	return !entry->target && !entry[-1].target && entry->spec.resolved &&
	       !strcmp(entry->spec.text, entry[-1].spec.text);
}

/*
 * List the events or (@targets) the link targets of program @prog. The plan is in the order of the
 * programs; @entry is the first one of this program.
 */
static struct json_object *entries_of(const struct session *s, uint32_t prog, uint32_t entry,
				      bool targets)
{
	struct json_object *list = json_object_new_array();
	const uint32_t first = entry;

	for (; entry < s->plan.nr && s->plan.list[entry].prog == prog; entry++) {
		const struct plan_entry *e = &s->plan.list[entry];

		if (!e->target == !targets && !e->dropped &&
		    (entry == first || !plan_same_uprobe(e)))
			value_append(list, entry_text(s, e));
	}
	return list;
}

static struct json_object *program(const struct session *s, uint32_t prog, uint32_t entry)
{
	const struct kernel_prog *k = &s->load.kernel.progs[prog];
	const struct object_prog *o = &s->load.object.progs[prog];
	const bool counts = s->load.kernel.stats_fd >= 0;
	struct json_object *p = json_object_new_object();

	value_add_string(p, "name", o->name);
	value_add_string(p, "section", o->section);
	value_add(p, "events", entries_of(s, prog, entry, false));
	value_add(p, "points", entries_of(s, prog, entry, true));
	value_add_count(p, "run_cnt", counts, k->run_cnt);
	value_add_count(p, "run_time_ns", counts, k->run_time_ns);
	value_add_count(p, "recursion_misses", k->has_misses, k->recursion_misses);
	value_add_uint(p, "cookie", s->options->cookie);
	return p;
}

static struct json_object *programs(const struct session *s)
{
	struct json_object *list = json_object_new_array();
	uint32_t entry = 0;

	for (uint32_t i = 0; i < s->load.object.nr_progs; i++) {
		if (!s->load.wanted[i])
			continue;
		value_append(list, program(s, i, entry));
		while (entry < s->plan.nr && s->plan.list[entry].prog == i)
			entry++;
	}
	return list;
}

/* CPUs of the scope without open events: offline, or refused when they came back. */
static struct json_object *skipped_cpus(const struct session *s)
{
	struct json_object *list = json_object_new_array();

	for (unsigned int i = 0; i < s->scope.offline.nr; i++)
		value_append(list, json_object_new_int(s->scope.offline.cpus[i]));
	return list;
}

/* The exit status of the command after "--". */
static struct json_object *command(const struct session *s)
{
	struct json_object *c = json_object_new_object();
	const struct child *child = &s->child;
	const char *name = sys_signal_name(child->signo);

	value_add_string(c, "name", child->argv[0]);
	value_add_int(c, "pid", child->pid);
	if (!child->signo)
		value_add_int(c, "exit_code", child->exit_code);
	else if (name)
		value_add_string(c, "signal", name);
	else
		value_add_int(c, "signal", child->signo);
	return c;
}

struct losses session_losses(const struct session *s)
{
	struct losses losses = {
		.rings = s->rings, .kernel = &s->load.kernel, .failures = &s->load.failures,
	};

	session_parts_lost(s, &losses);
	return losses;
}

/* Add what was lost. With --strict that is the exit status, too. */
static void add_losses(struct session *s, struct json_object *msg)
{
	const struct losses losses = session_losses(s);

	s->lossy = output_losses(s->sys, msg, &losses);
}

static int summary(struct session *s, struct error *err)
{
	const struct options *o = s->options;
	struct json_object *msg = message_new("summary");

	if (o->test_runs || !s->load.kernel.object)
		value_add_null(msg, "attach");
	else
		value_add_string(msg, "attach", o->method->name);
	if (s->child.started)
		value_add(msg, "command", command(s));
	value_add_uint(msg, "duration_ns", s->duration_ns);
	value_add(msg, "programs", programs(s));
	value_add_uint(msg, "records", rings_records(s->rings));
	add_losses(s, msg);
	value_add(msg, "skipped_cpus", skipped_cpus(s));
	if (s->pins.is_made)
		value_add_string(msg, "pinned", s->pins.dir);
	return output_message(s->out, msg, err);
}

int session_summary(struct session *s, struct error *err)
{
	int ret = 0;

	/* With -d 0 no program had time to run: that all was attached is the result. */
	if (session_waits(s)) {
		if (s->load.kernel.object)
			ret = kernel_count_runs(s->sys, &s->load.kernel, err);
		if (!ret)
			ret = rings_count_lost(s->rings, err);
		if (!ret)
			ret = event_scope_offline(s->sys, &s->scope, err);
		if (!ret && s->load.kernel.object)
			ret = output_maps(s->sys, s->out, &s->load.kernel, &s->load.possible, err);
		if (!ret)
			ret = session_stage(s, STAGE_REPORT, err);
	}
	if (!ret)
		ret = summary(s, err);
	if (ret < 0)
		error_reason_default(err, "print/map");
	if (ret < 0 && s->load.kernel.object)
		error_where(err, "%s", s->load.object.name);
	return ret;
}
