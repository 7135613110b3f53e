// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* pload list: print the events and PMUs of this system as -e takes them. */
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <inttypes.h>
#include <string.h>

#include "loader/commands/commands.h"
#include "loader/commands/texts.h"
#include "loader/events/catalog/catalog.h"
#include "loader/core/print/message.h"
#include "loader/core/value/value.h"

/* --- as text --- */

static void print_pairs(FILE *file, struct json_object *pairs, const char *what)
{
	bool first = true;

	if (!pairs)
		return;
	json_object_object_foreach(pairs, name, value) {
		fprintf(file, "%s", first ? what : ", ");
		text_print(file, name, strlen(name), 0);
		putc('=', file);
		message_print_string(file, value);
		first = false;
	}
	if (!first)
		putc('\n', file);
}

void list_print_pmu(FILE *file, struct json_object *msg)
{
	message_print_member(file, msg, "pmu");
	fprintf(file, ": PMU of type %" PRIu64, message_number(msg, "perf_type"));
	message_print_with(file, msg, ", on CPU ", "cpus", "");
	putc('\n', file);
	print_pairs(file, message_get(msg, "terms"), "    terms: ");
	print_pairs(file, message_get(msg, "caps"), "    caps: ");
}

void list_print_event(FILE *file, struct json_object *msg)
{
	const char *const suffixes[][2] = {
		{ "alias", " or " }, { "terms", ": " }, { "scale", ", times " }, { "unit", " " },
	};

	message_print_with(file, msg, "  ", "event", "");
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		if (!message_get(msg, suffixes[i][0]))
			continue;
		fputs(suffixes[i][1], file);
		message_print_member(file, msg, suffixes[i][0]);
	}
	fprintf(file, "  [%s]\n", message_text(msg, "group"));
}

/* --- the messages --- */

struct listing {
	struct output *out;
	struct error *err;
	const struct options *options;
	unsigned int nr;	/* number of messages printed */
};

static void add_text(struct json_object *msg, const char *key, const char *text)
{
	if (text)
		value_add_string(msg, key, text);
}

static bool is_like(const char *pattern, const char *text)
{
	return text && !fnmatch(pattern, text, FNM_CASEFOLD);
}

/* Like perf list, accept words for groups. */
static bool is_group(const char *pattern, const char *group)
{
	static const struct {
		const char *word, *group;
	} words[] = {
		{ "hw", "hardware" }, { "sw", "software" }, { "hwcache", "cache" },
		{ "tracepoints", "tracepoint" },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(pattern, words[i].word))
			return !strcmp(group, words[i].group);
	return is_like(pattern, group);
}

/* Return true if a pattern matches. A pattern that matches a PMU selects its events, too. */
static bool is_wanted(const struct listing *l, const char *group, const char *name,
		      const char *alias)
{
	const struct options *o = l->options;
	char pmu[64];

	snprintf(pmu, sizeof(pmu), "%.*s", (int)strcspn(name, "/"), name);
	for (unsigned int i = 0; i < o->nr_objects; i++) {
		const char *pattern = o->objects[i];

		if (is_group(pattern, group) || is_like(pattern, name) ||
		    is_like(pattern, alias) ||
		    (!strcmp(group, "pmu") && is_like(pattern, pmu)))
			return true;
	}
	return false;
}

static int list_event(void *arg, const struct event_row *row)
{
	struct json_object *msg;
	struct listing *l = arg;

	if (!is_wanted(l, row->group, row->name, row->alias))
		return 0;
	msg = message_new("list-event");
	add_text(msg, "group", row->group);
	add_text(msg, "event", row->name);
	add_text(msg, "alias", row->alias);
	add_text(msg, "terms", row->terms);
	add_text(msg, "scale", row->scale);
	add_text(msg, "unit", row->unit);
	l->nr++;
	return output_message_as(l->out, msg, list_print_event, l->err);
}

static void add_pairs(struct json_object *msg, const char *key, const char *const (*pairs)[2],
		      unsigned int nr)
{
	struct json_object *object = json_object_new_object();

	for (unsigned int i = 0; i < nr; i++)
		value_add_string(object, pairs[i][0], pairs[i][1]);
	value_add(msg, key, object);
}

static int list_pmu(void *arg, const struct pmu_row *row)
{
	struct json_object *msg;
	struct listing *l = arg;

	if (!is_wanted(l, "pmu", row->name, NULL))
		return 0;
	msg = message_new("list-pmu");
	add_text(msg, "pmu", row->name);
	value_add_uint(msg, "perf_type", row->type);
	value_add_string(msg, "cpus", row->cpus);
	add_pairs(msg, "terms", row->terms, row->nr_terms);
	add_pairs(msg, "caps", row->caps, row->nr_caps);
	l->nr++;
	return output_message_as(l->out, msg, list_print_pmu, l->err);
}

static const char *const function_prefixes[] = { "kprobe:", "kretprobe:" };

#define NR_PREFIXES (sizeof(function_prefixes) / sizeof(function_prefixes[0]))

/* Functions are many, and only listed by patterns that begin with one of these prefixes. */
static const char *function_prefix(const char *pattern)
{
	for (size_t i = 0; i < NR_PREFIXES; i++)
		if (!strncmp(pattern, function_prefixes[i], strlen(function_prefixes[i])))
			return function_prefixes[i];
	return NULL;
}

static int list_functions(struct sys *sys, const struct options *o,
			  const struct event_visitor *visitor, struct error *err)
{
	int ret = 0;

	for (size_t i = 0; i < NR_PREFIXES && !ret; i++) {
		bool wanted = false;

		for (unsigned int k = 0; k < o->nr_objects; k++)
			wanted |= function_prefix(o->objects[k]) == function_prefixes[i];
		if (wanted)
			ret = event_catalog_functions(sys, function_prefixes[i], visitor, err);
	}
	return ret;
}

/*
 * Return true if no pattern can match a tracepoint, whose name has a colon. A list of "hw" or
 * "cycles" then needs no access to tracefs.
 */
static bool is_no_tracepoint(const struct options *o)
{
	for (unsigned int i = 0; i < o->nr_objects; i++) {
		const char *pattern = o->objects[i];

		if (function_prefix(pattern))
			continue;
		if (strpbrk(pattern, ":*?[\\") || is_group(pattern, "tracepoint"))
			return false;
	}
	return true;
}

static int no_match(const struct listing *l, struct error *err)
{
	error_set(err, ENOENT, "no event, PMU or group matches the pattern");
	error_reason(err, "event/unknown");
	error_hint(err, "shell patterns must match the whole name: '*%.60s*'; groups "
			"are hw, sw, cache, raw, breakpoint, probe, pmu, tracepoint",
		   l->options->objects[0]);
	return error_where(err, "%s", l->options->objects[0]);
}

static int run(struct sys *sys, const struct options *o, struct output *out, struct error *err)
{
	struct listing l = { .out = out, .err = err, .options = o };
	const struct event_visitor visitor = { list_event, list_pmu, &l, is_no_tracepoint(o) };
	int ret;

	if (!o->nr_objects)
		return list_summary(sys, out, err);
	ret = event_catalog(sys, &visitor, err);
	if (!ret)
		ret = list_functions(sys, o, &visitor, err);
	if (!ret && !l.nr)
		ret = no_match(&l, err);
	return ret ? ret : output_flush(out, err);
}

const struct command command_list_events = {
	.name = "list",
	.summary = "List the events and PMUs of this system, as -e takes them.",
	.arguments = "[PATTERN...]",
	.about = "List events: hardware, software and cache events, PMUs with their terms and\n"
		 "events, tracepoints, and the syntax of breakpoints and probes. Without an\n"
		 "argument, print one line per group. PATTERN is a shell pattern that matches\n"
		 "names, PMUs and groups (hw, sw, cache, raw, breakpoint, probe, pmu,\n"
		 "tracepoint). '*' lists every event. Functions are listed only by 'kprobe:vfs_*'\n"
		 "and the like.\n",
	.examples =
		"    pload list                 # how many events each group has\n"
		"    pload list '*' | less      # every event\n"
		"    pload list 'sched:*'       # tracepoints\n"
		"    pload list hw cache        # groups of events\n"
		"    pload list 'kprobe:vfs_*'  # functions that can be probed\n",
	.groups = options_learning_only,
	.run = run,
};
