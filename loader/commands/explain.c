// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* pload explain: print the page of a reason, or the list of all reasons. */
#include <errno.h>
#include <string.h>

#include "elf/error.h"
#include "loader/commands/commands.h"
#include "loader/commands/texts.h"
#include "loader/explain/reasons/reasons.h"
#include "loader/core/print/message.h"
#include "loader/core/value/value.h"

#define PAGES_MAX 3	/* of a search that finds more, only the codes are printed */

#define COLUMNS 80
#define LABEL 10

static void print_line(FILE *file, struct json_object *msg)
{
	fprintf(file, "%-30s %s\n", message_text(msg, "code"), message_text(msg, "means"));
}

/* Break lines between words, and indent each to the column of the first. */
static void paragraph(FILE *file, const char *label, const char *text)
{
	size_t column = LABEL;

	fprintf(file, "  %-*s", LABEL - 2, label);
	while (*text) {
		const size_t n = strcspn(text, " ");

		if (column > LABEL && column + 1 + n > COLUMNS) {
			fprintf(file, "\n%*s", LABEL, "");
			column = LABEL;
		}
		column += fprintf(file, "%s%.*s", column > LABEL ? " " : "", (int)n, text);
		text += n + strspn(text + n, " ");
	}
	putc('\n', file);
}

static void print_page(FILE *file, struct json_object *msg)
{
	static const char *const members[] = { "from", "check", "remedy" };

	fprintf(file, "%s: %s\n", message_text(msg, "code"), message_text(msg, "means"));
	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		paragraph(file, members[i], message_text(msg, members[i]));
	putc('\n', file);
}

struct explain_run {
	struct output *out;
	bool whole;	/* print pages instead of one line each */
	int ret;
	struct error *err;
};

static struct json_object *page(const struct reason *r, bool whole)
{
	struct json_object *msg = message_new(whole ? "reason-page" : "reason");

	value_add_string(msg, "code", r->code);
	value_add_string(msg, "means", r->means);
	if (whole) {
		value_add_string(msg, "from", r->from);
		value_add_string(msg, "check", r->check);
		value_add_string(msg, "remedy", r->remedy);
	}
	return msg;
}

static void print(void *arg, const struct reason *r)
{
	struct explain_run *run = arg;

	if (!run->ret)
		run->ret = output_message_as(run->out, page(r, run->whole),
					     run->whole ? print_page : print_line, run->err);
}

static void offer(void *arg, const struct reason *r)
{
	nearest_offer(arg, r->code);
}

static int unknown(const char *text, struct error *err)
{
	char names[NEAREST_MAX * (NEAREST_NAME + 2)];
	struct nearest near;

	nearest_init(&near, text);
	reason_each("*", offer, &near);
	error_set(err, ENOENT, "there is no reason '%s'", text);
	error_reason(err, "usage/code");
	if (near.nr)
		return error_hint(err, "did you mean %s?",
				  nearest_text(&near, names, sizeof(names)));
	return error_hint(err, "pload explain lists them all");
}

/*
 * Write to @pattern the codes that @text names: "[perf-open/no-pmu]" as an error prints it, and
 * "perf-open" for all that begin so.
 */
static bool is_code(const char *text, char *pattern, size_t size)
{
	int n;

	if (text[0] == '[' && strchr(text, '/') && text[strlen(text) - 1] == ']')
		n = snprintf(pattern, size, "%.*s", (int)strlen(text) - 2, text + 1);
	else
		n = snprintf(pattern, size, "%s%s", text, strchr(text, '/') ? "" : "/*");
	return n > 0 && (size_t)n < size && reason_each(pattern, NULL, NULL);
}

/* Print the pages that have all of @texts, of which @missing is no code. */
static int search(struct explain_run *run, const char *const *texts, unsigned int nr,
		  const char *missing, struct error *err)
{
	const unsigned int found = reason_search(texts, nr, NULL, NULL);

	if (!found)
		return unknown(missing, err);
	run->whole = found <= PAGES_MAX;
	reason_search(texts, nr, print, run);
	return run->ret;
}

static int explain_run(struct sys *sys, const struct options *o, struct output *out,
		       struct error *err)
{
	struct explain_run run = { .out = out, .whole = o->nr_objects, .err = err };
	char pattern[128];

	(void)sys;
	if (o->attr)
		return explain_attrs(o, out, err);
	if (!o->nr_objects)
		reason_each("*", print, &run);
	for (unsigned int i = 0; i < o->nr_objects; i++)
		if (!is_code(o->objects[i], pattern, sizeof(pattern)))
			return search(&run, (const char *const *)o->objects, o->nr_objects,
				      o->objects[i], err);
	for (unsigned int i = 0; !run.ret && i < o->nr_objects; i++)
		if (is_code(o->objects[i], pattern, sizeof(pattern)))
			reason_each(pattern, print, &run);
	return run.ret;
}

static const struct option_row rows[] = {
	{ "attr", 0, NULL,
	  "Print the offset and size of each field of union bpf_attr that a bpf(2) command such as "
	  "BPF_PROG_LOAD uses, or of struct perf_event_attr. Without a name, list the names.",
	  OPTION_FLAG, OPTION_FIELD(attr), NULL, NULL },
	{ .name = NULL },
};

static const struct option_group what = { "What to explain", rows };
static const struct option_group *const groups[] = { &what, &options_learning, NULL };

const struct command command_explain = {
	.name = "explain",
	.summary = "Explain a reason code such as perf-open/no-pmu, and what to do about it.",
	.arguments = "[CODE|PATTERN|TEXT...]",
	.about = "Explain a reason code, which an error message ends with, in brackets. Without\n"
		 "an argument, list all codes. 'perf-open/*' and perf-open both print every code\n"
		 "that starts with perf-open. Any other text, such as an errno, a system call or\n"
		 "a line of a verifier log, is searched for in the pages.\n",
	.examples =
		"    pload explain perf-open/no-pmu         # one reason\n"
		"    pload explain 'attach/*'               # all with this prefix\n"
		"    pload explain EINVAL BPF_PROG_LOAD     # pages that mention both\n"
		"    pload explain 'missing btf func_info'  # a line of a verifier log\n"
		"    pload explain --attr BPF_LINK_CREATE  # the offsets of its fields\n",
	.groups = groups,
	.run = explain_run,
};
