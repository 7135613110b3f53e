// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The end of a session: print the map contents, how often each program ran, and what was lost or
 * skipped.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "loader/core/event/scope.h"
#include "loader/core/session/part.h"
#include "loader/core/print/message.h"
#include "loader/core/value/value.h"

/* --- the message --- */

static struct json_object *entry_text(const struct session *s, const struct plan_entry *entry)
{
	char text[512];

	if (!entry->target)
		return json_object_new_string(entry->spec.text);
	plan_text(s->options, &s->load.object, entry, text, sizeof(text));
	return json_object_new_string(text);
}

bool plan_same_uprobe(const struct plan_entry *entry)
{
	return !entry->target && !entry[-1].target && entry->spec.resolved &&
	       !strcmp(entry->spec.text, entry[-1].spec.text);
}

/*
 * List the events or (@targets) the link targets of program @prog. The plan is in program order;
 * @entry is this program's first one.
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

/* CPUs in the scope without open events: offline, or failed when they came back. */
static struct json_object *skipped_cpus(const struct session *s)
{
	struct json_object *list = json_object_new_array();

	for (unsigned int i = 0; i < s->scope.offline.nr; i++)
		value_append(list, json_object_new_int(s->scope.offline.cpus[i]));
	return list;
}

/* --- as text --- */

/* Print what a program was attached to, after @n others. Return the new number. */
static size_t print_targets(FILE *file, struct json_object *targets, size_t n)
{
	for (size_t i = 0; targets && i < json_object_array_length(targets); i++) {
		fputs(n++ ? ", " : " on ", file);
		message_print_string(file, json_object_array_get_idx(targets, i));
	}
	return n;
}

static void print_program(FILE *file, struct json_object *prog)
{
	uint64_t runs = message_number(prog, "run_cnt"), ns = message_number(prog, "run_time_ns"),
		 misses = message_number(prog, "recursion_misses");

	message_print_with(file, prog, "  ", "name", "");
	print_targets(file, message_get(prog, "points"),
		      print_targets(file, message_get(prog, "events"), 0));
	if (message_get(prog, "run_cnt"))
		fprintf(file, ": %" PRIu64 " run%s", runs, runs == 1 ? "" : "s");
	else
		fputs(": runs not counted", file);
	if (runs && ns)
		fprintf(file, ", %" PRIu64 " ns each", ns / runs);
	if (misses)
		fprintf(file, ", %" PRIu64 " missed while a program was running on that CPU",
			misses);
	if (message_number(prog, "cookie"))
		fprintf(file, ", cookie 0x%" PRIx64, message_number(prog, "cookie"));
	putc('\n', file);
}

/* Print " for 1.500 s", or " for 1.500 us" for short times; nothing for -d 0. */
static void print_duration(FILE *file, uint64_t ns)
{
	if (ns >= 1000000)
		fprintf(file, " for %" PRIu64 ".%03" PRIu64 " s", ns / 1000000000,
			ns / 1000000 % 1000);
	else if (ns)
		fprintf(file, " for %" PRIu64 ".%03" PRIu64 " us", ns / 1000, ns % 1000);
	putc('\n', file);
}

void session_print_summary(FILE *file, struct json_object *msg)
{
	struct json_object *progs = message_get(msg, "programs");
	const uint64_t ns = message_number(msg, "duration_ns");

	if (message_get(msg, "attach") || message_get(msg, "adopted")) {
		fputs(message_get(msg, "adopted") ? "adopted" : "attached by ", file);
		message_print_member(file, msg, "attach");
		print_duration(file, ns);
	}
	for (size_t i = 0; progs && i < json_object_array_length(progs); i++)
		print_program(file, json_object_array_get_idx(progs, i));
	session_parts_print(file, msg);
}

/* --- the end of a session --- */

static int summary(struct session *s, struct error *err)
{
	const struct options *o = s->options;
	struct json_object *msg = message_new("summary");

	if (o->test_runs || !s->load.kernel.object)
		value_add_null(msg, "attach");
	else
		value_add_string(msg, "attach", o->method->name);
	value_add_uint(msg, "duration_ns", s->duration_ns);
	value_add(msg, "programs", programs(s));
	value_add_uint(msg, "records", rings_records(s->rings));
	session_parts_summary(s, msg);
	value_add(msg, "skipped_cpus", skipped_cpus(s));
	if (s->pins.is_made)
		value_add_string(msg, "pinned", s->pins.dir);
	return output_message_as(s->out, msg, session_print_summary, err);
}

int session_summary(struct session *s, struct error *err)
{
	int ret = 0;

	/* With -d 0 no program had time to run: the result is that everything could be attached. */
	if (session_waits(s)) {
		if (s->load.kernel.object)
			ret = kernel_count_runs(s->sys, &s->load.kernel, err);
		if (!ret)
			ret = rings_count_lost(s->rings, err);
		if (!ret)
			ret = event_scope_offline(s->sys, &s->scope, err);
		if (!ret)
			ret = session_stage(s, STAGE_MAPS, err);
		if (!ret)
			ret = session_stage(s, STAGE_REPORT, err);
	}
	if (!ret)
		ret = summary(s, err);
	if (ret < 0)
		error_reason_default(err, "output/map");
	if (ret < 0 && s->load.kernel.object)
		error_where(err, "%s", s->load.object.name);
	return ret;
}
