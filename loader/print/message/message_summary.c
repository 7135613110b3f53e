// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The summary of a session as text. */
#include <inttypes.h>
#include <string.h>

#include "loader/print/message/renderers.h"

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
		fputs("lost: not known (the kernel does not count for ring buffers and rings that "
		      "overwrite)", file);
	if (nr)
		fprintf(file, "; %zu ring%s of %" PRIu64 " kB", nr, nr == 1 ? "" : "s",
			bytes / 1024);
	putc('\n', file);
}

/* Losses by their "what". Runs are missing: the line of the program has its recursion misses. */
static const struct {
	const char *what, *one, *many, *cause;
} losses[] = {
	{ "records", "record", "records", "a ring was full" },
	{ "overwritten", "byte of records", "bytes of records",
	  "overwritten before they were read" },
	{ "updates", "update", "updates", "the map was full" },
	{ "stacks", "stack", "stacks",
	  "another stack has the same hash, or the map had no room" },
	{ "lines", "line", "lines", "their ring was full" },
	{ "throttled", "pause", "pauses",
	  "throttled: more samples than perf_event_max_sample_rate" },
};

/* Print that nobody counts what the ring has lost. */
static void print_uncounted(FILE *file, struct json_object *loss)
{
	message_print_with(file, loss, "  lost: not known for map '", "map",
			   "': the kernel does not count for it, and its programs do not in a "
			   "global variable\n");
}

/* Nobody counts the samples that were dropped: both causes are possible. */
static void print_dropped(FILE *file, struct json_object *loss)
{
	const uint64_t n = message_number(loss, "count"), of = message_number(loss, "of");

	fprintf(file, "  lost: %" PRIu64 " of %" PRIu64 " samples (%.0f %%)", n, of,
		of ? 100.0 * n / of : 0);
	message_print_with(file, loss, " of prog '", "prog", "'");
	fputs(" (taken while a BPF program ran on their CPU, or their timer came late; "
	      "perf record has them)\n", file);
}

static void print_loss(FILE *file, struct json_object *loss)
{
	static const char *const owners[] = { "map", "event", "helper" };
	const char *what = message_text(loss, "what");
	struct json_object *name;

	if (!message_get(loss, "count") && !message_get(loss, "counted_by")) {
		print_uncounted(file, loss);
		return;
	}
	if (what && !strcmp(what, "samples")) {
		print_dropped(file, loss);
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
		fprintf(file, " (%s", losses[i].cause);
		message_print_with(file, loss, "; counted by the program in '", "counted_by", "'");
		fputs(")\n", file);
	}
}

static void print_losses(FILE *file, struct json_object *list)
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

void message_print_summary(FILE *file, struct json_object *msg)
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
	print_losses(file, message_get(msg, "losses"));
	if (message_get(msg, "command"))
		print_command(file, message_get(msg, "command"));
	print_skipped_cpus(file, message_get(msg, "skipped_cpus"));
	if (!message_get(msg, "pinned"))
		return;
	message_print_with(file, msg, "  the links stay: pload adopt ", "pinned",
			   " resumes the session, pload detach ");
	message_print_with(file, msg, "", "pinned", " ends it\n");
}
