// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Output in KTAP version 1. Each level has a plan, which comes first, and is indented by two
 * spaces. The diagnostics of a result precede it.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "test/regress/harness/ktap.h"

#define INDENT "  "

/* "can be any string of words (can't include #)" */
static void put_name(const char *name)
{
	for (; *name; name++) {
		if (*name == '#')
			fputs("%23", stdout);
		else
			putchar((unsigned char)*name < ' ' ? ' ' : *name);
	}
}

static bool by_id;

void ktap_name_by_id(void)
{
	by_id = true;
}

void ktap_begin(void)
{
	puts("KTAP version 1");
}

void ktap_plan(unsigned int nr)
{
	printf("1..%u\n", nr);
}

void ktap_say(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fputs("# ", stdout);
	vprintf(fmt, ap);
	putchar('\n');
	va_end(ap);
}

void ktap_block(struct ktap_block *block)
{
	printf(INDENT "KTAP version 1\n" INDENT "# Subtest: ");
	put_name(block->name);
	printf("\n" INDENT "1..%u\n", block->nr);
}

void ktap_lines(const char *text)
{
	while (*text) {
		const size_t len = strcspn(text, "\n");

		fputs(INDENT "# ", stdout);
		for (size_t i = 0; i < len; i++)
			putchar((unsigned char)text[i] < ' ' && text[i] != '\t' ? '?' : text[i]);
		putchar('\n');
		text += len + (text[len] == '\n');
	}
}

/*
 * Test farms keep a history by the name of a result. They take everything before "# SKIP", or
 * before "# " for a failure, as the name. So details that vary between runs go on separate lines.
 */
static void describe(const struct suite_test *test, const struct regress_shared *shared)
{
	ktap_lines(test->test->name);
	if (shared->state != REGRESS_PASSED && shared->why[0])
		ktap_lines(shared->why);
}

void ktap_result(struct ktap_block *block, const struct suite_test *test,
		 const struct regress_shared *shared, bool timed_out)
{
	struct suite_totals *totals = &block->totals;
	const bool short_name = by_id && test->id[0];
	const unsigned int number = totals->passed + totals->failed + totals->skipped +
				    totals->differed + 1;
	const bool failed = shared->state == REGRESS_FAILED;

	if (short_name)
		describe(test, shared);
	printf(INDENT "%s %u ", failed ? "not ok" : "ok", number);
	put_name(short_name ? test->id : test->test->name);
	if (test->id[0] && !short_name)
		printf(" [%s]", test->id);
	if (shared->state == REGRESS_PASSED) {
		totals->passed++;
	} else if (failed) {
		totals->failed++;
		if (!short_name)
			printf(" # %s%s", timed_out ? "TIMEOUT " : "", shared->why);
	} else if (shared->state == REGRESS_DIFFERS) {
		totals->differed++;
		printf(" # XFAIL%s%s", short_name ? "" : " implementation-defined: ", short_name ? "" : shared->why);
	} else {
		if (!totals->skipped++)
			snprintf(block->why, sizeof(block->why), "%s", shared->why);
		else if (strcmp(block->why, shared->why))
			block->why[0] = '\0';
		printf(" # SKIP%s%s", short_name ? "" : " ", short_name ? "" : shared->why);
	}
	putchar('\n');
}

void ktap_block_end(const struct ktap_block *block)
{
	const struct suite_totals *totals = &block->totals;

	printf("%s %u ", totals->failed ? "not ok" : "ok", block->number);
	put_name(block->name);
	if (totals->skipped == block->nr && by_id)
		printf(" # SKIP");
	else if (totals->skipped == block->nr && block->why[0])
		printf(" # SKIP %s", block->why);
	else if (totals->skipped == block->nr)
		printf(" # SKIP each of its %u tests", block->nr);
	putchar('\n');
}

static void put_part(const char *text)
{
	for (; *text; text++) {
		if (text[0] == ':' && text[1] == ' ')
			putchar('\\');
		putchar(*text);
	}
}

void ktap_saw(const char *group, const char *test, const char *key, const char *value)
{
	fputs("# saw: ", stdout);
	put_part(group);
	putchar('/');
	put_part(test);
	fputs(": ", stdout);
	put_part(key);
	printf(": %s\n", value);
}

void ktap_totals(const struct suite_totals *totals)
{
	printf("# Totals: pass:%u fail:%u xfail:%u xpass:0 skip:%u error:0\n", totals->passed,
	       totals->failed, totals->differed, totals->skipped);
}
