// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The results of statements: text, TAP, or JSON. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "loader/core/value/json_object.h"
#include "loader/core/value/value.h"
#include "test/judge/conformance/conformance.h"

static const char *const level_names[] = { "", "must", "may", "differ" };
static const char *const outcome_names[] = { "pass", "FAIL", "skip", "does", "does not", "" };

static const char *outcome_name(const struct result *r)
{
	return r->outcome == OUTCOME_VARIANT ? r->variant : outcome_names[r->outcome];
}

static void print_escaped(const char *text)
{
	text_print(stdout, text, strlen(text), 0);
	putchar('\n');
}

/* The anchor that a heading of Markdown has: lower case, no punctuation, - for blanks. */
static void print_anchor(const char *text)
{
	for (; *text; text++) {
		if (isalnum((unsigned char)*text) || *text == '_' || *text == '-')
			putchar(tolower((unsigned char)*text));
		else if (*text == ' ')
			putchar('-');
	}
}

static void print_again(const struct conformance *c, const struct statement *s)
{
	printf("      again: %s --conformance", program_invocation_name);
	if (c->folder)
		printf(" --pages=%s", c->folder);
	printf(" --seen %s --", s->id);
	for (char **word = c->run.command; *word; word++)
		printf(" %s", *word);
	printf("\n");
}

static void print_text(const struct conformance *c, const struct statement *s,
		       const struct result *r)
{
	printf("%-14s %-8s %s\n", s->id, outcome_name(r), s->title);
	if (r->outcome == OUTCOME_SKIP)
		printf("      %s\n", r->sentence);
	if (r->outcome != OUTCOME_FAIL)
		return;
	printf("      ");
	print_escaped(r->sentence);
	report_errors(&c->run);
	printf("      read: docs/loading/%s#", s->page);
	print_anchor(s->id);
	print_anchor(" ");
	print_anchor(s->title);
	putchar('\n');
	print_again(c, s);
}

/* Only a MUST can fail a test. */
static void print_tap(const struct conformance *c, const struct statement *s,
		      const struct result *r)
{
	printf("%sok %u - %s: %s", r->outcome == OUTCOME_FAIL ? "not " : "", c->nr, s->id,
	       s->title);
	if (r->outcome == OUTCOME_SKIP)
		printf(" # SKIP %s", r->sentence);
	else if (s->level != LEVEL_MUST)
		printf(" (%s: %s)", s->level == LEVEL_MAY ? "MAY" : "loaders differ",
		       outcome_name(r));
	printf("\n");
	if (r->outcome == OUTCOME_FAIL) {
		printf("# ");
		print_escaped(r->sentence);
	}
}

static void print_json(const struct statement *s, const struct result *r)
{
	static const char *const names[] = { [OUTCOME_FAIL] = "fail", [OUTCOME_DOES_NOT] = "does-not",
					     [OUTCOME_VARIANT] = NULL };
	const char *result = names[r->outcome] ?: outcome_name(r);
	struct json_object *o = json_object_new_object();

	json_object_object_add(o, "type", json_object_new_string("statement"));
	json_object_object_add(o, "id", json_object_new_string(s->id));
	json_object_object_add(o, "level", json_object_new_string(level_names[s->level]));
	json_object_object_add(o, "result", json_object_new_string(result));
	json_object_object_add(o, "title", json_object_new_string(s->title));
	if (r->sentence[0])
		json_object_object_add(o, "sentence", json_object_new_string(r->sentence));
	puts(json_object_get_string(o));
	json_object_put(o);
}

void result_print(const struct conformance *c, const struct statement *s, const struct result *r)
{
	if (c->run.format == FORMAT_TAP)
		print_tap(c, s, r);
	else if (c->run.format == FORMAT_JSON)
		print_json(s, r);
	else
		print_text(c, s, r);
}

void results_end(const struct conformance *c)
{
	const uint32_t *must = c->counts[LEVEL_MUST], *may = c->counts[LEVEL_MAY];
	const uint32_t skipped =
		must[OUTCOME_SKIP] + may[OUTCOME_SKIP] + c->counts[LEVEL_DIFFER][OUTCOME_SKIP];

	if (c->run.format == FORMAT_TAP)
		printf("1..%u\n", c->nr);
	if (c->run.format != FORMAT_TEXT)
		return;
	printf("%u of %u MUST hold; %u of %u MAY are done; in %u loaders differ",
	       must[OUTCOME_PASS], must[OUTCOME_PASS] + must[OUTCOME_FAIL], may[OUTCOME_DOES],
	       may[OUTCOME_DOES] + may[OUTCOME_DOES_NOT], c->counts[LEVEL_DIFFER][OUTCOME_VARIANT]);
	printf(skipped ? "; %u were skipped\n" : "\n", skipped);
}

void results_bail_out(const struct conformance *c)
{
	if (c->run.format == FORMAT_TAP)
		printf("Bail out! The judge cannot judge.\n");
}
