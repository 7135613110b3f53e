// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The report of a run: sentences, TAP, or JSON. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "loader/core/value/json_object.h"
#include "loader/core/value/value.h"
#include "test/judge/judge.h"

/* Escape what a loader prints or names, because terminals interpret it. */
static void print_escaped(const char *text, size_t size)
{
	text_print(stdout, text, size, 0);
	putchar('\n');
}

#define FIRST_LINES 2
#define LAST_LINES 5

/*
 * Print what the loader said on standard error, without lines that repeat the one before: the first
 * lines, with which some languages name the cause, and the last ones, with which others do.
 */
void report_errors(const struct run *run)
{
	const char *lines[FIRST_LINES + LAST_LINES], *last = "";
	unsigned int nr = 0;

	for (const char *line = run->err.bytes ? run->err.bytes : ""; *line;) {
		const size_t len = strcspn(line, "\n");

		if (len && strncmp(line, last, len + 1)) {
			if (nr >= FIRST_LINES + LAST_LINES)
				memmove(lines + FIRST_LINES, lines + FIRST_LINES + 1,
					(LAST_LINES - 1) * sizeof(*lines));
			lines[nr < FIRST_LINES + LAST_LINES ? nr : FIRST_LINES + LAST_LINES - 1] = line;
			nr++;
		}
		last = line;
		line += len + (line[len] == '\n');
	}
	for (unsigned int i = 0; i < nr && i < FIRST_LINES + LAST_LINES; i++) {
		const int len = strcspn(lines[i], "\n");

		if (i == FIRST_LINES && nr > FIRST_LINES + LAST_LINES)
			printf("      ... (%u more lines)\n", nr - FIRST_LINES - LAST_LINES);
		printf("      your program says: ");
		print_escaped(lines[i], len < 160 ? len : 160);
	}
}

/* A language's own buffer is lost when the program ends in another way than by its last line. */
static void print_cut_off(const struct run *run)
{
	const char *line;

	if (!run->out.len || run->out.bytes[run->out.len - 1] == '\n')
		return;
	line = memrchr(run->out.bytes, '\n', run->out.len);
	line = line ? line + 1 : run->out.bytes;
	printf("      note: your output ends in the middle of a line, after '");
	text_print(stdout, line, strnlen(line, 60), 0);
	printf("': flush it before your program ends\n");
}

/*
 * An older kernel refuses what is right. Distributions backport features, so this is only a remark.
 */
static void print_age(const struct stage *stage)
{
	unsigned int major, minor;
	struct utsname name;

	if (stage->major && !uname(&name) && sscanf(name.release, "%u.%u", &major, &minor) == 2 &&
	    (major < stage->major || (major == stage->major && minor < stage->minor)))
		printf("      this stage needs Linux %u.%u, and this is %s\n", stage->major, stage->minor,
		       name.release);
}

bool report_format(struct run *run, const char *name)
{
	static const char *const names[] = { "text", "tap", "json" };

	for (int i = 0; i < 3; i++)
		if (!strcmp(names[i], name)) {
			run->format = i;
			return true;
		}
	return false;
}

int report_nr_tests(const struct stage *stage)
{
	int nr = 1;	/* the stage itself */

	for (const struct check *c = stage->checks; c->id; c++)
		nr++;
	return nr;
}

/* --- TAP and JSON: each check is a test, and so is the stage, which a crash fails --- */

static int number_of_check(const struct run *run, const struct check *check)
{
	return run->first_test + 1 + (check - run->stage->checks);
}

static void print_comment(const char *text)
{
	printf("# ");
	print_escaped(text, strlen(text));
}

/* Print an object of names and strings, which end with NULL; a value of NULL leaves its name out. */
static void print_object(const struct run *run, const char *type, const char *const *members, int passed)
{
	struct json_object *o = json_object_new_object();

	json_object_object_add(o, "type", json_object_new_string(type));
	json_object_object_add(o, "stage", json_object_new_string(run->stage->name));
	for (; *members; members += 2)
		if (members[1])
			json_object_object_add(o, members[0], json_object_new_string(members[1]));
	if (passed >= 0)
		json_object_object_add(o, "passed", json_object_new_boolean(passed));
	if (!strcmp(type, "stage")) {
		json_object_object_add(o, "calls", json_object_new_int64(run->seen.nr_calls));
		json_object_object_add(o, "seed", json_object_new_uint64(run->seed));
	}
	puts(json_object_get_string(o));
	json_object_put(o);
}

static void print_checks_after(const struct run *run, const struct check *check)
{
	for (; check->id; check++) {
		if (run->format == FORMAT_TAP)
			printf("ok %d - %s # SKIP after the first mistake\n", number_of_check(run, check),
			       check->id);
		else
			print_object(run, "check", (const char *const[]){ "check", check->id, "skipped",
									   "after the first mistake", NULL }, -1);
	}
}

/* @at: the first check that was not passed; @check: it is to blame, or NULL: how the loader ended is. */
static void machine_mistake(const struct run *run, const struct check *at, const struct check *check)
{
	const bool tap = run->format == FORMAT_TAP;
	const int last = run->first_test + report_nr_tests(run->stage);
	char page[128];

	snprintf(page, sizeof(page), "docs/%s", check ? check->page : "");
	if (check && tap) {
		printf("not ok %d - %s\n", number_of_check(run, check), check->id);
		print_comment(run->sentence);
	} else if (check) {
		print_object(run, "check", (const char *const[]){ "check", check->id, "sentence", run->sentence,
								   "read", page, NULL }, false);
	}
	print_checks_after(run, check ? at + 1 : at);
	if (tap) {
		printf("not ok %d - %s\n", last, run->stage->name);
		if (!check)
			print_comment(run->sentence);
	} else {
		print_object(run, "stage", (const char *const[]){ "sentence", check ? NULL : run->sentence, NULL },
			     false);
	}
}

/* --- a run --- */

/* The page as `make book` builds it, if it has: links and quoted code are there. */
static void print_page(const char *page)
{
	char path[512], *slash;
	const ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - 200);

	printf("      read: docs/%s", page);
	path[len < 0 ? 0 : len] = 0;
	slash = strrchr(path, '/');
	if (slash && strrchr(page, '.')) {
		snprintf(slash, 200, "/book/%.*s.html", (int)(strrchr(page, '.') - page), page);
		printf(access(path, F_OK) ? " (make book builds the page)" : ", as a page: %s", path);
	}
	printf("\n");
}

static void print_again(const struct run *run)
{
	printf("      again: %s %d --seed=%llu%s --", program_invocation_name, run->nr,
	       (unsigned long long)run->seed, run->hints ? "" : " --hint");
	for (char **word = run->command; *word; word++)
		printf(" %s", *word);
	printf("\n");
}

void report_stage(const struct run *run)
{
	if (run->format != FORMAT_TEXT || run->all)
		return;
	printf("%d %s: %s\n", run->nr, run->stage->name, run->stage->title);
	if (run->unlimited)
		printf("      note: no limit of '%s': the judge cannot use such a controller of cgroups\n",
		       run->unlimited);
}

void report_right(const struct run *run, const struct check *check)
{
	if (run->format == FORMAT_TAP)
		printf("ok %d - %s\n", number_of_check(run, check), check->id);
	else if (run->format == FORMAT_JSON)
		print_object(run, "check", (const char *const[]){ "check", check->id, NULL }, true);
	else if (!run->all)
		printf("  ok  %s\n", check->right);
}

void report_mistake(const struct run *run, const struct check *at, const struct check *check, bool named)
{
	if (run->format != FORMAT_TEXT) {
		machine_mistake(run, at, named ? check : NULL);
		return;
	}
	if (run->brief) {
		printf("%2d %s: not yet%s%s\n", run->nr, run->stage->name, named ? ", " : "",
		       named ? check->id : "");
		return;
	}
	if (run->all)
		printf("%2d %s: %s\n", run->nr, run->stage->name, run->stage->title);
	printf("  no  ");
	print_escaped(run->sentence, strlen(run->sentence));
	report_errors(run);
	print_cut_off(run);
	if (progress_has(run))
		printf("      note: this stage was passed before\n");
	print_age(run->stage);
	if (check)
		print_page(check->page);
	for (int i = 0; check && i < run->hints && check->hints[i][0]; i++)
		printf("      hint %d: %s\n", i + 1, check->hints[i]);
	print_again(run);
	printf("%s: not yet%s%s\n", run->stage->name, named ? ", " : "", named ? check->id : "");
}

void report_passed(const struct run *run)
{
	if (run->format == FORMAT_TAP) {
		printf("ok %d - %s\n", run->first_test + report_nr_tests(run->stage), run->stage->name);
		for (uint32_t i = 0; i < run->nr_allowed; i++)
			print_comment(run->allowed[i]);
	} else if (run->format == FORMAT_JSON) {
		print_object(run, "stage", (const char *const[]){ NULL }, true);
	} else if (run->all) {
		printf("%2d %s: passed\n", run->nr, run->stage->name);
	} else {
		for (uint32_t i = 0; i < run->nr_allowed; i++)
			printf("      allowed: %s\n", run->allowed[i]);
		printf("      beyond: %s\n", run->stage->beyond);
		printf("%s: passed, %u calls of bpf(2) and perf events\n", run->stage->name,
		       run->seen.nr_calls);
	}
}

void report_bail_out(const struct run *run)
{
	if (run->format == FORMAT_TAP)
		printf("Bail out! The judge cannot judge stage %s.\n", run->stage->name);
}

void report_all(const struct run *run, int passed)
{
	int nr = 0;

	while (stages[nr])
		nr++;
	if (run->format == FORMAT_TEXT)
		printf("%d of %d stages are passed\n", passed, nr);
}

void report_end(const struct run *run, int nr, bool passed)
{
	int tests = nr ? report_nr_tests(stages[nr - 1]) : 0;

	for (int i = 0; !nr && stages[i]; i++)
		tests += report_nr_tests(stages[i]);
	if (run->format == FORMAT_TAP)
		printf("1..%d\n", tests);
	if (run->format == FORMAT_TEXT && (passed || !nr))
		progress_print_next(run);
}
