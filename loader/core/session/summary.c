// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The end of a session: print the contents of maps, how often each program ran, and what was lost
 * or skipped.
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

/* --- as text --- */

/* Print what a program was attached to, after @n others. Return their number. */
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

static void print_skipped_cpus(FILE *file, struct json_object *cpus)
{
	if (!cpus || !json_object_array_length(cpus))
		return;
	fputs("  CPUs left out, offline or refused:", file);
	for (size_t i = 0; i < json_object_array_length(cpus); i++)
		fprintf(file, " %d", json_object_get_int(json_object_array_get_idx(cpus, i)));
	putc('\n', file);
}

/* Return true if nobody counts the losses of one of the rings. */
static bool is_at_least(struct json_object *losses)
{
	for (size_t i = 0; losses && i < json_object_array_length(losses); i++) {
		struct json_object *loss = json_object_array_get_idx(losses, i);
		const char *what = message_text(loss, "what");

		if (what && (!strcmp(what, "overwritten") ||
			     (!strcmp(what, "records") && !message_get(loss, "count"))))
			return true;
	}
	return false;
}

/* Print the number of records, whether some were lost, and the memory that the rings took. */
static void print_records(FILE *file, struct json_object *msg)
{
	struct json_object *rings = message_get(msg, "rings");
	const size_t nr = rings ? json_object_array_length(rings) : 0;
	uint64_t records = message_number(msg, "records"), bytes = 0;

	if (!nr && !records)
		return;
	for (size_t i = 0; i < nr; i++)
		bytes += message_number(json_object_array_get_idx(rings, i), "bytes");
	fprintf(file, "  %" PRIu64 " record%s, ", records, records == 1 ? "" : "s");
	if (message_get(msg, "lost"))
		fprintf(file, "%s%" PRIu64 " lost",
			is_at_least(message_get(msg, "losses")) ? "at least " : "",
			message_number(msg, "lost"));
	else
		fputs("lost: not known (the kernel does not count for ring buffers)", file);
	if (nr)
		fprintf(file, "; %zu ring%s of %" PRIu64 " kB", nr, nr == 1 ? "" : "s",
			bytes / 1024);
	putc('\n', file);
}

/*
 * Losses by their "what". Runs are missing: the line of the program has its recursion misses. A
 * program counts calls that failed, whatever the error was: a record may be larger than its ring.
 */
static const struct {
	const char *what, *one, *many, *cause, *counted;
} losses[] = {
	{ "records", "record", "records", "a ring was full", "a ring may have been full" },
	{ "overwritten", "byte of records", "bytes of records",
	  "overwritten before they were read", NULL },
	{ "updates", "update", "updates", "the map was full",
	  "the map may have been full" },
	{ "stacks", "stack", "stacks",
	  "another stack has the same hash, or the map had no room",
	  "another stack may have the same hash" },
	{ "lines", "line", "lines", "their ring was full", NULL },
	{ "throttled", "pause", "pauses",
	  "throttled: more samples than perf_event_max_sample_rate", NULL },
};

/* Print that nobody counts what the ring has lost. */
static void print_uncounted(FILE *file, struct json_object *loss)
{
	message_print_with(file, loss, "  lost: not known for map '", "map",
			   "': the kernel does not count for it, and its programs do not in a "
			   "global variable\n");
}

/* Nobody counts the samples that were dropped, nor those that a late timer never took. */
static void print_dropped(FILE *file, struct json_object *loss)
{
	const uint64_t n = message_number(loss, "at_most"), of = message_number(loss, "of");

	fprintf(file, "  lost: at most %" PRIu64 " of %" PRIu64 " samples (%.0f %%)", n, of,
		of ? 100.0 * n / of : 0);
	message_print_with(file, loss, " of prog '", "prog", "'");
	fputs(n == of ? " (it never ran: the kernel may not have bound it to its event)\n" :
	      message_get(loss, "clock") ?
	      " (a BPF program may have run on their CPU; a timer that comes late takes none)\n" :
	      " (a BPF program may have run on their CPU)\n", file);
}

static void print_loss(FILE *file, struct json_object *loss)
{
	static const char *const owners[] = { "map", "event", "helper" };
	const char *what = message_text(loss, "what");
	struct json_object *name;

	if (what && !strcmp(what, "samples")) {
		print_dropped(file, loss);
		return;
	}
	if (!message_get(loss, "count") && !message_get(loss, "counted_by")) {
		print_uncounted(file, loss);
		return;
	}
	for (size_t i = 0; what && i < sizeof(losses) / sizeof(losses[0]); i++) {
		if (strcmp(losses[i].what, what))
			continue;
		fputs("  lost: ", file);
		if (message_get(loss, "count"))
			fprintf(file, "%" PRIu64, message_number(loss, "count"));
		else
			fputs("an unknown number of", file);
		fprintf(file, " %s", message_number(loss, "count") == 1 ? losses[i].one :
									   losses[i].many);
		for (size_t k = 0; k < sizeof(owners) / sizeof(owners[0]); k++) {
			name = message_get(loss, owners[k]);
			if (!name)
				continue;
			fprintf(file, " of %s '", owners[k]);
			message_print_string(file, name);
			putc('\'', file);
		}
		if (message_get(loss, "cpu"))
			fprintf(file, " on CPU %" PRIu64, message_number(loss, "cpu"));
		fprintf(file, " (%s", message_get(loss, "counted_by") && losses[i].counted ?
				      losses[i].counted : losses[i].cause);
		message_print_with(file, loss, "; counted by the program in '", "counted_by", "'");
		fputs(")\n", file);
	}
}

static void print_all_losses(FILE *file, struct json_object *list)
{
	for (size_t i = 0; list && i < json_object_array_length(list); i++)
		print_loss(file, json_object_array_get_idx(list, i));
}

/* Print how the command ended: by itself or by a signal. */
static void print_command(FILE *file, struct json_object *command)
{
	message_print_with(file, command, "  command ", "name", "");
	if (message_get(command, "signal"))
		message_print_with(file, command, " was ended by ", "signal", "");
	else
		fprintf(file, " exited with %" PRIu64, message_number(command, "exit_code"));
	putc('\n', file);
}

/* Print " for 1.500 s", or " for 1.500 us" where milliseconds are too long; nothing for -d 0. */
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
	print_records(file, msg);
	print_all_losses(file, message_get(msg, "losses"));
	if (message_get(msg, "command"))
		print_command(file, message_get(msg, "command"));
	print_skipped_cpus(file, message_get(msg, "skipped_cpus"));
	if (!message_get(msg, "pinned"))
		return;
	message_print_with(file, msg, "  the links stay: pload pin adopt ", "pinned",
			   " resumes the session, pload pin remove ");
	message_print_with(file, msg, "", "pinned", " ends it\n");
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

	/* With -d 0 no program had time to run: that all was attached is the result. */
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
