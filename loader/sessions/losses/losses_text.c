// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The lines of a summary after the programs: records, losses, the command and pins. */
#include <inttypes.h>
#include <string.h>

#include "loader/core/print/message.h"
#include "loader/sessions/parts/parts.h"

/* Return true if the losses of some ring are not counted. */
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

/* Print the number of records, whether some were lost, and the memory used by the rings. */
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
		fputs("lost: unknown (the kernel does not count for ring buffers)", file);
	if (nr)
		fprintf(file, "; %zu ring%s of %" PRIu64 " kB", nr, nr == 1 ? "" : "s",
			bytes / 1024);
	putc('\n', file);
}

/*
 * Losses by their "what", except for runs: recursion misses are on the program's line. Programs
 * count failed calls, whatever the error: a record may be larger than its ring.
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

/* Print that the ring's losses are not counted. */
static void print_uncounted(FILE *file, struct json_object *loss)
{
	message_print_with(file, loss, "  lost: unknown for map '", "map",
			   "': neither the kernel nor a global variable of its programs counts "
			   "them\n");
}

/* Neither dropped samples nor those skipped by a late timer are counted. */
static void print_dropped(FILE *file, struct json_object *loss)
{
	const uint64_t n = message_number(loss, "at_most"), of = message_number(loss, "of");

	fprintf(file, "  lost: at most %" PRIu64 " of %" PRIu64 " samples (%.0f %%)", n, of,
		of ? 100.0 * n / of : 0);
	message_print_with(file, loss, " of prog '", "prog", "'");
	fputs(n == of ? " (it never ran: the kernel may not have bound it to its event)\n" :
	      message_get(loss, "clock") ?
	      " (a BPF program may have been running on the CPU; a late timer skips samples)\n" :
	      " (a BPF program may have been running on the CPU)\n", file);
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

/* Print how the command ended: with a status or by a signal. */
static void print_command(FILE *file, struct json_object *command)
{
	message_print_with(file, command, "  command ", "name", "");
	if (message_get(command, "signal"))
		message_print_with(file, command, " was ended by ", "signal", "");
	else
		fprintf(file, " exited with %" PRIu64, message_number(command, "exit_code"));
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

void session_print_losses(FILE *file, struct json_object *msg)
{
	print_records(file, msg);
	print_all_losses(file, message_get(msg, "losses"));
	if (message_get(msg, "command"))
		print_command(file, message_get(msg, "command"));
	print_skipped_cpus(file, message_get(msg, "skipped_cpus"));
	if (!message_get(msg, "pinned"))
		return;
	message_print_with(file, msg, "  the links stay pinned: pload pin adopt ", "pinned",
			   " resumes the session, pload pin remove ");
	message_print_with(file, msg, "", "pinned", " ends it\n");
}
